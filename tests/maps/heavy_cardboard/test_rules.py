"""Heavy Cardboard: R141 to R146a, E11, D38."""

from maps.heavy_cardboard.rules import COLOURS, HeavyCardboard, LastLift, Lifted, way
from pbem.age_of_steam.events_goods import CubesGrew
from pbem.engine import replace
from pbem.engine.chance import LoadedChance
from tests.age_of_steam.table import Table, enter, position

SHEET = HeavyCardboard()
MIDDLE, MADEIRA, ARKWRIGHT, FOOD_CHAIN, AGRICOLA, PUERTO_RICO = "K8", "A10", "P5", "P11", "T1", "A8"
LIFTER = {"action": "heavy-lifting"}
ARKWRIGHT_LINK = {"O4": "blue SE-NW", "N3": "blue SE-SW", "O2": "blue @NE"}
"""A link of blue from Arkwright to the town Dominant Species, away from the ways of the lifts."""


def at(phase: str, links: dict[str, str] | None = None, **changes: object) -> Table:
    """A position on this map; ``links``: special links with their owner."""
    state = position(phase, sheet=SHEET, **changes)  # type: ignore[arg-type]
    return Table(replace(state, links=links or {}, extra=LastLift()), sheet=SHEET)


def lifting(cubes: dict[str, str], **more: object) -> Table:
    """Blue holds Heavy Lifting and owns a link to Arkwright."""
    track = {**ARKWRIGHT_LINK, **more.pop("track", {})}  # type: ignore[dict-item]
    return at("move_goods", cubes=cubes, blue=LIFTER, track=track, **more)  # type: ignore[arg-type]


def test_the_middle_begins_with_one_of_each_colour_set_aside_before_the_deal() -> None:
    """R141: 52 on the display, 24 on Cities, 5 in the middle, 15 left."""
    state = Table.deal(4, sheet=SHEET).state
    assert sorted(state.cubes[MIDDLE]) == sorted(COLOURS)
    assert sum(state.bag.values()) == 15
    assert {len(cubes) for label, cubes in state.cubes.items() if label != MIDDLE} == {2}


def test_a_lift_over_five_plain_hexes_is_legal_and_six_are_too_many() -> None:
    """E11: Arkwright to Food Chain Magnate; the points of the way are counted between the Cities."""
    state = lifting({ARKWRIGHT: "yellow"}).state
    hexes = way(SHEET, state, ARKWRIGHT, FOOD_CHAIN)
    assert hexes is not None
    assert len(hexes) == 5
    assert way(SHEET, state, ARKWRIGHT, "H13") is None


def test_mountains_count_two() -> None:
    """E11: Arkwright to Agricola over two mountains and a plain."""
    hexes = way(SHEET, lifting({ARKWRIGHT: "yellow"}).state, ARKWRIGHT, AGRICOLA)
    assert hexes is not None
    terrain = [SHEET.board.hexes[hex_].terrain for hex_ in hexes]
    assert sum(2 if kind == "mountain" else 1 for kind in terrain) <= 5
    assert terrain.count("mountain") == 2


def test_a_tile_on_the_way_blocks_a_lift_and_a_town_without_tile_does_not() -> None:
    """R142: untiled towns are open hexes."""
    free = way(SHEET, lifting({ARKWRIGHT: "yellow"}).state, ARKWRIGHT, FOOD_CHAIN) or ()
    everywhere = {hex_: "green N-S" for hex_ in SHEET.board.open_sides if hex_ not in SHEET.board.city_at}
    blocked = {hex_: track for hex_, track in everywhere.items() if hex_ not in SHEET.board.towns}
    assert way(SHEET, at("move_goods", track=blocked).state, ARKWRIGHT, FOOD_CHAIN) is None
    assert not SHEET.board.towns.keys().isdisjoint(free), "the way leads over Vinhos, a town without tile"


def test_water_and_thick_lines_block_a_lift() -> None:
    """R143, R142: nothing is carried over water, nor across a thick side of the middle."""
    state = lifting({}).state
    for start in SHEET.board.cities:
        for goal in SHEET.board.cities:
            passed = way(SHEET, state, start, goal) or ()
            assert all(SHEET.board.hexes[hex_].terrain != "water" for hex_ in passed)
    assert ("H7", SHEET.board.edge("S")) in SHEET.board.walls


def test_a_lift_needs_an_own_link_to_its_start() -> None:
    """R142: any link of the holder will do, it need not lead anywhere useful."""
    table = at("move_goods", cubes={ARKWRIGHT: "yellow"}, blue=LIFTER)
    assert table.refusal("blue", "lift yellow Arkwright > Food Chain Magnate").rule == "R142"
    lifting({ARKWRIGHT: "yellow"}).play("blue", "lift yellow Arkwright > Food Chain Magnate")


def test_a_lift_pays_its_holder_by_the_turn_and_takes_the_cube_away() -> None:
    """E11: turn 1 pays 2, turn 2 pays 3, turn 5 and later 6; the engine does not matter."""
    for turn, gain in ((1, 2), (2, 3), (5, 6), (7, 6)):
        table = lifting({ARKWRIGHT: "yellow blue"}, turn=turn)
        bag = table.state.bag["yellow"]
        table.play("blue", "lift yellow Arkwright > Food Chain Magnate")
        assert table["blue"].income == 5 + gain
        assert table.state.cubes[ARKWRIGHT] == ("blue",)
        assert table.state.bag["yellow"] == bag + 1
        assert table.told(Lifted)


def test_a_lift_replaces_one_delivery_and_comes_once_a_turn() -> None:
    """R146: in either round; the other round may raise the engine."""
    table = lifting({ARKWRIGHT: "yellow yellow"}, seats=("blue", "green", "yellow"))
    table.play("blue", "lift yellow Arkwright > Food Chain Magnate")
    table.play("green", "pass").play("yellow", "pass")
    assert table.refusal("blue", "lift yellow Arkwright > Food Chain Magnate").rule == "R146"
    table.play("blue", "loco")
    assert table["blue"].engine == 2


def test_only_the_holder_is_offered_a_lift() -> None:
    """R146."""
    table = lifting({ARKWRIGHT: "yellow"})
    assert any(order.startswith("lift ") for order in table.legal)
    table.play("blue", "pass")
    assert not any(order.startswith("lift ") for order in table.legal)


def test_nothing_is_lifted_to_or_from_madeira_nor_to_the_middle() -> None:
    """Heavy Cardboard 7."""
    track = {PUERTO_RICO: "blue @S"}
    table = at("move_goods", {"hex:9,5": "blue"}, cubes={MADEIRA: "purple"}, track=track, blue=LIFTER)
    assert table.refusal("blue", "lift purple Madeira > 1822").rule == "R142"
    assert lifting({ARKWRIGHT: "yellow"}).refusal("blue", f"lift yellow {ARKWRIGHT} > {MIDDLE}").rule == "R142"


def test_a_ferry_needs_any_tile_or_a_new_city_on_its_town() -> None:
    """R144: anybody's tile will do, no exit is added, and no own track is needed."""
    bare = at("build_track")
    assert bare.refusal("blue", "build link Madeira-Puerto Rico").rule == "R144"
    tiled = at("build_track", track={PUERTO_RICO: "green @S"})
    assert tiled.paid("blue", "build link Madeira-Puerto Rico") == 6
    tiled.play("blue", "build link Madeira-Puerto Rico")
    assert len(tiled.state.track[PUERTO_RICO]) == 1
    assert at("build_track", new_cities={"A": PUERTO_RICO}).paid("blue", "build link Madeira-Puerto Rico") == 6


def test_the_owner_of_a_ferry_may_add_exits_to_its_town() -> None:
    """R144: the ferry counts as presence (R33); without it the exit is refused."""
    track = {PUERTO_RICO: "green @S"}
    assert at("build_track", track=track).refusal("blue", f"build {PUERTO_RICO} @SW").rule == "R33"
    at("build_track", {"hex:9,5": "blue"}, track=track).play("blue", f"build {PUERTO_RICO} @SW")


def test_a_ferry_gives_its_owner_presence_in_its_own_town_and_nobody_else_any() -> None:
    """R144: neither another town nor another player."""
    track = {PUERTO_RICO: "green @S", "O2": "green @NE"}
    state = at("build_track", {"hex:9,5": "blue"}, track=track).state
    assert SHEET.has_presence(state, "blue", PUERTO_RICO)
    assert not SHEET.has_presence(state, "blue", "O2")
    assert not SHEET.has_presence(state, "yellow", PUERTO_RICO)


def test_a_ferry_is_one_link_and_one_point_and_survives_a_new_city() -> None:
    """R144."""
    table = at("build_track", {"hex:9,5": "blue"}, track={PUERTO_RICO: "green @S"}, blue={"action": "urbanization"})
    table.play("blue", f"build city A {PUERTO_RICO}")
    assert (frozenset({MADEIRA, PUERTO_RICO}), "blue") in table.links
    parts = dict(SHEET.score(table.state, "blue", SHEET.links(table.state)))
    assert parts["track"] == 1


def test_the_ferry_of_an_eliminated_player_is_nobodys_and_stays_in_use() -> None:
    """R50, R66, R144: it pays nobody, cannot be bought again, and gives nobody presence in its town."""
    track = {PUERTO_RICO: "green @SW", "B7": "green NE-S", "D7": "green N-SW"}
    broke, richer = {"cash": 0, "income": 0}, {"engine": 2, "income": 5}
    owned = at("build_track", {"hex:9,5": "blue"}, track=track, cubes={"E6": "red"}, blue=broke, green=richer).state
    state = enter(owned, "pay_expenses", rules=SHEET)
    assert state.order == ("green", "yellow")
    assert state.links == {"hex:9,5": None}
    assert not SHEET.has_presence(state, "blue", PUERTO_RICO)
    assert (frozenset({MADEIRA, PUERTO_RICO}), None) in Table(state, sheet=SHEET).links
    builder = Table(enter(state, "build_track", rules=SHEET), sheet=SHEET)
    assert builder.refusal("green", "build link Madeira-Puerto Rico").rule == "R98"
    mover = Table(enter(state, "move_goods", rules=SHEET), sheet=SHEET)
    mover.play("green", f"move red E6 > {PUERTO_RICO} > {MADEIRA}")
    assert (mover["green"].income, mover["blue"].income) == (6, state.players["blue"].income)


def test_by_the_option_a_ferry_needs_own_track_and_adds_an_exit() -> None:
    """R144, option ferry_needs_own_track: ferry and exit score 1 together and take one disc."""
    asked = {"ferry_needs_own_track": "yes"}
    rival = at("build_track", track={PUERTO_RICO: "green @S"}, options=asked)
    assert rival.refusal("blue", "build link Madeira-Puerto Rico").rule == "R144"
    table = at("build_track", track={PUERTO_RICO: "blue @S"}, options=asked)
    assert table.paid("blue", "build link Madeira-Puerto Rico") == 6
    table.play("blue", "build link Madeira-Puerto Rico")
    assert len(table.state.track[PUERTO_RICO]) == 2
    assert (frozenset({MADEIRA, PUERTO_RICO}), "blue") in table.links
    assert dict(SHEET.score(table.state, "blue", SHEET.links(table.state)))["track"] == 1
    assert table.state.links == {"hex:9,5": "blue"}


def test_the_empty_middle_is_refilled_when_growth_begins() -> None:
    """R145: one of each colour that the bag still has; never from the dice."""
    state = position("issue_shares", sheet=SHEET, bag={"red": 1, "blue": 2, "black": 1})
    step = SHEET.on_growth_begins(replace(state, extra=LastLift()), LoadedChance([]))
    assert step.state.cubes[MIDDLE] == ("red", "blue", "black")
    assert sum(step.state.bag.values()) == 1
    assert [event.label for event in step.events if isinstance(event, CubesGrew)] == [MIDDLE]
    assert SHEET.on_growth_begins(step.state, LoadedChance([])).state == step.state
    assert all(MIDDLE not in cities for cities in SHEET.columns_fed(state).values())


def test_passing_through_the_middle_is_a_stop_like_any_city() -> None:
    """R146a, D38: the link in and the link out count one each, and the middle is one node."""
    track = {"N11": "blue NW-S", "M10": "blue SE-NW", "G8": "green NW-S", "F7": "green SE-NW"}
    table = at("move_goods", cubes={FOOD_CHAIN: "purple"}, track=track, blue={"engine": 2})
    assert table.legal[0] == f"move purple {FOOD_CHAIN} > {MIDDLE} > E6"
    table.play("blue", f"move purple {FOOD_CHAIN} > {MIDDLE} > E6")
    assert (table["blue"].income, table["green"].income) == (6, 6)


def test_the_middle_is_entered_once_and_nothing_is_delivered_to_it() -> None:
    """D38: one node, one visit; it takes no colour."""
    track = {"N11": "blue NW-S", "M10": "blue SE-NW", "G8": "green NW-S", "F7": "green SE-NW"}
    table = at("move_goods", cubes={FOOD_CHAIN: "purple red"}, track=track, blue={"engine": 6})
    assert SHEET.accepts(table.state, MIDDLE) == ()
    back = table.refusal("blue", f"move purple {FOOD_CHAIN} > {MIDDLE} > E6 > {MIDDLE}")
    assert "only once" in back.sentence()
    assert table.refusal("blue", f"move red {FOOD_CHAIN} > {MIDDLE}").rule == "Move Goods"


def test_only_a_cube_that_lies_in_the_city_is_lifted() -> None:
    """R142: neither another colour nor from a City without cubes."""
    table = lifting({ARKWRIGHT: "yellow"})
    for order in (f"lift red {ARKWRIGHT} > {FOOD_CHAIN}", f"lift yellow {FOOD_CHAIN} > {ARKWRIGHT}"):
        assert table.refusal("blue", order).sentence().startswith("There is no ")


def test_a_town_with_a_ferry_has_at_most_three_ways_out() -> None:
    """R144: so that there is always a tile with one more exit."""
    towns = [label for link in SHEET.board.connections.values() for label in link.joins if label in SHEET.board.towns]
    assert len(towns) == 2
    assert all(len([beyond for beyond in SHEET.board.neighbours[town] if beyond is not None]) <= 3 for town in towns)
