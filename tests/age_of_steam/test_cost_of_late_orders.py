"""An order late in a game costs what one early in it does: counted in calls of functions, which no machine changes."""

import statistics
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import FrameType

import pytest

from bench.maps import what_forgets
from pbem.engine import catalog
from pbem.engine.record import replay
from tests.playthroughs.telling import GAMES, SUFFIX, load

GAME = "rust_belt-5-to-the-last-turn-2"
Calls = Mapping[str, Sequence[float]]


class Counter:
    """Counts calls of Python's functions."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        self.calls += event == "call"


@pytest.fixture(scope="module")
def costs() -> tuple[Calls, Calls]:
    """The calls of every order by its phase, in the first and in the last two turns of a game of five."""
    record = load(GAMES / f"{GAME}{SUFFIX}").record
    last = max(entry.turn for entry in record.turns)
    early, late = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    for clear in what_forgets():
        clear()
    steps = replay(catalog.sheet(record.game, record.map), record, store=True)
    before = sys.getprofile()
    while True:
        counter = Counter()
        sys.setprofile(counter)
        try:
            played = next(steps, None)
        finally:
            sys.setprofile(before)
        if played is None:
            return early, late
        assert played.refusal is None
        if played.passed_over or last - 1 > played.entry.turn > 2:
            continue
        parts = played.entry.orders.count(";") + 1 if played.entry.phase == "build_track" else 1
        (early if played.entry.turn <= 2 else late)[played.entry.phase].append(counter.calls / parts)


@pytest.mark.parametrize("phase", ["issue_shares", "turn_order", "select_actions", "build_track"])
def test_an_order_late_in_a_game_costs_no_more_than_one_early_in_it(costs: tuple[Calls, Calls], phase: str) -> None:
    """Of builds each tile is meant: late ones are shorter."""
    early, late = (statistics.median(calls[phase]) for calls in costs)
    assert late <= 1.15 * early, f"{late} calls late, {early} early"


def test_a_delivery_costs_more_only_by_the_links_it_names(costs: tuple[Calls, Calls]) -> None:
    early, late = (statistics.median(calls["move_goods"]) for calls in costs)
    assert late <= 1.25 * early, f"{late} calls late, {early} early"
