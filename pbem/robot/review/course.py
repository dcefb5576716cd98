"""How the chances to win ran, and what made them: the deal, luck, one's own decisions and those of others.

Every order of the game changes what the position is worth to everybody. What that is beside its mean over other dice
and draws is luck, the rest is a decision of whoever gave the order; all of it adds up to the points of the end.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from statistics import fmean
from typing import Any, Self

from pbem.engine import Seat, Sheet, State, Value
from pbem.engine.chance import NotedChance, SeededChance
from pbem.robot.review.comparisons import Comparison
from pbem.robot.review.continuations import to_end
from pbem.robot.review.value import SheetWeights, Worth, at_end, mean_of, value, value_inside

REDRAWS = 16
"""How often an order by which dice are rolled or cubes drawn is played with others."""
ENDS = 16
"""Continuations to the end of the game of a position inside its last turn."""
DIGITS = 6
"""Decimal digits of what is kept."""
EVENTS, LEAST = 6, 0.05
"""Orders at which the game turned, at the most, and how much of a chance to win they moved at least."""
Worths = Mapping[Seat, Worth]
Ends = tuple[Worths, Worths]


class OrderWorth(Value):
    """What an order came to, ``number``: which one of the game; the first of all stands for the deal, and is of nobody.

    ``worths``: of the position after it; ``expected``: the mean over other dice and draws, for the deal what every
    seat has before it.
    """

    number: int
    turn: int
    phase: str
    player: Seat
    worths: Worths
    expected: Worths

    def to_json(self) -> list[Any]:
        expected = None if self.expected == self.worths else worths_to_json(self.expected)
        return [self.number, self.turn, self.phase, self.player, worths_to_json(self.worths), expected]

    @classmethod
    def of_json(cls, raw: list[Any]) -> Self:
        number, turn, phase, player, worths, expected = raw
        return cls(number, turn, phase, player, worths_of_json(worths), worths_of_json(expected or worths))


Course = Sequence[OrderWorth]
"""Of the deal and every order, as far as a review has come."""


class Parts(Value):
    """Points of a seat in the end as a sum: what everybody could expect, what the deal, dice and draws brought, what
    the seat's own decisions made of it beside those of whoever decided in the same phases, and those of others."""

    start: float
    deal: float
    luck: float
    own: float
    others: float

    @property
    def end(self) -> float:
        return self.start + self.deal + self.luck + self.own + self.others

    def to_json(self) -> dict[str, float]:
        return {
            "start": self.start, "deal": self.deal, "luck": self.luck, "own": self.own, "others": self.others,
            "end": self.end,
        }  # fmt: skip


class Event(Value):
    """An order at which the game turned: a decision that playing on has confirmed, or dice (``decision`` is ``None``).

    ``seat``: whose chance to win it moved most, ``change``: by how much, of 1.
    """

    number: int
    turn: int
    decision: Comparison | None
    seat: Seat
    change: float


def dealt(weights: SheetWeights, sheet: Sheet, state: State, seats: Sequence[Seat]) -> OrderWorth:
    """``state``: before the first order."""
    worths = value_inside(weights, sheet, state, seats, {})
    even = Worth(fmean(worth.points for worth in worths.values()), 1 / len(seats))
    return OrderWorth(0, 0, "", "", _rounded(worths), _rounded(dict.fromkeys(seats, even)))


def after_order(
    weights: SheetWeights,
    sheet: Sheet,
    seats: Sequence[Seat],
    number: int,
    before: State,
    order: str,
    after: State,
    given: Mapping[Seat, int],
) -> OrderWorth:
    """``after``: what an order has led to; ``given``: how many each seat has given in its phase, this one included."""
    turn, phase, player = sheet.turn(before), sheet.phase(before), sheet.to_act(before) or ""

    def worth(state: State) -> Worths:
        if sheet.over(state) or sheet.turn(state) != turn:
            return value(weights, sheet, state, seats)
        return value_inside(weights, sheet, state, seats, given if sheet.phase(state) == phase else {})

    worths, redrawn = _rounded(worth(after)), []
    for again in range(REDRAWS):
        then = redraw(sheet, before, player, order, again)
        if then is None:
            return OrderWorth(number, turn, phase, player, worths, worths)
        redrawn.append(worth(then))
    return OrderWorth(number, turn, phase, player, worths, _rounded(mean_of(redrawn)))


def redraw(sheet: Sheet, before: State, player: Seat, order: str, number: int) -> State | None:
    """What an order leads to with dice and draws of this position alone; ``None`` where it asks for none."""
    seed = sha256(sheet.encode(before) + f" redraw {number}".encode()).digest()
    chance = NotedChance(SeededChance(seed, sheet.place(before)))
    then = sheet.play(before, player, sheet.parse(before, order, {}), chance).state
    return then if chance.notes else None


def continued(sheet: Sheet, before: State, order: str, after: State, number: int) -> Ends:
    """The ends of two continuations of an order of the last turn: as it was, and with other dice and draws."""
    end = at_end(sheet, to_end(sheet, after, number))
    then = redraw(sheet, before, sheet.to_act(before) or "", order, number)
    return end, end if then is None else at_end(sheet, to_end(sheet, then, number))


def in_last_turn(sheet: Sheet, number: int, before: State, ends: Sequence[Ends]) -> OrderWorth:
    """``ends``: those of an order that leaves the last turn open, as :func:`continued` finds them."""
    worths, expected = (_rounded(mean_of(column)) for column in zip(*ends, strict=True))
    return OrderWorth(number, sheet.turn(before), sheet.phase(before), sheet.to_act(before) or "", worths, expected)


def by_turn(course: Course) -> list[tuple[int, Worths]]:
    """What the game was worth to everybody at its beginning, and after every turn."""
    last = {one.turn: one.worths for one in course}
    return list((last | {0: course[0].expected}).items()) if course else []


def parts(course: Course) -> dict[Seat, Parts]:
    """By seat; empty where there is no course."""
    return {seat: _parts(course, seat) for seat in course[0].worths} if course else {}


def _parts(course: Course, seat: Seat) -> Parts:
    luck = others = 0.0
    own: dict[tuple[int, str], dict[Seat, float]] = {}
    for before, one in pairwise(course):
        luck += one.worths[seat].points - one.expected[seat].points
        if one.player != seat:
            others += one.expected[seat].points - before.worths[seat].points
        phase = own.setdefault((one.turn, one.phase), {})
        change = one.expected[one.player].points - before.worths[one.player].points
        phase[one.player] = phase.get(one.player, 0.0) + change
    usual = {key: fmean(changes.values()) for key, changes in own.items() if seat in changes}
    start = course[0].expected[seat].points
    return Parts(
        start,
        course[0].worths[seat].points - start,
        luck,
        sum(own[key][seat] - mean for key, mean in usual.items()),
        others + sum(usual.values()),
    )


def events(course: Course, decisions: Iterable[Comparison]) -> list[Event]:
    """Where the game turned, in its order: of clear ``decisions`` and of luck what moved a chance to win most.

    A decision that moved its player's chance against what playing on has shown is none of them.
    """
    clear = {one.number: one for one in decisions if one.clear}
    found = []
    for before, one in pairwise(course):
        decision = clear.get(one.number)
        if decision is not None:
            own = one.expected[one.player].chance - before.worths[one.player].chance
            if own and (own < 0) == decision.mistake:
                found.append(_event(one, decision, before.worths, one.expected))
        if one.worths != one.expected:
            found.append(_event(one, None, one.expected, one.worths))
    found.sort(key=lambda event: -abs(event.change))
    return sorted((one for one in found[:EVENTS] if abs(one.change) >= LEAST), key=lambda event: event.number)


def _event(one: OrderWorth, decision: Comparison | None, before: Worths, after: Worths) -> Event:
    """Of two seats one gains what the other loses: it is that of whoever gave the order."""
    changes = {seat: round(after[seat].chance - worth.chance, DIGITS) for seat, worth in before.items()}
    seat = max(changes, key=lambda seat: (abs(changes[seat]), seat == one.player))
    return Event(one.number, one.turn, decision, seat, changes[seat])


def _rounded(worths: Worths) -> dict[Seat, Worth]:
    return {seat: Worth(round(worth.points, DIGITS), round(worth.chance, DIGITS)) for seat, worth in worths.items()}


def worths_to_json(worths: Worths) -> dict[Seat, list[float]]:
    return {seat: [worth.points, worth.chance] for seat, worth in worths.items()}


def worths_of_json(raw: Mapping[Seat, list[float]]) -> Worths:
    return {seat: Worth(float(points), float(chance)) for seat, (points, chance) in raw.items()}
