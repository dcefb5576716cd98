"""No letter names its reader, in either part and in any language; what the reader has ordered is no news."""

from __future__ import annotations

import html
import re

import pytest

from pbem.language import languages, reading
from pbem.mail.writing import write
from tests.mail.views import LETTERS, addressed

TALK = re.compile(r"^> .*$", re.MULTILINE)
TAG = re.compile(r"<style.*?</style>|<[^>]*>", re.DOTALL)
ALT = re.compile(r'alt="([^"]*)"')
each_language = pytest.mark.parametrize("language", [language.code for language in languages()])


def _seen(page: str) -> str:
    """What is read of the HTML: its text, and what stands for pictures."""
    return html.unescape(TAG.sub(" ", page) + " ".join(ALT.findall(page)))


@each_language
@pytest.mark.parametrize("name", LETTERS)
def test_a_letter_does_not_name_its_reader(name: str, language: str) -> None:
    view = LETTERS[name]
    written = write(addressed(view, language=language), "board@pbem")
    own = re.compile(rf"\b{re.escape(view.envelope.name)}\b")
    for part in (written.subject, written.text, _seen(written.html)):
        found = own.search(part)
        assert found is None, part[max(0, found.start() - 100) : found.end() + 100]


@each_language
def test_the_readers_own_line_of_a_table_is_yours(language: str) -> None:
    with reading(language) as current:
        you = current.word("you").capitalize()
    for name in ("your-turn-build", "your-turn-steam", "game-over"):
        text = write(addressed(LETTERS[name], language=language), "").text
        assert [line for line in text.splitlines() if re.match(rf"> (2\. )?{you} ", line)]
