"""Reviews of finished games: which orders cost points, and which brought more than a robot's own.

An estimate only says which orders are looked at. No order is named before the game was played on, many times and with
the same luck, after it and after the other order (``docs/reviews.md``).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from pbem.engine import Seat, Sheet, State, Value, say
from pbem.engine.record import Record, replay, start
from pbem.robot.review import comparisons, doubts, options
from pbem.robot.review.comparisons import CLEAR, Comparison, figures_to_json
from pbem.robot.review.continuations import pair
from pbem.robot.review.course import (
    ENDS,
    Course,
    Ends,
    OrderWorth,
    after_order,
    by_turn,
    continued,
    dealt,
    events,
    in_last_turn,
    parts,
    worths_of_json,
    worths_to_json,
)
from pbem.robot.review.doubts import compared, looked_at
from pbem.robot.review.value import SheetWeights, weights_of

FORMAT, METHOD = "pbem-review/1", 2
SEAT_PAIRS = 900
"""Pairs of all orders of a game, times its players, of which one counts as two: for each of them a pair takes half a
second of the processor."""
FEWER = 5
"""So many times fewer orders and pairs are played on where that is always to the end of the game."""
PAIR = 5
"""A pair takes about as long as so many steps of reading and of the course."""

Positions = Callable[[int], State]
"""The position in which an order was given, by its number."""


class NotReviewed(Exception):
    """A :class:`Say` tells why this game has no review."""


class Given(Value):
    """An order that somebody gave; ``number``: which one of the game, ``turn``: in which turn."""

    number: int
    turn: int
    player: Seat
    order: str


class Played(Value):
    """A game that is over. ``given``: orders of people that are reviewed; ``orders``: all that were given, none where
    weights would say nothing of the game (:func:`usual`)."""

    players: tuple[Seat, ...]
    given: Sequence[Given]
    orders: Sequence[Given]


class Review(Value):
    """``decisions``: every order that was played on, first those of which it is surest what they did.

    ``course``: what every order came to; empty where no weights are fitted to the sheet and the number of players.
    """

    game: str
    map: str
    players: tuple[Seat, ...]
    decisions: tuple[Comparison, ...]
    course: Course = ()

    def to_json(self) -> dict[str, Any]:
        """``pbem-review/1``."""
        return {
            "format": FORMAT,
            "method": METHOD,
            "game": self.game,
            "map": self.map,
            "players": list(self.players),
            "curve": [
                {
                    "after": str(turn) if turn else "start",
                    "chance": {seat: worth.chance for seat, worth in worths.items()},
                    "points": {seat: worth.points for seat, worth in worths.items()},
                }
                for turn, worths in by_turn(self.course)
            ],
            "parts": {seat: part.to_json() for seat, part in parts(self.course).items()},
            "events": [
                {
                    "order": one.number,
                    "what": "decision" if one.decision else "luck",
                    "player": one.seat,
                    "change": round(one.change, 6),
                }
                for one in events(self.course, self.decisions)
            ],
            "decisions": [figures_to_json(one) for one in self.decisions if not one.best],
            "best": [figures_to_json(one) for one in self.decisions if one.best],
        }


@dataclass(slots=True)
class Reviewing:
    """A review that is worked on: each step reads an order or plays a pair on, and takes up to some seconds.

    The same orders and positions give the same review, also when it was stored and read in between.
    """

    sheet: Sheet
    played: Played
    position: Positions
    weights: SheetWeights | None
    read: int = 0
    """Orders that have been read."""
    course: list[OrderWorth] = field(default_factory=list)
    """Of the deal and every order whose worth is known."""
    ends: list[Ends] = field(default_factory=list)
    """Of the next order of the course, if it is one of the last turn."""
    compared: list[Comparison] = field(default_factory=list)
    """Of the orders read those that may be played on; when all are read, those that are."""

    @property
    def most(self) -> int:
        """Pairs of the whole review at the most."""
        pairs = SEAT_PAIRS // self._fewer // max(2, len(self.played.players))
        is_read = self.read == len(self.played.given)
        compared = len(self.compared) if is_read else doubts.DOUBTFUL + doubts.PROMISING
        return max(pairs, comparisons.FIRST_PAIRS * compared)

    @property
    def part(self) -> float:
        """How much of the work is done, of 1, at least."""
        if self.done:
            return 1.0
        steps, all_ = self.read + len(self.ends), len(self.played.given)
        if (weights := self.weights) is not None:
            course = [1, *(1 if order.turn + 1 in weights.turns else ENDS for order in self.played.orders)]
            steps, all_ = steps + sum(course[: len(self.course)]), all_ + sum(course)
        return (steps + PAIR * self._pairs) / (all_ + PAIR * self.most)

    @property
    def done(self) -> bool:
        wants = self.read < len(self.played.given) or self._wants_course or self._next is not None
        return not wants and options.following(self.compared) is None

    @property
    def review(self) -> Review:
        """What is known of the orders that have been played on at least as often as any must be."""
        players, course = self.played.players, tuple(self.course)
        return Review(self.sheet.game, self.sheet.slug, players, _ranked(self.compared), course)

    def step(self) -> None:
        """Raises ``IndexError`` when it is done."""
        if self.read < len(self.played.given):
            self._read(self.played.given[self.read])
        elif self.weights is not None and self._wants_course:
            self._value(self.weights)
        elif (one := self._next) is not None:
            one.pairs.append(pair(self.sheet, self.position(one.number), one))
        elif (found := options.following(self.compared)) is not None:
            options.work_on(self.sheet, self.position(found[0].number), *found)
        else:
            raise IndexError("this review is done")

    def _read(self, given: Given) -> None:
        state = self.position(given.number)
        if self.sheet.to_act(state) == given.player:
            found = compared(self.sheet, state, given.number, given.order)
            self.compared += [] if found is None else [found]
        self.read += 1
        if self.read == len(self.played.given):
            self.compared = looked_at(self.compared, self._fewer)

    @property
    def _fewer(self) -> int:
        return FEWER if self.sheet.turns(len(self.played.players)) is None else 1

    @property
    def _wants_course(self) -> bool:
        return self.weights is not None and len(self.course) <= len(self.played.orders)

    def _value(self, weights: SheetWeights) -> None:
        """What the next order of the course has come to; in the last turn one more continuation of it."""
        seats, orders, sheet = self.played.players, self.played.orders, self.sheet
        if not self.course:
            self.course.append(dealt(weights, sheet, self.position(orders[0].number), seats))
            return
        order = orders[len(self.course) - 1]
        before, after = self.position(order.number), self.position(order.number + 1)
        if order.turn + 1 not in weights.turns and not sheet.over(after):
            self.ends.append(continued(sheet, before, order.order, after, len(self.ends)))
            if len(self.ends) == ENDS:
                self.course.append(in_last_turn(sheet, order.number, before, self.ends))
                self.ends = []
            return
        when = order.turn, sheet.phase(before)
        given = Counter(one.player for one in self.course if (one.turn, one.phase) == when)
        given[order.player] += 1
        self.course.append(after_order(weights, sheet, seats, order.number, before, order.order, after, given))

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
        return {
            "method": METHOD,
            "read": self.read,
            "orders": [one.to_json() for one in self.course],
            "ends": [[worths_to_json(worths) for worths in both] for both in self.ends],
            "whole": not self._wants_course,
            "compared": [one.to_json() for one in self.compared],
        }

    def restored(self, raw: Mapping[str, Any] | None) -> Self:
        """The same as far as it had come; from its beginning where nothing was stored, or by another method."""
        if raw is not None and raw["method"] == METHOD:
            self.read, self.compared = raw["read"], [Comparison.of_json(one) for one in raw["compared"]]
            self.course = _course(raw)
            self.ends = [(worths_of_json(end), worths_of_json(again)) for end, again in raw["ends"]]
        return self


def stored(raw: Mapping[str, Any] | None) -> tuple[tuple[Comparison, ...], Course]:
    """Decisions and course of a review that was stored, as in :class:`Review`; nothing of one by another method, and no
    course before all of it is known."""
    if raw is None or raw["method"] != METHOD:
        return (), ()
    return _ranked(map(Comparison.of_json, raw["compared"])), _course(raw) if raw["whole"] else ()


def _course(raw: Mapping[str, Any]) -> list[OrderWorth]:
    return [OrderWorth.of_json(one) for one in raw["orders"]]


def _ranked(compared: Iterable[Comparison]) -> tuple[Comparison, ...]:
    known = [one for one in compared if one.known]
    return tuple(sorted(known, key=lambda one: (CLEAR * one.lead.error - abs(one.lead.value), one.number)))


def usual(sheet: Sheet, options: Mapping[str, str]) -> bool:
    """Whether a game is played as those that weights are fitted to: with no option but those one gets unasked."""
    return all(options.get(option.key, option.default) == option.default for option in sheet.options())


def begin(sheet: Sheet, played: Played, position: Positions) -> Reviewing:
    """The review of a game that is over."""
    return Reviewing(sheet, played, position, weights_of(sheet.slug, len(played.players)) if played.orders else None)


def of_record(sheet: Sheet, record: Record) -> Reviewing:
    """The review of a game on paper; orders are numbered as its entries are. Raises :class:`NotReviewed` and
    ``BadRecord``."""
    given: list[Given] = []
    orders: list[Given] = []
    before: dict[int, State] = {}
    state = start(sheet, record)[0].state
    for played in replay(sheet, record):
        number, entry = played.number, played.entry
        if played.refusal is not None:
            sentence = played.refusal.sentence()
            raise NotReviewed(say("Entry {number} is refused: {sentence}", number=number, sentence=sentence))
        before[number], order = state, Given(number, sheet.turn(state), entry.player, entry.orders)
        if not played.passed_over:
            orders.append(order)
            given += [] if entry.auto else [order]
        state = before[number + 1] = played.state
    if not (sheet.over(state) or record.ended_early):
        raise NotReviewed(say("The record does not reach the end of its game."))
    known = orders if usual(sheet, record.options) and not record.ended_early else []
    return begin(sheet, Played(record.players, given, known), before.__getitem__)
