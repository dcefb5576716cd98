"""Bankruptcy never comes without a word: every choice that leads to it by what is known says so before."""

import pytest

from pbem.age_of_steam.solvency import bankrupt, missing, saving
from pbem.engine import Question, catalog, replace
from tests.age_of_steam.table import RUST_BELT, Table, position

SURE = "You then go bankrupt."
UNLESS = "You then go bankrupt, unless you earn enough in the next round."
TRACK = {"S10": "blue SW-NE", "R11": "blue SW-NE"}


def asked(*, last: bool, **figures: int) -> Table:
    """Blue is to move goods, in the last round or in the one before."""
    blue = {"cash": 0, "income": 2, "shares": 4, "engine": 1, **figures}
    table = Table(position("move_goods", track=TRACK, blue=blue))
    rounds = RUST_BELT.rounds if last else 1
    scratch = replace(table.state.scratch, round=rounds, seats=("blue",))
    return Table(replace(table.state, scratch=scratch))


def question(table: Table) -> Question:
    return RUST_BELT.question(table.state)


def effects(question: Question) -> dict[str, str]:
    return {choice.order: str(choice.effect) for choice in question.choices}


@pytest.mark.parametrize(
    ("cash", "income", "short", "out", "steps"),
    [
        (5, 0, 0, False, 0),
        (3, 2, 0, False, 0),
        (0, 2, 3, True, 1),
        (0, 3, 2, False, 0),
        (0, 0, 5, True, 3),
        (0, -2, 7, True, 5),
        (6, -1, 0, True, 1),
    ],
)
def test_a_company_short_of_income_is_out(cash: int, income: int, short: int, out: bool, steps: int) -> None:
    """Section 9, R63: bill $5. Income is collected first, and every dollar that is missing then lowers it by one."""
    state = asked(last=True, cash=cash, income=income).state
    assert (missing(RUST_BELT, state, "blue"), bankrupt(RUST_BELT, state, "blue")) == (short, out)
    assert saving(RUST_BELT, state, "blue") == steps


def test_what_is_foretold_comes_to_pass() -> None:
    for cash in range(7):
        for income in range(-2, 5):
            table = asked(last=True, cash=cash, income=income)
            foretold = bankrupt(RUST_BELT, table.state, "blue")
            while table.state.phase == "move_goods" and not table.state.over:
                table.play(table.asked or "", "pass")
            assert ("blue" not in table.state.order) == foretold, (cash, income)


def test_passing_and_raising_the_engine_say_that_they_end_the_company() -> None:
    found = effects(question(asked(last=True)))
    assert found["pass"].endswith(SURE)
    assert found["loco"].endswith(SURE)
    found = effects(question(asked(last=False)))
    assert found["pass"].endswith(UNLESS)


def test_what_can_be_paid_is_told_without_a_warning() -> None:
    table = asked(last=True, cash=3, income=2)
    found = effects(question(table))
    assert "bankrupt" not in found["pass"]
    assert "bankrupt" not in found["loco"], "the engine makes it one dollar more, which the income covers"
    assert question(table).warnings == ()


def test_on_france_nobody_goes_bankrupt_by_missing_dollars() -> None:
    """R117a: the income never falls below 0, so nothing is warned of."""
    france = catalog.sheet("age-of-steam", "france")
    state = asked(last=True, income=0).state
    assert not bankrupt(france, state, "blue")  # type: ignore[arg-type]


def test_who_cannot_pay_for_a_tile_is_told_before_the_action_what_will_be_lost() -> None:
    """R37."""
    section = {"S10": "blue SW-NE"}
    (warning,) = question(Table(position("select_actions", track=section, blue={"cash": 1}))).warnings
    assert str(warning) == "$1 pays for no tile: you lose T9 towards R11 in this turn."
    assert question(Table(position("select_actions", track=section, blue={"cash": 2}))).warnings == ()


@pytest.mark.parametrize(
    ("cash", "income", "told"),
    [
        (
            9,
            12,
            ("$5: 4 shares, engine 1", "$9 and income 12: $21", "$16 left; income 12, then 10 after income reduction"),
        ),
        (0, 3, ("$5: 4 shares, engine 1", "$0 and income 3: $3", "$2 short: income 3 becomes 1")),
        (0, 2, ("$5: 4 shares, engine 1", "$0 and income 2: $2", "$3 short: you would be out of the game")),
        (
            6,
            -1,
            ("$5: 4 shares, engine 1", "$6 and income −1: $5", "$0 left, but income −1: you would be out of the game"),
        ),
    ],
)
def test_the_end_of_the_turn_stands_beside_the_deliveries(cash: int, income: int, told: tuple[str, ...]) -> None:
    """Sections VI to VIII, R55."""
    (bill,) = question(asked(last=True, cash=cash, income=income)).overviews
    assert tuple(str(line.cells[0]) for line in bill.lines) == told
