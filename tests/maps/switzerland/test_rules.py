"""Switzerland: R148 to R152, D31, D42."""

from typing import Any

import pytest

from maps.switzerland.rules import PRINTED, ShareBoughtBack, Switzerland, TunnelsOpened
from pbem.age_of_steam.events_build import LinkCompleted
from pbem.age_of_steam.placement_rules import tiles_used
from pbem.engine.chance import Draw, LoadedChance
from tests.age_of_steam.table import Table, position

SWITZERLAND = Switzerland()
OPEN = {"O11": "nobody N-S", "P8": "nobody N-S", "R8": "nobody @N,@SE,@SW"}
TO_THE_NORTH = {"I11": "blue @S", "K11": "blue N-S", "M11": "blue N-S"}
"""Zug I11 to the northern mouth of the St. Gotthard."""
TO_THE_SOUTH = {"Q11": "blue N-SE", "R12": "blue NW-SE", "S13": "blue NW-S"}
"""From the southern mouth to Lugano U13."""
THROUGH = {**TO_THE_NORTH, "O11": "blue N-S", **TO_THE_SOUTH}


def three(phase: str, **more: Any) -> Table:
    return Table(position(phase, sheet=SWITZERLAND, **more), sheet=SWITZERLAND).settle()


# shares -------------------------------------------------------------------------------------------------


def test_instead_of_issuing_a_player_may_buy_back_one_share() -> None:
    """R148: for $8, once in a turn."""
    table = three("issue_shares", blue={"shares": 4, "cash": 20})
    assert table.legal[-1] == "buyback"
    assert SWITZERLAND.question(table.state).choices[-1].order == "buyback"
    table.play("blue", "buyback")
    assert (table["blue"].shares, table["blue"].cash) == (3, 20 - 8)
    assert table.told(ShareBoughtBack) == [ShareBoughtBack("blue", 3, 12)]
    assert table.asked == "green"


@pytest.mark.parametrize("figures", [{"shares": 2, "cash": 30}, {"shares": 3, "cash": 7}])
def test_nobody_falls_below_two_shares_or_buys_with_less_than_eight_dollars(figures: dict[str, int]) -> None:
    """R148, D31."""
    table = three("issue_shares", blue=figures)
    assert "buyback" not in table.legal
    assert table.refusal("blue", "buyback").rule == "R148"


def test_at_the_cap_a_player_who_could_buy_back_is_asked() -> None:
    """R148, A1."""
    table = three("issue_shares", blue={"shares": 15}, green={"shares": 15, "cash": 7})
    assert (table.asked, table.legal) == ("blue", ("issue 0", "buyback"))
    table.play("blue", "issue 0")
    assert table.unasked == [("green", "issue 0", "A1")]


# prices -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("track", "order"),
    [
        ({}, "build E9 N-SE"),
        ({}, "build I9 @NE,N,NW,S"),
        ({"G9": "blue NE-S"}, "build I9 @S,NE,NW"),
        ({"G9": "blue NE-SW"}, "build G9 NE-S"),
        ({"E9": "green NE-SW", "F8": "green NE-SW"}, "build E9 SE-N"),
    ],
)
def test_every_placement_costs_four_dollars(track: dict[str, str], order: str) -> None:
    """R149: simple tiles, towns with any exits, replaced and redirected track."""
    table = three("build_track", track={"H10": "blue N-SW"} | track)
    assert table.paid("blue", order) == 4


def test_with_less_than_four_dollars_nobody_is_asked_to_build() -> None:
    """R149, A6."""
    table = three("build_track", blue={"cash": 3})
    assert ("blue", "build nothing", "A6") in table.unasked


# the three hexes ----------------------------------------------------------------------------------------


def test_before_turn_5_no_track_may_lead_to_the_three_hexes() -> None:
    """R150."""
    table = three("build_track", turn=4, track={"I11": "blue @S", "K11": "blue N-S"})
    assert table.refusal("blue", "build M11 N-S").rule == "R150"
    assert "M11 N-S" not in table.steps
    assert len(PRINTED) == 3


def test_from_turn_5_track_may_lead_to_their_printed_ends_only() -> None:
    """R150: the St. Gotthard opens to north and south."""
    table = three("build_track", turn=5, track={**OPEN, "I11": "blue @S", "K11": "blue N-S"})
    assert "M11 N-S" in table.steps
    south = three("build_track", turn=5, track={**OPEN, "S13": "blue NW-S", "R12": "blue N-SE"})
    assert south.refusal("blue", "build P12 NW-S").rule == "R150"
    assert south.refusal("blue", "build Q11 N-NE").rule == "Building Track"


def test_no_tile_is_ever_laid_on_the_three_hexes() -> None:
    """R151: nor replaced or turned."""
    table = three("build_track", turn=6, track=THROUGH | {"P8": "nobody N-S", "R8": "nobody @N,@SE,@SW"})
    for order in ("build O11 NE-SW", "build P8 N-SE", "build R8 @S"):
        assert table.refusal("blue", order).rule == "R151"
    assert not {step.split()[0] for step in table.steps} & set(PRINTED)


def test_raron_cannot_be_urbanized() -> None:
    """13.13."""
    table = three("build_track", turn=6, track=OPEN, blue={"action": "urbanization"})
    assert table.refusal("blue", "build city A Raron").rule == "New City Tiles"
    assert len(SWITZERLAND.urbanizable(table.state, "blue")) == 9


def test_tunnels_and_raron_come_into_being_at_the_start_of_turn_5() -> None:
    """13.13: nobody owns them."""
    table = three("goods_growth", turn=4)
    assert table.state.turn == 5
    assert table.told(TunnelsOpened) == [TunnelsOpened(("O11", "P8", "R8"))]
    assert dict(table.state.track) == PRINTED
    assert {s.owner for segments in table.state.track.values() for s in segments} == {None}
    assert three("goods_growth", turn=3).state.track == {}


def test_printed_track_belongs_to_whoever_joins_it() -> None:
    """R151, D42: a section ending at the northern mouth owns the tunnel, and a rival may not join the other."""
    track = {**OPEN, "I11": "blue @S", "K11": "blue N-S", "R12": "green NW-SE", "S13": "green NW-S"}
    table = three("build_track", turn=5, track=track).play("blue", "build M11 N-S")
    assert table.owner("O11", "N-S") == "blue"
    assert table.refusal("green", "build Q11 N-SE").rule == "Restrictions"


def test_a_section_through_a_tunnel_goes_on_from_its_other_mouth() -> None:
    """R151, R38."""
    track = {**TO_THE_NORTH, "O11": "blue N-S", "R12": "blue NW-SE", "S13": "blue NW-S"}
    table = three("build_track", turn=6, track=track).play("blue", "build Q11 N-SE")
    assert table.links >= {(frozenset({"I11", "U13"}), "blue")}


def test_own_pieces_score_two_and_printed_ones_nothing() -> None:
    """R151, D31, D42: six own pieces and the tunnel."""
    table = three("move_goods", turn=6, track=THROUGH)
    (link,) = SWITZERLAND.links(table.state)
    assert SWITZERLAND.link_points(table.state, link) == 12
    assert dict(SWITZERLAND.score(table.state, "blue", [link]))["track"] == 12


def test_a_link_of_three_pieces_scores_six() -> None:
    """D31: Lugano - Bellinzona the long way."""
    table = three("move_goods", track={"T12": "blue NE-SE", "S13": "blue SW-NE", "R14": "blue @SW"})
    (link,) = SWITZERLAND.links(table.state)
    assert (len(link.pieces), SWITZERLAND.link_points(table.state, link)) == (3, 6)


def test_a_completed_link_is_told_with_its_points() -> None:
    """R151: the tunnel in it counts nothing."""
    track = {**TO_THE_NORTH, "O11": "blue N-S", "R12": "blue NW-SE", "S13": "blue NW-S"}
    table = three("build_track", turn=6, track=track).play("blue", "build Q11 N-SE")
    assert [event.points for event in table.told(LinkCompleted)] == [12]


def test_abandoned_track_takes_the_printed_track_with_it() -> None:
    """R151, R37."""
    table = three("build_track", turn=6, track={**TO_THE_NORTH, "O11": "blue N-S"}).play("blue", "build nothing")
    assert table.owner("M11", "N-S") is None
    assert table.owner("O11", "N-S") is None


def test_printed_track_needs_no_tile_and_no_disc_from_the_supply() -> None:
    """R151: neither two straights nor a town with three exits."""
    table = three("build_track", turn=5, track=OPEN | {"K11": "blue N-S"})
    assert dict(tiles_used(SWITZERLAND, SWITZERLAND.net(table.state))) == {"straight": 1}


def test_nobody_is_present_in_raron_until_a_chain_ends_there() -> None:
    """R151: an exit of Raron is no anchor for a newcomer."""
    table = three("build_track", turn=5, track=OPEN)
    assert not SWITZERLAND.has_presence(table.state, "blue", "R8")
    assert table.refusal("blue", "build S7 NE-NW").rule == "Building Track"
    sion = {"T6": "blue NW-NE"}
    joined = three("build_track", turn=5, track=OPEN | sion).play("blue", "build S7 SW-NE")
    assert joined.links == {(frozenset({"R8", "S5"}), "blue")}
    assert SWITZERLAND.has_presence(joined.state, "blue", "R8")


def test_a_link_of_printed_track_alone_does_not_exist() -> None:
    """R151."""
    assert SWITZERLAND.links(three("build_track", turn=5, track=OPEN).state) == []


def test_cubes_pass_raron_as_a_town() -> None:
    """R151: from Sion through the Lötschberg and Thun to Bern."""
    track = {
        "T6": "blue NW-NE", "S7": "blue SW-NE", "R8": "blue @SW,@N; nobody @SE",
        "P8": "blue N-S", "N8": "blue NW-S", "M7": "blue @SE,@N", "K7": "blue NW-S",
    }  # fmt: skip
    table = three("move_goods", turn=6, track=track, cubes={"S5": "yellow"}, blue={"engine": 3})
    table.play("blue", "move yellow Sion > Raron > Thun > Bern")
    assert table["blue"].income == 8


# goods --------------------------------------------------------------------------------------------------


def test_zurich_receives_a_cube_after_production_and_before_the_dice() -> None:
    """R152."""
    display = {"D1": "red - -"}
    rolls: list[Draw] = [
        {"for": "extra", "cubes": ["yellow"]},
        {"for": "growth-light", "dice": [1, 2, 3]},
        {"for": "growth-dark", "dice": [1, 2, 3]},
    ]
    state = position("goods_growth", sheet=SWITZERLAND, display=display)
    table = Table(state, sheet=SWITZERLAND, rolls=rolls).settle()
    assert table.state.cubes == {"F10": ("yellow", "red")}
    empty = SWITZERLAND.on_growth(position("goods_growth", sheet=SWITZERLAND, bag={}), LoadedChance([]))
    assert empty.state.cubes == {}


def test_three_cities_take_every_colour_and_zurich_takes_black() -> None:
    """13.13."""
    state = position("move_goods", sheet=SWITZERLAND)
    for label in ("R0", "G3", "U13"):
        assert set(SWITZERLAND.accepts(state, label)) == {"red", "blue", "yellow", "purple", "black"}
    assert SWITZERLAND.accepts(state, "F10") == ("black",)


def test_seventeen_cubes_are_left_in_the_bag_after_set_up() -> None:
    """13.13: Zürich four, Basel three, other Cities two."""
    table = Table.deal(4, sheet=SWITZERLAND)
    assert sum(table.state.bag.values()) == 17
    counts = {label: len(cubes) for label, cubes in table.state.cubes.items()}
    assert (counts.pop("F10"), counts.pop("B6"), set(counts.values())) == (4, 3, {2})
    assert [SWITZERLAND.turns(n) for n in SWITZERLAND.player_counts()] == [10, 8]


def test_who_can_issue_nothing_plans_no_shares() -> None:
    """R148: with fifteen shares there is only the buying back, which is typed."""
    state = position("issue_shares", sheet=SWITZERLAND, blue={"shares": 15}, green={"shares": 14})
    blue, green = SWITZERLAND.turn_plan(state, "blue"), SWITZERLAND.turn_plan(state, "green")
    assert blue is not None
    assert green is not None
    assert [part.moment for part in green.parts] == ["issue_shares", *(part.moment for part in blue.parts)]
