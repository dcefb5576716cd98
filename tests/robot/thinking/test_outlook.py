"""The rest of the game in broad strokes: money, shares, engine and cubes have the worth that the rules give them."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from pbem.engine import Seat, Sheet, State, catalog
from pbem.rails.scene import Scene
from pbem.robot.matches import classic, steps, thinker
from pbem.robot.thinking import CARETAKER, CHARACTERS, decide
from pbem.robot.thinking.characters import Weights
from pbem.robot.thinking.network import LONGEST
from pbem.robot.thinking.outlook import Lot, Scoring, course, project, reduction, ruined, scoring_of
from pbem.robot.thinking.table import Company, Cubes, read_table
from pbem.robot.thinking.thought import Thought
from tests.age_of_steam.table import sheet_of
from tests.every_map.games import deal
from tests.robot.games import game

WEIGHTS = Weights()
START = Company(cash=10, income=4, shares=3, engine=2, points=6)
LONG = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)


def worth(start: Company, left: int = 3, cubes: int = 6, weights: Weights = WEIGHTS) -> float:
    return points(start, left, [(LONG, 0, 0.95)], [cubes], weights)


def points(
    start: Company,
    left: int,
    lots: Sequence[Lot],
    counts: list[int],
    weights: Weights = WEIGHTS,
    scoring: Scoring = Scoring(),  # noqa: B008 (it is frozen)
) -> float:
    return project(weights, scoring, start, course(weights, scoring, start.engine, lots, counts, left, 2))


def test_the_last_turn_is_counted_exactly() -> None:
    """Income 4, bill 5: $9 are left; 3 × 4 + 6 − 3 × 3 points, and hardly anything for the dollars."""
    assert points(START, 0, [], [], replace(WEIGHTS, cash=0.0)) == 12 + 6 - 9


def test_a_share_less_and_a_dollar_more_are_worth_something() -> None:
    assert worth(START._replace(shares=2)) > worth(START) + 3
    assert worth(START._replace(cash=14)) > worth(START)


def test_income_now_is_worth_more_than_its_points() -> None:
    assert worth(START._replace(income=5)) - worth(START) > 3


def test_whoever_cannot_pay_the_bill_falls_and_below_nothing_is_ruined() -> None:
    poor = Company(cash=0, income=2, shares=6, engine=1, points=0)
    assert points(poor, 0, [], []) == Scoring().ruin
    assert ruined(cash=0, income=2, owed=7)
    assert not ruined(cash=0, income=3, owed=6)


@pytest.mark.parametrize(("income", "falls"), [(10, 0), (11, 2), (21, 4), (49, 8), (50, 10)])
def test_income_falls_as_the_table_says(income: int, falls: int) -> None:
    assert reduction(income) == falls
    sheet = sheet_of("rust_belt")
    assert sheet.income_reduction(deal(sheet, 1, 4), income) == falls


# growing -----------------------------------------------------------------------------------------------------


def keen(sheet: Sheet, state: State, seed: str) -> str:
    """A plain robot that takes Production where it can."""
    wanted = "action production"
    return (
        wanted if wanted in {choice.order for choice in sheet.question(state).choices} else classic(sheet, state, seed)
    )


def growing(slug: str) -> tuple[Sheet, State]:
    """The first position after the third turn in which somebody is asked where drawn cubes go."""
    sheet = catalog.sheet("age-of-steam", slug)
    states = game(sheet, 3, 1, frozenset(sheet.colours), keen, keen)
    asked = (state for state in states if sheet.turn(state) > 3 and sheet.phase(state) == "goods_growth")
    return sheet, next(asked)


def test_cubes_go_on_boxes_of_cities_from_which_the_robot_can_deliver_them() -> None:
    sheet, state = growing("rust_belt")
    decision = decide(sheet, state, CHARACTERS["marta"], "s")
    assert decision.order in {choice.order for choice in sheet.question(state).choices}
    values = [option.value for option in decision.options]
    assert values == sorted(values, reverse=True)
    assert values[0] > values[len(values) // 2]
    table = read_table(sheet, state, sheet.to_act(state) or "")
    thought = Thought(table, CHARACTERS["marta"], scoring_of(sheet), random.Random(1))
    scene: Scene = sheet.scene(state)
    reached = set()
    for put in decision.order.removeprefix("produce ").split():
        colour, _, box = put.partition(">")
        column = box.partition("/")[0]
        for plate in scene.cities:
            if column in (plate.letter, *plate.chips):
                land = thought.land.with_cubes(Cubes(plate.label, colour, 9, 1))
                reached |= {
                    reach.best[LONGEST] > 0
                    for reach in land.reaches(table.seat, LONGEST, thought.weights)
                    if (reach.node, reach.ready) == (plate.label, 9)
                }
    said = str(decision.why)
    assert ("can deliver them" in said) == (True in reached)


def test_a_town_for_the_cube_is_chosen_by_what_it_brings() -> None:
    sheet, state = growing("poland")
    decision = decide(sheet, state, CHARACTERS["marta"], "s")
    assert len(decision.options) == len(sheet.question(state).choices)
    assert decision.options[0].value == max(option.value for option in decision.options)
    assert str(decision.why).startswith("Puts cubes")


# ahead -------------------------------------------------------------------------------------------------------


SHEET = catalog.sheet("age-of-steam", "st_lucia")
QUICK = replace(CHARACTERS["marta"], width=4, slip=0.0)


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


def test_who_issues_last_says_what_it_builds_no_caretaker_does(turn: list[tuple[State, Seat, str, State]]) -> None:
    state, seat = [(state, seat) for state, seat, order, _ in turn if order.startswith("issue ")][-1]
    decision = decide(SHEET, state, QUICK, "s")
    built = next((before, after) for before, who, order, after in turn if who == seat and order.startswith("build "))
    assert dict(decision.why.values)["cost"] == cash(built[0], seat) - cash(built[1], seat) > 0
    assert decision.order != "issue 0"
    assert decision.options[0].value == max(option.value for option in decision.options)
    assert decide(SHEET, state, CARETAKER, "s").work < decision.work / 2
