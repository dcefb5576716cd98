"""What a cube could bring over links: own ones count, one of somebody else may be on the way."""

import random
from collections.abc import Iterator
from dataclasses import replace
from statistics import median
from typing import Any

import pytest

from pbem.engine import Sheet, State, catalog
from pbem.engine import replace as changed
from pbem.rails.track import RouteChoice
from pbem.robot.matches import thinker
from pbem.robot.thinking import CARETAKER, CHARACTERS, decide
from pbem.robot.thinking.characters import Weights
from pbem.robot.thinking.network import Land
from pbem.robot.thinking.outlook import scoring_of
from pbem.robot.thinking.steam import look
from pbem.robot.thinking.steam_policy import carry_out, options_of
from pbem.robot.thinking.table import Cubes, read_table
from pbem.robot.thinking.thought import Thought
from pbem.robot.trying import after
from tests.every_map.games import deal
from tests.robot.games import game

WEIGHTS = Weights(foreign=0.5)
RED, BLUE = 1, 2


def land(*links: tuple[str, str, str | None], takes: dict[str, int], cubes: tuple[Cubes, ...]) -> Land:
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


def test_public_links_are_no_links_of_others_for_the_master_and_cost_nothing() -> None:
    chain = (("A", "B", "me"), ("B", "C", None), ("C", "D", None), ("D", "E", "you"))
    there = land(*chain, takes={"D": RED, "E": BLUE}, cubes=(Cubes("A", "red", 0, 1), Cubes("A", "blue", 0, 1)))
    assert gains(there) == []
    assert gains(replace(there, public=True)) == [1, 0.5]


def test_a_cube_on_track_leaves_by_one_end_and_does_not_come_back_over_it() -> None:
    there = land(("A", "B", "me"), takes={"B": RED}, cubes=(Cubes("x", "red", 0, 1),))
    lying = there.joined([], "me", over=[("x", "A"), ("x", "B")])
    assert gains(lying) == [1]
    assert gains(lying.joined([("A", "C"), ("C", "B")], "me")) == [3]


def test_track_may_lead_to_a_city_that_nothing_else_leads_to() -> None:
    there = land(("A", "B", "me"), takes={"T": RED}, cubes=(Cubes("x", "red", 0, 1),))
    assert gains(there.joined([], "me", over=[("x", "T")])) == [1]
    there = land(("A", "B", "me"), takes={"B": RED}, cubes=(Cubes("x", "red", 0, 1),))
    assert gains(there.joined([], "me", over=[("x", "T")])) == []


@pytest.mark.parametrize("slug", ["hungary", "st_lucia", "rust_belt"])
def test_no_delivery_is_counted_on_that_the_sheet_does_not_offer(slug: str) -> None:
    sheet = catalog.sheet("age-of-steam", slug)
    players = sheet.player_counts()[0]
    counted_on = 0
    for state in game(sheet, players, 3, ()):
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


IRELAND = catalog.sheet("steam-power", "ireland_solo")
HASTY = replace(CHARACTERS["marta"], budget=40)
"""Does what its habits say, and plays on only to tell how the game will end."""


@pytest.fixture(scope="module")
def states() -> list[State]:
    """A whole game."""
    return list(game(IRELAND, 1, 3, frozenset(IRELAND.colours), thinker(HASTY)))


def points(sheet: Sheet, state: State) -> int:
    (line,) = sheet.standings(state)
    return line.score or 0


def test_its_habits_alone_make_a_good_game(states: list[State]) -> None:
    assert points(IRELAND, states[-1]) >= 105


def asked(states: list[State]) -> Iterator[tuple[State, Any]]:
    for state in states[:-1]:
        yield state, look(IRELAND, state, IRELAND.to_act(state) or "")


def test_it_builds_and_places_factories_from_the_first_turns(states: list[State]) -> None:
    state: Any = next(state for state in states if IRELAND.turn(state) == 3)
    assert sum(chain.complete for chain in IRELAND.scene(state).chains) >= 5
    assert sum(tile.factory is not None for tile in state.cities.values()) >= 2


def test_points_in_thought_are_those_of_the_game(states: list[State]) -> None:
    for state, seen in asked(states):
        assert seen.table.score() == points(IRELAND, state)


def test_actions_in_thought_do_what_they_do_in_the_game(states: list[State]) -> None:
    """Of every kind but draws, whose contracts nobody knows before, and bonuses, which are asked for later."""
    seen_kinds = set()
    for state, seen in list(asked(states))[::7]:
        if seen.bonus:
            continue
        labels = seen.table.land.labels
        best = {action.kind: action for action in options_of(seen.table, seen.company, seen.left + 1)}
        for kind, action in best.items():
            words = {
                "factory": f"factory {labels[action.city]}" if action.city >= 0 else "",
                "track": f"track {'; '.join(tile for link in action.links for tile in link.way.orders)}",
                "cash": "cash",
            }
            if kind in words:
                then = after(IRELAND, state, IRELAND.to_act(state) or "", words[kind])
                assert then is not None
                table = seen.table.copy()
                carry_out(table, seen.company, action, seen.left + 1)
                assert table.score() == points(IRELAND, then)
                if not IRELAND.over(then):
                    again = look(IRELAND, then, IRELAND.to_act(then) or "").table
                    assert (table.cash, table.nets, table.cubes, table.joined) == (
                        again.cash,
                        again.nets,
                        again.cubes,
                        again.joined,
                    )
                seen_kinds.add(kind)
    assert seen_kinds == {"factory", "track", "cash"}


def test_an_incomplete_connection_that_it_takes_over_is_completed_in_thought(states: list[State]) -> None:
    """It starts none itself; somebody whose seat it takes may have."""
    dealt: Any = deal(IRELAND, 1, 1)
    (seat,) = dealt.seats
    for order in IRELAND.placements(dealt):
        begun: Any = after(IRELAND, dealt, seat, order)
        open_now = changed(begun, company=dealt.company)
        table = look(IRELAND, open_now, seat).table
        if table.unfinished:
            (ways,) = table.unfinished.values()
            orders = [f"track {'; '.join(way.orders)}" for way in ways]
            assert orders
            done = [after(IRELAND, open_now, seat, order) for order in orders]
            assert all(
                look(IRELAND, then, IRELAND.to_act(then) or "").table.nets.count(0) == 4 for then in done if then
            )
            assert any(done)
            return
    raise AssertionError("no placement leaves a connection open")


def test_quick_robots_play_fewer_games_on_than_the_strongest(states: list[State]) -> None:
    quick, strong = (decide(IRELAND, states[60], CHARACTERS[key], "s").work for key in ("clara", "marta"))
    assert 0 < quick < strong <= 200


@pytest.mark.parametrize(("key", "games"), [("clara", 13), ("marta", 50)])
def test_four_fifths_of_the_games_of_a_level_are_played_on_where_there_is_a_choice(
    states: list[State], key: str, games: int
) -> None:
    decisions = [decide(IRELAND, state, CHARACTERS[key], "s") for state in states[5:75:10]]
    assert median(decision.work / games for decision in decisions if len(decision.options) > 1) >= 0.8


def test_what_it_expects_is_what_its_reason_says(states: list[State]) -> None:
    decision = decide(IRELAND, states[60], CHARACTERS["marta"], "s")
    assert decision.why.values["points"] == round(decision.options[0].value)
