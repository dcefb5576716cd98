"""Western U.S.: towns with cubes, prices, first track, one network, bonus for deliveries, ties (R80 to R83b)."""

from typing import Any

import pytest

from maps.western_us.events import LotsDrawn
from maps.western_us.rules import Transcontinental
from pbem.age_of_steam.proposals import Placement
from pbem.engine import replace
from pbem.engine.chance import LoadedChance, NotedChance, SeededChance
from tests.age_of_steam.table import SIX, Table, building
from tests.maps.western_us.line import ACROSS, EASTERN, WEST, line, western

# set-up -------------------------------------------------------------------------------------------------


def test_cubes_on_cities_and_towns_empty_the_bag() -> None:
    """D24 and section 13: 52 + 24 + 20 = 96; $20 each."""
    chance = NotedChance(SeededChance(bytes(32), "deal"))
    state = WEST.start(SIX[:4], chance, {}).state
    assert [note["for"] for note in chance.notes] == ["deal", "cities", "towns", "order"]
    wanted = dict.fromkeys(WEST.board.cities, 2) | dict.fromkeys(WEST.board.towns, 1)
    assert {label: len(cubes) for label, cubes in state.cubes.items()} == wanted
    assert not state.bag
    assert {player.cash for player in state.players.values()} == {20}


def test_a_cube_on_a_town_is_delivered_like_one_on_a_city_and_not_replaced() -> None:
    """Rule 2."""
    table = western("move_goods", track=EASTERN, cubes={"V0": "red"})
    table.play("blue", "move red Fargo > Duluth")
    assert not table.state.cubes["V0"]
    assert table["blue"].income == 6


def test_an_urbanized_town_gives_its_cube_back() -> None:
    """R47 and rule 2."""
    table = western(cubes={"V0": "red"}, bag={}, blue={"action": "urbanization"})
    table.play("blue", "build city A Fargo")
    assert (table.state.bag, table.state.cubes.get("V0", ())) == ({"red": 1}, ())


def test_swamps_and_rivers_cost_four_mountains_five() -> None:
    """Rule 3: complex tiles cost more on top, as everywhere."""
    state = western().state
    prices = {}
    for hex_ in WEST.board.hexes.values():
        if hex_.label not in WEST.board.city_at and hex_.label not in WEST.board.towns:
            placement = Placement(hex_.label, "straight", "", ((0, 3),))
            prices[hex_.terrain] = WEST.placement_price(state, "blue", placement)
    assert prices == {"plain": 2, "swamp": 4, "river": 4, "mountain": 5}
    assert WEST.placement_price(state, "blue", Placement("F0", "cross_straight_straight", "", ((0, 3),))) == 7


# first track, one network -------------------------------------------------------------------------------


@pytest.mark.parametrize("made", [False, True])
def test_the_first_track_begins_at_a_starting_city(made: bool) -> None:
    """R83, D53: a player without track starts neither at Denver nor at a New City, before the connection or after."""
    table = western(new_cities={"A": "V0"}, made=made)
    assert table.refusal("blue", "build O5 E-W").rule == "R83"
    assert table.refusal("blue", "build T0 E-W").rule == "R83"
    hexes = {step.split()[0] for step in table.steps}
    starts = [label for label, city in WEST.board.cities.items() if city.tags]
    assert len(starts) == 10
    near = {beyond for label in starts for beyond in WEST.board.neighbours[label] if beyond is not None}
    assert hexes == near - set(starts)


def test_until_the_connection_track_hangs_on_the_own_network() -> None:
    """D53: own track only Duluth–Fargo; Duluth has one neighbour on the board, where the track lies already."""
    table = western(track=EASTERN)
    for apart in ("build W1 E-SW", "build F0 E-W", "build O5 E-W"):
        assert table.refusal("blue", apart).rule == "R83", apart
    assert WEST.anchors(table.state, "blue", "AD0")
    assert not WEST.anchors(table.state, "blue", "Y1")
    table.play("blue", "build V0 @W; T0 E-W")


def test_after_the_connection_any_city_will_do() -> None:
    """D53: Minneapolis, Seattle, Fargo, and Denver."""
    table = western(track=EASTERN, made=True, blue={"action": "engineer"})
    table.play("blue", "build W1 E-SW; F0 E-W; V0 @W; O5 E-W")


def test_a_city_that_an_unfinished_section_touches_is_part_of_the_network() -> None:
    """R83: a section anchored at Minneapolis is enough to start on its other side."""
    western(track={"W1": "blue E-W"}).play("blue", "build AA1 W-SE")


def test_a_player_who_lost_all_track_starts_again() -> None:
    """R83: the own section was abandoned."""
    table = western(track={"AB0": "nobody E-W"})
    table.play("blue", "build F0 E-W")


def test_the_first_tile_may_not_begin_at_two_cities() -> None:
    """R83: a tile of two tracks beside Minneapolis and Des Moines is two parts, unless one joins the other."""
    crossing = "build Z2 NW-NE,SW-SE"
    table = western()
    assert WEST.board.neighbours["Z2"][WEST.board.edge("NW")] == "Y1"
    assert WEST.board.neighbours["Z2"][WEST.board.edge("SE")] == "AA3"
    assert table.refusal("blue", "build Z2 NW-E,W-SE").rule == "R83"
    assert crossing not in {f"build {step}" for step in table.steps}
    western(made=True).play("blue", "build Z2 NW-E,W-SE")


@pytest.mark.parametrize(
    ("turned", "added"),
    [
        pytest.param("NE-SW", "SE-W", id="duluth-des-moines-and-minneapolis"),
        pytest.param("NE-SW", "W-NW", id="the-same-and-another-side-of-minneapolis"),
        pytest.param("NE-W", "SW-NW", id="duluth-minneapolis-and-des-moines"),
    ],
)
def test_the_first_tile_may_not_complete_a_link_and_begin_another_part(turned: str, added: str) -> None:
    """R83: track of nobody's that is turned and completes a link is the player's, like what is added."""
    track = {"AB0": "nobody E-SW", "AA1": "nobody NE-NW", "Z2": "nobody NE-SE"}
    table = western(seats=SIX, turn=3, order=("yellow", *(seat for seat in SIX if seat != "yellow")), track=track)
    one, both = f"AA1 {turned}", f"AA1 {turned},{added}"
    assert table.refusal("yellow", f"build {both}").rule == "R83"
    (move,) = WEST.parse(table.state, f"build {both}", {})
    assert WEST.phase_of(table.state).refuse(WEST, table.state, "yellow", move) is not None
    assert one in _at(table, "AA1")
    assert both not in _at(table, "AA1")
    table.play("yellow", f"build {one}")
    joined = western(made=True, track=track)
    assert both in _at(joined, "AA1")
    joined.play("blue", f"build {both}")


def _at(table: Table, label: str) -> list[str]:
    """The placements on a hex that programs are told of; those that a page shows are the same."""
    listed = [step for step in table.steps if step.split()[0] == label]
    assert sorted(tile.order for tile in WEST.tiles_at(table.state, [], label)) == sorted(listed)
    return listed


def test_a_network_that_fell_apart_grows_at_every_part_but_gets_no_further_one() -> None:
    """R83a, D20: with Butte urbanized its link to Spokane next to it vanishes; nothing else is lost."""
    track = {"F0": "blue E-W", "I1": "blue @NW,@E", "K1": "blue E-W", "M1": "blue @W"}
    table = western(track=track, new_cities={"A": "H0"}, blue={"action": "urbanization"})
    apart = "build city B Butte; O5 E-W"
    assert table.refusal("blue", apart).rule == "R83"
    table.play("blue", "build city B Butte; E1 NW-SW; Billings @E")
    assert table.links == {(frozenset({"D0", "H0"}), "blue"), (frozenset({"I1", "M1"}), "blue")}


def test_the_first_track_joins_an_unowned_section_only_from_a_starting_city() -> None:
    """R83b: a section from Denver is not enough, one from Duluth is."""
    table = western(track={"S5": "nobody W-E", "AB0": "nobody E-W"})
    assert table.refusal("blue", "build U5 W-E").rule == "R83"
    table.play("blue", "build Z0 E-W")
    assert table.owner("AB0", "E-W") == "blue"


def test_an_unowned_section_is_turned_only_from_the_own_network() -> None:
    """R83b: or when its new end joins that."""
    far = western(track={"AB0": "blue E-W", "X2": "nobody NE-W"})
    assert far.refusal("blue", "build X2 NE-SW").rule == "R83"
    near = western(track={"W1": "blue E-W", "X2": "nobody NE-W"})
    near.play("blue", "build X2 NE-SW")
    assert near.owner("X2", "NE-SW") is None
    joining = western(track={"W1": "blue E-W", "Z2": "nobody SE-SW"})
    joining.play("blue", "build Z2 SE-NW")
    assert joining.links == {(frozenset({"Y1", "AA3"}), "blue")}


# deliveries between East and West -----------------------------------------------------------------------


def across(owners: str, **given: Any) -> Table:
    """The line from Seattle to Duluth, its three links owned so; the connection was made before."""
    first, second, third = owners.split()
    track = {hex_: text.format(first, second, third) for hex_, text in ACROSS.items()}
    return western("move_goods", track=track, made=True, blue={"engine": 3}, **given)


WAY = "move red D0 > H0 > V0 > AD0"


def test_a_delivery_between_east_and_west_pays_one_more_income() -> None:
    """R80."""
    table = across("blue blue blue", cubes={"D0": "red"})
    table.play("blue", f"{WAY} bonus blue")
    assert table["blue"].income == 5 + 4


def test_where_it_is_agreed_the_bonus_is_a_dollar() -> None:
    """R80: an option."""
    table = across("blue blue blue", cubes={"D0": "red"}, options={"east_west_bonus": "cash"})
    table.play("blue", WAY)
    assert (table["blue"].income, table["blue"].cash) == (8, 31)
    assert WEST.options()[-1].default == "income"


def test_only_cubes_that_start_on_a_city_of_the_other_side_count() -> None:
    """R81: not from towns; Portland, San Diego and Kansas City count once they are Cities."""
    state = western().state
    sides = {label: WEST.side(state, label) for label in ("D2", "H10", "Y5", "V0", "J4", "Q5")}
    assert set(sides.values()) == {None}
    built = replace(state, new_cities={"A": "D2", "B": "H10", "C": "Y5", "D": "V0"})
    assert [WEST.side(built, label) for label in ("D2", "H10", "Y5", "V0")] == ["west", "west", "east", None]
    table = across("blue blue blue", cubes={"H0": "red"})
    table.play("blue", "move red H0 > V0 > AD0")
    assert table["blue"].income == 7


def test_the_mover_chooses_among_the_railroads_of_the_way() -> None:
    """R82: the mover need not be among them."""
    table = across("green green yellow", cubes={"D0": "red"})
    assert set(table.legal) >= {f"{WAY} bonus green", f"{WAY} bonus yellow"}
    assert "send one of these" in str(table.refusal("blue", WAY).why)
    assert "bonus green" in str(table.refusal("blue", f"{WAY} bonus blue").why)
    table.play("blue", f"{WAY} bonus yellow")
    assert [table[seat].income for seat in SIX[:3]] == [5, 7, 7]


def test_one_railroad_receives_the_bonus_unasked_and_nobody_none() -> None:
    """R82, A13."""
    table = across("green green nobody", cubes={"D0": "red"})
    table.play("blue", WAY)
    assert table["green"].income == 8
    ownerless = across("nobody nobody nobody", cubes={"D0": "red"})
    assert ownerless.legal[0] == WAY
    ownerless.play("blue", WAY)
    assert [ownerless[seat].income for seat in SIX[:3]] == [5, 5, 5]


# ties ---------------------------------------------------------------------------------------------------


def test_cash_then_track_break_ties() -> None:
    """Rule 8."""
    table = western(
        track={"AB0": "blue W-E", **{k: v for k, v in EASTERN.items() if k != "AB0"}},
        blue={"income": 4, "cash": 3},
        green={"income": 5, "cash": 2},
        yellow={"income": 5, "cash": 1},
    )
    points = {line.seat: line.score for line in WEST.standings(table.state)}
    assert points == {"blue": 6 + 4, "green": 9, "yellow": 9}
    assert [(line.seat, line.place) for line in WEST.standings(table.state)][1:] == [("green", 2), ("yellow", 3)]
    equal = western(track=EASTERN, blue={"income": 4, "shares": 2}, green={"income": 5}, yellow={"income": 0})
    assert [line.score for line in WEST.standings(equal.state)] == [10, 9, -6]


def test_lots_are_drawn_only_where_all_else_is_equal() -> None:
    """Rule 8: ties are not possible."""
    state = western(blue={"income": 6}).state
    chance = LoadedChance([{"for": "lots", "order": ["yellow", "green"]}])
    ended = WEST.on_game_end(state, chance)
    assert ended.events == (LotsDrawn(("yellow", "green")),)
    assert [(line.seat, line.place) for line in WEST.standings(ended.state)] == [
        ("blue", 1),
        ("yellow", 2),
        ("green", 3),
    ]
    clear = western(blue={"income": 6}, green={"cash": 31}).state
    assert WEST.on_game_end(clear, LoadedChance([])).events == ()


def test_the_map_s_own_state_survives_storage() -> None:
    """It knows whether the coasts are joined, and tells."""
    table = western()
    state = replace(table.state, extra=Transcontinental(True, "blue", (("blue",), ("blue", "green"))))
    assert WEST.decode(WEST.encode(state)) == state
    assert str(WEST.facts(table.state)[0]) == "East and West are not joined yet."
    assert building(state, sheet=WEST).extra == state.extra


def test_equal_points_are_decided_by_cash_then_by_track() -> None:
    """8: blue owns the link from Fargo to Duluth, of four points."""
    table = western(track=line("green", "green", "blue", Z0="blue E-W"), blue={"cash": 12}, green={"cash": 9})
    links = WEST.links(table.state)
    assert WEST.tie_break(table.state, "blue", links) == (12, 4, 0)
    assert WEST.tie_break(table.state, "green", links)[0] == 9
    assert WEST.tie_break(table.state, "yellow", links)[1] == 0


def test_a_build_that_is_not_legal_is_refused_by_the_phase_too() -> None:
    """Whoever asks, and not only when it is played."""
    state = western().state
    (order,) = WEST.parse(state, "build O5 E-W", {})
    refusal = WEST.phase_of(state).refuse(WEST, state, "blue", order)
    assert refusal is not None
    assert refusal.rule == "R83"
