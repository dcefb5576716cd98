"""How the chances to win ran, and how much of it was luck: what every turn began with, and what dice made of it."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from statistics import fmean
from typing import Any, Self

from pbem.engine.chance import NotedChance, SeededChance
from pbem.engine.moves import Seat
from pbem.engine.sheet import Sheet, State
from pbem.engine.values import Value
from pbem.robot.review.value import SheetWeights, Worth, value

REDRAWS = 16
"""How often the last order of a turn is played with other dice and draws."""
Worths = Mapping[Seat, Worth]


class TurnWorth(Value):
    """``turn``: the one that is over, 0 before the first. ``worths``: of the position then; ``expected``: the mean over
    other dice and draws of its last order."""

    turn: int
    worths: Worths
    expected: Worths

    def to_json(self) -> dict[str, Any]:
        return {"turn": self.turn, "worths": _plain(self.worths), "expected": _plain(self.expected)}

    @classmethod
    def of_json(cls, raw: Mapping[str, Any]) -> Self:
        return cls(raw["turn"], _worths(raw["worths"]), _worths(raw["expected"]))


class Parts(Value):
    """Points of a seat in the end as a sum: what everybody could expect, what dice and draws brought, what decisions of
    all made of it."""

    start: float
    luck: float
    decisions: float

    @property
    def end(self) -> float:
        return self.start + self.luck + self.decisions


def first(weights: SheetWeights, sheet: Sheet, state: State, seats: Sequence[Seat]) -> TurnWorth:
    found = value(weights, sheet, state, seats)
    return TurnWorth(0, found, found)


def after_turn(
    weights: SheetWeights, sheet: Sheet, seats: Sequence[Seat], turn: int, before: State, order: str, state: State
) -> TurnWorth:
    """``order``: the last of a turn, given in ``before``; ``state``: what it has led to."""
    worths, redrawn = value(weights, sheet, state, seats), []
    for number in range(REDRAWS):
        luck = sha256(f"redraw {number}".encode()).digest()
        chance = NotedChance(SeededChance(luck, sheet.place(before)))
        then = sheet.play(before, sheet.to_act(before) or "", sheet.parse(before, order, {}), chance).state
        if not chance.notes:
            return TurnWorth(turn, worths, worths)
        redrawn.append(value(weights, sheet, then, seats))
    expected = {
        seat: Worth(fmean(found[seat].points for found in redrawn), fmean(found[seat].chance for found in redrawn))
        for seat in seats
    }
    return TurnWorth(turn, worths, expected)


def parts(course: Sequence[TurnWorth]) -> dict[Seat, Parts]:
    """By seat; empty where there is no course."""
    if not course:
        return {}
    begin, *turns = course
    found = {}
    for seat, start in begin.worths.items():
        before, luck, decisions = start.points, 0.0, 0.0
        for turn in turns:
            luck += turn.worths[seat].points - turn.expected[seat].points
            decisions += turn.expected[seat].points - before
            before = turn.worths[seat].points
        found[seat] = Parts(start.points, luck, decisions)
    return found


def _plain(worths: Worths) -> dict[Seat, list[float]]:
    return {seat: [worth.points, worth.chance] for seat, worth in worths.items()}


def _worths(raw: Mapping[Seat, list[float]]) -> Worths:
    return {seat: Worth(float(points), float(chance)) for seat, (points, chance) in raw.items()}
