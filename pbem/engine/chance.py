"""Chance as an argument, so that a rule that rolls dice is as pure as one that does not (``docs/dice.md``)."""

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pbem.engine.reading import shown

ASKED_FIRST = "asked-first"
"""What a record says, in the place of a draw, where a seat was asked before anything was drawn for it."""
DEAL = "deal"
"""The place in a game from which its deal is derived; later places come from ``Sheet.place``."""

NO_SEED = bytes(32)
"""A seed that is nobody's secret: legality never depends on dice, so orders that are only tried roll with it."""

Draw = dict[str, object]
"""One roll or draw as a record holds it: ``{"for": purpose, "dice"|"cubes"|"order": […]}``."""


class ChanceMismatch(Exception):
    """A record claims a roll or draw that cannot have happened; the message says which."""


class Chance(Protocol):
    """What rules may ask of fate. ``purpose`` is the name under which a record keeps the result."""

    def dice(self, purpose: str, count: int) -> tuple[int, ...]:
        """``count`` dice, each 1 to 6."""

    def draw(self, purpose: str, bag: Mapping[str, int], count: int) -> tuple[str, ...]:
        """``count`` things out of the bag (name to number), fewer when the bag holds fewer."""

    def order(self, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """The items in a random order."""

    def asks_first(self, seat: str) -> bool:
        """Whether a seat has said beforehand that it is to be asked before anything is drawn for it."""


def commitment(seed: bytes) -> str:
    """The SHA-256 of the seed in hexadecimal: published before the first roll."""
    return hashlib.sha256(seed).hexdigest()


def contents(bag: Mapping[str, int]) -> list[str]:
    """Everything in the bag, one entry a piece, in alphabetical order."""
    return [name for name in sorted(bag) for _ in range(bag[name])]


@dataclass(slots=True)
class SeededChance:
    """Dice from a seed at one place of a game. ``first``: seats to be asked before anything is drawn for them."""

    seed: bytes
    place: str
    first: frozenset[str] = frozenset()
    _used: dict[str, int] = field(default_factory=dict)

    def dice(self, purpose: str, count: int) -> tuple[int, ...]:
        numbers = self._numbers(purpose)
        return tuple(_below(next(numbers), 6) + 1 for _ in range(count))

    def draw(self, purpose: str, bag: Mapping[str, int], count: int) -> tuple[str, ...]:
        return self._shuffled(purpose, contents(bag), count)

    def order(self, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        return self._shuffled(purpose, sorted(items), len(items))

    def asks_first(self, seat: str) -> bool:
        return seat in self.first

    def _shuffled(self, purpose: str, items: list[str], count: int) -> tuple[str, ...]:
        numbers = self._numbers(purpose)
        return tuple(items.pop(_below(next(numbers), len(items))) for _ in range(min(count, len(items))))

    def _numbers(self, purpose: str) -> Iterator[int]:
        turn = self._used[purpose] = self._used.get(purpose, 0) + 1
        return _numbers(self.seed, f"{self.place}|{purpose}|{turn}")


def _numbers(seed: bytes, label: str) -> Iterator[int]:
    """Numbers of 64 bits, four from one HMAC block: scaled to a choice they leave no bias that could be noticed."""
    number = 0
    while True:
        block = hmac.digest(seed, f"pbem/1|{label}|{number}".encode(), "sha256")
        for start in range(0, 32, 8):
            yield int.from_bytes(block[start : start + 8], "big")
        number += 1


def _below(number: int, count: int) -> int:
    return number * count >> 64


@dataclass(slots=True)
class LoadedChance:
    """Plays back what a record says was rolled and drawn, in its order, and checks that it was possible."""

    draws: list[Draw]
    _at: int = 0

    def dice(self, purpose: str, count: int) -> tuple[int, ...]:
        dice = self._take(purpose, "dice", count)
        if not all(isinstance(die, int) and not isinstance(die, bool) and 1 <= die <= 6 for die in dice):
            raise ChanceMismatch(f"the dice for {purpose} are not all 1 to 6")
        return tuple(int(str(die)) for die in dice)

    def draw(self, purpose: str, bag: Mapping[str, int], count: int) -> tuple[str, ...]:
        drawn = tuple(str(name) for name in self._take(purpose, "cubes", min(count, sum(bag.values()))))
        for name in set(drawn):
            if drawn.count(name) > bag.get(name, 0):
                raise ChanceMismatch(
                    f"{drawn.count(name)} {shown(name)} drawn for {purpose}, the bag holds {bag.get(name, 0)}"
                )
        return drawn

    def order(self, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        order = tuple(str(item) for item in self._take(purpose, "order", len(items)))
        if sorted(order) != sorted(items):
            raise ChanceMismatch(f"the order for {purpose} does not hold the right names")
        return order

    def asks_first(self, seat: str) -> bool:
        asked = self.draws[self._at : self._at + 1] == [_asked(seat)]
        self._at += asked
        return asked

    def _take(self, purpose: str, kind: str, count: int) -> list[object]:
        if self._at >= len(self.draws):
            raise ChanceMismatch(f"nothing is recorded for {purpose}")
        draw = self.draws[self._at]
        values = draw.get(kind)
        if draw.get("for") != purpose or not isinstance(values, list):
            raise ChanceMismatch(f"expected {kind} for {purpose}, the record has {shown(str(draw.get('for')))}")
        if len(values) != count:
            raise ChanceMismatch(f"expected {count} {kind} for {purpose}, the record has {len(values)}")
        self._at += 1
        return values


@dataclass(slots=True)
class ShownChance:
    """Plays back the draws that a record shows; draws for ``hidden`` purposes are made up.

    Every purpose has its own order: an opening can make the rules pass a recorded draw over.
    """

    draws: Sequence[Draw]
    hidden: frozenset[str]

    def dice(self, purpose: str, count: int) -> tuple[int, ...]:
        return self._next(purpose).dice(purpose, count)

    def draw(self, purpose: str, bag: Mapping[str, int], count: int) -> tuple[str, ...]:
        if purpose in self.hidden:
            return tuple(contents(bag)[:count])
        return self._next(purpose).draw(purpose, bag, count)

    def order(self, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        return self._next(purpose).order(purpose, items)

    def asks_first(self, seat: str) -> bool:
        return any(draw.get("for") == ASKED_FIRST and draw.get("order") == [seat] for draw in self.draws)

    def _next(self, purpose: str) -> LoadedChance:
        """The first draw for a purpose that was not played back yet."""
        found = next((draw for draw in self.draws if draw.get("for") == purpose), None)
        self.draws = [draw for draw in self.draws if draw is not found]
        return LoadedChance([] if found is None else [found])


@dataclass(slots=True)
class NotedChance:
    """Notes every roll and draw of another chance, to be stored with the move that caused it."""

    source: Chance
    notes: list[Draw] = field(default_factory=list)

    def dice(self, purpose: str, count: int) -> tuple[int, ...]:
        dice = self.source.dice(purpose, count)
        self.notes.append({"for": purpose, "dice": list(dice)})
        return dice

    def draw(self, purpose: str, bag: Mapping[str, int], count: int) -> tuple[str, ...]:
        drawn = self.source.draw(purpose, bag, count)
        self.notes.append({"for": purpose, "cubes": list(drawn)})
        return drawn

    def order(self, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        order = self.source.order(purpose, items)
        self.notes.append({"for": purpose, "order": list(order)})
        return order

    def asks_first(self, seat: str) -> bool:
        asked = self.source.asks_first(seat)
        if asked:
            self.notes.append(_asked(seat))
        return asked


def _asked(seat: str) -> Draw:
    return {"for": ASKED_FIRST, "order": [seat]}


def asked_first(draws: Iterable[Mapping[str, object]]) -> frozenset[str]:
    """The seats that were asked before anything was drawn for them, as these draws of a record say."""
    named = [draw.get("order") for draw in draws if draw.get("for") == ASKED_FIRST]
    return frozenset(str(seat) for seats in named if isinstance(seats, list) for seat in seats)
