"""In another language no sentence of an email is English."""

from __future__ import annotations

import pytest

from pbem.mail.writing import write
from tests.language import pseudo
from tests.mail.views import LETTERS

TOLD = ("refused", "tried-in", "your-turn-void", "your-turn-talk", "talk", "lesson-out", "webhook-stopped")
"""Kept emails with a sentence in English among their values, or with talk."""
OF_SENTENCES = {
    "the", "and", "you", "your", "for", "with", "are", "was", "were", "this", "that", "from", "has", "have", "will",
    "can", "his", "her", "its", "their", "them", "which", "who", "when", "not", "but", "before", "after", "until",
}  # fmt: skip
"""Words that stand in sentences, and in no order."""
TYPED = ("until", "from")
"""Of these, what is a word of orders as well."""


@pytest.mark.parametrize("name", [name for name in LETTERS if not name.startswith(TOLD)])
def test_no_email_keeps_an_english_sentence(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pseudo.speak(monkeypatch)
    written = write(LETTERS[name], "board@pbem")
    found = pseudo.left([written.subject, *written.text.splitlines(), *pseudo.texts(written.html)], TYPED)
    faults = [fault for fault in found if fault.partition(" ")[0] in OF_SENTENCES]
    assert not faults, "\n".join(faults)
