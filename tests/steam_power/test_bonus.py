"""The bonus of a contract (section 8), factories (section 5) and drawing (section 6)."""

import json

import pytest

from pbem.engine import BadMove
from pbem.engine.events import tell, told
from pbem.steam_power.events import BonusGone, ContractsDrawn, ContractsSeen, ContractStolen, FactoryBuilt, StolenSeen
from tests.steam_power.table import MEADOW, Table, bent, position

HOME = {"C4": "red N-S"}
"""Red's network is Elm and Fir."""


def _table(contract: int, cities: dict[str, str], **more: object) -> Table:
    return Table(position(track=HOME, hands={"red": str(contract)}, cities=cities, **more))  # type: ignore[arg-type]


def test_a_track_bonus_is_a_whole_track_action() -> None:
    """SP-R38a: one or two operations."""
    table = _table(4, {"Elm": "white red 5"}).play("contract 4", "bonus track B3 NE-NW; B5 NE-NW")
    assert len(table.connections("red")) == 3
    assert table.state.left == 1


def test_the_money_comes_before_the_bonus() -> None:
    """SP-D17, SP-R39: two mountains for the $8 that the contract's four make of four."""
    table = _table(4, {"Elm": "white red 5"}, cash={"red": 4}).play("contract 4; bonus track G4 N-S; K4 N-S")
    assert table["red"].cash == 0


def test_a_factory_bonus_brings_four_five_or_six_cubes() -> None:
    """SP-E8, SP-R40."""
    for cubes in (4, 5, 6):
        table = _table(5, {"Elm": "black red 5", "Fir": "white"}).play("contract 5", f"bonus factory Fir {cubes}")
        assert table.city("Fir").cubes == cubes
    table = _table(5, {"Elm": "black red 5", "Fir": "white"}).play("contract 5")
    assert table.refusal("bonus factory Fir 3").rule == "SP-R40"


def test_a_short_stock_limits_the_factory_bonus() -> None:
    """SP-R40: with fewer than four in stock it gets all of them."""
    full = dict.fromkeys(("Alder", "Birch", "Cedar", "Dogwood", "Gorse"), "white blue 5")
    table = _table(5, {**full, "Elm": "black red 5", "Fir": "white"}).play("contract 5")
    assert [order for order in table.choices if "factory E4" in order] == ["bonus factory E4 5", "bonus factory E4 4"]
    table = _table(5, {**full, "Hazel": "white blue 2", "Elm": "black red 5", "Fir": "white"}).play("contract 5")
    assert [order for order in table.choices if "factory E4" in order] == ["bonus factory E4 3"]
    assert table.play("bonus factory Fir").city("Fir").cubes == 3


def test_an_impossible_bonus_is_lost_without_a_question() -> None:
    """SP-R41, A17: no City is open, all track is out of reach, or nothing is left to draw."""
    state = position(hands={"red": "5"}, cities={"Elm": "black"})
    table = Table(state).play("contract 5")
    assert [gone.why for gone in table.told(BonusGone)] == ["impossible"]
    assert table.sheet.phase(table.state) == "actions"
    state = position(hands={"red": "6"}, bag=[])
    table = Table(state).play("contract 6")
    assert table.told(BonusGone)
    table = Table(position(hands={"red": "4"}, options={})).play("contract 4")
    assert table.sheet.phase(table.state) == "bonus"


def test_a_track_bonus_without_any_legal_use_is_lost() -> None:
    """SP-R41: no tile is left, or no train."""
    none_left = dict.fromkeys(MEADOW.pool_sizes, 0)
    for sheet in (bent(pool_sizes=none_left), bent(trains=0)):
        table = Table(position(hands={"red": "4"}), sheet=sheet).play("contract 4")
        assert [gone.why for gone in table.told(BonusGone)] == ["impossible"]
        assert sheet.phase(table.state) == "actions"


def test_the_bonus_may_stand_in_the_same_message() -> None:
    """SP-R42: or is asked for; “bonus skip” declines it; nothing else comes before."""
    table = _table(6, {"Elm": "gray red 5"}).play("contract 6; bonus draw; cash")
    assert table.told(ContractsSeen)
    assert table.asked == "blue"
    table = _table(6, {"Elm": "gray red 5"}).play("contract 6")
    assert table.asked == "red"
    assert str(table.sheet.question(table.state).act) == "Take the bonus of contract 6"
    assert set(table.choices) == {"bonus draw", "bonus skip"}
    assert "bonus" in table.refusal("cash").sentence()
    table.play("bonus skip")
    assert [gone.why for gone in table.told(BonusGone)] == ["declined"]
    assert len(table["red"].hand) == 0
    assert _table(6, {"Elm": "gray red 5"}).refusal("contract 6; cash")


def test_a_bonus_is_of_the_kind_the_contract_shows() -> None:
    """SP-R42."""
    table = _table(6, {"Elm": "gray red 5"}).play("contract 6")
    assert table.refusal("bonus factory Fir 6").rule == "SP-R42"
    assert table.refusal("bonus track B3 NE-NW").rule == "SP-R42"


def test_a_bonus_fulfils_no_contract() -> None:
    """SP-R8: contracts are only fulfilled by the contract action."""
    table = _table(6, {"Elm": "gray red 5"}).play("contract 6")
    with pytest.raises(BadMove):
        table.play("bonus contract 1")


def test_a_bonus_draw_follows_the_rule_of_the_empty_bag() -> None:
    """SP-R37."""
    table = _table(6, {"Elm": "gray red 5"}, bag=[])
    table.state = table.state.with_player("blue", hand=(8, 9)).with_player("green", hand=(10, 11))
    table.play("contract 6")
    assert set(table.choices) == {"bonus draw from blue", "bonus draw from green", "bonus skip"}
    table.play("bonus draw from green")
    assert table.sheet.phase(table.state) == "actions"
    assert len(table["blue"].hand) == len(table["green"].hand) == 1


def test_without_an_answer_the_bonus_is_lost() -> None:
    table = _table(6, {"Elm": "gray red 5"}).play("contract 6")
    assert str(table.sheet.default(table.state)) == "bonus skip"


def test_the_first_alternative_that_the_bonus_allows_is_played() -> None:
    """P9, SP-R40: six cubes are for a bonus only."""
    table = _table(5, {"Elm": "black red 5", "Fir": "white"}).play("contract 5", "bonus factory Fir 6 | bonus skip")
    assert table.city("Fir").cubes == 6


def test_six_cubes_are_no_alternative_for_an_action() -> None:
    """P9, SP-R24, SP-R40."""
    table = _table(8, {"Elm": "black red 5", "Fir": "white"}, cash={"red": 0}).play("factory Fir 6 | cash")
    assert (table.city("Fir").factory, table["red"].cash) == (None, 3)


def test_what_a_bonus_does_not_allow_is_no_alternative() -> None:
    """P9, SP-R40: three cubes, though there are as many."""
    table = _table(5, {"Elm": "black red 5", "Fir": "white"}).play("contract 5", "bonus factory Fir 3 | bonus skip")
    assert [gone.why for gone in table.told(BonusGone)] == ["declined"]


# factories ---------------------------------------------------------------------------------------------------


def _building(cities: dict[str, str], track: dict[str, str] | None = None, **more: object) -> Table:
    return Table(position(track=track or {"C2": "blue N-S"}, cities=cities, **more))  # type: ignore[arg-type]


def test_a_factory_is_free_and_brings_five_cubes() -> None:
    table = _building({"Alder": "black"})
    assert table.paid("factory Alder") == {}
    table.play("factory alder")
    assert (table.city("Alder").factory, table.city("Alder").cubes) == ("red", 5)
    assert table.sheet.position(table.state)["stock"]["black"] == 25
    assert table.sheet.position(table.state)["players"]["red"]["factories"] == 14


def test_the_connection_to_the_city_may_be_anybodys() -> None:
    """SP-E6: one connection at one of two adjacent Cities opens both for everybody."""
    track = {"C4": "blue N-S"}
    assert _building({"Ivy": "white"}, track).play("factory Ivy").told(FactoryBuilt)
    assert _building({"Fir": "white"}, track).play("factory Fir").told(FactoryBuilt)
    assert _building({"Gorse": "white"}, track).refusal("factory Gorse").rule == "SP-R25"


def test_an_incomplete_connection_opens_nothing() -> None:
    """SP-D8, SP-R25: and there are no factories on victory Cities."""
    track = {"C2": "blue N-S", "C6": "blue N-S"}
    assert _building({"Juniper": "black"}, track).refusal("factory Juniper").rule == "SP-R25"
    assert _building({"Alder": "purple"}, track).refusal("factory Alder").rule == "Build a Factory"


def test_a_short_stock_gives_what_is_there() -> None:
    """SP-D9, SP-R24: the sixth factory of a colour gets five of thirty cubes; with an empty stock there is none."""
    five = dict.fromkeys(("Cedar", "Dogwood", "Elm", "Fir", "Gorse"), "black blue 5")
    table = _building({**five, "Alder": "black", "Birch": "black"})
    table.play("factory Alder")
    assert table.city("Alder").cubes == 5
    assert table.refusal("factory Birch").rule == "SP-R24"
    table = _building({**five, "Hazel": "black blue 2", "Birch": "black"})
    assert table.play("factory Birch").city("Birch").cubes == 3


def test_one_factory_to_a_city_ever_and_fifteen_to_a_player() -> None:
    """SP-R26."""
    table = _building({"Alder": "black blue 3", "Birch": "black"})
    assert table.refusal("factory Alder").rule == "SP-R26"
    assert "used up" in _building({"Alder": "black blue 0"}).refusal("factory Alder").sentence()
    table.play("factory Birch")
    table = _building({"Alder": "white red 5", "Birch": "black"})
    assert table.play("factory Birch").city("Birch").factory == "red"
    sheet = bent(factories=1)
    state = position(track={"C2": "blue N-S"}, cities={"Alder": "white red 5", "Birch": "black"})
    assert Table(state, sheet=sheet).refusal("factory Birch").rule == "SP-R26"


def test_a_hex_without_a_city_has_no_factory() -> None:
    assert _building({}).refusal("factory C6").rule == "Build a Factory"


def test_only_a_bonus_chooses_the_number_of_cubes() -> None:
    table = _building({"Alder": "black"})
    assert table.refusal("factory Alder 6").rule == "SP-R40"
    assert table.play("factory Alder 5").city("Alder").cubes == 5


def test_a_company_that_has_built_all_its_factories_builds_no_more() -> None:
    """Section 6: with one left it can; then no City is offered, and a bonus factory has no use."""
    for limit, sites in ((2, True), (1, False)):
        sheet = bent(factories=limit)
        table = Table(position(track={"C4": "red N-S"}, cities={"Elm": "white red 5"}), sheet=sheet)
        assert any("factory" in order for order in table.choices) is sites


# drawing -----------------------------------------------------------------------------------------------------


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
    """Released versions have stored it under that name (``docs/extending.md``)."""
    state = _stealing([20]).play("draw").state
    stored = MEADOW.encode(state)
    assert json.loads(stored)["state"]["desk"] == {"missing": 1}
    assert MEADOW.decode(stored) == state
