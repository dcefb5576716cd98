"""Reads sentences of a game out: seats by their players' names, places as people call them.

English is the language of the sentences themselves; other languages come as gettext catalogues under
``templates/messages`` and change ``translate`` only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.engine.sheet import Sheet, State
from pbem.engine.text import listed


class _Reading:
    """What both voices have in common."""

    __slots__ = ()
    sheet: Sheet
    names: Mapping[str, str]

    def translate(self, one: str, many: str, count: int) -> str:
        return one if not many or count == 1 else many

    def who(self, seat: str) -> str:
        return self.names.get(seat, seat.capitalize())

    def word(self, word: str) -> str:
        return self.sheet.word(word)

    def listed(self, items: list[str]) -> str:
        return listed(items)


@dataclass(frozen=True, slots=True)
class GameVoice(_Reading):
    """A :class:`pbem.engine.text.Voice` for one position of one game."""

    sheet: Sheet
    state: State
    names: Mapping[str, str]

    def place(self, label: str) -> str:
        return self.sheet.place_name(self.state, label) if self.state is not None else label


@dataclass(frozen=True, slots=True)
class TableVoice(_Reading):
    """The same for templates: it knows the names of places, and nothing else of the position."""

    sheet: Sheet
    places: Mapping[str, str]
    names: Mapping[str, str]

    def place(self, label: str) -> str:
        return self.places.get(label, label)
