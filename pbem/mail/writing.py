"""A letter in its three texts: subject, text part, HTML part."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import css_inline

from pbem.letter import LetterView
from pbem.mail.content import content, table_of
from pbem.mail.environment import environment, sentences
from pbem.mail.words import tidy
from pbem.views import TableView

SUBJECT, SUBJECT_TITLE, SHORTEST_TITLE = 69, 30, 8
"""Longest subject (its header is one line of 78 then), longest and shortest title of a game in it."""

_INLINER = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
_BLANK_LINES = re.compile(r"\n{4,}")


@dataclass(frozen=True, slots=True)
class Written:
    """The texts of a letter. The text part has 72 columns but for links and ends with the signature."""

    subject: str
    text: str
    html: str


def write(view: LetterView, picture: str) -> Written:
    """Write the letter; ``picture`` is the Content-ID of the board, empty without one."""
    kind = view.envelope.kind
    game = table_of(view)
    plain = _values(view, game, "txt")
    subject = _subject(kind, plain)
    text = environment().get_template(f"{kind}/body.txt").render(plain)
    rich = _values(view, game, "html") | {"picture": picture, "subject": subject}
    html = environment().get_template(f"{kind}/body.html").render(rich)
    return Written(subject, _BLANK_LINES.sub("\n\n\n", text.strip()) + "\n", _INLINER.inline(html))


def _values(view: LetterView, game: TableView | None, ending: str) -> dict[str, Any]:
    """What the templates of one part are given, with the sentences that both say."""
    values = content(view, game, html=ending == "html")
    return values | {"sentences": sentences(view.envelope.kind, ending, values)}


def _subject(kind: str, values: dict[str, Any]) -> str:
    """At most 70 characters: a long title gives way before the act does."""
    act = tidy(environment().get_template(f"{kind}/subject.txt").render(values), 4 * SUBJECT)
    title = str(values.get("title", ""))
    if not title:
        return tidy(act, SUBJECT)
    room = SUBJECT - len(act) - len("[] ")
    return tidy(f"[{tidy(title, max(SHORTEST_TITLE, min(SUBJECT_TITLE, room)))}] {act}", SUBJECT)
