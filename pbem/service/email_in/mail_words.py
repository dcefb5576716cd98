"""Emails that say one word, or something that is no order, and what it is: nothing is done here.

``docs/orders.md`` lists the words.
"""

import re
from collections.abc import Mapping
from itertools import takewhile
from types import MappingProxyType

from pbem.engine import Value
from pbem.language.email_words import ABOUT_PLACES
from pbem.service.letters.kinds import LetterKind
from pbem.service.letters.kinds.answers import MORE, Explained, Told, ToldBoard
from pbem.service.turns.closings import FEW, ends_a_letter, plain_letters, without_greeting, without_programs

MAP = "map"
ASKED: Mapping[str, LetterKind] = MappingProxyType(
    {**{word: Told(word) for word in ("help", "status", "log", "rules", MORE)}, "board": ToldBoard()}
)
"""Words that are answered with an email."""
UNDO, PAUSE, RESUME, AWAY, BACK, RESIGN = "undo", "pause", "resume", "away", "back", "resign"
ACTS = (UNDO, PAUSE, RESUME, AWAY, BACK, RESIGN)
"""Words that change something, beside the two answers to what waits for one."""
MOST_EXPLAINED = 5
"""Lines of one email that are explained."""
LONGEST = 200
"""Characters of such a line that are looked at."""
CLOSE = "close"
"""Said to the letter that tells of an answer from another address."""
YES, NO = "yes", "no"
SAYS_YES = frozenset((
    "yes", "y", "yep", "yeah", "ok", "okay", "agree", "agreed", "i agree", "accept", "accepted", "i accept", "sure",
    "ja", "oui", "sim", "si", "tak", "ano", "jo", "はい", "是",
))  # fmt: skip
"""Answers to a question of yes or no that agree, without accents."""
SAYS_NO = frozenset((
    "no", "n", "nope", "refuse", "refused", "i refuse", "disagree", "decline", "i decline", "no thanks", "nein", "nej",
    "nee", "nao", "nie", "non", "ne", "いいえ", "不",
))  # fmt: skip
"""The same that do not."""
NOT_AGREED = frozenset(("decline", "i decline", "n", "y", "si", "ne"))
"""Answers only where nothing but yes or no is asked: beside orders they may be one, or a slip."""
_SPOKEN = re.compile(r"^[ \t]*(say|note)\b[ \t]*:?[ \t]*", re.IGNORECASE | re.MULTILINE)
_EXPLAIN = re.compile(rf"(?:{'|'.join(ABOUT_PLACES)})\b|(?:{MAP}|{MORE})[ .!]*$", re.IGNORECASE)
_PAUSE = re.compile(r"pause(?: until (?P<last>.+))?", re.IGNORECASE)
_AWAY = re.compile(r"away (?:from )?(?P<first>.+?) ?(?: to | until | till | a |–|—| - )(?P<last>.+)", re.IGNORECASE)


class Parts(Value):
    """What an email holds: one ``word`` or none, ``orders``, and what is to be said and noted; each may be empty.

    ``word``: of ``ASKED``, ``ACTS``, or ``YES`` and ``NO``. ``first``, ``last``: the days that were written with it.
    ``explain``: lines that ask about the board and its places, of which there may be several, and ``more`` among them.
    """

    orders: str
    word: str = ""
    talk: str = ""
    note: str = ""
    first: str = ""
    last: str = ""
    explain: tuple[str, ...] = ()

    @property
    def asked(self) -> LetterKind | None:
        """The email that answers it, where it asks for one."""
        return Explained(self.explain) if self.explain else ASKED.get(self.word)


def parts(text: str) -> Parts:
    """Tell orders from words.

    What follows a line that begins with ``say`` or ``note`` is said or noted, to the end or to the next such line. A
    word stands alone in its email, but for what is said and noted, and for how people begin and end a letter.
    """
    spoken = list(_SPOKEN.finditer(text))
    orders = text[: spoken[0].start()] if spoken else text
    found = {"say": "", "note": ""}
    for number, match in enumerate(spoken):
        end = spoken[number + 1].start() if number + 1 < len(spoken) else len(text)
        found[match[1].lower()] += without_programs(text[match.end() : end]).strip() + "\n"
    talk, note = found["say"].strip(), found["note"].strip()
    lines = [line.strip() for line in without_greeting(orders).strip().splitlines()]
    if lines and ends_a_letter(lines[1:]):
        word, first, last = _word(lines[0])
        if word:
            return Parts("", word, talk, note, first, last)
    explain = list(takewhile(_EXPLAIN.match, lines))
    if explain and ends_a_letter(lines[len(explain) :]):
        return Parts("", "", talk, note, explain=tuple(line[:LONGEST] for line in explain[:MOST_EXPLAINED]))
    return Parts(orders.strip(), "", talk, note)


def answer(text: str) -> str:
    """``YES`` or ``NO`` when the first line of a reply says so, to an email that asks nothing else; else nothing."""
    first = _bare(next(iter(without_greeting(text).strip().splitlines()), ""))
    for word, said in ((YES, SAYS_YES), (NO, SAYS_NO)):
        if first in said or first.partition(",")[0].strip() in said:
            return word
    short = len(first.split()) <= FEW
    return YES if short and first.partition(" ")[0] in SAYS_YES else ""


def closes(text: str) -> bool:
    return _bare(next(iter(text.strip().splitlines()), "")) == CLOSE


def _word(line: str) -> tuple[str, str, str]:
    bare = _bare(line)
    if bare in ASKED or bare in (UNDO, RESUME, BACK, RESIGN):
        return bare, "", ""
    if bare not in NOT_AGREED and (bare in SAYS_YES or bare in SAYS_NO):
        return (YES if bare in SAYS_YES else NO), "", ""
    if (found := _PAUSE.fullmatch(bare)) is not None:
        return PAUSE, "", found["last"] or ""
    if (found := _AWAY.fullmatch(bare)) is not None:
        return AWAY, found["first"], found["last"]
    return "", "", ""


def _bare(line: str) -> str:
    return " ".join(plain_letters(line).split()).rstrip(" .!?")
