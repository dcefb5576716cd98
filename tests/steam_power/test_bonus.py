"""The bonus of a contract (section 9)."""

import pytest

from pbem.engine.moves import BadMove
from pbem.steam_power.events import BonusGone, ContractsSeen
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
