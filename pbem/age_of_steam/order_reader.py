"""Reads the parts that orders of Age of Steam share: places, players, colours, directions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from pbem.age_of_steam.lexicon import COLOURS, Lexicon, colour, looks_like_label
from pbem.engine.moves import Seat
from pbem.engine.reading import Reader, Span
from pbem.engine.text import Say, say
from pbem.rails.board import Label

ORDERS: Final = (
    "issue",
    "shares",
    "buyback",
    "bid",
    "drop",
    "pass",
    "pay",
    "decline",
    "action",
    "build",
    "done",
    "move",
    "lift",
    "loco",
    "produce",
    "always",
    "cancel",
    "resign",
)
"""The words an order may start with."""
STARTS: Final = frozenset({*ORDERS, "track", "factory", "contract", "draw", "cash", "bonus"})
"""Words that end a build: they start another order, of this game or of Steam Power."""


class OrderReader(Reader):
    """A text of orders read with the names of one position."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        super().__init__(text)
        self.lexicon = lexicon

    def place_name(self, symbols: str, words: Iterable[str] = ()) -> Span:
        """The name of a place: a hex label alone, or everything up to one of the symbols or words."""
        expected = say("A place is expected here: a hex label, or the name of a City or town.")
        if self.here.kind == "word" and looks_like_label(self.here.text):
            return self.one()
        name = self.name(symbols, words, expected)
        letter = self._letter()
        return name if letter is None else Span(f"{name.text.rstrip()} ({letter})", name.line, name.column)

    def _letter(self) -> str | None:
        """The letter in ``Toledo (D)``, unless a player has this letter for a name."""
        letter = self.ahead().text
        brackets = self.here.text == "(" and self.ahead(2).text == ")"
        if not brackets or letter.upper() not in self.lexicon.new_cities or self.lexicon.is_player(letter):
            return None
        self.take(3, say("The letter of a New City is expected here."))
        return letter

    def place(self, kind: Callable[[str], Label], symbols: str, words: Iterable[str] = ()) -> Label:
        """A place, looked up by one of the methods of the lexicon."""
        return self.meaning(self.place_name(symbols, words), kind)

    def player(self, symbols: str, words: Iterable[str] = ()) -> Seat:
        """A player by name or colour."""
        return self.meaning(self.name(symbols, words, _player_expected()), self.lexicon.seat)

    def owner(self) -> Seat | None:
        """The owner of a link in brackets, if a bracket opens here."""
        span = self.in_brackets(_player_expected())
        return None if span is None else self.meaning(span, self.lexicon.owner)

    def colour(self) -> str:
        """The colour of a cube."""
        if self.closed:
            raise self.bad(say("A colour is expected here: {colours}.", colours=COLOURS))
        return self.meaning(self.one(), colour)

    def colours(self) -> list[str]:
        """Colours to the end of the order or step."""
        found = [self.colour()]
        while not self.closed:
            found.append(self.colour())
        return found

    @property
    def direction_words(self) -> frozenset[str]:
        """The directions of the board, as words are compared."""
        return frozenset(direction.casefold() for direction in self.lexicon.board.directions)

    def edge(self) -> int:
        """A direction of the board, as the number of its edge."""
        found = self.keyword(self.direction_words, self._direction_expected())
        return self.lexicon.board.edge(found)

    def _direction_expected(self) -> Say:
        return say("The directions of this board are {directions}.", directions=self.lexicon.board.directions)


def _player_expected() -> Say:
    return say("A player is expected here, by name or by colour.")
