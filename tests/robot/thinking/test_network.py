"""What a cube could bring over links: own ones count, one of somebody else may be on the way."""

import random

import pytest

from bench.tournament import classic, game
from pbem.engine import catalog
from pbem.rails.track import RouteChoice
from pbem.robot.thinking import CARETAKER
from pbem.robot.thinking.network import Land
from pbem.robot.thinking.outlook import scoring_of
from pbem.robot.thinking.table import Cubes, read_table
from pbem.robot.thinking.thought import Thought
from pbem.robot.thinking.weights import Weights

WEIGHTS = Weights(foreign=0.5)
RED, BLUE = 1, 2


def land(*links: tuple[str, str, str], takes: dict[str, int], cubes: tuple[Cubes, ...]) -> Land:
    """Links with their owners, the colours that nodes take, cubes."""
    lying: dict[str, tuple[Cubes, ...]] = {}
    for entry in cubes:
        lying[entry.node] = (*lying.get(entry.node, ()), entry)
    whole = Land({"red": RED, "blue": BLUE}, takes, frozenset(), {}, lying, 0, 1)
    for a, b, owner in links:
        whole = whole.joined([(a, b)], owner)
    return whole


def gains(of: Land, engine: int = 6) -> list[float]:
    """The best of each cube that can be delivered with an engine."""
    return [reach.best[engine] for reach in of.reaches("me", 6, WEIGHTS) if reach.best[engine]]


def test_a_longer_way_is_taken_as_far_as_the_engine_pulls() -> None:
    ring = (("A", "B", "me"), ("B", "C", "me"), ("A", "C", "me"))
    there = land(*ring, takes={"C": RED}, cubes=(Cubes("A", "red", 0, 1),))
    assert [gains(there, engine) for engine in (1, 2, 3)] == [[1], [2], [2]]


def test_one_link_of_somebody_else_may_be_on_the_way_and_costs() -> None:
    chain = (("A", "B", "me"), ("B", "C", "you"), ("C", "D", "me"))
    assert gains(land(*chain, takes={"D": RED}, cubes=(Cubes("A", "red", 0, 1),))) == [1.5]
    longer = (("A", "B", "me"), ("B", "C", "you"), ("C", "D", "you"))
    assert gains(land(*longer, takes={"D": RED}, cubes=(Cubes("A", "red", 0, 1),))) == []


def test_a_cube_on_track_leaves_by_one_end_and_does_not_come_back_over_it() -> None:
    there = land(("A", "B", "me"), takes={"B": RED}, cubes=(Cubes("x", "red", 0, 1),))
    lying = there.joined([], "me", over=[("x", "A"), ("x", "B")])
    assert gains(lying) == [1]
    assert gains(lying.joined([("A", "C"), ("C", "B")], "me")) == [3]


@pytest.mark.parametrize("slug", ["hungary", "st_lucia", "rust_belt"])
def test_no_delivery_is_counted_on_that_the_sheet_does_not_offer(slug: str) -> None:
    sheet = catalog.sheet("age-of-steam", slug)
    players = sheet.player_counts()[0]
    counted_on = 0
    for state in game(sheet, players, 3, frozenset(), classic, classic):
        if sheet.phase(state) != "move_goods":
            continue
        offered: dict[tuple[str, str], int] = {}
        for choice in sheet.question(state).choices:
            if isinstance(choice, RouteChoice) and choice.route:
                cube = choice.route[0], choice.cube
                offered[cube] = max(offered.get(cube, 0), choice.gains.get(sheet.to_act(state) or "", 0))
        table = read_table(sheet, state, sheet.to_act(state) or "")
        thought = Thought(table, CARETAKER, scoring_of(sheet), random.Random(1))
        for reach in thought.reaches(thought.land, table.me.engine):
            if not reach.ready and reach.now[table.me.engine] > 0:
                counted_on += 1
                assert reach.now[table.me.engine] <= offered[reach.node, reach.colour]
        if counted_on > 20:
            break
    assert counted_on > 5
