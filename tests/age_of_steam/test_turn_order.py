"""Determine player order: the auction (section 5)."""

from typing import Any

import pytest

from pbem.age_of_steam.events import AuctionWon, Dropped, OrderSet
from tests.age_of_steam.table import SIX, Table, enter, position

A, B, C, D = SIX[:4]


def auction(*seats: str, **figures: Any) -> Table:
    return Table(position("turn_order", seats=seats, **figures))


def paid(table: Table) -> dict[str, int]:
    return {seat: 30 - table[seat].cash for seat in table.state.seats}


def test_three_players_bid_up_and_the_second_pays_in_full() -> None:
    """D1: cash 10 each, the first to drop pays nothing."""
    table = auction(A, B, C, blue={"cash": 10}, green={"cash": 10}, yellow={"cash": 10})
    table.play(A, "bid 2").play(B, "bid 3").play(C, "bid 5").play(A, "drop").play(B, "bid 6").play(C, "drop")
    assert table.state.order == (B, C, A)
    assert [table[seat].cash for seat in (A, B, C)] == [10, 4, 5]


def test_when_everybody_drops_the_order_is_reversed_and_nobody_pays() -> None:
    """D2, R17."""
    table = auction(A, B, C, D).play(A, "drop").play(B, "drop").play(C, "drop")
    assert table.state.phase == "select_actions"
    assert table.state.order == (D, C, B, A)
    assert paid(table) == dict.fromkeys((A, B, C, D), 0)


def test_the_third_of_four_pays_half_rounded_up() -> None:
    """D3, R16: paid as they drop."""
    table = auction(A, B, C, D).play(A, "bid 1").play(B, "bid 2").play(C, "bid 3").play(D, "bid 4")
    table.play(A, "drop")
    assert paid(table)[A] == 0
    table.play(B, "drop")
    assert paid(table)[B] == 1
    table.play(C, "bid 5").play(D, "drop")
    assert table.state.order == (C, D, B, A)
    assert paid(table) == {A: 0, B: 1, C: 5, D: 4}


@pytest.mark.parametrize(("bid", "half"), [(1, 1), (2, 1), (3, 2), (7, 4)])
def test_half_a_bid_is_rounded_up(bid: int, half: int) -> None:
    """Section 5: places between the second and the last."""
    table = auction(A, B, C, D).play(A, f"bid {bid}").play(B, f"bid {bid + 1}").play(C, "drop").play(D, "drop")
    table.play(A, f"bid {bid + 2}").play(B, "drop")
    assert paid(table)[D] == 0, "place 3 without a bid"
    other = auction(A, B, C, D).play(A, f"bid {bid}").play(B, f"bid {bid + 1}").play(C, f"bid {bid + 2}")
    other.play(D, "drop").play(A, "drop")
    assert paid(other)[A] == half


def test_with_two_left_and_no_bid_the_turn_order_pass_is_legal() -> None:
    """D4, R14: the other must then bid or drop."""
    table = auction(A, B, C, D, yellow={"action": "turn-order"}).play(A, "drop").play(B, "drop")
    assert "pass" in table.legal
    table.play(C, "pass")
    assert table.asked == D
    table.play(D, "drop")
    assert table.state.order == (C, D, B, A)
    assert paid(table) == dict.fromkeys((A, B, C, D), 0)


def test_with_two_left_and_the_other_high_the_pass_is_not_offered() -> None:
    """D5, R14."""
    table = auction(A, B, C, D, yellow={"action": "turn-order"}).play(A, "drop").play(B, "drop").play(C, "bid 1")
    table.play(D, "bid 3")
    assert table.legal[:2] == ("drop", "bid 4")
    assert table.refusal(C, "pass").rule == "R14"


def test_the_pass_is_used_once_and_keeps_the_earlier_bid() -> None:
    """R14: a second pass is refused, not taken for a drop."""
    table = auction(A, B, C, D, blue={"action": "turn-order"})
    table.play(A, "bid 2").play(B, "bid 3").play(C, "drop").play(D, "bid 4").play(A, "pass").play(B, "bid 5")
    table.play(D, "bid 6")
    assert "You have used the Turn Order pass" in table.refusal(A, "pass").sentence()
    assert "pass" not in table.legal
    table.play(A, "drop")
    assert paid(table)[A] == 1, "third: half of the $2 bid before the pass"


def test_the_pass_may_open_the_auction_and_comes_back_to_its_holder() -> None:
    """R14: legal at every own decision but one."""
    table = auction(A, B, C, blue={"action": "turn-order"}).play(A, "pass").play(B, "bid 1").play(C, "drop")
    assert table.asked == A
    assert table.refusal(A, "pass").rule == "R14"


def test_the_pass_lapses_when_actions_are_chosen_anew() -> None:
    """R14: an unused pass does not carry on."""
    table = auction(A, B, C, blue={"action": "turn-order"}).play(A, "drop").play(B, "drop")
    assert table.state.phase == "select_actions"
    assert all(table[seat].action is None for seat in (A, B, C))


def test_pass_without_the_action_means_drop() -> None:
    """R14, notation: the answer says so."""
    table = auction(A, B, C).play(A, "pass")
    assert [(e.seat, e.place) for e in table.told(Dropped)] == [(A, 3)]


def test_of_two_bidders_the_first_to_drop_pays_nothing() -> None:
    """D6, R15: the winner pays in full."""
    table = auction(A, B, C, yellow={"out": 1}).play(A, "bid 1").play(B, "bid 2").play(A, "drop")
    assert table.state.order == (B, A)
    assert (table[A].cash, table[B].cash) == (30, 28)


def test_who_cannot_outbid_is_dropped_unasked() -> None:
    """D7, A3: cash 2 against a bid of 2."""
    table = auction(A, B, C, green={"cash": 2}).play(A, "bid 2")
    assert table.unasked == [(B, "drop", "A3")]
    assert table.asked == C


def test_who_cannot_outbid_but_may_pass_is_asked() -> None:
    """A3: an unused pass is a choice."""
    table = auction(A, B, C, green={"cash": 2, "action": "turn-order"}).play(A, "bid 2")
    assert table.asked == B
    assert table.legal == ("drop", "pass")


def test_a_player_without_money_is_dropped_before_any_bid() -> None:
    """A3: a first bid is at least $1."""
    table = auction(A, B, C, blue={"cash": 0}).settle()
    assert table.unasked == [(A, "drop", "A3")]


def test_a_bid_may_not_exceed_the_cash_nor_be_nothing_but_may_jump() -> None:
    """R12: nor be $0."""
    table = auction(A, B, C, green={"cash": 7})
    assert table.refusal(A, "bid 0").rule == "R12"
    table.play(A, "bid 3")
    assert table.refusal(B, "bid 8").rule == "R12"
    assert table.refusal(B, "bid 3").rule == "R12"
    assert table.legal == ("drop", *(f"bid {n}" for n in range(4, 8)))
    table.play(B, "bid 7")
    assert table.asked == C


def what_a_bid_costs(table: Table, order: str) -> str:
    question = table.sheet.question(table.state)
    return next(str(choice.effect) for choice in question.choices if choice.order == order)


def test_a_bid_names_half_of_itself_only_while_a_place_is_left_that_pays_half() -> None:
    """R16, R17: of five, four and three players the last pays nothing, third and fourth place half."""
    five = auction(*SIX[:5])
    assert what_a_bid_costs(five, "bid 5") == "Finish 1st or 2nd: pay $5. Last: nothing. In between: $3."
    five.play(A, "drop").play(B, "drop")
    assert what_a_bid_costs(five, "bid 5") == "Finish 1st or 2nd: pay $5. Finish 3rd: pay $3."
    three = auction(A, B, C)
    assert what_a_bid_costs(three, "bid 5") == "If the bid stands you are first and pay $5."


def test_the_high_bidder_is_not_asked() -> None:
    """R13, A2: nobody raises their own bid."""
    table = auction(A, B, C, D).play(A, "bid 3").play(B, "drop").play(C, "bid 4").play(D, "drop").play(A, "drop")
    assert table.state.phase == "select_actions"
    assert [(e.seat, e.paid) for e in table.told(AuctionWon)] == [(C, 4)]
    around = auction(A, B, C, yellow={"action": "turn-order"}).play(A, "bid 1").play(B, "drop")
    assert around.asked == C, "A is passed over while C has not answered"


def test_the_auction_goes_round_in_the_old_order() -> None:
    """Section 5: also after somebody dropped."""
    table = Table(position("turn_order", seats=SIX[:4], order=(C, A, D, B))).play(C, "bid 1").play(A, "bid 2")
    table.play(D, "drop").play(B, "bid 3")
    assert table.asked == C


def test_one_player_alone_does_not_bid_and_wins_nothing() -> None:
    """R18, A4: the phase is skipped, nobody reads of an auction."""
    table = auction(A, B, C, green={"out": 1}, yellow={"out": 1}).settle()
    assert table.state.phase == "select_actions"
    assert table.state.order == (A,)
    assert table[A].cash == 30
    assert not [*table.told(AuctionWon), *table.told(OrderSet)]


def test_the_auction_ends_with_one_bidder_left() -> None:
    """A4: the last one is not asked again."""
    table = auction(A, B, C).play(A, "bid 1").play(B, "drop").play(C, "drop")
    assert table.state.phase == "select_actions"
    assert table.state.order == (A, C, B)


def test_the_new_order_holds_for_the_turn_and_the_next_shares() -> None:
    """Section 5."""
    state = auction(A, B, C).play(A, "drop").play(B, "drop").state
    for phase in ("select_actions", "build_track", "move_goods", "issue_shares"):
        assert Table(enter(state, phase)).asked == C
