"""The rest of the game in broad strokes: what a company will be worth in the end if it goes on like this."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import ceil
from operator import itemgetter

from pbem.engine import Sheet
from pbem.robot.thinking.characters import Weights
from pbem.robot.thinking.network import LONGEST
from pbem.robot.thinking.table import Company

DOLLARS_A_SHARE = 5


@dataclass(frozen=True, slots=True)
class Scoring:
    """What counts in the end, each in points.

    ``ruin``: what bankruptcy counts in the last turn, less ``outlived`` for every turn before that. ``phantom``,
    ``production``: how far builds and cubes to come can be counted on, and Production is worth more, beside other maps.
    ``eager``: whether the engine is taken to grow in every turn to come, not only where a cube in reach goes further.
    ``growth``: links by which a turn to come makes the longest delivery longer, at the most; what cannot be seen yet is
    counted on no further. ``track_money``, ``rival``: parts of the weights. ``missing``: points for each step of income
    that a bill of a turn to come takes below 0, and without shares to issue the bill comes before track; ``None``: such
    a bill is ruin. ``by_build``: whether who issues shares last plays on in thought to its build
    (:mod:`pbem.robot.thinking.money`).
    """

    income: float = 3.0
    track: float = 1.0
    share: float = 3.0
    cash: float = 0.0
    shares_a_turn: int = 99
    shares_most: int = 15
    ruin: float = -60.0
    outlived: float = 1.0
    phantom: float = 1.0
    production: float = 1.0
    eager: bool = True
    growth: float = LONGEST
    track_money: float = 1.0
    rival: float = 1.0
    missing: float | None = None
    by_build: bool = False


BANKRUPTCY = Scoring(track=0, share=1, cash=0.3, shares_most=25, ruin=-200, outlived=40)
"""The last one in the game wins."""
OF_SHEETS = {
    "barbados": Scoring(income=0, track=0, share=5, cash=1, shares_a_turn=1, phantom=1 / 6, production=6, eager=False),
    "detroit": BANKRUPTCY,
    "detroit_solo": BANKRUPTCY,
    "new_england": Scoring(cash=0.05),
    "st_lucia": Scoring(phantom=1.3, growth=2, track_money=1.5, rival=0, missing=3, by_build=True),
    "switzerland": Scoring(track=2.0),
}
"""Maps on which something else counts in the end, or that go another way until then."""


def scoring_of(sheet: Sheet) -> Scoring:
    return OF_SHEETS.get(sheet.slug, Scoring())


Lot = tuple[Sequence[float], int, float]
"""Cubes that lie together: gain by engine, turns until they are there, chance to be kept a turn."""


def reduction(income: float) -> int:
    """Steps that income falls at the end of a turn."""
    if income <= 10:
        return 0
    return 10 if income >= 50 else 2 * ((int(income) - 1) // 10)


Course = list[tuple[float, int]]
"""Of every turn to come the income of its deliveries, and the engine that makes them."""


def course(
    weights: Weights, scoring: Scoring, engine: int, lots: Sequence[Lot], counts: list[int], left: int, rounds: int
) -> Course:
    """The deliveries of the turns to come.

    ``counts``: how many cubes of each lot there are; changed to what is left.
    """
    turns: Course = []
    reach = max([0.0, *(best[LONGEST] for best, _, _ in lots)])
    for ahead in range(1, left + 1):
        last = ahead == left
        grows = engine < LONGEST and not last and (scoring.eager or _goes_further(lots, counts, engine, ahead))
        within = reach + scoring.growth * ahead
        gain, engine = _deliveries(weights, scoring.phantom, within, lots, counts, engine, ahead, rounds, grows)
        turns.append((gain, engine))
    return turns


def project(weights: Weights, scoring: Scoring, start: Company, turns: Course) -> float:
    """Points in the end, with the deliveries of the turns to come.

    ``start``: the company as its present turn will leave it before the money phases.
    """
    cash, income, shares, engine, points, extra, _ = start
    track_money, spare, track = weights.track_money * scoring.track_money, weights.spare, scoring.track
    left, ahead, lost = len(turns), 0, 0.0
    mends = scoring.missing is not None
    while True:
        if ahead:
            gain, engine = turns[ahead - 1]
            wanted = 0.0 if ahead == left else track_money
            short = max(wanted + spare - cash, wanted + shares + engine + extra - income - gain - cash)
            issued = _issued(scoring, shares, short)
            shares += issued
            cash += DOLLARS_A_SHARE * issued
            left_over = cash + income + gain - shares - engine - extra
            if not track or (mends and ahead != left and shares >= scoring.shares_most):
                wanted = max(0.0, min(wanted, left_over))
            elif ahead == left:
                wanted = min(max(0.0, left_over), cash, 1.5 * track_money)
            cash -= wanted
            points += wanted / 2.5
            income += gain
        cash += income - shares - engine - extra
        if cash < 0:
            income, cash = income + cash, 0.0
            if income < 0:
                if not ahead or scoring.missing is None:
                    return scoring.ruin - scoring.outlived * (left - ahead)
                lost -= scoring.missing * income
                income = 0.0
        income -= reduction(income)
        if ahead == left:
            break
        ahead += 1
    worth = scoring.income * income + track * points - scoring.share * shares
    return worth + (scoring.cash or weights.cash) * cash - lost


def _issued(scoring: Scoring, shares: int, short: float) -> int:
    """How many shares are issued when so much money is missing."""
    allowed = min(scoring.shares_a_turn, max(0, scoring.shares_most - shares))
    return min(ceil(short / (DOLLARS_A_SHARE - 1)), allowed) if short > 0 else 0


def ruined(cash: float, income: float, owed: float) -> bool:
    """Whether a company that has delivered is bankrupt at the end of the turn."""
    left = cash + income - owed
    return left < 0 and income + left < 0


def _goes_further(lots: Sequence[Lot], counts: Sequence[int], engine: int, ahead: int) -> bool:
    """Whether a larger engine brings the best cube in reach further."""
    there = [best for (best, ready, _), count in zip(lots, counts, strict=True) if count and ready <= ahead]
    return max((best[engine + 1] for best in there), default=0.0) > max((best[engine] for best in there), default=0.0)


def _deliveries(
    weights: Weights,
    seen: float,
    within: float,
    lots: Sequence[Lot],
    counts: list[int],
    engine: int,
    ahead: int,
    rounds: int,
    grows: bool,
) -> tuple[float, int]:
    """Income of the deliveries of a turn to come, and the engine then; what is delivered leaves the counts.

    ``seen``: how far builds to come are counted on; ``within``: the longest delivery there can be then.
    """
    engine += grows
    there = [
        (best[engine] * kept**ahead, number)
        for number, (best, ready, kept) in enumerate(lots)
        if ready <= ahead and counts[number] and best[engine] > 0
    ]
    tops = nlargest(rounds, there, key=itemgetter(0))
    gains = _taken(tops, counts, rounds)
    promised, part = weights.phantom * seen * min(engine, within), weights.phantom_part
    total = 0.0
    for gain in gains:
        total += gain if gain >= promised else gain + part * (promised - gain)
    if grows:
        total -= weights.engine_cost * gains[-1]
    return total, engine


def _taken(tops: Sequence[tuple[float, int]], counts: list[int], rounds: int) -> list[float]:
    """What each round brings, the best first; what is delivered leaves the counts."""
    gains: list[float] = []
    for worth, number in tops:
        while counts[number] and len(gains) < rounds:
            gains.append(worth)
            counts[number] -= 1
    return gains + [0.0] * (rounds - len(gains))
