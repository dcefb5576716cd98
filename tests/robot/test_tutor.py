"""What an order leads to, for somebody who learns: legal answers on every kind of map, the best first."""

import random

import pytest

from pbem import robot
from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.engine.sheet import Sheet, State
from pbem.robot import tutor
from pbem.robot.tutor import Ending
from tests.every_map.games import deal


def late(sheet: Sheet, phase: str) -> State:
    """The first question of this phase in the last turn of a game of plain robots."""
    state, luck = deal(sheet, 3, 3), random.Random(3)
    while (sheet.turn(state), sheet.phase(state)) != (sheet.turns(3), phase):
        moves = sheet.parse(state, robot.choose(sheet, state, luck, sense=1.0), {})
        chance = SeededChance(b"late", sheet.place(state))
        state = sheet.play(state, sheet.to_act(state) or "", moves, chance).state
    return state


@pytest.mark.parametrize("phase", ["issue_shares", "turn_order", "select_actions", "build_track", "move_goods"])
def test_answers_are_legal_and_the_best_comes_first(phase: str) -> None:
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    state = late(sheet, phase)
    found = tutor.answers(sheet, state, {})
    assert 1 <= len(found) <= tutor.SHOWN
    assert len({answer.order for answer in found}) == len(found)
    for answer in found:
        assert tutor.ending(sheet, state, answer.order, {}).place in (1, 2, 3)
    alive = [answer.ending.lead for answer in found if answer.ending.points is not None]
    assert alive == sorted(alive, reverse=True)
    assert found == tutor.answers(sheet, state, {})


def test_whoever_is_out_of_the_game_comes_last() -> None:
    out, poor = Ending(None, 3, -10), Ending(-12, 3, -40)
    assert min([out, poor], key=tutor._rank) == poor
