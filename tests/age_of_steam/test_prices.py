"""What track costs (section 7.7)."""

import pytest

from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.rules import TERRAIN_PRICES
from pbem.engine import replace
from tests.age_of_steam.table import RUST_BELT, Table, bent, position

PLAIN, RIVER, MOUNTAIN = "P3", "O4", "R17"
STATE = position()


@pytest.mark.parametrize(
    ("hex_", "simple", "coexist", "cross"), [(PLAIN, 2, 3, 4), (RIVER, 3, 4, 5), (MOUNTAIN, 4, 5, 6)]
)
def test_a_first_tile_costs_by_terrain_and_class(hex_: str, simple: int, coexist: int, cross: int) -> None:
    """7.7."""
    tiles = {
        "straight": simple, "gentle": simple, "acute": simple,
        "coexist_gentle_gentle": coexist, "coexist_straight_acute": coexist,
        "coexist_gentle_acute_1": coexist, "coexist_gentle_acute_2": coexist,
        "cross_straight_straight": cross, "cross_gentle_straight": cross, "cross_gentle_gentle": cross,
    }  # fmt: skip
    for tile, price in tiles.items():
        assert RUST_BELT.placement_price(STATE, "blue", Placement(hex_, tile, "", ((0, 3),))) == price, tile


def test_land_that_only_some_maps_have_has_its_price_too() -> None:
    """7.7: what a map's own sheet does not price."""
    assert dict(RUST_BELT.terrain_prices) == {
        "plain": 2, "river": 3, "mountain": 4, "hill": 3, "swamp": 4, "dark_mountain": 5,
    }  # fmt: skip


@pytest.mark.parametrize("exits", [1, 2, 3, 4])
def test_a_first_town_costs_one_dollar_and_one_for_every_exit(exits: int) -> None:
    """7.7, E9."""
    added = tuple((-1, edge) for edge in range(exits))
    assert RUST_BELT.placement_price(STATE, "blue", Placement("N5", f"town_{exits}", "", added)) == 1 + exits


@pytest.mark.parametrize(
    ("old", "new", "price"),
    [
        ("gentle", "cross_gentle_gentle", 3),
        ("straight", "cross_straight_straight", 3),
        ("gentle", "coexist_gentle_gentle", 2),
        ("acute", "coexist_straight_acute", 2),
        ("straight", "gentle", 2),
        ("cross_gentle_gentle", "coexist_gentle_gentle", 2),
        ("coexist_gentle_gentle", "cross_gentle_straight", 2),
        ("town_1", "town_2_straight", 3),
        ("town_1", "town_4_x", 3),
        ("town_3_star", "town_4_k", 3),
    ],
)
@pytest.mark.parametrize("hex_", [PLAIN, RIVER, MOUNTAIN])
def test_a_replacement_costs_by_its_kind_whatever_the_terrain(old: str, new: str, price: int, hex_: str) -> None:
    """7.7, R41: the surcharge of the terrain is paid only where no tile lay."""
    assert RUST_BELT.placement_price(STATE, "blue", Placement(hex_, new, old, ((0, 3),))) == price


def test_a_river_costs_once() -> None:
    """D11, R41: simple $3, later the crossing $3."""
    table = Table(position()).play("blue", "build R13 NW-S; more")
    assert table.paid("blue", "build nothing") == 3
    later = Table(position(track={"R13": "green NW-S", "S12": "blue N-NE"}))
    assert later.paid("blue", "build R13 SW-N") == 3


def test_a_mountain_costs_six_dollars_with_a_crossing_at_once() -> None:
    """D11: one track from Wheeling, one from an own section."""
    assert RUST_BELT.board.hexes["S16"].terrain == "mountain"
    table = Table(position(track={"R15": "blue NE-SE"}))
    assert table.paid("blue", "build S16 N-S,NW-SE") == 6


def test_a_town_of_one_exit_may_become_a_town_of_four() -> None:
    """D12: $2, then $3."""
    table = Table(position(track={"R9": "blue NE-S"}))
    assert table.paid("blue", "build Q10 @SW") == 2
    table.play("blue", "build Q10 @SW; more")
    assert table.paid("blue", "build Q10 @N,NE,SE") == 5


def test_terrain_of_a_town_hex_costs_nothing() -> None:
    """R39."""
    hexes = {**RUST_BELT.board.hexes, "Q10": replace(RUST_BELT.board.hexes["Q10"], terrain="mountain")}
    sheet = bent(hexes=hexes)
    table = Table(position(sheet=sheet, track={"R9": "blue NE-S"}), sheet=sheet)
    assert table.paid("blue", "build Q10 @SW,NE") == 3


def test_two_turns_on_one_tile_cost_two_dollars() -> None:
    """R40: choochoo asks $4."""
    track = {"T1": "blue SW-NE", "S2": "blue SW-NE", "R3": "blue SW-N; blue SE-NW", "S4": "blue SE-NW"}
    assert Table(position(track=track)).paid("blue", "build R3 SW-NE,SE-S") == 2


def test_a_printed_price_replaces_that_of_the_terrain() -> None:
    """R41: the surcharges of complex tiles apply on top of it."""
    hexes = {**RUST_BELT.board.hexes, "P3": replace(RUST_BELT.board.hexes["P3"], price=7)}
    sheet = bent(hexes=hexes)
    assert sheet.placement_price(STATE, "blue", Placement("P3", "gentle", "", ((3, 5),))) == 7
    assert sheet.placement_price(STATE, "blue", Placement("P3", "cross_gentle_gentle", "", ((3, 5),))) == 9


@pytest.mark.parametrize(
    ("terrain", "dollars"),
    [("plain", 2), ("river", 3), ("hill", 3), ("mountain", 4), ("swamp", 4), ("dark_mountain", 5)],
)
def test_a_tile_costs_what_its_land_costs(terrain: str, dollars: int) -> None:
    assert TERRAIN_PRICES[terrain] == dollars
