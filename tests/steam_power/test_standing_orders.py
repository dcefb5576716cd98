"""Orders for a turn that has not come yet (turn_prompts, P9), and the rest of a turn after a draw."""

import pytest

from pbem.engine import Refusal, Refused
from pbem.engine.standing_orders import StandingOrder
from tests.steam_power.table import MEADOW, SOLO, Table, position

HOME = {"C2": "red N-S"}
CITIES = {"Birch": "white red 5"}


def _given(table: Table, seat: str, text: str) -> tuple[StandingOrder, ...]:
    sheet = table.sheet
    return sheet.take_standing_orders(table.state, seat, sheet.parse(table.state, text, {}))


def _moments(table: Table, seat: str) -> list[str]:
    return list(table.sheet.moments(table.state, seat))


def _refused(table: Table, seat: str, text: str) -> Refusal:
    with pytest.raises(Refused) as caught:
        _given(table, seat, text)
    return caught.value.refusal


def test_a_turn_has_two_actions_each_with_its_bonus() -> None:
    table = Table(position(track=HOME, cities={"Birch": "gray red 5"}, hands={"red": "6"}))
    assert _moments(table, "red") == ["actions.1", "bonus.1", "actions.2", "bonus.2"]
    assert _moments(table, "blue") == ["actions.1", "bonus.1", "actions.2", "bonus.2"]
    table.play("contract 6")
    assert _moments(table, "red") == ["bonus.1", "actions.2", "bonus.2"]
    table.play("bonus skip")
    assert _moments(table, "red") == ["actions.2", "bonus.2"]
    table.play("cash")
    assert _moments(table, "red") == []
    assert _moments(table, "nobody") == []


def test_after_the_end_nobody_has_a_moment() -> None:
    table = Table(position(done={"red": 11}, seat="green")).play("cash; cash")
    assert table.state.over
    assert [_moments(table, seat) for seat in table.state.seats] == [[], [], []]
    alone = Table(position(sheet=SOLO, left=1, turn=8), sheet=SOLO).play("cash")
    assert (alone.state.over, _moments(alone, "gray")) == (True, [])


def test_while_a_hand_is_chosen_that_is_the_next_moment() -> None:
    table = Table(position(hands={"blue": "8", "green": "9"}, bag=[])).play("draw")
    assert _moments(table, "red") == ["draw.1", "actions.2", "bonus.2"]


def test_orders_find_their_moments() -> None:
    """P9: a bonus stands behind its contract; what does not fit in this turn is for the next."""
    table = Table(position(track=HOME, hands={"blue": "7", "red": "7"}, cities=CITIES))
    taken = _given(table, "blue", "contract 7; bonus draw | bonus skip; cash; factory Birch | cash")
    assert [(order.turn, order.moment) for order in taken] == [
        (1, "actions.1"), (1, "bonus.1"), (1, "actions.2"), (2, "actions.1"),
    ]  # fmt: skip
    assert [str(order.words) for order in taken[:2]] == ["your first action", "the bonus of your first action"]
    table.play("cash; cash")
    assert [(order.turn, order.moment) for order in _given(table, "red", "cash; cash")] == [
        (2, "actions.1"), (2, "actions.2"),
    ]  # fmt: skip


def test_the_rest_of_a_turn_waits_while_contracts_are_drawn() -> None:
    """SP-R6: both actions fit in one message, whatever the first one draws."""
    table = Table(position())
    table.play("draw")
    (waiting,) = _given(table, "red", "cash")
    assert waiting.moment == table.sheet.moments(table.state, "red")[0] == "actions.2"
    assert str(MEADOW.due_order(table.state, waiting)) == "cash"


def test_the_first_legal_alternative_is_played() -> None:
    """P9."""
    table = Table(position(track=HOME, cities=CITIES, hands={"blue": "1"}))
    (order,) = _given(table, "blue", "factory Birch | factory Alder | cash")
    table.play("cash; cash")
    assert str(MEADOW.due_order(table.state, order)) == "factory A2"


def test_what_has_become_dearer_is_asked_again() -> None:
    """P9: a crossing where there was empty land, a contract whose source is gone."""
    table = Table(position(track={"C2": "blue N-S"}, hands={"blue": "7"}, cities={"Alder": "white blue 1"}))
    track, contract = _given(table, "blue", "track B3 NE-NW; contract 7 | cash")
    assert track.guard == {"prices": [0]}
    table.state = position(
        track={"C2": "blue N-S", "B3": "red SE-SW"}, hands={"blue": "7"}, seat="blue", cities={"Alder": "white"}
    )
    with pytest.raises(Refused, match="P9"):
        MEADOW.due_order(table.state, contract)
    with pytest.raises(Refused):
        MEADOW.due_order(table.state, track)


def test_a_crossing_is_dearer_than_plain_land() -> None:
    """P9."""
    table = Table(position(track={"B5": "blue SE-NW"}))
    (order,) = _given(table, "blue", "track C6 SE-NW")
    table.state = position(track={"B5": "blue SE-NW", "C6": "red N-S"}, seat="blue")
    with pytest.raises(Refused, match=r"now costs \$2; it was given for \$0"):
        MEADOW.due_order(table.state, order)


def test_one_dollar_more_is_asked_again_and_the_same_or_less_is_played() -> None:
    """P9, SP-R26: the own cube is gone, and one of another factory costs $1."""
    at = {
        owner: position(
            track={"C2": "blue N-S"}, hands={"blue": "7"}, seat="blue", cities={"Birch": f"white {owner} 1"}
        )
        for owner in ("blue", "red")
    }
    (cheap,), (dear,) = (_given(Table(state), "blue", "contract 7") for state in at.values())
    assert (cheap.guard, dear.guard) == ({"prices": [0]}, {"prices": [1]})
    played = [
        MEADOW.due_order(at["blue"], cheap),
        MEADOW.due_order(at["blue"], dear),
        MEADOW.due_order(at["red"], dear),
    ]
    assert list(map(str, played)) == ["contract 7"] * 3
    with pytest.raises(Refused, match=r"now costs \$1; it was given for \$0"):
        MEADOW.due_order(at["red"], cheap)


def test_an_undecided_contract_is_asked() -> None:
    """P9, SP-R28."""
    track = {"C2": "blue N-S", "D3": "red SE-SW", "F3": "green NE-NW"}
    table = Table(position(track=track, hands={"blue": "7"}, cities={"Fir": "white red 5"}))
    (order,) = _given(table, "blue", "contract 7 | cash")
    table.play("cash; cash")
    with pytest.raises(Refused, match="SP-R28"):
        MEADOW.due_order(table.state, order)


def test_an_order_that_answers_another_question_is_asked_again() -> None:
    """P9: the seat is asked, and reads that its order does not fit."""
    table = Table(position(track=HOME, cities={"Birch": "gray red 5"}, hands={"red": "6"}))
    (order,) = _given(table, "red", "cash")
    table.play("contract 6")
    with pytest.raises(Refused, match="“cash” does not answer this question"):
        MEADOW.due_order(table.state, order)


def test_what_cannot_wait_is_refused_at_once() -> None:
    table = Table(position(hands={"blue": "7"}))
    assert _refused(table, "blue", "contract 8").rule == "Fulfil a Contract"
    assert "position it was sent with" in _refused(table, "blue", "contract 7 option 2").sentence()
    assert _refused(table, "blue", "cash; cash; cash; cash; cash").rule == "P9"
    assert _refused(Table(position(done={"red": 11})), "red", "cash; cash; cash").rule == "P9"


def test_the_solo_player_orders_nothing_ahead() -> None:
    """SP-R47."""
    assert _refused(Table(position(sheet=SOLO, left=1), sheet=SOLO), "gray", "cash").rule == "SP-R47"


def test_an_order_is_known_for_the_question_it_answers() -> None:
    table = Table(position(track=HOME, cities={"Birch": "gray red 5"}, hands={"red": "6"}))
    answers = {
        text: MEADOW.answers(table.state, MEADOW.parse(table.state, text, {})[0]) for text in ("cash", "bonus skip")
    }
    assert answers == {"cash": True, "bonus skip": False}
    table.play("contract 6")
    assert MEADOW.answers(table.state, MEADOW.parse(table.state, "bonus draw | bonus skip", {})[0])
    assert not MEADOW.answers(table.state, MEADOW.parse(table.state, "cash", {})[0])


@pytest.mark.parametrize(("text", "line"), [("contract 8", 0), ("cash; contract 8", 2), ("contract 8; cash", 1)])
def test_the_line_is_told_that_cannot_wait_where_there_are_several(text: str, line: int) -> None:
    table = Table(position(hands={"blue": "7"}))
    with pytest.raises(Refused) as caught:
        _given(table, "blue", text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("order", "price"),
    [
        ("track B3 NE-NW", 0),
        ("track G4 N-S", 4),
        ("track G4 N-S; B3 NE-NW", 4),
        ("track remove; G4 N-S", 4),
        ("track C6 SE-NW", 2),
        ("track G8 N-S", 0),
        ("track A2 N-S", 0),
        ("contract 7 white bank", 5),
        ("contract 7 white Birch", 1),
        ("contract 7 white Birch over red", 2),
        ("cash", 0),
    ],
)
def test_an_order_waits_for_the_price_that_it_has_now(order: str, price: int) -> None:
    """P9: terrain (nothing for water and Cities), a crossing ($2), the bank ($5), $1 for a cube and $1 for everyone
    over whose track it comes."""
    track = {"C2": "blue N-S", "C6": "red N-S"}
    table = Table(position(track=track, hands={"blue": "7"}, cities={"Birch": "white red 5"}))
    (taken,) = _given(table, "blue", order)
    assert taken.guard == {"prices": [price]}
