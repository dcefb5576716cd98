"""Issue shares (section 4)."""

from tests.age_of_steam.table import Table, position


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
