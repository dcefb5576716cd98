"""The board in words as the text part of an email has it."""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.engine.sheet import Sheet, Words
from pbem.engine.text import players_in
from pbem.engine.values import Kept
from pbem.language import current
from pbem.mail.voices import TextVoice
from pbem.mail.words import fill
from pbem.position import Position

INDENT = 2
KEPT = 256
"""Paragraphs that are kept, some 1 KB each: an order changes few of a board, and its next email has the others."""


About = tuple[str, Sheet, tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]
"""What a paragraph depends on beside its words: the language, the game, names of players and of places."""


class _Known(NamedTuple):
    """A paragraph that is kept, in lines. ``reader``: to whom it is said; ``players``: those it names."""

    about: About
    reader: str
    players: frozenset[str]
    said: str

    def is_for(self, about: About, reader: str) -> bool:
        """Whether it says the same to this reader: it does to all whom it does not name."""
        return self.about == about and (reader == self.reader or not self.players & {reader, self.reader})


_SAID: Final[Kept[Words, _Known]] = Kept(KEPT)


def board_said(position: Position, sheet: Sheet, names: dict[str, str], voice: TextVoice) -> list[str]:
    """The paragraphs of a position, in lines, read out by the ``voice`` of the text part, which knows people by these
    names."""
    about = current().code, sheet, tuple(names.items()), tuple(position.places.items())
    return [_said(words, about, voice) for words in position.words]


def _said(words: Words, about: About, voice: TextVoice) -> str:
    known = _SAID.get(words)
    if known is None or not known.is_for(about, voice.reader):
        paragraph = voice.paragraph(words.head, words.items)
        said = fill(paragraph, INDENT)
        known = _Known(about, voice.reader, frozenset(players_in((words.head, *words.items))), said)
        _SAID.put(words, known)
    return known.said
