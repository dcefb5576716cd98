"""An order that waits knows its moment and whether it is for every turn."""

import pytest

from pbem.engine.moves import Cancel
from pbem.engine.standing_orders import StandingOrder, phase_of
from pbem.engine.text import say


@pytest.mark.parametrize(("moment", "phase"), [("move_goods.2", "move_goods"), ("issue_shares", "issue_shares")])
def test_what_stands_before_the_point_of_a_moment_is_its_phase(moment: str, phase: str) -> None:
    assert phase_of(moment) == phase


def test_an_order_for_no_turn_is_for_every_turn() -> None:
    assert StandingOrder(Cancel(), "bids", say("bids")).every_turn
    assert not StandingOrder(Cancel(), "bids", say("bids"), 3).every_turn
