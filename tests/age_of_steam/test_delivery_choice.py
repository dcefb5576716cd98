"""What a delivery among many says is put together when it is looked at."""

import pytest

from pbem.age_of_steam.delivery_choice import DeliveryChoice
from tests.age_of_steam.table import Table, position

CHAIN = {
    "S10": "blue SW-NE", "R11": "blue SW-NE",  # Evansville T9 - Cincinnati Q12
    "O12": "green S-N", "M12": "green S-N", "K12": "green @S; blue @N", "I12": "blue S-NE",  # - Toledo - Detroit
}  # fmt: skip


@pytest.fixture
def table() -> Table:
    """Blue can deliver in more ways than an email shows."""
    cubes = dict.fromkeys(("T9", "Q12", "H13"), "red blue purple yellow black")
    return Table(position("move_goods", track=CHAIN, cubes=cubes, blue={"engine": 6}))


def test_a_choice_says_what_its_order_does(table: Table) -> None:
    question = table.sheet.question(table.state)
    found = {choice.order: choice for choice in question.choices}
    choice = found["move red T9 > Q12 > K12 > H13"]
    assert isinstance(choice, DeliveryChoice)
    assert (choice.cube, choice.route) == ("red", ("T9", "Q12", "K12", "H13"))
    assert choice.gains == {"blue": 2, "green": 1}
    assert str(choice.title) == "red from T9 to H13"
    assert str(choice.effect) == "Over Q12 and K12: Blue +2 and Green +1."
    assert {piece[0] for piece in choice.pieces} == {"S10", "R11", "O12", "M12", "K12", "I12"}
    assert question == table.sheet.question(table.state)


def test_the_orders_of_the_list_are_the_legal_ones(table: Table) -> None:
    assert [choice.order for choice in table.sheet.question(table.state).choices] == list(table.legal)


def test_the_heading_says_what_can_be_done_in_this_round(table: Table) -> None:
    assert str(table.sheet.question(table.state).heading) == "Deliver a cube, or pass", "the engine is at its most"
    slow = table.state.with_player("blue", engine=2)
    assert str(table.sheet.question(slow).heading) == "Deliver a cube, raise your engine, or pass"
    bare = position("move_goods", track=CHAIN)
    assert str(table.sheet.question(bare).heading) == "Raise your engine, or pass"
