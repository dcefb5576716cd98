"""The rest of the game in broad strokes: money, shares, engine and cubes have the worth that the rules give them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from maps.rust_belt.rules import RustBelt
from pbem.robot.thinking.outlook import Lot, Scoring, course, project, reduction, ruined
from pbem.robot.thinking.table import Company
from pbem.robot.thinking.weights import Weights
from tests.every_map.games import deal

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


def test_more_cubes_in_reach_are_worth_more() -> None:
    assert worth(START, cubes=6) > worth(START, cubes=2) > worth(START, cubes=0)


def test_whoever_cannot_pay_the_bill_falls_and_below_nothing_is_ruined() -> None:
    poor = Company(cash=0, income=2, shares=6, engine=1, points=0)
    assert points(poor, 0, [], []) == Scoring().ruin
    assert ruined(cash=0, income=2, owed=7)
    assert not ruined(cash=0, income=3, owed=6)


@pytest.mark.parametrize(("income", "falls"), [(10, 0), (11, 2), (21, 4), (49, 8), (50, 10)])
def test_income_falls_as_the_table_says(income: int, falls: int) -> None:
    assert reduction(income) == falls
    sheet = RustBelt()
    assert sheet.income_reduction(deal(sheet, 1, 4), income) == falls


def test_an_engine_that_no_cube_needs_is_not_paid_where_it_grows_only_for_cubes() -> None:
    short = (0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)

    def worth_of(eager: bool, best: tuple[float, ...]) -> float:
        return points(START, 3, [(best, 0, 0.95)], [6], scoring=Scoring(eager=eager, phantom=0.0))

    assert worth_of(False, short) > worth_of(True, short)
    assert worth_of(False, LONG) > worth_of(False, short)


def test_builds_that_cannot_be_seen_yet_are_counted_on_no_further_than_a_railway_can_grow() -> None:
    """A large engine without track is worth what it costs only where railways grow at once."""
    large = START._replace(engine=5)
    slow, at_once = Scoring(growth=1), Scoring()
    assert points(large, 3, [], [], scoring=slow) < points(large, 3, [], [], scoring=at_once)
    near = [((0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0), 3, 0.95)]
    assert points(large, 3, near, [0], scoring=slow) == points(large, 3, near, [0], scoring=at_once)


def test_a_bill_of_a_turn_to_come_that_cannot_be_paid_may_count_by_how_much_is_missing() -> None:
    ruin, mended = Scoring(shares_most=4), Scoring(shares_most=4, missing=3)
    poor, poorer = (Company(cash=20, income=0, shares=shares, engine=3, points=0) for shares in (9, 10))
    assert points(poor, 2, [], [], scoring=ruin) == points(poorer, 2, [], [], scoring=ruin) < ruin.ruin
    assert points(poor, 2, [], [], scoring=mended) > points(poorer, 2, [], [], scoring=mended) + 3
    assert points(poor._replace(cash=0), 2, [], [], scoring=mended) < mended.ruin
