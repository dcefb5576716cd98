"""Drawing contracts (section 7) and taking money (section 8)."""

import json

from pbem.engine.events import tell, told
from pbem.steam_power.events import ContractsDrawn, ContractsSeen, ContractStolen, StolenSeen
from tests.steam_power.table import MEADOW, Table, position

HANDS = {"red": "1", "blue": "8 9 10 11", "green": "12 13 14 15", "yellow": "16 17"}


def _stealing(bag: list[int], hands: dict[str, str] | None = None, **more: object) -> Table:
    return Table(position(4, hands=hands or HANDS, bag=bag, **more))  # type: ignore[arg-type]


def test_two_contracts_come_from_the_bag() -> None:
    table = Table(position(hands={"red": "1"}), draws=[{"for": "contracts", "cubes": ["25", "21"]}]).play("draw")
    assert table["red"].hand == (1, 21, 25)
    assert len(table.state.bag) == 8
    assert not table.told(ContractStolen)


def test_what_the_bag_lacks_comes_from_a_hand_of_the_players_choice() -> None:
    """SP-D14, SP-R37: one from the bag, then one of the two opponents with four."""
    table = _stealing([20])
    table.play("draw")
    assert table["red"].hand == (1, 20)
    assert table.asked == "red"
    assert table.sheet.phase(table.state) == "draw"
    assert set(table.choices) == {"draw from blue", "draw from green"}
    assert table.refusal("draw from yellow").rule == "SP-R37"
    assert table.refusal("draw").rule == "SP-R37"
    table.play("draw from green")
    assert len(table["green"].hand) == 3
    assert len(table["red"].hand) == 3
    assert table.sheet.phase(table.state) == "actions"
    assert table.state.left == 1


def test_the_victim_may_be_named_with_the_action() -> None:
    """SP-R37."""
    table = _stealing([20]).play("draw from blue")
    assert len(table["blue"].hand) == 3
    assert _stealing([20]).refusal("draw from yellow").rule == "SP-R37"
    assert _stealing([20, 21]).refusal("draw from blue").rule == "SP-R37"


def test_the_hands_are_counted_again_for_each_contract() -> None:
    """SP-R37: after one from blue only green has four; from three with four a choice of two is left."""
    table = _stealing([]).play("draw from blue")
    assert (len(table["blue"].hand), len(table["green"].hand)) == (3, 3)
    table = _stealing([], HANDS | {"yellow": "16 17 18 19"}).play("draw from blue")
    assert set(table.choices) == {"draw from green", "draw from yellow"}


def test_with_an_empty_bag_the_choice_is_offered_at_once() -> None:
    """SP-R37."""
    table = _stealing([])
    assert {"draw from blue", "draw from green"} <= set(table.choices)
    assert "draw" not in table.choices
    assert table.play("draw").sheet.phase(table.state) == "draw"


def test_what_is_drawn_is_said_with_the_order() -> None:
    """SP-R37: two from a bag of two; of a bag of one, one, and the other from a hand, which is chosen afterwards."""
    one_hand = {"red": "1", "blue": "8 9 10 11", "green": "12"}
    for bag, hands, said in (
        ([20, 21], HANDS, {"draw": "The bag holds 2."}),
        ([20], HANDS, {"draw": "The bag holds 1 contract; the rest comes from the hand of an opponent with most, 4."}),
        (
            [],
            one_hand,
            {"draw": "The bag holds 0 contracts; the rest comes from the hand of an opponent with most, 4."},
        ),
    ):
        choices = _stealing(bag, hands).choices
        assert {order: str(choice.effect) for order, choice in choices.items() if order.startswith("draw")} == said


def test_nobody_draws_from_the_own_hand_and_nothing_is_no_draw() -> None:
    """SP-R37: without contracts of opponents nothing more is drawn; with nothing at all the action is illegal."""
    hands = {"red": "1 2 3 4 5 6"}
    table = _stealing([20], hands).play("draw")
    assert len(table["red"].hand) == 7
    assert _stealing([], hands).refusal("draw").rule == "SP-R37"
    assert "draw" not in _stealing([], hands).choices


def test_only_the_two_concerned_read_which_contract_it_was() -> None:
    """SP-R38: the others only that one was taken; the numbers of contracts are public."""
    table = _stealing([20]).play("draw from blue")
    told_to = {type(event): event.seen_by() for event in table.events}
    assert told_to[ContractsSeen] == ("red",)
    assert told_to[StolenSeen] == ("red", "blue")
    assert told_to[ContractsDrawn] is None
    assert told_to[ContractStolen] is None
    (number,) = {event.number for event in table.told(StolenSeen)}
    for event in map(told, map(tell, table.events)):
        if event.open_to("green"):
            assert str(number) not in str(event.fields)
            assert str(number) not in str(event.say)
    position_ = table.sheet.position(table.state)
    assert position_["bag"] == 0
    assert [position_["players"][seat]["contracts"] for seat in ("red", "blue", "green", "yellow")] == [3, 3, 4, 2]


def test_cash_takes_three_dollars() -> None:
    assert Table(position()).paid("cash") == {"red": 3}
    assert Table(position(options={"cash_action": "5"})).paid("cash") == {"red": 5}


def test_what_a_phase_keeps_is_stored_as_its_desk() -> None:
    """Released versions have stored it under that name (``docs/changing-the-rules.md``)."""
    state = _stealing([20]).play("draw").state
    stored = MEADOW.encode(state)
    assert json.loads(stored)["state"]["desk"] == {"missing": 1}
    assert MEADOW.decode(stored) == state
