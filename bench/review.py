"""``python -m bench.review MAP PLAYERS``: fit the weights by which reviews draw the chances to win.

Robots play games that begin unevenly: until some turn the seats slip by 0, 3, 6 or 10 points, or plain robots have
them; from it on the reference robot plays in all seats, and only positions after it count. For every turn the points in
the end are fitted to features of the position (ridge regression), and the chances to the points; both are tested on
games that were left out. Chances that are not what happened within two standard errors are not shown. What these
weights make of a position inside a turn is fitted to what they make of the beginning of the next one.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from itertools import pairwise
from math import log, sqrt
from statistics import fmean, pstdev
from typing import Any

from pbem.engine import Sheet, State, Step, catalog
from pbem.engine.chance import DEAL, SeededChance
from pbem.robot.matches import Player, classic, steps, thinker
from pbem.robot.review.continuations import REFERENCE
from pbem.robot.review.value import FEATURES, FOLDER, Features, at_end, chances, digest, features, stage
from pbem.robot.thinking import Character

SLIPS = (0.0, 3.0, 6.0, 10.0)
RIDGE, FOLDS = 40.0, 5
FIRST = 3
"""The turn from which chances have to be right."""
BINS = (0.0, 0.05, 0.15, 0.30, 0.50, 0.75, 1.0)
LEAST = 100
"""Forecasts of a bin from which it counts."""
FEW = 3
"""Places among which the best is looked for one by one."""
SPREADS = [1.03**step for step in range(160)]


class Sample:
    """A seat at the beginning of a turn of a game, and what became of it."""

    def __init__(self, game: int, turn: int, seat: str, found: Features, points: float, won: float) -> None:
        self.game, self.turn, self.seat, self.found, self.points, self.won = game, turn, seat, found, points, won
        self.expected = self.chance = 0.0


class Inside:
    """A seat at some stage inside a turn, and at the beginning of the next one."""

    def __init__(self, stage_: str, turn: int, found: Features, then: Features) -> None:
        self.stage, self.turn, self.found, self.then = stage_, turn, found, then


EVERY = 3
"""Of so many positions inside turns one is a sample."""


def uneven(map_: str, players: int, number: int) -> tuple[Sheet, int, State, Iterator[tuple[str, str, Step[State]]]]:
    """A game: its sheet, the turn from which all are the reference robot, its deal and what is played."""
    sheet, luck = catalog.sheet("age-of-steam", map_), random.Random(f"{map_} {players} {number}")
    seats, secret = sheet.colours[:players], sha256(f"fit {map_} {players} {number}".encode()).digest()
    turns = sheet.turns(players) or 8
    even = 1 + int((turns - 1) * luck.random() ** 1.5)
    begins: dict[str, Player] = {
        seat: classic if luck.random() < 0.2 else thinker(Character("s", budget=30, width=3, slip=luck.choice(SLIPS)))
        for seat in seats
    }
    reference = thinker(REFERENCE)

    def player(seat: str) -> Player:
        begun = begins[seat]
        return lambda sheet, state, seed: (begun if sheet.turn(state) < even else reference)(sheet, state, seed)

    state = sheet.start(seats, SeededChance(secret, DEAL), {}).state
    return sheet, even, state, steps(sheet, {seat: player(seat) for seat in seats}, state, secret, f"fit {number}")


def played(map_: str, players: int, number: int) -> tuple[list[Sample], list[Inside]]:
    """The samples of one game, at the beginning of turns and inside them."""
    sheet, even, state, orders = uneven(map_, players, number)
    turn, phase, given = 1, sheet.phase(state), Counter[str]()
    begun: dict[int, dict[str, Features]] = {}
    waiting: list[tuple[str, str, Features]] = []
    inside: list[Inside] = []
    for at, (seat, _, step) in enumerate(orders):
        state, given[seat] = step.state, given[seat] + 1
        if sheet.over(state):
            break
        if sheet.turn(state) != turn:
            turn = sheet.turn(state)
            if turn >= even:
                begun[turn] = features(sheet, state)
                inside += [Inside(key, turn, one, begun[turn][who]) for who, key, one in waiting if who in begun[turn]]
            waiting = []
        if sheet.phase(state) != phase:
            phase, given = sheet.phase(state), Counter()
        if turn >= even and (at + number) % EVERY == 0:
            waiting += [(who, stage(phase, given[who]), one) for who, one in features(sheet, state).items()]
    return sampled(sheet, number, begun, state), inside


def sampled(sheet: Sheet, number: int, begun: Mapping[int, Mapping[str, Features]], end: State) -> list[Sample]:
    """The samples of a game, from what it was like at the beginning of turns."""
    ends = at_end(sheet, end)
    return [
        Sample(number, turn, seat, found, ends[seat].points, ends[seat].chance)
        for turn, rows in begun.items()
        for seat, found in rows.items()
    ]


def corrections(inside: Sequence[Inside], turns: Mapping[int, dict[str, Any]]) -> dict[str, list[float]]:
    """By stage, what is added to points inside a turn, and by how much their distance from the average counts."""
    stages: dict[str, list[tuple[float, float]]] = {}
    for one in inside:
        fitted = turns[one.turn]
        worths = expected(fitted, one.found) - fitted["points"], expected(fitted, one.then) - fitted["points"]
        stages.setdefault(one.stage, []).append(worths)
    found = {}
    for key, rows in sorted(stages.items()):
        xs, ys = [x for x, _ in rows], [y for _, y in rows]
        spread = pstdev(xs) ** 2
        slope = covariance(xs, ys) / spread if spread and len(rows) >= LEAST else 1.0
        found[key] = [round(fmean(ys) - slope * fmean(xs), 4), round(slope, 4)]
        print(f"{key}: n {len(rows)}, r {covariance(xs, ys) / (pstdev(xs) * pstdev(ys) or 1.0):.2f}, {found[key]}")
    return found


def covariance(xs: Sequence[float], ys: Sequence[float]) -> float:
    mx, my = fmean(xs), fmean(ys)
    return fmean((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True))


def ridge(samples: Sequence[Sample]) -> dict[str, Any]:
    """Points, means, deviations and weights of a turn."""
    columns = list(zip(*(sample.found for sample in samples), strict=True))
    means, deviations = [fmean(column) for column in columns], [pstdev(column) or 1.0 for column in columns]
    points = fmean(sample.points for sample in samples)
    rows = [
        [(value - mean) / deviation for value, mean, deviation in zip(sample.found, means, deviations, strict=True)]
        for sample in samples
    ]
    size = len(FEATURES)
    matrix = [[sum(row[i] * row[j] for row in rows) + RIDGE * (i == j) for j in range(size)] for i in range(size)]
    right = [sum(row[i] * (s.points - points) for row, s in zip(rows, samples, strict=True)) for i in range(size)]
    return {"points": points, "means": means, "deviations": deviations, "weights": solved(matrix, right)}


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gauss; the matrix is positive definite."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(rows):
        for other in rows[i + 1 :]:
            factor = other[i] / pivot[i]
            other[i:] = [b - factor * a for a, b in zip(pivot[i:], other[i:], strict=True)]
    found = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        found[i] = (rows[i][-1] - sum(rows[i][j] * found[j] for j in range(i + 1, len(rows)))) / rows[i][i]
    return found


def expected(fitted: dict[str, Any], found: Features) -> float:
    rows = zip(found, fitted["means"], fitted["deviations"], fitted["weights"], strict=True)
    return float(fitted["points"] + sum(weight * (value - mean) / spread for value, mean, spread, weight in rows))


def left_out(samples: Sequence[Sample]) -> None:
    """Say of every sample what is expected of it by games that it is not of."""
    for fold in range(FOLDS):
        fitted = ridge([sample for sample in samples if sample.game % FOLDS != fold])
        for sample in samples:
            if sample.game % FOLDS == fold:
                sample.expected = expected(fitted, sample.found)


def tables(samples: Sequence[Sample]) -> Iterator[list[Sample]]:
    games: dict[int, list[Sample]] = {}
    for sample in samples:
        games.setdefault(sample.game, []).append(sample)
    yield from games.values()


def likeliest(samples: Sequence[Sample]) -> float:
    """The spread under which what happened was likeliest; the chances of the samples follow from it."""

    def unlikely(place: int) -> float:
        cost = 0.0
        for table in tables(samples):
            found = chances({sample.seat: sample.expected for sample in table}, SPREADS[place])
            cost -= sum(sample.won * log(max(found[sample.seat], 1e-9)) for sample in table)
        return cost

    low, high = 0, len(SPREADS) - 1
    while high - low > FEW:  # it has one lowest place
        third = (high - low) // 3
        if unlikely(low + third) < unlikely(high - third):
            high -= third
        else:
            low += third
    best = SPREADS[min(range(low, high + 1), key=unlikely)]
    forecast(samples, best)
    return best


def forecast(samples: Sequence[Sample], spread: float) -> None:
    """Say of every sample what its chance is, by what is expected of it and the others."""
    for table in tables(samples):
        found = chances({sample.seat: sample.expected for sample in table}, spread)
        for sample in table:
            sample.chance = found[sample.seat]


def correlation(samples: Sequence[Sample]) -> float:
    xs, ys = [sample.expected for sample in samples], [sample.points for sample in samples]
    spread = pstdev(xs) * pstdev(ys)
    return covariance(xs, ys) / spread if spread else 0.0


def calibration(samples: Sequence[Sample]) -> list[dict[str, float]]:
    found = []
    for low, high in pairwise(BINS):
        here = [s for s in samples if low <= s.chance < high or (high == 1.0 and s.chance == 1.0)]
        if here:
            mean, won = fmean(s.chance for s in here), fmean(s.won for s in here)
            found.append({"to": high, "n": len(here), "mean": mean, "won": won, "se": standard_error(here)})
    return found


def standard_error(samples: Sequence[Sample]) -> float:
    """Of the part that won. Forecasts of one game come true together: their errors count as one where that is more."""
    games: dict[int, float] = {}
    for sample in samples:
        games[sample.game] = games.get(sample.game, 0.0) + sample.won - sample.chance
    alone = sum(sample.chance * (1 - sample.chance) for sample in samples)
    return sqrt(max(alone, sum(error * error for error in games.values()))) / len(samples)


def fit(map_: str, players: int, games: int, jobs: int) -> None:
    samples: list[Sample] = []
    inside: list[Inside] = []
    with ProcessPoolExecutor(jobs) as pool:
        for done, (begun, between) in enumerate(pool.map(partial(played, map_, players), range(games)), 1):
            samples += begun
            inside += between
            print(f"\r{done} of {games} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    turns = {}
    for turn in sorted({sample.turn for sample in samples}):
        here = [sample for sample in samples if sample.turn == turn]
        left_out(here)
        turns[turn] = {**ridge(here), "spread": likeliest(here), "r": correlation(here), "n": len(here)}
    bins = calibration([sample for sample in samples if sample.turn >= FIRST])
    right = all(abs(one["mean"] - one["won"]) <= 2 * one["se"] for one in bins if one["n"] >= LEAST)
    sheet = catalog.sheet("age-of-steam", map_)
    raw = {
        "games": games, "robots": digest(sheet, players), "calibrated": right, "calibration": bins, "turns": turns,
        "inside": corrections(inside, turns),
    }  # fmt: skip
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps(raw, indent=1, default=float)
    (FOLDER / f"{map_}-{players}.json").write_text(f"{text}\n", "utf-8")
    print(f"{map_}, {players} players, {games} games: {'calibrated' if right else 'NOT calibrated'}")
    print("r by turn:", " ".join(f"{turn}: {one['r']:.2f}" for turn, one in turns.items()))
    for one in bins:
        print(f"to {one['to']:4.0%}: n {one['n']:4}, mean {one['mean']:.3f}, won {one['won']:.3f} ± {one['se']:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("map", metavar="MAP")
    parser.add_argument("players", metavar="PLAYERS", type=int)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    fit(given.map, given.players, given.games, given.jobs)


if __name__ == "__main__":
    main()
