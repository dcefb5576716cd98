"""``python -m bench.review_checks --calibrate MAP PLAYERS``: whether the weights that reviews use come true in games
that they were not fitted to; ``--luck MAP PLAYERS``: whether the luck of every turn is 0 on average; ``--again MAP
PLAYERS``: whether a review with other luck names the same mistakes.
"""

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from typing import Any
from unittest.mock import patch

from bench.planted import OTHER_LUCK, recorded, reviewed
from bench.review import FIRST, Sample, calibration, correlation, played, tables, uneven
from pbem.engine import catalog
from pbem.engine.chance import NotedChance, SeededChance
from pbem.engine.sheet import Sheet, State
from pbem.robot import review
from pbem.robot.matches import Mean, thinker, wilson
from pbem.robot.review.comparisons import Comparison, Continuation
from pbem.robot.review.continuations import play_on
from pbem.robot.review.course import after_order
from pbem.robot.review.value import chances, weights_of
from pbem.robot.thinking import Character

FRESH = 1_000
"""Numbers of games from here on: none was fitted to."""
PEOPLE = thinker(Character("people", budget=60, width=4, slip=6.0))
"""Errs about as often as people do."""
NAMED = 3
"""Mistakes of a player among which the first of the other review is looked for."""


def fresh(map_: str, players: int, number: int) -> list[Sample]:
    return played(map_, players, FRESH + number)


def forecast(map_: str, players: int, samples: list[Sample]) -> None:
    """Say of every sample what the weights expect of it."""
    weights = weights_of(map_, players)
    assert weights is not None, "python -m bench.review --fit comes first"
    for turn in {sample.turn for sample in samples}:
        fitted = weights.turns[turn]
        for table in tables([sample for sample in samples if sample.turn == turn]):
            for sample in table:
                sample.expected = fitted.expected(sample.found)
            found = chances({sample.seat: sample.expected for sample in table}, fitted.temperature)
            for sample in table:
                sample.chance = found[sample.seat]


def tell_calibration(map_: str, players: int, found: list[list[Sample]]) -> None:
    samples = [sample for one in found for sample in one]
    forecast(map_, players, samples)
    for turn in sorted({sample.turn for sample in samples}):
        here = [sample for sample in samples if sample.turn == turn]
        print(f"turn {turn}: n {len(here)}, r {correlation(here):.2f}")
    for one in calibration([sample for sample in samples if sample.turn >= FIRST]):
        apart = (one["won"] - one["mean"]) / one["se"]
        told = f"to {one['to']:4.0%}: n {one['n']:4}, mean {one['mean']:.3f}, won {one['won']:.3f} ± {one['se']:.3f}"
        print(f"{told}, {apart:+.1f} SE")


def luck(map_: str, players: int, number: int) -> dict[int, float]:
    """By turn the points that dice and draws brought one seat of a game."""
    weights = weights_of(map_, players)
    assert weights is not None, "python -m bench.review --fit comes first"
    sheet, _, state, orders = uneven(map_, players, FRESH + number)
    seats = [line.seat for line in sheet.standings(state)]
    mine, found = seats[number % players], dict.fromkeys(range(1, max(weights.turns)), 0.0)
    for at, (seat, order, step) in enumerate(orders):
        before, state = state, step.state
        chance = NotedChance(SeededChance(sha256(b"whether").digest(), sheet.place(before)))
        sheet.play(before, seat, sheet.parse(before, order, {}), chance)
        if chance.notes and sheet.turn(before) in found:
            one = after_order(weights, sheet, seats, at, before, order, state, {})
            found[sheet.turn(before)] += one.worths[mine].points - one.expected[mine].points
    return found


def tell_luck(map_: str, players: int, found: list[dict[int, float]]) -> None:
    for turn in found[0]:
        mean = Mean.of([one[turn] for one in found])
        told = f"turn {turn}: {mean.value:+.3f} ± {2 * mean.error:.3f} points"
        print(f"{told}, {mean.value / (mean.error or 1):+.1f} SE, {len(found)} games")


def again(map_: str, players: int, number: int) -> tuple[int, int]:
    """How many players of a game have a mistake, and of how many the costliest is named again with other luck."""
    sheet = catalog.sheet("age-of-steam", map_)
    record = recorded(sheet, dict.fromkeys(sheet.colours[:players], PEOPLE), f"again {map_} {players} {number}", [])

    def other(sheet: Sheet, state: State, one: Comparison) -> tuple[Continuation, Continuation]:
        luck = OTHER_LUCK + len(one.pairs)
        return play_on(sheet, state, one.better, luck), play_on(sheet, state, one.played, luck)

    first = reviewed(sheet, record)
    with patch.object(review, "pair", other):
        second = reviewed(sheet, record)
    worst = {one.player: one.number for one in reversed(first)}
    named = {seat: [one.number for one in second if one.player == seat][:NAMED] for seat in worst}
    return len(worst), sum(number in named[seat] for seat, number in worst.items())


def tell_again(map_: str, players: int, found: list[tuple[int, int]]) -> None:
    all_, same = (sum(column) for column in zip(*found, strict=True))
    low, high = wilson(same / all_, all_)
    print(f"{map_}, {players} players, {len(found)} games: {same} of {all_} named again, {low:.0%} to {high:.0%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    checks: dict[str, tuple[Callable[..., Any], Callable[..., None]]] = {
        "calibrate": (fresh, tell_calibration), "luck": (luck, tell_luck), "again": (again, tell_again),
    }  # fmt: skip
    for name in checks:
        what.add_argument(f"--{name}", nargs=2, metavar=("MAP", "PLAYERS"))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    name = next(name for name in checks if getattr(given, name))
    (map_, players), (play, tell) = getattr(given, name), checks[name]
    found = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for one in pool.map(partial(play, map_, int(players)), range(given.games)):
            found.append(one)
            print(f"\r{len(found)} of {given.games} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    tell(map_, int(players), found)


if __name__ == "__main__":
    main()
