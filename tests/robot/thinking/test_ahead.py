"""Where players found all Cities, whoever issues shares last reckons with the City of the other."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bench.tournament import thinker
from pbem.engine import catalog
from pbem.engine.moves import Seat
from pbem.engine.sheet import State
from pbem.robot.matches import steps
from pbem.robot.thinking import CARETAKER, CHARACTERS, decide
from pbem.robot.thinking.ahead import hurried
from tests.every_map.games import deal

SHEET = catalog.sheet("age-of-steam", "st_lucia")
QUICK = replace(CHARACTERS["rufus"], width=4, tastes={})


def first_turn(number: int) -> Iterator[tuple[State, Seat, str, State]]:
    """The orders of turn 1 between two robots, with the states before and after."""
    dealt = before = deal(SHEET, number, 2)
    seats = {seat: thinker(QUICK) for seat in SHEET.colours[:2]}
    for seat, order, step in steps(SHEET, seats, dealt, number.to_bytes(32, "big"), str(number)):
        if SHEET.turn(step.state) > 1:
            return
        yield before, seat, order, step.state
        before = step.state


@pytest.fixture(scope="module")
def turn() -> list[tuple[State, Seat, str, State]]:
    return list(first_turn(2))


def cash(state: State, seat: Seat) -> int:
    return int(SHEET.position(state)["players"][seat]["cash"])


def test_both_build_and_deliver_in_the_first_turn(turn: list[tuple[State, Seat, str, State]]) -> None:
    end = turn[-1][-1]
    assert {chain.owner for chain in SHEET.scene(end).chains} == set(SHEET.colours[:2])
    assert {seat for _, seat, order, _ in turn if order.startswith("move ")} == set(SHEET.colours[:2])


def test_who_issues_last_says_what_it_then_builds_and_a_caretaker_has_no_time_for_that(
    turn: list[tuple[State, Seat, str, State]],
) -> None:
    state, seat = [(state, seat) for state, seat, order, _ in turn if order.startswith("issue ")][-1]
    decision = decide(SHEET, state, QUICK, "s")
    built = next((before, after) for before, who, order, after in turn if who == seat and order.startswith("build "))
    assert dict(decision.why.values)["cost"] == cash(built[0], seat) - cash(built[1], seat) > 0
    assert decision.order != "issue 0"
    assert decision.options[0].value == max(option.value for option in decision.options)
    assert decide(SHEET, state, CARETAKER, "s").work < decision.work / 2


def test_a_slip_and_tastes_are_left_out_in_thought() -> None:
    assert hurried(replace(QUICK, slip=3.0, tastes={"urbanization": 9.0})) == hurried(QUICK)
