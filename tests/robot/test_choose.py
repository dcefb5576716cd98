"""Robots keep their companies alive on every kind of map, and see what can be delivered where."""

import random
import re

import pytest

from pbem import robot
from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.engine.sheet import Question, Sheet, State
from pbem.rails.builder import builder_of
from pbem.robot.build_ideas import ideas_on
from pbem.robot.suggestions import MOST, suggestions
from pbem.robot.trying import after, purse
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


# suggestions -------------------------------------------------------------------------------------------------


TOGETHER = 12
"""Questions that are looked at in each game."""


def asked(game: str, slug: str, players: int) -> list[tuple[Sheet, State, Question]]:
    """The first questions of a game that are answered with track."""
    sheet, luck = catalog.sheet(game, slug), random.Random(7)
    state = sheet.start(sheet.colours[:players], SeededChance(seed_of(3), "deal"), {}).state
    found: list[tuple[Sheet, State, Question]] = []
    while len(found) < TOGETHER:
        question = sheet.question(state)
        if question.form == "build" or question.builder:
            found.append((sheet, state, question))
        order = robot.choose(sheet, state, luck)
        chance = SeededChance(seed_of(3), sheet.place(state))
        state = sheet.play(state, question.seat, sheet.parse(state, order, {}), chance).state
    return found


@pytest.mark.parametrize(
    ("game", "slug", "players"),
    [("age-of-steam", "rust_belt", 4), ("age-of-steam", "southern_us", 3), ("steam-power", "ireland", 3)],
)
def test_suggestions_are_legal_and_cost_what_they_say(game: str, slug: str, players: int) -> None:
    found = 0
    for sheet, state, question in asked(game, slug, players):
        offered = suggestions(sheet, state, question)
        assert len({choice.order for choice in offered}) == len(offered) <= MOST
        for choice in offered:
            then = after(sheet, state, question.seat, choice.order)
            assert then is not None, choice.order
            spent = purse(sheet, state, question.seat).cash - purse(sheet, then, question.seat).cash
            price = re.match(r"\$(\d+), tiles \d+", str(choice.effect))
            assert price is not None
            assert int(price[1]) + builder_of(sheet).draft(state, ()).price == spent, choice.order
            found += 1
    assert found > TOGETHER


def test_a_question_that_lists_all_choices_gets_none() -> None:
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    state = sheet.start(sheet.colours[:3], SeededChance(seed_of(3), "deal"), {}).state
    assert suggestions(sheet, state, sheet.question(state)) == ()


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
