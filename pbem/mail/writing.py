"""A letter in its three texts: subject, text part, HTML part."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import css_inline

from pbem.language import reading
from pbem.letter import LetterView
from pbem.mail.content import content, for_both, table_of
from pbem.mail.environment import environment, sentences
from pbem.mail.words import tidy
from pbem.views import TableView

SUBJECT, SUBJECT_TITLE = 110, 22
"""Longest subject, longest title of a game in it. What has a deadline stays below 90, so that it is never cut away."""

_BLANK_LINES = re.compile(r"\n{4,}")
_INLINER = css_inline.CSSInliner(keep_at_rules=False, load_remote_stylesheets=False)
"""Writes the style sheet into the tags, because programs that read mail drop style sheets."""


@dataclass(frozen=True, slots=True)
class Written:
    """The texts of a letter. The text part has 72 columns but for links and ends with the signature; ``html`` is empty
    for a reader who wants none."""

    subject: str
    text: str
    html: str


def write(view: LetterView, picture: str) -> Written:
    """Write the letter in its reader's language; ``picture`` is the Content-ID of the board, empty without one."""
    with reading(view.envelope.language):
        return _write(view, picture)


def _write(view: LetterView, picture: str) -> Written:
    kind = view.envelope.kind
    game = table_of(view)
    shared = for_both(view, game)
    plain = _values(view, game, "txt", shared)
    subject = _subject(kind, plain)
    text = environment().get_template(f"{kind}/body.txt").render(plain)
    if view.envelope.pictures == "text":
        return Written(subject, _tidied(text), "")
    rich = _values(view, game, "html", shared) | {"picture": picture, "subject": subject}
    html = environment().get_template(f"{kind}/body.html").render(rich)
    return Written(subject, _tidied(text), _INLINER.inline(html))


def _tidied(text: str) -> str:
    return _BLANK_LINES.sub("\n\n\n", text.strip()) + "\n"


def _values(view: LetterView, game: TableView | None, ending: str, shared: Mapping[str, Any]) -> dict[str, Any]:
    """What the templates of one part are given, with the sentences that both say."""
    values = content(view, game, ending == "html", shared)
    return values | {"sentences": sentences(view.envelope.kind, ending, values)}


def _subject(kind: str, values: dict[str, Any]) -> str:
    """The act behind the title of the game, which is the same in all emails of a game: programs sort by it."""
    act = environment().get_template(f"{kind}/subject.txt").render(values)
    title = str(values.get("title", ""))
    return tidy(f"[{tidy(title, SUBJECT_TITLE)}] {act}" if title else act, SUBJECT)
