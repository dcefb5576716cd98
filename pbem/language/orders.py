"""Orders in the words of the reader's language: read as what they mean in the notation, which records keep.

The catalogue has spellings for every word of the notation (context ``order word``, several with ``|`` between) and the
rulebook's names of actions and colours (context ``word``). A word that the notation knows as it stands is never
changed, so nothing that could be read in English means anything else in another language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from pbem.engine.moves import BadMove, Move, Seat
from pbem.engine.sheet import Sheet, State
from pbem.language.catalogues import ENGLISH, Language, current
from pbem.rails.names import folded

WORDS = (
    "action", "all", "always", "any", "ask", "at", "auto-loco", "auto-pass", "bank", "bid", "bonus", "build", "cancel",
    "cash",
    "city", "contract", "decline", "display", "done", "draw", "drop", "factory", "from", "income", "issue", "keep",
    "lift", "loco", "max", "more", "move", "none", "nothing", "option", "over", "pass", "pay", "produce", "remove",
    "resign", "same", "shares", "skip", "then", "to", "track", "until",
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
CONTEXT = "order word"
MOST_WORDS = 4
"""Words that one of the notation may have in another language: "orden de turno"."""
_WORD = re.compile(r"[\"“”„‟«»][^\"“”„‟«»]*[\"“”„‟«»]|#.*|(?<!\w)[^\W\d_]+(?!\w)")
_SPOKEN = re.compile(r"(?<![\w-])[a-z]+(?:-[a-z]+)*")
_GAP = re.compile(r"\s+|-")


def parse(sheet: Sheet, state: State, text: str, names: Mapping[Seat, str]) -> tuple[Move, ...]:
    """As :meth:`Sheet.parse`, in English or in the language that is read. Raises :class:`BadMove`."""
    try:
        return sheet.parse(state, text, names)
    except BadMove:
        english = in_english(text)
        if english == text:
            raise
    return sheet.parse(state, english, names)


def in_english(text: str) -> str:
    """Orders with all words that are of the language that is read, and that the notation lacks, in the notation."""
    language = current()
    if language is ENGLISH:
        return text
    return "\n".join(replaced(line, _meanings(language)) for line in text.splitlines())


def replaced(line: str, meanings: Mapping[str, str]) -> str:
    """A line with every word that stands for another, but for what is in quotes or a remark."""
    tokens = [match for match in _WORD.finditer(line) if match[0][0].isalpha()]
    written, copied, at = [], 0, 0
    while at < len(tokens):
        for count in range(min(MOST_WORDS, len(tokens) - at), 0, -1):
            start, end = tokens[at].start(), tokens[at + count - 1].end()
            gaps = (line[a.end() : b.start()] for a, b in zip(tokens[at:], tokens[at + 1 : at + count]))  # noqa: B905
            meant = meanings.get(folded(line[start:end])) if all(map(_GAP.fullmatch, gaps)) else None
            if meant is not None:
                written += [line[copied:start], meant]
                copied, at = end, at + count
                break
        else:
            at += 1
    return "".join((*written, line[copied:]))


def spoken_words(orders: Iterable[str]) -> dict[str, str]:
    """The words of orders that the language that is read writes otherwise, each with its first spelling there."""
    language = current()
    if language is ENGLISH:
        return {}
    used = dict.fromkeys(word for order in orders for word in _SPOKEN.findall(order) if word in WORDS)
    said = {word: language.translate_in(CONTEXT, word).partition("|")[0] for word in used}
    return {word: spelling for word, spelling in said.items() if folded(spelling) != word}


@cache
def _meanings(language: Language) -> Mapping[str, str]:
    """What the words of a language stand for, by the word without accents, case and spaces; one table a language."""
    english = {folded(word) for word in (*WORDS, *NAMES)}
    return {spelling: word for spelling, word in spellings(language) if spelling not in english}


def spellings(language: Language) -> Iterator[tuple[str, str]]:
    """Every spelling of a language, without accents, case and spaces, with the word of the notation it stands for."""
    for word in (*WORDS, *NAMES):
        said = language.translate_in(CONTEXT, word)
        for spelling in said.split("|") if said != word else ():
            yield folded(spelling), word
    for word, name in NAMES.items():
        if (said := language.word(name)) != name:
            yield folded(said), word
