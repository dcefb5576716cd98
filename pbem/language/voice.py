"""Reads sentences of a game out: seats by their players' names, places as people call them; whoever has the seat
``reader`` is "you".

The language is the one that is being read (:func:`pbem.language.reading`).
"""

from collections.abc import Mapping

from typing_extensions import override

from pbem.engine import Say, Sheet, State, Value
from pbem.engine.text import Dated
from pbem.language import current, orders

POSITION = "position"
"""The context of the words in the text of a position."""


class ReaderVoice:
    """Reads sentences that are about no game, or carry all their names with them, in the language that is read."""

    reader: str = ""

    def translate(self, one: str, many: str, count: int) -> str:
        return current().translate(one, many, count)

    def who(self, seat: str) -> str:
        return capital(current().word(seat))

    def place(self, label: str) -> str:
        return label

    def word(self, word: str) -> str:
        return current().word(word)

    def fixed(self, word: str) -> str:
        return current().translate_in(POSITION, word)

    def typed(self, order: str) -> str:
        return orders.spoken(order)

    def listed(self, items: list[str]) -> str:
        return current().listed(items)

    def dated(self, day: Dated) -> str:
        return current().dated(day)


READER = ReaderVoice()


def spoken(sentence: Say) -> str:
    """A sentence that is about no game, in the language that is read."""
    return sentence.read(READER)


def translated(text: str) -> str:
    """A text of a table or a file, which stands in the catalogues as it is: a rule of a map, an option."""
    return current().translate(text)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class _GameReader(ReaderVoice):
    sheet: Sheet
    names: Mapping[str, str]

    @override
    def who(self, seat: str) -> str:
        return self.names.get(seat) or super().who(seat)

    @override
    def word(self, word: str) -> str:
        return super().word(self.sheet.word(word))

    @override
    def typed(self, order: str) -> str:
        return orders.spoken(order, self.names.values())


class GameVoice(Value, _GameReader):
    """A :class:`pbem.engine.text.Voice` for one position of one game."""

    sheet: Sheet
    state: State
    names: Mapping[str, str]
    reader: str = ""

    @override
    def place(self, label: str) -> str:
        return self.sheet.place_name(self.state, label) if self.state is not None else label


class TableVoice(Value, _GameReader):
    """The same for templates: it knows the names of places, and nothing else of the position."""

    sheet: Sheet
    places: Mapping[str, str]
    names: Mapping[str, str]
    reader: str = ""

    @override
    def place(self, label: str) -> str:
        return self.places.get(label, label)
