"""Robots keep their companies alive on every kind of map, and see what can be delivered where."""

import random

import pytest

from pbem import robot
from pbem.engine import Sheet, State, catalog
from pbem.engine.chance import SeededChance
from pbem.robot.build_ideas import ideas_on
from tests.every_map.games import deal, seed_of


def finished(sheet: Sheet, players: int, number: int) -> State:
    """A game of robots that think about everything."""
    state, luck = deal(sheet, number, players), random.Random(number)
    while not sheet.over(state):
        moves = sheet.parse(state, robot.choose(sheet, state, luck, sense=1.0), {})
        chance = SeededChance(seed_of(number), sheet.place(state))
        state = sheet.play(state, sheet.to_act(state) or "", moves, chance).state
    return state


def test_four_robots_stay_solvent_and_prosper() -> None:
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    state = finished(sheet, 4, 1)
    standings = sheet.standings(state)
    assert sheet.turn(state) == 8
    assert [line.out for line in standings] == [False] * 4
    assert (standings[0].score or 0) > 40


@pytest.mark.parametrize(("slug", "players"), [("western_us", 4), ("switzerland", 3), ("hungary", 3), ("barbados", 1)])
def test_games_reach_their_last_turn(slug: str, players: int) -> None:
    """Also where track must hang together, every tile is dear, a link of another must be used, shares are few."""
    sheet = catalog.sheet("age-of-steam", slug)
    assert sheet.turn(finished(sheet, players, 1)) == sheet.turns(players)


def test_without_a_city_a_robot_wants_to_place_one() -> None:
    sheet = catalog.sheet("age-of-steam", "st_lucia")
    state, luck = deal(sheet, 1), random.Random(1)
    actions = []
    while sheet.turn(state) == 1:
        order = robot.choose(sheet, state, luck, sense=1.0)
        actions += [order] if order.startswith("action") else []
        state = sheet.play(
            state, sheet.to_act(state) or "", sheet.parse(state, order, {}), SeededChance(bytes(32), "one")
        ).state
    assert actions[0] == "action urbanization"
    assert sheet.scene(state).cities


# ideas of builds ---------------------------------------------------------------------------------------------


def test_plans_lead_from_a_city_to_a_node_and_cost_what_the_picture_says() -> None:
    sheet = catalog.sheet("age-of-steam", "switzerland")
    scene = sheet.scene(deal(sheet, 1))
    cities = {plate.label for plate in scene.cities}
    plans = list(ideas_on(scene, 2))
    assert plans
    for plan in plans:
        assert plan.nodes[0] in cities
        assert plan.nodes[-1] in cities | set(scene.towns)
        assert plan.cost >= 4 * len(plan.parts)
