"""Refusals and complaints are sentences with their rule and place."""

import pytest

from pbem.engine.moves import BadMove, Cancel, Refusal, Refused, Resign, placed, refuse
from pbem.engine.standing_orders import StandingOrder, phase_of
from pbem.engine.text import say
from pbem.engine.values import Value, replace


def test_a_refusal_ends_with_its_rule() -> None:
    assert refuse("R12", "You have ${cash}.", cash=7).sentence() == "You have $7 (R12)."
    assert refuse("", "You have ${cash}.", cash=7).sentence() == "You have $7."
    assert str(Refused(refuse("R12", "No."))) == "No (R12)."


def test_what_cannot_be_read_is_named_with_its_place() -> None:
    assert str(BadMove(say("A number is expected."), 2, 4, "two").sentence()) == (
        "Line 2: “two” cannot be read. A number is expected."
    )
    assert str(BadMove(say("A number is expected."), 1, 5, after="issue").sentence()) == (
        "Line 1: something is missing after “issue”. A number is expected."
    )
    assert str(BadMove(say("A number is expected."), 1, 5).sentence()) == (
        "Line 1: something is missing. A number is expected."
    )
    assert str(BadMove(say("Usage: “issue N”."), 1, 8, "now", surplus=True).sentence()) == (
        "Line 1: “now” is too much here. Usage: “issue N”."
    )


def test_a_sentence_is_put_behind_its_line_and_step_once() -> None:
    assert str(placed("No.", 0, 0)) == "No."
    assert str(placed("No.", 2, 0)) == "Line 2: No."
    assert str(placed("No.", 0, 3)) == "Step 3: No."
    assert str(placed("No.", 2, 3)) == "Line 2, step 3: No."
    unread = Refusal(BadMove(say("A number is expected."), 2, 0, "x").sentence())
    assert unread.whole
    assert not Refusal(say("No.")).whole
    assert str(placed("Line 2, column 1: no.", 2, 3, unread.whole)) == "Line 2, column 1: no."


def test_the_orders_of_every_game_are_words() -> None:
    assert (str(Cancel()), str(Resign())) == ("cancel", "resign")


# values ------------------------------------------------------------------------------------------------------


class Purse(Value, frozen=True):
    cash: int
    shares: int = 2


def test_a_changed_value_leaves_the_one_before_as_it_was() -> None:
    before = Purse(10)
    assert replace(before, cash=7) == Purse(7, 2)
    assert before == Purse(10, 2)
    with pytest.raises(AttributeError):
        before.cash = 3  # type: ignore[misc]


# orders that wait --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("moment", "phase"), [("move_goods.2", "move_goods"), ("issue_shares", "issue_shares")])
def test_what_stands_before_the_point_of_a_moment_is_its_phase(moment: str, phase: str) -> None:
    assert phase_of(moment) == phase


def test_an_order_for_no_turn_is_for_every_turn() -> None:
    assert StandingOrder(Cancel(), "bids", say("bids")).every_turn
    assert not StandingOrder(Cancel(), "bids", say("bids"), 3).every_turn
