"""The contract action (section 6)."""

from collections import Counter
from pathlib import Path

import pytest

from pbem.engine import Refused
from pbem.steam_power.contracts import BadContracts, ContractTile, contracts_for, read_contracts
from pbem.steam_power.events import CityFlipped, ContractFulfilled
from pbem.steam_power.payments import Market
from tests.steam_power.table import MEADOW, Table, bent, deal, position, sheet_of

HOME = {"C2": "red N-S"}
"""Red's network is Alder and Birch."""


def _table(track: dict[str, str] | None = None, players: int = 3, **more: object) -> Table:
    more = {"hands": {"red": "1 2 3 7"}} | more
    return Table(position(players, track=HOME | (track or {}), **more))  # type: ignore[arg-type]


def test_a_mixed_contract_pays_everybody_who_helps() -> None:
    """SP-E1."""
    state = position(
        track={"C2": "green N-S", "F3": "red NE-NW", "G4": "blue N-S"},
        cities={"Alder": "black green 5", "Birch": "gray red 5", "Gorse": "orange blue 5"},
        hands={"green": "3"},
        seat="green",
    )
    table = Table(state)
    assert table.paid("contract 3") == {"red": 2, "blue": 2}  # Green pays 4 and is paid 4
    table.play("contract 3")
    (told,) = table.told(ContractFulfilled)
    assert told.price == 4
    assert dict(told.paid) == {"red": 2, "blue": 2}
    assert [table.city(name).cubes for name in ("Alder", "Birch", "Gorse")] == [4, 4, 4]
    assert table["green"].done == (3,)


def test_who_is_cut_off_pays_the_bank_and_only_who_is() -> None:
    """SP-E2."""
    track = {"C8": "purple N-S", "C2": "red N-S", "G2": "blue N-S", "K2": "yellow N-S"}
    cities = {"Alder": "white green 5"}
    for seat, payable in (("purple", True), ("red", False), ("blue", False), ("yellow", False)):
        state = position(5, track=track, cities=cities, hands={seat: "2"}, seat=seat, cash={seat: 10})
        table = Table(state)
        if payable:
            table.play("contract 2")
            assert table.told(ContractFulfilled)[0].price == 10
            assert table.city("Alder").cubes == 5
        else:
            assert table.refusal("contract 2 white bank, white bank").rule == "SP-R36"
            table.play("contract 2")


def test_cubes_go_to_any_city_of_the_own_network() -> None:
    """SP-R27: inside it distance costs nothing, and a group is reached at one of its Cities."""
    track = {"G2": "red N-S", "K2": "red N-S"}
    assert _table(track, cities={"Dogwood": "white red 5"}).paid("contract 7") == {"red": 4}
    assert _table({"F3": "red NE-NW"}, cities={"Ivy": "white red 5"}).paid("contract 7") == {"red": 4}


TWO_WAYS = {"D3": "blue SE-SW", "F3": "green NE-NW"}


def test_equally_cheap_payees_are_a_choice_of_the_player() -> None:
    """SP-R28: the refusal names each way with its amounts."""
    table = _table(TWO_WAYS, 4, cities={"Fir": "white yellow 5"})
    refusal = table.refusal("contract 7")
    assert refusal.rule == "SP-R28"
    assert "“contract 7 white E4 over blue” ($1 to Blue and $1 to Yellow)" in refusal.sentence()
    assert "“contract 7 white E4 over green”" in refusal.sentence()
    assert table.paid("contract 7 white Fir over green") == {"red": 2, "green": 1, "yellow": 1}
    assert table.paid("contract 7 option 1") == {"red": 2, "blue": 1, "yellow": 1}
    assert {"contract 7 white E4 over blue", "contract 7 white E4 over green"} <= set(table.choices)


def test_an_undecided_contract_stops_the_alternatives_after_it() -> None:
    """SP-R28: the player is asked, not played past."""
    table = _table(TWO_WAYS, 4, cities={"Fir": "white yellow 5"})
    assert table.refusal("contract 7 | cash").rule == "SP-R28"
    assert table.play("contract 7 white Fir over blue | cash")["red"].done == (7,)


def test_a_dearer_way_may_be_typed_if_there_is_one() -> None:
    """SP-R28: any way without repeated connection."""
    track = TWO_WAYS | {"C4": "green N-S", "B3": "blue NE-NW"}
    table = _table(track, 4, cities={"Fir": "white yellow 5"})
    assert table.paid("contract 7 white Fir over blue green") == {"red": 1, "blue": 1, "green": 1, "yellow": 1}
    assert table.refusal("contract 7 white Fir over yellow").rule == "SP-R28"
    assert table.refusal("contract 7 white Fir over blue blue blue").rule == "SP-R28"
    assert table.refusal("contract 7 white Fir").rule == "SP-R28"


def test_a_dearer_way_may_lead_through_the_own_network() -> None:
    """SP-R27, SP-R28: into it over Blue's, out of it at another City over Green's, and back at a third."""
    track = {"G2": "red N-S", "D3": "blue SE-SW", "B3": "green NE-NW", "C4": "yellow N-S"}
    table = _table(track | {"G4": "purple N-SW", "H3": "purple NE-SW"}, 5, cities={"Fir": "white red 5"})
    assert table.paid("contract 7 white Fir over blue") == {"red": 3, "blue": 1}
    assert table.paid("contract 7 white Fir over blue green yellow purple") == {
        "blue": 1, "green": 1, "yellow": 1, "purple": 1
    }  # fmt: skip
    assert table.refusal("contract 7 white Fir").sentence() == (
        "No way from E4 to your network pays nobody; the cheapest: Blue and Purple (SP-R28)."
    )


def test_a_connection_that_brings_no_cube_nearer_is_not_paid() -> None:
    """SP-R28, SP-R49: one inside a group of adjacent Cities, or an own one, is on no way."""
    table = _table({"F3": "green NE-NW", "G4": "blue N-NE"}, cities={"Fir": "white yellow 5"}, players=4)
    assert table.paid("contract 7 white Fir over green") == {"red": 2, "green": 1, "yellow": 1}
    assert table.refusal("contract 7 white Fir over green blue").rule == "SP-R28"
    table = _table(cities={"Alder": "white blue 5"})
    assert table.paid("contract 7 white Alder") == {"red": 3, "blue": 1}
    assert table.refusal("contract 7 white Alder over red").rule == "SP-R28"


def test_a_refusal_lists_eight_ways_at_most() -> None:
    """SP-R28: with one colour of so many cubes and two payees for each there is one way more than cubes."""
    for cubes in (7, 8):
        sheet = bent(contracts={1: ContractTile(1, ("white",) * cubes, 2, 1)})
        state = position(track=HOME | TWO_WAYS, hands={"red": "1"}, cities={"Fir": "white red 8"}, cash={"red": cubes})
        sentence = Table(state, sheet=sheet).refusal("contract 1").sentence()
        assert sentence.startswith(
            f"Contract 1 can be fulfilled for ${cubes} in "
            + ("several ways; choose one: “" if cubes == 7 else "9 ways; name one, for example “")
        )
        assert sentence.count("“contract 1 ") == 8


def test_two_hundred_ways_are_looked_at_and_no_more() -> None:
    """SP-R33: sixteen cubes of two colours with two payees each would make 289."""
    tile = ContractTile(1, ("white",) * 16 + ("orange",) * 16, 2, 1)
    cities = {"Fir": "white blue 16", "Ivy": "orange blue 16"}
    market = Market(MEADOW, position(track=HOME | TWO_WAYS, cities=cities), "red")
    assert len(list(market.ways(tile))) == 200
    assert len(list(market.ways(tile, 300))) == 289


def test_the_only_cheapest_way_needs_no_words() -> None:
    """A18: payees are filled in."""
    table = _table({"F3": "blue NE-NW"}, cities={"Fir": "white green 5"})
    table.play("contract 7")
    assert table.told(ContractFulfilled)[0].items == (("white", "E4", ("blue",), "green"),)


def test_an_own_factory_outside_the_own_network_costs_its_way() -> None:
    """SP-R29: and cannot be used where no way leads."""
    assert _table({"F3": "blue NE-NW"}, cities={"Fir": "white red 5"}).paid("contract 7") == {"red": 3, "blue": 1}
    assert _table({"C8": "blue N-S"}, cities={"Maple": "white red 5"}).paid("contract 7") == {"red": -1}
    assert (
        _table({"C8": "blue N-S"}, cities={"Maple": "white red 5"}).refusal("contract 7 white Maple").rule
        == "Fulfil a Contract"
    )


def test_without_a_network_every_cube_comes_from_the_bank() -> None:
    """SP-D18, SP-R30."""
    state = position(track={"C2": "blue N-S"}, cities={"Alder": "white red 5"}, hands={"red": "2"}, cash={"red": 10})
    table = Table(state).play("contract 2")
    assert table["red"].cash == 2
    assert table["red"].done == (2,)


def test_the_price_must_be_in_hand_before_the_reward() -> None:
    """SP-D12, SP-R31: owners get their share at once."""
    track = {"F3": "blue NE-NW", "G4": "blue N-S"}
    table = _table(track, cities={"Gorse": "white blue 5"}, cash={"red": 2})
    assert table.refusal("contract 7").rule == "SP-R31"
    assert _table(track, cities={"Gorse": "white blue 5"}, cash={"red": 3}).paid("contract 7") == {"red": 1, "blue": 3}


def test_each_cube_is_paid_by_itself() -> None:
    """SP-R32: two cubes over one connection pay it twice."""
    table = _table({"F3": "blue NE-NW"}, cities={"Fir": "white green 5"})
    assert table.paid("contract 2") == {"red": 2 - 4, "blue": 2, "green": 2}


def test_sources_are_looked_for_afresh_for_each_cube() -> None:
    """SP-R33."""
    cities = {"Birch": "white blue 1", "Fir": "white blue 5"}
    table = _table({"F3": "blue NE-NW"}, cities=cities)
    assert table.paid("contract 2") == {"red": 2 - 3, "blue": 3}
    assert table.refusal("contract 2 white Birch, white Birch").rule == "Fulfil a Contract"
    assert table.paid("contract 2 white Birch, white Fir over blue") == {"red": 2 - 3, "blue": 3}


def test_one_reachable_cube_and_one_from_the_bank() -> None:
    """SP-D10: $2 and $5; the bank comes after the source."""
    table = _table({"F3": "blue NE-NW"}, cities={"Fir": "white blue 1"})
    assert table.paid("contract 2") == {"red": 2 - 7, "blue": 2}
    assert table.refusal("contract 2 white bank, white Fir over blue").rule == "SP-R36"
    assert table.paid("contract 2 white Fir over blue, white bank") == {"red": 2 - 7, "blue": 2}


def test_a_reachable_cube_must_be_paid_even_where_the_bank_is_cheaper() -> None:
    """SP-D11: factory and six connections."""
    track = {"K2": "N-S", "G2": "N-S", "F3": "NE-NW", "C4": "N-S", "B5": "NE-NW", "B7": "NE-NW"}
    state = position(
        track={**{hex_: f"blue {ends}" for hex_, ends in track.items()}, "C8": "red N-S"},
        cities={"Dogwood": "white blue 5"},
        hands={"red": "7"},
    )
    assert Table(state).paid("contract 7") == {"red": 4 - 7, "blue": 7}
    assert Table(state).refusal("contract 7 white bank").rule == "SP-R36"


def test_the_last_cube_flips_the_city_for_its_factory_owner() -> None:
    """SP-D13, SP-R34: whoever took it; no other factory is built there."""
    table = _table(cities={"Alder": "white blue 1"})
    before = table.sheet.position(table.state)["players"]["blue"]["points"]
    table.play("contract 7")
    assert table.told(CityFlipped)[0].owner == "blue"
    assert table.city("Alder").flipped
    assert table.sheet.position(table.state)["players"]["blue"]["points"] == before + 2
    assert table.refusal("factory Alder").rule == "SP-R26"


def test_a_contract_that_costs_nothing_is_legal() -> None:
    """SP-R35."""
    table = _table(cities={"Alder": "white red 5"}, cash={"red": 0}).play("contract 7")
    assert table["red"].cash == 4


def test_the_own_factory_need_not_be_used() -> None:
    """SP-R36: as long as another source is."""
    table = _table(cities={"Alder": "white red 5", "Birch": "white blue 1"})
    assert table.paid("contract 7") == {"red": 4}
    assert table.paid("contract 7 white Birch") == {"red": 3, "blue": 1}
    assert table.refusal("contract 7 white bank").rule == "SP-R36"


def test_all_cubes_are_named_and_no_others() -> None:
    table = _table(cities={"Alder": "white red 5"})
    assert table.refusal("contract 2 white Alder").rule == "Fulfil a Contract"
    assert table.refusal("contract 7 black bank").rule == "Fulfil a Contract"
    assert table.refusal("contract 7 white Oak").rule == "Fulfil a Contract"
    assert table.refusal("contract 7 white C6").rule == "Fulfil a Contract"


def test_the_refusal_says_why_a_cube_cannot_come_from_there() -> None:
    """No City, no cube of the colour, none left, or no way."""
    table = _table(cities={"Alder": "white red 1", "Oak": "white blue 5"})
    assert "is not a City" in table.refusal("contract 7 white C6").sentence()
    assert "has no white cube left" in table.refusal("contract 7 white Birch").sentence()
    assert "has no white cube left" in table.refusal("contract 2 white Alder, white Alder").sentence()
    assert "No complete connections lead from I8" in table.refusal("contract 7 white Oak").sentence()


def test_only_contracts_of_the_own_hand_are_fulfilled() -> None:
    """SP-R38: the answer is the same for contracts in other hands, in the bag and elsewhere."""
    table = _table(hands={"red": "1", "blue": "8"}, bag=[9])
    answers = {table.refusal(f"contract {number}").sentence().replace(str(number), "N") for number in (8, 9, 10, 999)}
    assert answers == {"You do not hold contract N (Fulfil a Contract)."}


def test_an_order_with_very_many_owners_is_answered_at_once() -> None:
    track = {"F3": "blue NE-NW", "D3": "green SE-SW", "G2": "blue N-S", "H3": "blue NE-SW", "G4": "blue N-S"}
    table = _table(track, cities={"Fir": "white green 5"})
    with pytest.raises(Refused):
        table.play("contract 7 white Fir over " + "blue green " * 200)


BONUS_WORTH = {"": 0, "track": 3, "contracts": 3, "factory": 4}
GOOD = (
    'provenance = "Mine."\n[contracts]\n7 = { needs = { white = 2, gray = 1 }, money = 3, vp = 2, bonus = "track" }\n'
)


def test_there_are_forty_eight_with_thirty_two_cubes_of_each_colour() -> None:
    tiles = sheet_of("ireland").contracts
    assert sorted(tiles) == list(range(1, 49))
    cubes = Counter(colour for tile in tiles.values() for colour in tile.needs)
    assert cubes == dict.fromkeys(("black", "white", "orange", "gray"), 32)
    assert Counter(len(tile.needs) for tile in tiles.values()) == {1: 4, 2: 16, 3: 20, 4: 8}
    assert Counter(tile.bonus for tile in tiles.values()) == {"": 24, "track": 8, "factory": 8, "contracts": 8}


def test_every_designed_contract_pays_what_it_is_worth() -> None:
    """$2, $4 a cube and $1 a colour, in money, points of $5 and its bonus."""
    for tile in sheet_of("ireland").contracts.values():
        worth = 2 + 4 * len(tile.needs) + len(set(tile.needs))
        assert tile.money + 5 * tile.vp + BONUS_WORTH[tile.bonus] == worth, tile


@pytest.mark.parametrize("slug", ["ireland", "northern_england", "northern_italy", "ireland_solo"])
def test_maps_and_contracts_say_that_they_are_designed(slug: str) -> None:
    assert (
        sheet_of(slug).provenance().count("our own design") + sheet_of(slug).provenance().count("Our own design") == 2
    )
    assert any("our own design" in str(text) for text in sheet_of(slug).rule_texts())
    dealt = deal(sheet_of(slug).player_counts()[0], sheet=sheet_of(slug))
    assert "our own design" in " ".join(sheet_of(slug).scene(dealt.state).notes)


def test_a_file_of_contracts_is_read() -> None:
    contracts = read_contracts(GOOD)
    assert contracts.provenance == "Mine."
    assert contracts.tiles[7].needs == ("white", "white", "gray")
    assert (contracts.tiles[7].money, contracts.tiles[7].vp, contracts.tiles[7].bonus) == (3, 2, "track")


def test_a_colour_may_be_named_that_a_contract_does_not_need() -> None:
    (tile,) = read_contracts(GOOD.replace("white = 2", "white = 0")).tiles.values()
    assert tile.needs == ("gray",)


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "[contracts]",
        GOOD.replace("white", "pink"),
        GOOD.replace("white = 2, gray = 1", ""),
        GOOD.replace("track", "castle"),
        GOOD.replace("money = 3", 'money = "much"'),
        GOOD.replace("7 =", "seven ="),
        GOOD.replace('provenance = "Mine."', ""),
    ],
)
def test_a_file_that_cannot_be_used_is_told(text: str) -> None:
    with pytest.raises(BadContracts, match=r"contracts\.toml"):
        read_contracts(text)


@pytest.mark.parametrize(("cubes", "fits"), [(1, True), (20, True), (21, False), (-1, False)])
def test_a_contract_needs_at_most_twenty_cubes_of_a_colour(cubes: int, fits: bool) -> None:
    text = GOOD.replace("white = 2", f"white = {cubes}")
    if fits:
        assert read_contracts(text).tiles[7].needs.count("white") == cubes
    else:
        with pytest.raises(BadContracts, match="from 0 to 20"):
            read_contracts(text)


def test_a_map_folder_may_have_contracts_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "somewhere" / "meadow").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(BadContracts, match="There is no"):
        contracts_for("somewhere.meadow")
    (tmp_path / "somewhere" / "contracts.toml").write_text(GOOD)
    contracts_for.cache_clear()
    assert list(contracts_for("somewhere.meadow").tiles) == [7]
    (tmp_path / "somewhere" / "meadow" / "contracts.toml").write_text(GOOD.replace("7 =", "8 ="))
    contracts_for.cache_clear()
    assert list(contracts_for("somewhere.meadow").tiles) == [8]
    contracts_for.cache_clear()
