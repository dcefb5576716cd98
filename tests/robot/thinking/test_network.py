"""What a cube could bring over links: own ones count, one of somebody else may be on the way."""

from __future__ import annotations

from pbem.robot.thinking.network import Land
from pbem.robot.thinking.table import Cubes
from pbem.robot.thinking.weights import Weights

WEIGHTS = Weights(foreign=0.5)
RED, BLUE = 1, 2


def land(*links: tuple[str, str, str], takes: dict[str, int], cubes: tuple[Cubes, ...]) -> Land:
    """Links with their owners, the colours that nodes take, cubes."""
    empty = Land({"red": RED, "blue": BLUE}, takes, frozenset(), {}, {})
    lying: dict[str, tuple[Cubes, ...]] = {}
    for entry in cubes:
        lying[entry.node] = (*lying.get(entry.node, ()), entry)
    whole = Land(empty.bits, takes, frozenset(), {}, lying)
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


def test_a_cube_stops_at_the_first_city_of_its_colour() -> None:
    chain = (("A", "B", "me"), ("B", "C", "me"))
    there = land(*chain, takes={"B": RED, "C": RED}, cubes=(Cubes("A", "red", 0, 1),))
    assert gains(there) == [1]


def test_one_link_of_somebody_else_may_be_on_the_way_and_costs() -> None:
    chain = (("A", "B", "me"), ("B", "C", "you"), ("C", "D", "me"))
    assert gains(land(*chain, takes={"D": RED}, cubes=(Cubes("A", "red", 0, 1),))) == [1.5]
    longer = (("A", "B", "me"), ("B", "C", "you"), ("C", "D", "you"))
    assert gains(land(*longer, takes={"D": RED}, cubes=(Cubes("A", "red", 0, 1),))) == []


def test_what_new_links_cannot_touch_is_not_looked_at_again() -> None:
    apart = land(
        ("A", "B", "me"),
        ("X", "Y", "me"),
        takes={"B": RED, "Y": RED},
        cubes=(Cubes("A", "red", 0, 1), Cubes("X", "red", 0, 1)),
    )
    apart.reaches("me", 6, WEIGHTS)
    grown = apart.joined([("B", "C")], "me")
    grown.reaches("me", 6, WEIGHTS)
    assert grown.known["me", 6]["X"] is apart.known["me", 6]["X"]
    assert grown.known["me", 6]["A"] is not apart.known["me", 6]["A"]


def test_a_new_city_takes_cubes_and_brings_its_own() -> None:
    there = land(("A", "T", "me"), takes={"A": BLUE}, cubes=(Cubes("A", "red", 0, 1),))
    assert gains(there) == []
    assert gains(there.with_city("T", ["red"], (Cubes("T", "blue", 1, 1),))) == [1, 1]
