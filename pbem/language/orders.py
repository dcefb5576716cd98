"""Orders in the words of the reader's language: read as what they mean in the notation, which records keep.

The catalogue has spellings for every word of the notation (context ``order word``, several with ``|`` between) and the
rulebook's names of actions and colours (context ``word``). A word that the notation knows as it stands is never
changed, so nothing that could be read in English means anything else in another language.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from pbem.engine import BadMove, Move, Seat, Sheet, State, Value
from pbem.engine.reading import lines_of, shown
from pbem.language.catalogues import ENGLISH, Language, current
from pbem.rails.names import folded

WORDS = (
    "action", "all", "always", "any", "ask", "at", "auto-loco", "auto-pass", "bank", "bid", "bonus", "build", "by",
    "cancel", "cash", "city", "contract", "decline", "display", "done", "draw", "drop", "factory", "from",
    "income", "issue", "keep", "lift", "loco", "max", "more", "move", "none", "nothing", "option", "over", "pass",
    "pay", "produce", "remove", "resign", "same", "shares", "skip", "then", "to", "track", "until",
)  # fmt: skip
"""Words of the notation of all sheets that are words of English; shapes of tiles, directions and labels stay."""
NAMES: Mapping[str, str] = {
    "first-move": "First Move", "first-build": "First Build", "engineer": "Engineer", "locomotive": "Locomotive",
    "urbanization": "Urbanization", "production": "Production", "turn-order": "Turn Order", "red": "red",
    "blue": "blue", "purple": "purple", "yellow": "yellow", "black": "black", "white": "white", "green": "green",
    "pink": "pink", "gray": "gray", "brown": "brown", "orange": "orange", "nobody": "nobody",
    "heavy-lifting": "Heavy Lifting", "commonwealth": "Commonwealth",
}  # fmt: skip
"""Actions and colours of the notation, with the words of the rulebook that catalogues translate."""
COLOURS = frozenset(
    ("red", "blue", "purple", "yellow", "black", "white", "green", "pink", "gray", "brown", "orange", "nobody")
)
"""Of these names the words for cubes and seats, which may be names of people as well: Rosa, Violeta."""
PARTS = (
    "BOX", "CITY", "COLOUR", "FROM", "HEX", "LETTER", "NAME", "NODE", "ORDER", "PLAYER", "PRICE", "STEP", "TOWN",
)  # fmt: skip
"""What stands in place of names where it is said how an order is written."""
CONTEXT, PART_CONTEXT = "order word", "part of an order"
MOST_WORDS = 4
"""Words that one of the notation may have in another language: "orden de turno"."""
_WORD = re.compile(r"[\"“”„‟«»][^\"“”„‟«»]*[\"“”„‟«»]|#.*|(?<!\w)[^\W\d_]+(?!\w)")
_SPOKEN = re.compile(r"(?<![\w-])(?:[a-z]+(?:-[a-z]+)*(?![\w-])|[A-Z]{3,}(?!\w))")
_ALL = frozenset((*WORDS, *NAMES))
_GAP = re.compile(r"\s+|-")
_GAP_OF_NAMES = re.compile(r"[\s'’.-]+")


class Change(NamedTuple):
    """A piece of a line, and the word of the notation that it stands for."""

    start: int
    end: int
    meant: str


class FixedNames(Value):
    """Names that stay as they are. ``whole``: of several words, without accents, case and spaces; ``people``: words of
    the players' names, which mean no colour in their game."""

    whole: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()


NOTHING_KEPT = FixedNames()


def parse(sheet: Sheet, state: State, text: str, names: Mapping[Seat, str]) -> tuple[Move, ...]:
    """As :meth:`Sheet.parse`, in English or in the language that is read. Raises :class:`BadMove`, which speaks of the
    text as it was written."""
    try:
        return sheet.parse(state, text, names)
    except BadMove as bad:
        failed = [bad]
    for kept in kept_in(sheet, state, names):
        english = in_english(text, kept)
        if english == text:
            continue
        try:
            return sheet.parse(state, english, names)
        except BadMove as bad:
            failed.append(_as_written(bad, text, kept))
    raise max(failed, key=lambda bad: (bad.line, bad.column))  # the reading that went farthest


def kept_in(sheet: Sheet, state: State, names: Mapping[Seat, str]) -> tuple[FixedNames, ...]:
    """What is left alone, one after the other, in orders about a position: first the names of its places and people,
    then those of people, because a place may be called like a colour."""
    if current() is ENGLISH:
        return ()
    people = [_WORD.findall(name) for name in names.values()]
    own = frozenset(folded(word) for words in people for word in words)
    several = frozenset(folded("".join(words)) for words in people if len(words) > 1)
    places = frozenset(folded(name.partition(" (")[0]) for name in sheet.place_names(state).values())
    return tuple(dict.fromkeys((FixedNames(several | places, own), FixedNames(several, own))))


def in_english(text: str, kept: FixedNames = NOTHING_KEPT) -> str:
    """Orders with all words that are of the language that is read, and that the notation lacks, in the notation."""
    language = current()
    if language is ENGLISH:
        return text
    return "\n".join(replaced(line, _meanings(language), kept) for line in lines_of(text))


def replaced(line: str, meanings: Mapping[str, str], kept: FixedNames = NOTHING_KEPT) -> str:
    """A line with every word that stands for another, but for what is in quotes or a remark."""
    written, copied = [], 0
    for change in _changes(line, meanings, kept):
        written += [line[copied : change.start], change.meant]
        copied = change.end
    return "".join((*written, line[copied:]))


def _changes(line: str, meanings: Mapping[str, str], kept: FixedNames) -> list[Change]:
    tokens = [match for match in _WORD.finditer(line) if match[0][0].isalpha()]
    found, at = [], 0
    while at < len(tokens):
        for count in range(min(MOST_WORDS, len(tokens) - at), 0, -1):
            start, end = tokens[at].start(), tokens[at + count - 1].end()
            pairs = zip(tokens[at:], tokens[at + 1 : at + count])  # noqa: B905
            gaps = [line[a.end() : b.start()] for a, b in pairs]
            word = folded(line[start:end])
            if word in kept.whole and all(map(_GAP_OF_NAMES.fullmatch, gaps)):
                at += count
                break
            meant = meanings.get(word) if all(map(_GAP.fullmatch, gaps)) else None
            if meant is not None and not (meant in COLOURS and word in kept.people):
                found.append(Change(start, end, meant))
                at += count
                break
        else:
            at += 1
    return found


def _as_written(bad: BadMove, text: str, kept: FixedNames) -> BadMove:
    """A complaint about orders in the notation, of the words that stand for them in ``text``."""
    line = lines_of(text)[bad.line - 1]
    changes = _changes(line, _meanings(current()), kept)
    start = _place(changes, bad.column, end=False)
    if not bad.found:
        place = _place(changes, bad.column, end=True)
        return bad.at(place, "", shown(line[_place(changes, bad.column - len(bad.after), end=False) : place].strip()))
    whole = bad.found.removesuffix("…")
    if not in_english(line, kept).startswith(whole, bad.column):
        return bad.at(start, bad.found, "")  # in quotes: as it stands
    end = len(line) if whole != bad.found else _place(changes, bad.column + len(whole), end=True)
    return bad.at(start, shown(line[start:end]), "")


def _place(changes: Iterable[Change], column: int, *, end: bool) -> int:
    """The column of the line as it was written, for one of it in the notation; ``end``: the last that fits."""
    moved = 0
    for start, stop, meant in changes:
        here = start + moved
        if column < here or (end and column == here):
            break
        if column < here + len(meant):
            return stop if end else start
        moved += len(meant) - (stop - start)
    return column - moved


def spoken(order: str, names: Iterable[str] = ()) -> str:
    """An order, or how one is written, in the words of the language that is read: each as it spells it first, but for
    colours that are ``names`` of players as well."""
    language = current()
    if language is ENGLISH:
        return order
    people = {folded(word) for name in names for word in _WORD.findall(name)}

    def said(found: re.Match[str]) -> str:
        word = found[0]
        if word in PARTS:
            return language.translate_in(PART_CONTEXT, word)
        spelling = language.translate_in(CONTEXT, word).partition("|")[0] if word in _ALL else word
        return word if word in COLOURS and folded(spelling) in people else spelling

    return _SPOKEN.sub(said, order)


def spelled(words: Collection[str]) -> Mapping[str, str]:
    """Every spelling of some words of the notation, in English and in the language that is read, without accents, case
    and spaces, with the word."""
    return {folded(word): word for word in words} | {
        spelling: word for spelling, word in _meanings(current()).items() if word in words
    }


@cache
def _meanings(language: Language) -> Mapping[str, str]:
    """What the words of a language stand for, by the word without accents, case and spaces; one table a language."""
    english = {folded(word): word for word in (*WORDS, *NAMES)}
    return {spelling: word for spelling, word in spellings(language) if english.get(spelling, word) == word}


def spellings(language: Language) -> Iterator[tuple[str, str]]:
    """Every spelling of a language, without accents, case and spaces, with the word of the notation it stands for."""
    for word in (*WORDS, *NAMES):
        said = language.translate_in(CONTEXT, word)
        for spelling in said.split("|") if said != word else ():
            yield folded(spelling), word
    for word, name in NAMES.items():
        if (said := language.word(name)) != name:
            yield folded(said), word
