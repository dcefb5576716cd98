"""The rest of the game in broad strokes: what a company will be worth in the end if it goes on like this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from pbem.robot.thinking.network import LONGEST, Reach
from pbem.robot.thinking.weights import Weights

RUIN = -60.0
"""What bankruptcy is worth, less a point for every turn that is left."""
DOLLARS_A_SHARE = 5


@dataclass(frozen=True, slots=True)
class Scoring:
    """What counts in the end, each in points."""

    income: float = 3.0
    track: float = 1.0
    share: float = 3.0
    cash: float = 0.0


@dataclass(frozen=True, slots=True)
class Start:
    """A company as its present turn will leave it before the money phases: ``cash`` after builds, income with the
    deliveries of the turn."""

    cash: float
    income: float
    shares: int
    engine: int
    points: float
    extra: int = 0


def reduction(income: float) -> int:
    """Steps that income falls at the end of a turn."""
    if income <= 10:
        return 0
    return 10 if income >= 50 else 2 * ((int(income) - 1) // 10)


def project(
    weights: Weights,
    scoring: Scoring,
    start: Start,
    cubes: Sequence[tuple[Sequence[float], int, float, int]],
    left: int,
    rounds: int,
) -> float:
    """Points in the end. ``cubes``: (gain by engine, turns until there, chance to be kept a turn, number)."""
    cash, income, shares, engine, points = start.cash, start.income, start.shares, start.engine, start.points
    pool = [[best, ready, kept, count] for best, ready, kept, count in cubes]
    track_money = weights.track_money
    for ahead in range(left + 1):
        if ahead:
            last = ahead == left
            gain, engine = _deliveries(weights, pool, engine, ahead, rounds, left)
            wanted = 0.0 if last else track_money
            short = max(wanted + weights.spare - cash, wanted + shares + engine + start.extra - income - gain - cash)
            if short > 0:
                issued = ceil(short / (DOLLARS_A_SHARE - 1))
                shares += issued
                cash += DOLLARS_A_SHARE * issued
            if last:
                wanted = min(max(0.0, cash + income + gain - shares - engine - start.extra), cash, 1.5 * track_money)
            cash -= wanted
            points += wanted / 2.5
            income += gain
        cash += income - shares - engine - start.extra
        if cash < 0:
            income += cash
            cash = 0.0
            if income < 0:
                return RUIN - (left - ahead)
        income -= reduction(income)
    cash_worth = scoring.cash or weights.cash
    return scoring.income * income + scoring.track * points - scoring.share * shares + cash_worth * cash


def _deliveries(
    weights: Weights, pool: list[list], engine: int, ahead: int, rounds: int, left: int
) -> tuple[float, int]:
    """Income of the deliveries of a turn to come, and the engine then; what is delivered leaves the pool."""
    raised = False
    if engine < LONGEST and ahead < left:
        engine, raised = engine + 1, True
    promised = weights.phantom * engine
    tops: list[tuple[float, list]] = []
    for entry in pool:
        if entry[3] and entry[1] <= ahead:
            worth = entry[0][engine] * entry[2] ** ahead
            if worth > 0:
                tops.append((worth, entry))
    tops.sort(key=_first, reverse=True)
    gains: list[float] = []
    for worth, entry in tops:
        while entry[3] and len(gains) < rounds:
            gains.append(worth)
            entry[3] -= 1
        if len(gains) == rounds:
            break
    gains += [0.0] * (rounds - len(gains))
    part = weights.phantom_part
    total = sum(gain if gain >= promised else gain + part * (promised - gain) for gain in gains)
    if raised:
        total -= weights.engine_cost * gains[-1]
    return total, engine


def _first(entry: tuple[float, list]) -> float:
    return entry[0]
