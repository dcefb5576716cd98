"""Reviews of finished games of Age of Steam: which orders cost points, and which brought more than a robot's own.

An estimate only says which orders are looked at. No order is named before the game was played on, many times and with
the same luck, after it and after the other order (``docs/reviews.md``).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from pbem.engine.moves import Seat
from pbem.engine.record import Record, replay, start
from pbem.engine.sheet import Sheet, State
from pbem.engine.text import say
from pbem.engine.values import Value
from pbem.robot.review import comparisons
from pbem.robot.review.comparisons import CLEAR, Comparison, figures_to_json
from pbem.robot.review.continuations import pair
from pbem.robot.review.doubts import compared, looked_at

FORMAT, METHOD = "pbem-review/1", 1
SEAT_PAIRS = 1000
"""Pairs of all orders of a game, times its players: for each of them a pair takes half a second of the processor."""
READING = 0.1
"""The part of the work that reading takes."""

Positions = Callable[[int], State]
"""The position in which an order was given, by its number."""


class NotReviewed(Exception):
    """A :class:`Say` tells why this game has no review."""


class Given(Value):
    """An order that somebody gave; ``number``: which one of the game."""

    number: int
    player: Seat
    order: str


class Review(Value):
    """``decisions``: every order that was played on, first those of which it is surest what they did."""

    game: str
    map: str
    players: tuple[Seat, ...]
    decisions: tuple[Comparison, ...]

    def to_json(self) -> dict[str, Any]:
        """``pbem-review/1`` without chances and parts, which need weights that are fitted to the sheet."""
        return {
            "format": FORMAT,
            "method": METHOD,
            "game": self.game,
            "map": self.map,
            "players": list(self.players),
            "decisions": [figures_to_json(one) for one in self.decisions if not one.best],
            "best": [figures_to_json(one) for one in self.decisions if one.best],
        }


@dataclass(slots=True)
class Reviewing:
    """A review that is worked on: each step reads an order or plays a pair on, and takes up to some seconds.

    The same orders and positions give the same review, also when it was stored and read in between.
    """

    sheet: Sheet
    players: tuple[Seat, ...]
    given: Sequence[Given]
    position: Positions
    read: int = 0
    """Orders that have been read."""
    compared: list[Comparison] = field(default_factory=list)
    """Of the orders read those that may be played on; when all are read, those that are."""

    @property
    def most(self) -> int:
        """Pairs of the whole review at the most."""
        return max(SEAT_PAIRS // len(self.players), comparisons.FIRST_PAIRS * len(self.compared))

    @property
    def part(self) -> float:
        """How much of the work is done, of 1, at least."""
        reading = READING * self.read / max(1, len(self.given))
        if self.read < len(self.given):
            return reading
        return reading + (1 - READING) * self._pairs / max(1, self.most) if self._next else 1.0

    @property
    def done(self) -> bool:
        return self.read == len(self.given) and self._next is None

    @property
    def review(self) -> Review:
        """What is known of the orders that have been played on at least as often as any must be."""
        return Review(self.sheet.game, self.sheet.slug, self.players, _ranked(self.compared))

    def step(self) -> None:
        """Raises ``IndexError`` when it is done."""
        if self.read < len(self.given):
            self._read(self.given[self.read])
        elif (one := self._next) is not None:
            one.pairs.append(pair(self.sheet, self.position(one.number), one))
        else:
            raise IndexError("this review is done")

    def _read(self, given: Given) -> None:
        state = self.position(given.number)
        if self.sheet.to_act(state) == given.player:
            found = compared(self.sheet, state, given.number, given.order)
            self.compared += [] if found is None else [found]
        self.read += 1
        if self.read == len(self.given):
            self.compared = looked_at(self.compared)

    @property
    def _pairs(self) -> int:
        return sum(len(one.pairs) for one in self.compared)

    @property
    def _next(self) -> Comparison | None:
        """The order of which a pair is played on next: of those that want more the one with the fewest, while there
        are any left."""
        wanted = [one for one in self.compared if one.wants_more]
        if not wanted or self._pairs >= self.most:
            return None
        return min(wanted, key=lambda one: len(one.pairs))

    def to_json(self) -> dict[str, Any]:
        """What is known so far: :meth:`restored` goes on with it."""
        return {"method": METHOD, "read": self.read, "compared": [one.to_json() for one in self.compared]}

    def restored(self, raw: Mapping[str, Any] | None) -> Self:
        """The same as far as it had come; from its beginning where nothing was stored, or by another method."""
        if raw is not None and raw["method"] == METHOD:
            self.read, self.compared = raw["read"], [Comparison.of_json(one) for one in raw["compared"]]
        return self


def decisions(raw: Mapping[str, Any] | None) -> tuple[Comparison, ...]:
    """Those of a review that was stored, as in :class:`Review`; none of one by another method."""
    if raw is None or raw["method"] != METHOD:
        return ()
    return _ranked([Comparison.of_json(one) for one in raw["compared"]])


def _ranked(compared: Iterable[Comparison]) -> tuple[Comparison, ...]:
    known = [one for one in compared if one.known]
    return tuple(sorted(known, key=lambda one: (CLEAR * one.lead.error - abs(one.lead.value), one.number)))


def check(sheet: Sheet, players: int) -> None:
    """Raises :class:`NotReviewed` for games that have no review."""
    if sheet.game != "age-of-steam":
        raise NotReviewed(say("Only games of Age of Steam are reviewed."))
    if players < 2:
        raise NotReviewed(say("A game of one player is not reviewed: there is nobody to be ahead of."))


def begin(sheet: Sheet, players: Sequence[Seat], given: Sequence[Given], position: Positions) -> Reviewing:
    """The review of a game that is over. Raises :class:`NotReviewed`."""
    check(sheet, len(players))
    return Reviewing(sheet, tuple(players), given, position)


def of_record(sheet: Sheet, record: Record) -> Reviewing:
    """The review of a game on paper; orders are numbered as its entries are. Raises :class:`NotReviewed` and
    ``BadRecord``."""
    given: list[Given] = []
    before: dict[int, State] = {}
    reviewing = begin(sheet, record.players, given, before.__getitem__)
    state = start(sheet, record)[0].state
    for played in replay(sheet, record):
        if played.refusal is not None:
            why = say("Entry {number} is refused: {sentence}", number=played.number, sentence=played.refusal.sentence())
            raise NotReviewed(why)
        entry = played.entry
        if not (played.passed_over or entry.auto):
            given.append(Given(played.number, entry.player, entry.orders))
            before[played.number] = state
        state = played.state
    if not (sheet.over(state) or record.ended_early):
        raise NotReviewed(say("The record does not reach the end of its game."))
    return reviewing
