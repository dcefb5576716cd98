"""Suggestions for a build: legal now, told with what they really cost, of both games."""

import random
import re
import time

import pytest

from pbem import robot
from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.engine.sheet import Question, Sheet, State
from pbem.robot.suggestions import MOST, suggestions
from pbem.robot.trying import after, purse
from tests.every_map.games import seed_of

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
            price = re.search(r"for \$(\d+)", str(choice.effect))
            assert price is not None
            assert int(price[1]) == spent, choice.order
            found += 1
    assert found > TOGETHER


def test_a_question_that_lists_all_choices_gets_none() -> None:
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    state = sheet.start(sheet.colours[:3], SeededChance(seed_of(3), "deal"), {}).state
    assert suggestions(sheet, state, sheet.question(state)) == ()


def test_suggestions_take_a_few_milliseconds() -> None:
    questions = asked("age-of-steam", "germany", 4)
    began = time.process_time()
    for sheet, state, question in questions:
        suggestions(sheet, state, question)
    assert time.process_time() - began < 0.06 * len(questions)
