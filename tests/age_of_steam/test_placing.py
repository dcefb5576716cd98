"""Where track may lie: the grid, anchors, rivals, towns, loops (sections 7.2, 7.4, 7.5, 7.8)."""

import pytest

from pbem.age_of_steam.phases.money import eliminate
from pbem.engine import replace
from tests.age_of_steam.table import RUST_BELT, Table, bent, enter, position

TO_ROCK_ISLAND = {"N3": "blue SW-NE", "M4": "blue SW-SE"}
"""Blue's section from Des Moines, pointing at the town Rock Island (N5)."""
LINK_TO_ROCK_ISLAND = {**TO_ROCK_ISLAND, "N5": "blue @NW"}


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("L7 N-S", "City"),
        ("K8 N-S", "No track"),
        ("J7 S-NE", "no land"),
        ("T1 SW-S", "no land"),
        ("O0 N-NW", "no land"),
    ],
)
def test_track_lies_on_land_and_leads_to_land(step: str, why: str) -> None:
    """7.2: not on Cities or lakes, not into a lake, not off the grid (R25)."""
    refusal = Table(position()).refusal("blue", f"build {step}")
    assert refusal.rule == "Restrictions"
    assert why in refusal.sentence()


def test_a_town_hex_takes_exits_and_other_hexes_take_track() -> None:
    """7.2, 1.2."""
    table = Table(position(track=TO_ROCK_ISLAND))
    assert "“N5 @SE”" in table.refusal("blue", "build N5 NW-SE").sentence()
    assert table.refusal("blue", "build P3 @NW").rule == "Entering a Town"


@pytest.mark.parametrize(
    ("track", "step", "end"),
    [
        ({}, "P3 NW-S", "R3"),  # an empty hex
        ({"R3": "green NE-NW"}, "P3 NW-S", "R3"),  # a tile without track on that side
        ({"N3": "blue SW-NE"}, "M4 SW-SE", "N5"),  # a town without a tile
        ({"N3": "blue SW-NE", "N5": "green @NE,@S"}, "M4 SW-SE", "N5"),  # a town side without an exit
    ],
)
def test_a_section_may_point_at_anything_on_land(track: dict[str, str], step: str, end: str) -> None:
    """R25: empty hex, unmatched track, town without tile or without exit there."""
    table = Table(position(track=track)).play("blue", f"build {step}")
    hex_, segment = step.split()
    chain = table.chain(hex_, segment)
    assert not chain.complete
    assert [RUST_BELT.board.neighbours[h][edge] for h, edge in chain.open] == [end]


def test_blocking_another_player_is_legal() -> None:
    """R25: green lays track across the end of blue's section."""
    table = Table(position(track={"P3": "blue NW-S", "S2": "green NE-SW", "T1": "green SW-NE"}))
    table.play("blue", "build nothing").play("green", "build R3 SW-SE")
    assert table.owner("R3", "SE-SW") == "green"


def test_new_track_touches_a_city_or_own_track() -> None:
    """7.4 a and b."""
    table = Table(position(track={"P3": "blue NW-S"}))
    table.play("blue", "build R3 N-S; S4 SE-N")
    assert (table.owner("R3", "N-S"), table.owner("S4", "N-SE")) == ("blue", "blue")
    assert Table(position()).refusal("blue", "build R3 N-S").rule == "Building Track"


def test_the_very_first_tile_touches_a_city() -> None:
    """R32: no rule of its own; it may be a replacement, coexisting with a rival's track."""
    table = Table(position(track={"S10": "green SW-NE", "R11": "green SW-NW"}))
    assert table.refusal("blue", "build M4 SW-SE").rule == "Building Track"
    assert table.refusal("blue", "build S10 NW-N").rule == "Building Track"
    table.play("blue", "build R11 NE-S")
    assert (table.owner("R11", "NE-S"), table["blue"].cash) == ("blue", 28)


def test_a_first_tile_on_a_town_needs_an_exit_into_a_city() -> None:
    """R32: on a board with a town beside Cincinnati; towns of the Rust Belt lie apart from Cities."""
    sheet = bent(towns={**RUST_BELT.board.towns, "R11": "Beside"})
    table = Table(position(sheet=sheet), sheet=sheet)
    assert table.refusal("blue", "build R11 @SW").rule == "R33"
    table.play("blue", "build R11 @NE,SW")
    assert table.links == {(frozenset({"R11", "Q12"}), "blue")}
    board = RUST_BELT.board
    assert not any(set(board.neighbours[town]) & set(board.city_at) for town in board.towns)


def test_both_tracks_of_a_complex_first_tile_need_an_anchor() -> None:
    """R31: a crossing on an empty hex is one placement."""
    one = {"T1": "blue SW-NE", "S2": "blue SW-NE"}
    table = Table(position(track=one))
    assert table.refusal("blue", "build R3 SW-NE,SE-NW").rule == "Building Track"
    table = Table(position(track={**one, "S4": "blue SE-NW"})).play("blue", "build R3 SW-NE,SE-NW")
    assert table["blue"].cash == 30 - 4
    assert [table.owner("R3", s) for s in ("NE-SW", "SE-NW")] == ["blue", "blue"]


def test_a_crossing_under_a_rival_needs_an_anchor_of_its_own() -> None:
    """D15: the rival's track is no anchor."""
    track = {"P3": "green NW-S", "R3": "green N-S"}
    assert Table(position(track=track)).refusal("blue", "build R3 NE-SW").rule == "Building Track"


def test_an_unowned_section_from_a_city_may_be_claimed() -> None:
    """D14, 7.4 c: blue has no other track; the whole section becomes blue's."""
    table = Table(position(track={"P3": "nobody NW-S"})).play("blue", "build R3 N-S")
    assert table.owner("P3", "NW-S") == "blue"


OF_ROCK_ISLAND = {"M6": "blue NE-SW", "N5": "blue @NE; nobody @S", "P5": "nobody N-S"}
"""Blue's link Chicago-Rock Island; a section that hangs on Rock Island is nobody's and points at R5."""


def test_an_unowned_section_from_a_town_is_claimed_with_presence_there() -> None:
    """D14, 7.4 c: green has no track in Rock Island, blue has."""
    table = Table(position(track=OF_ROCK_ISLAND, order=("green", "blue", "yellow")))
    assert table.refusal("green", "build R5 N-SE").rule == "Building Track"
    table.play("green", "build nothing").play("blue", "build R5 N-SE")
    assert [table.owner("P5", "N-S"), table.owner("N5", "@S")] == ["blue", "blue"]


def test_an_unowned_section_from_a_town_is_joined_by_track_from_a_city() -> None:
    """D14: the tile itself touches St. Louis."""
    table = Table(position(track=OF_ROCK_ISLAND, order=("green", "blue", "yellow"))).play("green", "build R5 N-S")
    assert (frozenset({"N5", "T5"}), "green") in table.links
    assert table.owner("N5", "@S") == "green"


def test_a_section_is_claimed_through_own_presence_won_in_the_same_turn() -> None:
    """7.4 c: green enters Rock Island first, then goes on from the unowned section."""
    track = {**OF_ROCK_ISLAND, "N3": "green SW-NE", "M4": "green SW-SE"}
    table = Table(position(track=track, order=("green", "blue", "yellow")))
    table.play("green", "build N5 @NW; R5 N-SE")
    assert table.owner("N5", "@S") == "green"


def test_only_players_in_a_town_or_coming_into_it_add_exits() -> None:
    """R33."""
    track = {**LINK_TO_ROCK_ISLAND, "M6": "green NE-SW"}
    table = Table(position(track=track, order=("yellow", "green", "blue")))
    assert table.refusal("yellow", "build N5 @S").rule == "R33"
    table.play("yellow", "build nothing")
    assert table.refusal("green", "build N5 @S").rule == "R33", "green does not come in by that exit"
    table.play("green", "build N5 @NE,S")
    assert (table.owner("N5", "@NE"), table.owner("N5", "@S")) == ("green", "green")
    table.play("blue", "build N5 @SW")
    assert table.owner("N5", "@SW") == "blue", "blue is there already"


def test_networks_need_not_hang_together() -> None:
    """R34."""
    table = Table(position(track={"P3": "blue NW-S"})).play("blue", "build R3 N-S; P11 SE-N; K6 SE-N")
    assert [table.owner(h, s) for h, s in (("P11", "N-SE"), ("K6", "N-SE"))] == ["blue", "blue"]


def test_no_track_joins_another_players_track() -> None:
    """7.5: neither a section nor a town exit; unowned track may be joined."""
    track = {"P3": "green NW-S", "R3": "green N-SE"}
    table = Table(position(track=track))
    assert table.refusal("blue", "build S4 SE-NW").rule == "Restrictions"
    exit_ = {**TO_ROCK_ISLAND, "M4": "blue SW-N", "N5": "green @NW,@NE", "M6": "green NE-SW"}
    assert Table(position(track=exit_)).refusal("blue", "build M4 SW-SE").rule == "Restrictions"
    abandoned = {"P3": "nobody NW-S", "R3": "nobody N-SE"}
    joined = Table(position(track=abandoned)).play("blue", "build S4 SE-NW")
    assert joined.links == {(frozenset({"O2", "T5"}), "blue")}


def test_track_of_eliminated_players_may_be_joined() -> None:
    """7.5, section 12."""
    state = position(track={"P3": "green NW-S", "R3": "green N-SE"})
    table = Table(enter(eliminate(state, "green"), "build_track")).play("blue", "build S4 SE-NW")
    assert table.links == {(frozenset({"O2", "T5"}), "blue")}


def test_kept_track_may_lie_beside_a_rivals() -> None:
    """7.5: only new ends are checked; green's crossing keeps blue's track, which green touches nowhere."""
    track = {"T1": "blue SW-NE", "S2": "blue SW-NE", "R3": "blue SW-NE", "S4": "green SE-NW"}
    table = Table(position(track=track, order=("green", "blue", "yellow"))).play("green", "build R3 SE-NW")
    assert (table.owner("R3", "NE-SW"), table.owner("R3", "SE-NW")) == ("blue", "green")


def test_a_chain_may_not_return_to_its_city() -> None:
    """D18."""
    assert Table(position(track={"P3": "blue NW-N"})).refusal("blue", "build N3 S-SW").rule == "Completed Links"


def test_a_chain_may_not_return_to_another_hex_of_its_city() -> None:
    """D18: a City of two hexes is one node."""
    city = RUST_BELT.board.cities["O2"]
    sheet = bent(cities={**RUST_BELT.board.cities, "O2": replace(city, hexes=("O2", "M2"))})
    table = Table(position(sheet=sheet, track={"P3": "blue NW-N"}), sheet=sheet)
    assert table.refusal("blue", "build N3 S-NW").rule == "Completed Links"


def test_a_chain_may_not_return_to_its_town() -> None:
    """7.8: by the last tile, or by two exits of one town tile."""
    back = {**LINK_TO_ROCK_ISLAND, "N5": "blue @NW,@S", "P5": "blue N-NE"}
    table = Table(position(track=back)).play("blue", "build O6 SW-NW; more")
    assert table.refusal("blue", "build N5 @SE").rule == "Completed Links"
    unowned = {**TO_ROCK_ISLAND, "P5": "nobody N-NE", "O6": "nobody SW-NW"}
    assert Table(position(track=unowned)).refusal("blue", "build N5 @NW,S,SE").rule == "Completed Links"


def test_one_tile_joins_several_sections() -> None:
    """R38: an own one and two unowned ones, all become the builder's links."""
    track = {**TO_ROCK_ISLAND, "R5": "nobody S-N", "P5": "nobody S-N", "M6": "nobody NE-SW"}
    table = Table(position(track=track)).play("blue", "build N5 @NW,NE,S")
    assert table.links == {(frozenset({"N5", city}), "blue") for city in ("O2", "L7", "T5")}
    assert table["blue"].cash == 30 - 4
