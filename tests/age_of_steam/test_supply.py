"""Tiles, town discs and ownership discs run out (rulings R1 to R5)."""

from collections import Counter
from itertools import islice

import pytest

from pbem.rails.tiles import SUPPLY, lacking
from tests.age_of_steam.table import RUST_BELT, Table, bent, position

ACUTE = ("N1 N-NE", "L1 N-NE", "J1 N-NE", "H1 N-NE", "B3 S-SE", "D3 S-SE", "F3 S-SE")
"""Seven hexes that can hold an acute curve."""


def strewn(*tiles: str, owner: str = "nobody") -> dict[str, str]:
    """Track lying about, for the supply only."""
    return {tile.split()[0]: f"{owner} {tile.split()[1]}" for tile in tiles}


def test_the_eighth_acute_tile_is_refused() -> None:
    """D17, R1: the printed set is a limit; a town of two adjacent exits needs an acute tile too."""
    table = Table(position(track={**strewn(*ACUTE), "R9": "blue S-NE"}))
    assert table.refusal("blue", "build P3 NW-N").rule == "R1"
    assert table.refusal("blue", "build Q10 @SW,S").rule == "R1"
    assert not any(step in table.steps for step in ("P3 N-NW", "P3 NW-N", "Q10 @S,SW"))
    fewer = Table(position(track=strewn(*ACUTE[:-1])))
    assert fewer.play("blue", "build P3 NW-N").owner("P3", "N-NW") == "blue"


def test_there_are_a_hundred_and_thirty_six_tiles() -> None:
    """R1: by kind as section 1.1 lists them."""
    assert sum(SUPPLY.values()) == 136
    plain = {"straight": 48, "gentle": 55, "acute": 7}
    crossings = {"cross_straight_straight": 4, "cross_gentle_straight": 4, "cross_gentle_gentle": 3}
    curves = ("coexist_gentle_gentle", "coexist_straight_acute", "coexist_gentle_acute_1", "coexist_gentle_acute_2")
    towns = {"town_1": 3, **dict.fromkeys((f"town_3_{kind}" for kind in ("same_half", "left", "right", "star")), 2)}
    assert dict(SUPPLY) == {**plain, **crossings, **dict.fromkeys(curves, 1), **towns}


def test_the_replaced_tile_is_back_in_the_supply_before_the_new_one_is_taken() -> None:
    """R1: the seventh acute curve is turned into another acute curve."""
    table = Table(position(track={**strewn(*ACUTE[:-1]), "P3": "blue NW-N"}))
    assert table.play("blue", "build P3 NW-SW").owner("P3", "SW-NW") is None


@pytest.mark.parametrize(("towns", "crossings", "lacks"), [(5, 0, None), (5, 1, "town_4_x"), (6, 0, "town_4_x")])
def test_the_tile_under_a_town_of_four_is_any_that_fits(towns: int, crossings: int, lacks: str | None) -> None:
    """R2: four two-straights tiles and one with two curves side by side serve as X towns."""
    used = Counter({"town_4_x": towns, "cross_straight_straight": crossings})
    assert lacking(used, SUPPLY) == lacks


def test_a_town_of_four_leaves_the_complex_tile_to_who_needs_it() -> None:
    """R2: with two tiles for an X town, one of them may still be laid as a crossing, not both."""
    sheet = bent({"tile_supply": {**SUPPLY, "cross_straight_straight": 1, "coexist_gentle_gentle": 1}})
    ends = {"S2": "blue SW-NE", "T1": "blue SW-NE", "S4": "blue SE-NW"}
    table = Table(position(sheet=sheet, track={**ends, "Q10": "nobody @N,@NE,@S,@SW"}), sheet=sheet)
    assert "R3 NE-SW,SE-NW" in table.steps
    full = {**ends, "Q10": "nobody @N,@NE,@S,@SW", "R11": "nobody SW-NE,SE-NW"}
    refusal = Table(position(sheet=sheet, track=full), sheet=sheet).refusal("blue", "build R3 SW-NE,SE-NW")
    assert refusal.rule == "R1"


def test_the_ninth_town_disc_is_refused() -> None:
    """D17, R3: eight discs in all; a dedicated town tile needs none."""
    towns = {label: _two_ways(label) for label in islice(_towns_without("Q10"), 8)}
    table = Table(position(track={**towns, "R9": "blue S-NE"}))
    assert table.refusal("blue", "build Q10 @SW,NE").rule == "R3"
    assert table.play("blue", "build Q10 @SW").owner("Q10", "@SW") == "blue"


def test_a_disc_returns_with_an_upgrade_or_a_new_city() -> None:
    """R3."""
    seven = {label: _two_ways(label) for label in islice(_towns_without("Q10", "N5"), 7)}
    rock_island = {"M6": "blue NE-SW", "N5": "blue @NE,@S"}
    table = Table(position(track={**seven, **rock_island, "R9": "blue S-NE"}))
    assert table.refusal("blue", "build Q10 @SW,NE").rule == "R3"
    table.play("blue", "build N5 @NW; Q10 @SW,NE")
    assert len(table.state.track["Q10"]) == 2
    urban = Table(position(track={**seven, **rock_island, "R9": "blue S-NE"}, blue={"action": "urbanization"}))
    urban.play("blue", "build city A N5; Q10 @SW,NE")
    assert len(urban.state.track["Q10"]) == 2


def _towns_without(*left_out: str) -> list[str]:
    return [label for label in RUST_BELT.board.towns if label not in left_out]


def _two_ways(label: str) -> str:
    """Two exits of nobody that lead over land, not adjacent ones, so that no other limit is touched."""
    names, ways = RUST_BELT.board.directions, sorted(RUST_BELT.board.open_sides[label])
    a, b = next((a, b) for a in ways for b in ways if b - a in (2, 3, 4))
    return f"nobody @{names[a]},@{names[b]}"


SECTIONS = {"P3": "blue NW-S", "P11": "blue SE-N"}


def test_every_link_and_every_section_takes_an_ownership_disc() -> None:
    """R4: checked after every single tile."""
    options = {"ownership_discs": "3"}
    table = Table(position(track=SECTIONS, options=options))
    assert table.refusal("blue", "build K6 SE-N; R13 NW-S").rule == "R4"
    assert table.refusal("blue", "build K6 SE-N; R13 NW-S; P11 SE-NE").step == 2
    assert table.play("blue", "build K6 SE-N; R3 N-S").owner("K6", "N-SE") == "blue"


def test_unused_town_exits_take_a_disc_each() -> None:
    """R4."""
    table = Table(position(track={"R9": "blue S-NE"}, options={"ownership_discs": "3"}))
    assert table.refusal("blue", "build Q10 @SW,N,NE,SE").rule == "R4"
    table.play("blue", "build Q10 @SW,N,NE")


def test_twenty_discs_are_the_rule_and_no_limit_an_option() -> None:
    """R4."""
    assert RUST_BELT.ownership_discs(position()) == 20
    assert RUST_BELT.ownership_discs(position(options={"ownership_discs": "unlimited"})) is None


def test_a_new_city_that_gives_a_section_needs_a_disc_for_it() -> None:
    """R4a: refused if R43 would lift the urbanizer above the limit; a rival's count is no matter."""
    track = {"N3": "nobody SW-NE", "M4": "nobody SW-SE", **SECTIONS}
    full = {"ownership_discs": "2"}
    table = Table(position(track=track, options=full, blue={"action": "urbanization"}))
    assert table.refusal("blue", "build city A N5").rule == "R4"
    assert not any(step.endswith("N5") for step in table.steps)
    rival = {hex_: text.replace("nobody", "green") for hex_, text in track.items() if hex_ in ("N3", "M4")}
    other = Table(position(track={**rival, **SECTIONS}, options=full, blue={"action": "urbanization"}))
    assert other.play("blue", "build city A N5").links == {(frozenset({"O2", "N5"}), "green")}


def test_the_bank_is_endless_and_the_bag_is_not() -> None:
    """R5: with one cube in the bag Production draws one."""
    rich = Table(position("issue_shares", blue={"cash": 10_000})).play("blue", "issue 13")
    assert rich["blue"].cash == 10_065
    state = position(
        "goods_growth",
        bag={"red": 1},
        blue={"action": "production"},
        rolls=[{"for": "production", "cubes": ["red"]}],
    )
    assert (state.scratch.drawn, state.bag) == (("red",), {})
