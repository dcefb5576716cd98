"""A letter in its three texts: subject, text part, HTML part."""

import re
from collections.abc import Mapping
from typing import Any

import css_inline

from pbem.engine import Value
from pbem.language import reading
from pbem.mail.content import content, table_of
from pbem.mail.environment import environment, sentences
from pbem.mail.voices import NAME
from pbem.mail.words import tidy
from pbem.views.games import TableView
from pbem.views.letters import LetterView

SUBJECT = 60
"""Longest subject: so much of it do programs show, phones two thirds."""
LEAST_TITLE, SOME_TITLE, NO_TITLE = 9, 16, 4
"""How much of the title of a game names are cut for, what the second line leaves of it, and what is left out."""
SHORTER = (16, 11, 7)
"""To how many characters names are cut, one after the other, until a subject fits."""

_BLANK_LINES = re.compile(r"\n{3,}")
_INLINER = css_inline.CSSInliner(keep_at_rules=False, load_remote_stylesheets=False)
"""Writes the style sheet into the tags, because programs that read mail drop style sheets."""


class Written(Value):
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
    plain = _values(view, game, "txt")
    subject = _subject(view, game, plain)
    text = environment().get_template(f"{kind}/body.txt").render(plain)
    if view.envelope.pictures == "text":
        return Written(subject, _tidied(text), "")
    rich = _values(view, game, "html") | {"picture": picture, "subject": subject}
    html = environment().get_template(f"{kind}/body.html").render(rich)
    return Written(subject, _tidied(text), _INLINER.inline(html))


def _tidied(text: str) -> str:
    return _BLANK_LINES.sub("\n\n", text.strip()) + "\n"


def _values(view: LetterView, game: TableView | None, ending: str, longest: int | None = None) -> dict[str, Any]:
    """What the templates of one part are given, with the sentences that both say."""
    values = content(view, game, ending == "html", longest or NAME) | ({"longest": longest} if longest else {})
    return values | {"sentences": sentences(view.envelope.kind, ending, values)}


def _subject(view: LetterView, game: TableView | None, plain: Mapping[str, Any]) -> str:
    """What the letter is about and until when, then what its second line adds where there is room, and the title of the
    game, whatever of it fits."""
    template, title = environment().get_template(f"{view.envelope.kind}/subject.txt"), str(plain.get("title", ""))
    room = SUBJECT - _taken(title, LEAST_TITLE)
    act, *more = _lines(template.render(plain))
    for longest in SHORTER:
        if len(act) <= room:
            break
        act, *more = _lines(template.render(_values(view, game, "txt", longest)))
    act = tidy(act, SUBJECT)  # even so long a deadline is whole: the title gives way
    for added in (f" ({line})" for line in more):
        if len(act) + len(added) <= SUBJECT - _taken(title, SOME_TITLE):
            act += added
    left = SUBJECT - len(act) - len(" []")
    return f"{act} [{tidy(title, left)}]" if title and left >= min(len(title), NO_TITLE) else act


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line] or [""]


def _taken(title: str, characters: int) -> int:
    return len(f" [{title[:characters]}]") if title else 0
