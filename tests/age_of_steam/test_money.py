"""Issue shares (section 4), collect income, pay expenses, income reduction (section 9)."""

import pytest

from pbem.age_of_steam.events import IncomeReduced
from tests.age_of_steam.table import RUST_BELT, Table, enter, position

TABLE = {10: 10, 11: 9, 20: 18, 21: 17, 30: 26, 31: 25, 40: 34, 41: 33, 49: 41, 50: 40, 51: 41, 0: 0, 1: 1, 80: 70}


def test_everybody_collects_the_income() -> None:
    """Section 9."""
    state = enter(position(blue={"cash": 3, "income": 4}, green={"income": 0}), "collect_income")
    assert (state.players["blue"].cash, state.players["green"].cash) == (7, 30)


def test_shares_and_engine_are_paid() -> None:
    """Section 9."""
    state = enter(position(blue={"cash": 20, "shares": 7, "engine": 3}), "pay_expenses")
    assert (state.players["blue"].cash, state.players["blue"].income) == (10, 5)


def test_missing_dollars_lower_the_income() -> None:
    """D8: cash 3, income 4, shares 6, engine 3."""
    state = enter(position(blue={"cash": 3, "income": 4, "shares": 6, "engine": 3}), "collect_income")
    assert state.players["blue"].cash == 7
    state = enter(state, "pay_expenses")
    blue = state.players["blue"]
    assert (blue.cash, blue.income, blue.out) == (0, 2, 0)


def test_an_income_below_zero_ends_the_game_for_a_player() -> None:
    """D8: cash 0, income 2, shares 8, engine 3."""
    state = enter(position(turn=3, blue={"cash": 0, "income": 2, "shares": 8, "engine": 3}), "collect_income")
    state = enter(state, "pay_expenses")
    assert (state.players["blue"].income, state.players["blue"].out) == (-7, 3)
    assert state.order == ("green", "yellow")


def test_an_income_of_exactly_zero_survives() -> None:
    """Section 9."""
    state = enter(position(blue={"cash": 0, "income": 3, "shares": 2, "engine": 1}), "pay_expenses")
    assert (state.players["blue"].income, state.order) == (0, ("blue", "green", "yellow"))


@pytest.mark.parametrize(("income", "left"), TABLE.items())
def test_high_incomes_fall(income: int, left: int) -> None:
    """D9, R55, R57."""
    state = enter(position(blue={"income": income}), "income_reduction")
    assert state.players["blue"].income == left
    formula = 0 if income <= 10 else 10 if income >= 50 else 2 * ((income - 1) // 10)
    assert income - left == formula


@pytest.mark.parametrize(("income", "falls"), [(40, 6), (49, 8), (50, 8), (51, 10), (60, 10), (61, 10), (99, 10)])
def test_in_the_first_edition_an_income_falls_by_ten_at_the_most(income: int, falls: int) -> None:
    """D9, R55, R57."""
    state = position(options={"reduction_table": "first_edition"}, blue={"income": income})
    assert enter(state, "income_reduction").players["blue"].income == income - falls


def test_the_reduction_looks_at_the_income_after_expenses() -> None:
    """D10: income 12, cash 0, expenses 15."""
    state = enter(position(blue={"cash": 0, "income": 12, "shares": 12, "engine": 3}), "collect_income")
    state = enter(enter(state, "pay_expenses"), "income_reduction")
    assert (state.players["blue"].cash, state.players["blue"].income) == (0, 9)


def test_money_phases_are_played_unasked_after_the_last_move() -> None:
    """A11, R56: income, expenses, reduction and dice follow the last pass in one go."""
    table = Table(position("move_goods", blue={"income": 15, "shares": 5, "engine": 2}))
    for _ in range(2):
        table.play("blue", "pass").play("green", "pass").play("yellow", "pass")
    assert (table.state.turn, table.state.phase, table.asked) == (2, "issue_shares", "blue")
    assert (table["blue"].cash, table["blue"].income) == (30 + 15 - 7, 13)
    kinds = [type(event).__name__ for event in table.events]
    steps = ["IncomeCollected", "ExpensesPaid", "IncomeReduced", "DiceRolled", "DiceRolled", "TurnBegan"]
    assert [kind for kind in kinds if kind in steps] == steps
    assert [event.falls for event in table.told(IncomeReduced)] == [(("blue", 2),)], "only those whose income falls"


def test_the_options_name_their_rulings() -> None:
    """R55, R4."""
    assert {option.key: option.ruling for option in RUST_BELT.options()} == {
        "reduction_table": "R55",
        "ownership_discs": "R4",
    }


def test_fifteen_shares_in_all_may_be_issued() -> None:
    """R10: the two starting shares count."""
    table = Table(position("issue_shares"))
    assert table.legal == tuple(f"issue {n}" for n in range(14))
    assert table.refusal("blue", "issue 14").rule == "R10"
    table.play("blue", "issue 13")
    assert (table["blue"].shares, table["blue"].cash) == (15, 30 + 65)


def test_a_player_with_fifteen_shares_is_not_asked() -> None:
    """A1, R10."""
    table = Table(position("issue_shares", green={"shares": 15})).play("blue", "issue 0")
    assert table.unasked == [("green", "issue 0", "A1")]
    assert table.asked == "yellow"


def test_shares_are_issued_in_the_order_of_the_turn_before_one_after_another() -> None:
    """R11: nobody issues out of turn, and everybody sees what was issued."""
    table = Table(position("issue_shares", order=("yellow", "blue", "green")))
    assert table.asked == "yellow"
    assert "turn" in table.refusal("blue", "issue 1").sentence()
    table.play("yellow", "issue 2")
    assert table.asked == "blue"
    assert table.sheet.position(table.state)["players"]["yellow"]["shares"] == 4


def test_eliminated_players_are_not_asked() -> None:
    """A19."""
    table = Table(position("issue_shares", green={"out": 1}))
    table.play("blue", "issue 0")
    assert table.asked == "yellow"


def test_a_share_brings_five_dollars() -> None:
    """Section 4."""
    table = Table(position("issue_shares", blue={"cash": 1})).play("blue", "issue 3")
    assert (table["blue"].cash, table["blue"].shares) == (16, 5)
