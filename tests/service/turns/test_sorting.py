"""Which orders of one answer are played now, which wait, and which were for a moment that did not come."""

import pytest

from pbem.engine import Refused, State, catalog
from pbem.engine.chance import SeededChance
from pbem.service.turns import orders
from tests.every_map.games import deal

SHEET = catalog.sheet("age-of-steam", "rust_belt")


def last_of_three(cash: int) -> State:
    """The last of three is asked for shares; the others have this many dollars, and may issue no more."""
    state = deal(SHEET, 3, 3)
    for seat in state.order[:2]:
        state = SHEET.play(state, seat, SHEET.parse(state, "issue 0", {}), SeededChance(b"", SHEET.place(state))).state
    for seat in state.order[:2]:
        state = state.with_player(seat, cash=cash)
    return state


@pytest.mark.parametrize("strict", [True, False])
def test_a_bid_for_an_auction_in_which_no_other_can_bid_is_passed_over(strict: bool) -> None:
    state = last_of_three(cash=0)
    seat = SHEET.to_act(state) or ""
    moves = SHEET.parse(state, "issue 0\nbid max 3\naction engineer > locomotive", {})
    found = orders.sort(SHEET, state, seat, moves, strict=strict)
    assert [tried.move.keyword for tried in found.moves] == ["issue", "action"]
    assert found.waiting == ()


@pytest.mark.parametrize("text", ["issue 0\nissue 1", "issue 0\naction engineer\naction locomotive"])
def test_one_order_too_many_is_refused_all_the_same(text: str) -> None:
    state = last_of_three(cash=0)
    with pytest.raises(Refused, match="one too many"):
        orders.sort(SHEET, state, SHEET.to_act(state) or "", SHEET.parse(state, text, {}), strict=True)
