"""``python -m bench.review_checks --calibrate MAP PLAYERS``: whether the weights that reviews use come true in games
that they were not fitted to; ``--luck MAP PLAYERS``: whether the luck of every turn is 0 on average;
``--again RECORD``: whether a review with other luck names the same mistakes.
"""

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench.planted import OTHER_LUCK, reviewed
from bench.review import FIRST, Sample, calibration, correlation, forecast, played, sampled
from pbem.engine import Sheet, State, catalog
from pbem.engine.chance import DEAL, SeededChance
from pbem.engine.record import read_record, replay, start
from pbem.robot import review
from pbem.robot.matches import Mean, classic, steps, wilson
from pbem.robot.review import course
from pbem.robot.review.comparisons import Comparison, Continuation
from pbem.robot.review.continuations import play_on
from pbem.robot.review.course import after_order, redraw
from pbem.robot.review.value import Features, features, weights_of

FRESH = 1_000
"""Numbers of games from here on: none was fitted to."""
FEW = 4
"""Other dice and draws beside which luck is measured here."""
NAMED = 3
"""Mistakes of a player among which the first of the other review is looked for."""


def fresh(map_: str, players: int, number: int) -> list[Sample]:
    return played(map_, players, FRESH + number)[0]


def forecast_all(map_: str, players: int, samples: list[Sample]) -> None:
    """Say of every sample what the weights expect of it."""
    weights = weights_of(map_, players)
    assert weights is not None, "python -m bench.review comes first"
    for turn in {sample.turn for sample in samples}:
        here, fitted = [sample for sample in samples if sample.turn == turn], weights.turns[turn]
        for sample in here:
            sample.expected = fitted.expected(sample.found)
        forecast(here, fitted.spread)


def of_people(number: int, path: str) -> list[Sample]:
    """The samples of a game that people played; ``number``: which one."""
    record = read_record(Path(path).read_bytes())
    sheet, begun = catalog.sheet(record.game, record.map), dict[int, dict[str, Features]]()
    state = start(sheet, record)[0].state
    for one in replay(sheet, record):
        state = one.state
        if (turn := sheet.turn(state)) not in {1, *begun} and not sheet.over(state):
            begun[turn] = features(sheet, state)
    return sampled(sheet, number, begun, state)


def tell_calibration(map_: str, players: int, found: list[list[Sample]]) -> None:
    samples = [sample for one in found for sample in one]
    forecast_all(map_, players, samples)
    for turn in sorted({sample.turn for sample in samples}):
        here = [sample for sample in samples if sample.turn == turn]
        print(f"turn {turn}: n {len(here)}, r {correlation(here):.2f}")
    for one in calibration([sample for sample in samples if sample.turn >= FIRST]):
        apart = (one["won"] - one["mean"]) / one["se"]
        told = f"to {one['to']:4.0%}: n {one['n']:4}, mean {one['mean']:.3f}, won {one['won']:.3f} ± {one['se']:.3f}"
        print(f"{told}, {apart:+.1f} SE")


def luck(map_: str, players: int, number: int) -> dict[int, float]:
    """By turn before the last one the points that dice and draws brought one seat of a game of plain robots, beside
    :data:`FEW` others: their mean is as fair as that of sixteen, and quicker."""
    weights = weights_of(map_, players)
    assert weights is not None, "python -m bench.review comes first"
    sheet, secret = catalog.sheet("age-of-steam", map_), sha256(f"luck {map_} {players} {number}".encode()).digest()
    seats = sheet.colours[:players]
    state = sheet.start(seats, SeededChance(secret, DEAL), {}).state
    mine, found = seats[number % players], dict.fromkeys(range(1, max(weights.turns)), 0.0)
    for at, (seat, order, step) in enumerate(steps(sheet, dict.fromkeys(seats, classic), state, secret, "luck")):
        before, state = state, step.state
        if sheet.turn(before) in found and redraw(sheet, before, seat, order, 0) is not None:
            with patch.object(course, "REDRAWS", FEW):
                one = after_order(weights, sheet, seats, at, before, order, state, {})
            found[sheet.turn(before)] += one.worths[mine].points - one.expected[mine].points
    return found


def tell_luck(map_: str, players: int, found: list[dict[int, float]]) -> None:
    for turn in found[0]:
        mean = Mean.of([one[turn] for one in found])
        told = f"turn {turn}: {mean.value:+.3f} ± {2 * mean.error:.3f} points"
        print(f"{told}, {mean.value / (mean.error or 1):+.1f} SE, {len(found)} games")


def repeated(path: str) -> tuple[int, int]:
    """How many players of a record have a mistake, and of how many the costliest is named again with other luck."""
    record = read_record(Path(path).read_bytes())
    sheet = catalog.sheet(record.game, record.map)

    def other(sheet: Sheet, state: State, one: Comparison) -> tuple[Continuation, Continuation]:
        luck = OTHER_LUCK + len(one.pairs)
        return play_on(sheet, state, one.better, luck), play_on(sheet, state, one.played, luck)

    first = reviewed(sheet, record)
    with patch.object(review, "pair", other):
        second = reviewed(sheet, record)
    worst = {one.player: one.number for one in reversed(first)}
    named = {seat: [one.number for one in second if one.player == seat][:NAMED] for seat in worst}
    return len(worst), sum(number in named[seat] for seat, number in worst.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    checks: dict[str, tuple[Callable[..., Any], Callable[..., None]]] = {
        "calibrate": (fresh, tell_calibration), "luck": (luck, tell_luck),
    }  # fmt: skip
    for name in checks:
        what.add_argument(f"--{name}", nargs=2, metavar=("MAP", "PLAYERS"))
    what.add_argument("--again", nargs="+", metavar="RECORD")
    parser.add_argument("--people", nargs="+", metavar="RECORD", default=[], help="games beside those of --calibrate")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    name = next((name for name in checks if getattr(given, name)), "")
    found: list[Any] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        if not name:
            all_, same = (sum(column) for column in zip(*pool.map(repeated, given.again), strict=True))
            low, high = wilson(same / all_, all_)
            print(f"{same} of {all_} players have their costliest mistake named again, {low:.0%} to {high:.0%}")
            return
        (map_, players), (play, tell) = getattr(given, name), checks[name]
        for one in pool.map(partial(play, map_, int(players)), range(given.games)):
            found.append(one)
            print(f"\r{len(found)} of {given.games} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    tell(map_, int(players), found)
    if given.people:
        print("people:")
        tell_calibration(map_, int(players), list(map(of_people, count(), given.people)))


if __name__ == "__main__":
    main()
