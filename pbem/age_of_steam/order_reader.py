"""Reads the parts that orders of Age of Steam share: places with New Cities, owners, colours.

Which orders there are, the phases of a sheet say; its :class:`Vocabulary` is what they say together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from typing_extensions import override

from pbem.age_of_steam.lexicon import COLOURS, Lexicon, colour
from pbem.age_of_steam.moves import NO_ACTION, Always, BuildStep, Hop
from pbem.engine.moves import Move, Seat
from pbem.engine.reading import Span
from pbem.engine.text import say
from pbem.rails.names import looks_like_label
from pbem.rails.orders import PLAYER_EXPECTED, BoardReader


@dataclass(frozen=True, slots=True)
class OrderWord:
    """A word that orders start with, registered by the phase that takes them.

    ``read`` reads what follows the word, ``usage`` says how that may go on. ``alternative``: such an order may stand
    beside others, parted by ``|``.
    """

    read: Callable[[OrderReader, str], Move]
    usage: tuple[str, ...]
    alternative: bool = False


@dataclass(frozen=True, slots=True)
class EveryTurn:
    """An order that can be given for every turn: the words it starts with behind ``always``, and how it goes on."""

    words: tuple[str, ...]
    usage: str
    read: Callable[[OrderReader, str], Always]


class HasOrders(Protocol):
    @property
    def words(self) -> Mapping[str, OrderWord]: ...
    @property
    def steps(self) -> Mapping[str, Callable[[OrderReader], BuildStep]]: ...
    @property
    def always(self) -> Mapping[str, EveryTurn]: ...


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The orders of one sheet: by the words they start with, steps of a build and orders for every turn likewise."""

    orders: Mapping[str, OrderWord]
    steps: Mapping[str, Callable[[OrderReader], BuildStep]]
    always: Mapping[str, EveryTurn]
    actions: tuple[str, ...]
    alternatives: tuple[str, ...]
    """The words of orders that may stand beside others."""

    @classmethod
    def of(cls, phases: Iterable[HasOrders], actions: tuple[str, ...], more: Mapping[str, OrderWord]) -> Vocabulary:
        """The orders that the phases take, and ``more`` that belong to none of them."""
        orders: dict[str, OrderWord] = {}
        steps: dict[str, Callable[[OrderReader], BuildStep]] = {}
        always: dict[str, EveryTurn] = {}
        for phase in phases:
            orders |= phase.words
            steps |= phase.steps
            always |= {word: kind for kind in phase.always.values() for word in kind.words}
        alternatives = tuple(word for word, kind in {**orders, **more}.items() if kind.alternative)
        return cls({**orders, **more}, steps, always, (*actions, NO_ACTION), alternatives)


class OrderReader(BoardReader[Lexicon]):
    """A text of orders read with the names of one position and the words of one sheet."""

    def __init__(self, text: str, lexicon: Lexicon, vocabulary: Vocabulary) -> None:
        super().__init__(text, lexicon)
        self.vocabulary = vocabulary

    @override
    def place_name(self, symbols: str, words: Iterable[str] = ()) -> Span:
        here = self.here
        if here.kind == "word" and (here.text in self.lexicon.board.hexes or looks_like_label(here.text)):
            return self.one()
        name = super().place_name(symbols, words)
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

    def owner(self) -> Seat | None:
        """The owner of a link in brackets, if a bracket opens here."""
        span = self.in_brackets(PLAYER_EXPECTED)
        return None if span is None else self.meaning(span, self.lexicon.owner)

    def hop(self) -> Hop | None:
        """A link of a delivery as the game writes it, ``S10(blue)`` or ``S10``; nothing is passed in another form."""
        lexicon, at, tokens = self.lexicon, self._at, self._tokens
        label = self.here.text
        if label not in lexicon.board.hexes:
            return None
        node = lexicon.board.city_at.get(label, label)
        if tokens[at + 1].text != "(":
            self._go_to(at + 1)
            return Hop(node)
        owner = tokens[at + 2].text
        if owner not in lexicon.plain_seats or tokens[at + 3].text != ")":
            return None
        self._go_to(at + 4)
        return Hop(node, owner)

    def colour(self) -> str:
        if self.closed:
            raise self.bad(say("A colour is expected here: {colours}.", colours=COLOURS))
        return self.meaning(self.one(), colour)

    def colours(self) -> list[str]:
        """Colours to the end of the order or step."""
        found = [self.colour()]
        while not self.closed:
            found.append(self.colour())
        return found
