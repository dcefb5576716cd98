"""Reads the parts that orders of Age of Steam share: places with New Cities, owners, colours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from typing_extensions import override

from pbem.age_of_steam.lexicon import COLOURS, Lexicon, colour
from pbem.engine.moves import Seat
from pbem.engine.reading import Span
from pbem.engine.text import say
from pbem.rails.names import looks_like_label
from pbem.rails.orders import BoardReader, player_expected

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


class OrderReader(BoardReader[Lexicon]):
    """A text of orders read with the names of one position."""

    @override
    def place_name(self, symbols: str, words: Iterable[str] = ()) -> Span:
        alone = self.here.kind == "word" and looks_like_label(self.here.text)
        name = super().place_name(symbols, words)
        letter = None if alone else self._letter()
        return name if letter is None else Span(f"{name.text.rstrip()} ({letter})", name.line, name.column)

    def _letter(self) -> str | None:
        """The letter in ``Toledo (D)``, unless a player has this letter for a name."""
        letter = self.ahead().text
        brackets = self.here.text == "(" and self.ahead(2).text == ")"
        if not brackets or letter.upper() not in self.lexicon.new_cities or self.lexicon.is_player(letter):
            return None
        self.take(3, say("The letter of a New City is expected here."))
        return letter

    def owner(self) -> Seat | None:
        """The owner of a link in brackets, if a bracket opens here."""
        span = self.in_brackets(player_expected())
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
