"""The track action (section 4)."""

import dataclasses

import pytest

from pbem.engine import BadMove, replace
from pbem.rails.board import Board
from pbem.steam_power.events import ConnectionCompleted, TrackLaid, TrackRemoved
from tests.steam_power.table import MEADOW, Table, bent, position, sheet_of


def _table(track: dict[str, str] | None = None, players: int = 3, **more: object) -> Table:
    return Table(position(players, track=track, **more))  # type: ignore[arg-type]


# tiles ----------------------------------------------------------------------------------------------------


def test_tiles_are_counted_by_their_pool() -> None:
    """SP-R1: straights and gentle curves are two sides of the same tiles."""
    sheet = bent(pool_sizes={**MEADOW.pool_sizes, "straight tiles and gentle curves": 2})
    state = position(track={"C2": "blue N-S", "F3": "blue NE-NW"})
    table = Table(state, sheet=sheet)
    assert table.refusal("track C6 N-S").rule == "SP-R1"
    assert table.refusal("track C6 N-SE").rule == "SP-R1"
    assert table.play("track C6 N-NE").told(TrackLaid)


def test_the_pools_hold_eighty_ten_and_ten_tiles() -> None:
    """SP-R1."""
    assert dict(MEADOW.pool_sizes) == {
        "straight tiles and gentle curves": 80,
        "sharp curves and double straights": 10,
        "other crossings": 10,
    }


def test_a_replaced_tile_returns_to_its_pool_at_once() -> None:
    """SP-R1: the last gentle tile may be turned while its pool is empty."""
    sheet = bent(pool_sizes={**MEADOW.pool_sizes, "straight tiles and gentle curves": 1})
    table = Table(position(track={"C6": "red N-S"}), sheet=sheet)
    assert table.play("track C6 N-SE").state.track["C6"][0].ends == (0, 2)


def test_only_segments_that_really_cross_share_a_tile() -> None:
    """SP-R1: two gentle curves side by side exist only by option."""
    track = {"C6": "blue N-SE"}
    assert _table(track | {"B5": "red S-NW", "D5": "red N-NE"}).refusal("track C6 S-SW").rule == "SP-R1"
    across = {"C6": "blue N-SE", "D5": "red NE-SW"}
    assert _table(across).refusal("track C6 SW-NW").rule == "SP-R1"
    track = {"C6": "blue N-SE", "E6": "red N-SW"}
    assert _table(track).refusal("track C6 S-NW").rule == "SP-R1"
    table = _table(track, options={"coexisting": "yes"})
    assert table.play("track C6 S-NW").told(TrackLaid)[0].how == "crossed"


def test_the_supply_of_tiles_can_be_lifted() -> None:
    """SP-R2."""
    sheet = bent(pool_sizes=dict.fromkeys(MEADOW.pool_sizes, 0))
    assert Table(position(), sheet=sheet).refusal("track C2 N-S").rule == "SP-R1"
    table = Table(position(options={"limited_tiles": "no"}), sheet=sheet)
    assert table.play("track C2 N-S").told(ConnectionCompleted)


def _land(board: Board, count: int) -> list[str]:
    return [label for label in board.open_sides if label not in board.cities][:count]


def test_the_eighty_first_tile_and_the_eleventh_sharp_one_do_not_exist() -> None:
    """SP-D20."""
    italy = sheet_of("northern_italy")
    land = _land(italy.board, 81)
    state = position(sheet=italy, track=dict.fromkeys(land[:80], "blue N-S"))
    free = sorted(set(_land(italy.board, 200)) - set(land[:80]))
    offered = {o for o in italy.placements(state) if o.split()[1] in free}
    assert offered
    assert all(_is_sharp(order) for order in offered)
    sharp = position(sheet=italy, track=dict.fromkeys(land[:10], "blue N-NE"))
    assert not any(_is_sharp(order) for order in italy.placements(sharp))


def _is_sharp(order: str) -> bool:
    names = ("N", "NE", "SE", "S", "SW", "NW")
    a, b = (names.index(end) for end in order.split()[2].split("-"))
    return (b - a) % 6 in (1, 5)


# operations -----------------------------------------------------------------------------------------------


def test_two_plain_tiles_from_city_to_city_cost_nothing() -> None:
    """SP-D1."""
    table = _table().play("track C6 N-S; E6 N-SW")
    assert table.connections("red") == {frozenset(("Juniper", "Ivy"))}
    assert table["red"].cash == 20
    assert table.sheet.position(table.state)["players"]["red"]["trains"] == 17


def test_a_first_tile_that_touches_no_city_is_illegal() -> None:
    """SP-D1."""
    assert _table().refusal("track H1 N-S").rule == "SP-R12"


def test_the_price_is_that_of_the_terrain() -> None:
    """SP-E7: plain 0, hill 2, mountain 4; a crossing 2 whatever the terrain."""
    assert _table().paid("track C2 N-S") == {}
    assert _table().paid("track C4 N-S") == {"red": -2}
    assert _table().paid("track G4 N-S") == {"red": -4}
    assert _table({"G4": "blue N-S", "H3": "red NE-SW"}).paid("track G4 NE-SW") == {"red": -2}


def test_a_price_in_a_box_stands_for_that_of_the_terrain() -> None:
    """SP-E7: a board may print one; the crossing costs 2 all the same."""
    boxed = replace(MEADOW.board.hexes["G4"], price=7)
    sheet = bent(board=dataclasses.replace(MEADOW.board, hexes={**MEADOW.board.hexes, "G4": boxed}))
    assert Table(position(), sheet=sheet).paid("track G4 N-S") == {"red": -7}
    crossed = position(track={"G4": "blue N-S", "H3": "red NE-SW"})
    assert Table(crossed, sheet=sheet).paid("track G4 NE-SW") == {"red": -2}


def test_cash_must_cover_every_operation() -> None:
    """SP-D2: hill and mountain are $6; with $5 the second operation and so the whole order is refused."""
    refusal = _table(cash={"red": 5}).refusal("track C4 N-S; G4 N-S")
    assert refusal.step == 2
    assert "$4" in refusal.sentence()
    assert "$3" in refusal.sentence()
    assert _table(cash={"red": 6}).play("track C4 N-S; G4 N-S")["red"].cash == 0


def test_after_a_completed_connection_the_second_operation_starts_the_next_at_either_end() -> None:
    """SP-D3."""
    for second in ("G2 N-S", "B3 NE-NW"):
        table = _table().play(f"track C2 N-S; {second}")
        assert len(table.connections("red")) == 2


def test_remove_and_place_turn_a_chain_away() -> None:
    """SP-D4: removing is free, placing pays its terrain."""
    table = _table({"C6": "red N-S"})
    assert table.paid("track remove; C6 N-SW") == {}
    table = _table({"C4": "red N-SE"})
    assert table.paid("track remove; C4 N-S") == {"red": -2}


def test_each_operation_is_place_cross_replace_or_remove() -> None:
    """SP-R9: at least one and at most two, in any mixture."""
    table = _table({"C6": "red N-S", "E6": "red N-S"})
    assert table.refusal("track remove; remove; C2 N-S").rule == "SP-R9"
    for orders in ("remove; remove", "remove; E6 N-SW", "E6 N-SE; F7 NE-NW", "E6 N-SE; remove", "G6 N-SE; remove"):
        assert _table({"C6": "red N-S", "E6": "red N-S"}).play(f"track {orders}").state.left == 1
    with pytest.raises(BadMove):
        table.play("track")


def test_only_the_tile_at_the_free_end_is_the_last_one() -> None:
    """SP-R10: it keeps the side by which it hangs; a change may complete the connection."""
    chain = {"C6": "red N-S", "E6": "red N-S"}
    assert _table(chain).refusal("track C6 N-SE").rule == "Build Track"
    refusal = _table(chain).refusal("track E6 SE-S")
    assert refusal.rule == "SP-R10"
    assert "N" in refusal.sentence()
    assert _table(chain).refusal("track E6 N-S").rule == "SP-R10"
    table = _table(chain).play("track E6 N-SW")
    assert table.told(TrackLaid)[0].how == "replaced"
    assert table.connections("red") == {frozenset(("Juniper", "Ivy"))}
    assert _table({"C2": "red N-S"}).refusal("track remove").rule == "SP-R10"


def test_removing_the_first_tile_returns_the_train() -> None:
    """SP-R11: without track the company may start at any City again."""
    table = _table({"C6": "red N-S"}).play("track remove")
    assert table.told(TrackRemoved)[0].train
    assert table.state.track == {}, "an empty hex is not kept"
    assert table.sheet.position(table.state)["players"]["red"]["trains"] == 18
    assert table.play("track K2 N-S").connections("red")


def test_a_new_connection_starts_at_a_city_of_a_group_of_the_network() -> None:
    """SP-R12: Ivy belongs to the network because Fir does."""
    track = {"C4": "red N-S"}
    assert _table(track).play("track E6 N-SW").told(TrackLaid)
    assert _table(track).refusal("track G2 N-S").rule == "SP-R12"


def test_track_leads_over_land() -> None:
    """SP-R13: not off the board, not at water, not on a City."""
    assert _table().refusal("track B9 NW-NE").rule == "SP-R13"
    assert _table().refusal("track F9 NW-SW").rule == "SP-R13"
    assert _table().refusal("track G8 N-S").rule == "Build Track"
    assert _table().refusal("track E2 N-S").rule == "Build Track"


def test_track_may_point_at_a_tile_of_another_that_it_does_not_meet() -> None:
    """SP-R14: the next step is to cross it."""
    table = _table({"C6": "blue N-SE"}).play("track B5 SE-NW; C6 NE-NW")
    assert [told.how for told in table.told(TrackLaid)] == ["placed", "crossed"]


def test_an_own_tile_may_be_crossed_and_a_hex_holds_two_segments_at_most() -> None:
    """SP-R15: also one of the same chain."""
    chain = {"C6": "red N-S", "E6": "red N-NE", "D7": "red SW-NW"}
    table = _table(chain).play("track C6 SE-NW")
    assert [segment.ends for segment in table.state.track["C6"]] == [(0, 3), (2, 5)]
    full = {"C6": "blue N-S; blue SE-NW", "D5": "red NE-SW"}
    assert _table(full).refusal("track C6 NE-SW").rule == "SP-R15"


def test_a_last_segment_that_shares_its_hex_leaves_the_other_one() -> None:
    """SP-R16: removed it leaves a simple tile, replaced it must exist as a crossing."""
    track = {"B5": "red SE-NW", "C6": "blue N-S; red SE-NW"}
    table = _table(track)
    assert table.paid("track remove") == {}
    table.play("track remove")
    assert [(s.ends, s.owner) for s in table.state.track["C6"]] == [((0, 3), "blue")]
    assert _table(track).play("track C6 NE-NW").state.track["C6"][0].owner == "blue"
    assert _table(track).refusal("track C6 SW-NW").rule == "SP-R1"


def test_reverting_needs_a_simple_tile() -> None:
    """SP-R17."""
    sheet = bent(pool_sizes={**MEADOW.pool_sizes, "straight tiles and gentle curves": 1})
    table = Table(position(track={"B5": "red SE-NW", "C6": "blue N-S; red SE-NW"}), sheet=sheet)
    assert table.refusal("track remove").rule == "SP-R1"


def test_parallel_connections_and_those_inside_a_group_are_legal() -> None:
    """SP-R18."""
    table = _table({"D3": "blue SE-SW"}).play("track F3 NE-NW")
    assert table.connections("red") == table.connections("blue")
    table = _table({"D3": "red SE-SW"}).play("track F3 NE-NW; D5 S-SW")
    assert frozenset(("Fir", "Ivy")) in table.connections("red")


def test_a_chain_does_not_come_back_to_its_city() -> None:
    """SP-D7, SP-R19: but it may end at another City of the same group."""
    track = {"D1": "red SE-SW", "E0": "red NE-SE"}
    assert _table(track).refusal("track F1 NE-NW").rule == "SP-R19"
    assert _table().play("track D5 S-SW").connections("red") == {frozenset(("Fir", "Ivy"))}


def test_a_tile_completes_one_connection_at_most() -> None:
    """SP-R20: a tile between three Cities joins two of them."""
    table = _table().play("track D5 S-SW")
    assert len(table.told(ConnectionCompleted)) == 1


def test_without_trains_no_connection_is_started() -> None:
    """SP-R21: going on with one still works."""
    sheet = bent(trains=2)
    assert (
        Table(position(track={"C2": "red N-S", "G2": "red N-S"}), sheet=sheet).refusal("track K2 N-S").rule == "SP-R21"
    )
    table = Table(position(track={"C2": "red N-S", "G2": "red N-S", "K2": "red N-SE"}), sheet=sheet)
    assert table.play("track K2 N-S").connections("red") >= {frozenset(("Cedar", "Dogwood"))}


def test_own_track_is_only_joined_at_the_own_free_end() -> None:
    """SP-R22: track beside own track stays apart from it."""
    table = _table({"C2": "red N-S"}).play("track B3 SW-NW")
    end = table.sheet.railways(table.state).open_end("red")
    assert end is not None
    assert len(end.pieces) == 1


def test_victory_cities_are_built_to_like_any_other() -> None:
    """SP-R23."""
    table = _table(cities={"Alder": "purple", "Birch": "purple"}).play("track C2 N-S; G2 N-S")
    assert len(table.connections("red")) == 2


# others ---------------------------------------------------------------------------------------------------


def test_who_has_an_incomplete_connection_goes_on_with_it_first() -> None:
    """SP-E5: extend, replace or remove it before another one starts."""
    table = _table({"C2": "blue N-S", "G2": "blue N-SE"}, seat="blue")
    refusal = table.refusal("track B3 NE-NW")
    assert refusal.rule == "Build Track"
    assert "H3" in refusal.sentence()
    for order in ("H3 SW-NW", "G2 N-S", "remove; B3 NE-NW"):
        assert (
            len(_table({"C2": "blue N-S", "G2": "blue N-SE"}, seat="blue").play(f"track {order}").connections("blue"))
            == 2
        )


def test_a_rival_is_crossed_for_two_dollars() -> None:
    """SP-D5: both segments keep their owners; a sharp curve cannot be crossed."""
    table = _table({"C6": "blue N-S", "B5": "red SE-NW"})
    assert table.paid("track C6 SE-NW") == {"red": -2}
    table.play("track C6 SE-NW")
    assert [(s.ends, s.owner) for s in table.state.track["C6"]] == [((0, 3), "blue"), ((2, 5), "red")]
    assert _table({"C6": "blue N-NE", "B5": "red SE-NW"}).refusal("track C6 SE-NW").rule == "SP-R1"


def test_changing_the_last_tile_and_taking_it_away_cost_nothing() -> None:
    """SP-R10."""
    for order in ("track C6 N-SW", "track remove"):
        table = _table({"C6": "red N-S"})
        before = table["red"].cash
        assert table.play(order)["red"].cash == before


def test_track_never_meets_the_end_of_another() -> None:
    """SP-D6."""
    refusal = _table({"C6": "blue N-S"}).refusal("track E6 N-SW")
    assert refusal.rule == "Build Track"
    assert "Blue" in refusal.sentence()


def test_a_refused_start_says_which_city_is_touched_or_that_none_is() -> None:
    """SP-R12."""
    touched = _table({"C4": "red N-S"}).refusal("track G2 N-S").sentence()
    assert touched == "E2 and I2 are not in your network; a new connection starts inside it (SP-R12)."
    one = _table({"C4": "red N-S"}).refusal("track G2 NW-S").sentence()
    assert one == "I2 is not in your network; a new connection starts inside it (SP-R12)."
    assert "touches no City; a new connection starts at one" in _table().refusal("track H1 N-S").sentence()


def test_a_refused_tile_says_beside_what_it_would_lie() -> None:
    """SP-R1."""
    track = {"B5": "red S-NW", "D5": "red N-NE", "C6": "blue N-S"}
    refused = _table(track).refusal("track C6 S-SW").sentence()
    assert refused == "No tile shows S-SW beside N-S; the track on C6 cannot be crossed like that (SP-R1)."
