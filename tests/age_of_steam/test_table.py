"""Every key of the table of rules does what its sentence says."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.age_of_steam.drawings.data_sheet import DataSheet, DirectLink
from pbem.age_of_steam.drawings.table import KEYS
from pbem.age_of_steam.events_build import TownConnected
from pbem.age_of_steam.proposals import Delivery, Placement
from pbem.engine import catalog, replace
from pbem.engine.chance import Draw, LoadedChance
from pbem.rails.track import Link
from tests.age_of_steam.table import Table, dice, enter, position

MAPS = Path(__file__).parents[2] / "maps"
CHICAGO, DETROIT, TOLEDO = "L7", "H13", "K12"


@cache
def sheet(rules: str, slug: str = "rust_belt") -> DataSheet:
    """A board with these rules in place of its own."""
    text = (MAPS / slug / "board.toml").read_text("utf-8").partition("\n[rules]")[0]
    made = catalog.own("age-of-steam", f"{text}\n[rules]\n{rules}\n")
    assert isinstance(made, DataSheet)
    return made


def said(rules: str, slug: str = "rust_belt") -> str:
    """What players read of it."""
    return " ".join(map(str, sheet(rules, slug).rule_texts()))


def at(phase: str, rules: str, slug: str = "rust_belt", **given: Any) -> Table:
    made = sheet(rules, slug)
    return Table(position(phase, sheet=made, **given), sheet=made)


def delivered(colour: str, *owners: str | None) -> Delivery:
    links = tuple(Link((CHICAGO, DETROIT), owner) for owner in owners)
    return Delivery(colour, CHICAGO, links, (DETROIT,) * len(links))


ENGINEER = {"action": "engineer"}


def test_every_key_has_a_test() -> None:
    text = Path(__file__).read_text("utf-8")
    assert [key for key in KEYS if key.partition(".")[0] not in text] == []


def test_players_and_turns() -> None:
    made = sheet("players = [2, 3]\nturns = { 2 = 12, 3 = 9 }")
    assert list(made.player_counts()) == [2, 3]
    assert (made.turns(2), made.turns(3)) == (12, 9)


def test_start() -> None:
    rules = "start = { cash = 30, shares = 4, engine = 2 }"
    player = Table.deal(3, sheet=sheet(rules)).state.players["blue"]
    assert (player.cash, player.shares, player.engine) == (30, 4, 2)
    assert "At the start: $30, 4 shares, engine 2." in said(rules)


def test_share_cap_and_shares_a_turn() -> None:
    table = at("issue_shares", "share_cap = 4\nshares_a_turn = 1", blue={"shares": 2}, green={"shares": 4})
    assert table.sheet.shares_allowed(table.state, "blue") == 1
    assert table.sheet.shares_allowed(table.state, "green") == 0
    assert "4 shares are the most. 1 share a turn at most." in said("share_cap = 4\nshares_a_turn = 1")


def test_actions() -> None:
    rules = 'players = [3, 3]\nactions = ["engineer", "locomotive", "production"]'
    assert sheet(rules).actions_free(at("select_actions", rules).state, "blue") == (
        "engineer",
        "locomotive",
        "production",
    )
    assert "Nobody can take: First Move, First Build, Urbanization and Turn Order." in said(rules)


ALONE = 'players = [2, 2]\nturns = { 2 = 3 }\norder = "none"\nactions = ["engineer", "locomotive"]'


def test_order() -> None:
    assert "turn_order" not in [phase.name for phase in sheet(ALONE).phases]
    assert "There is no auction. The order of players stays as it was drawn." in said(ALONE)


def test_first_player() -> None:
    rules = f'{ALONE}\nfirst_player = ["black", "white", "white"]'
    table = Table.deal(2, sheet=sheet(rules))
    state, black = table.state, table.state.order[0]
    assert [str(fact) for fact in table.sheet.facts(state)] == [f"{state.order[1].capitalize()} plays white."]
    for turn in (2, 3):
        state = table.sheet.on_turn(replace(state, turn=turn), LoadedChance([])).state
        assert state.order[1] == black
    assert "First player: white in turns 2, 3, black in 1." in said(rules)


def test_tiles_and_the_tiles_of_the_engineer() -> None:
    rules = "tiles = 2\nengineer = { tiles = 5 }"
    table = at("build_track", rules, blue=ENGINEER)
    assert [table.sheet.tile_limit(table.state, seat) for seat in ("blue", "green")] == [5, 2]
    assert str(table.sheet.action_effect(table.state, "blue", "engineer")) == "You may lay 5 tiles."
    assert "2 tiles a turn at most. The Engineer lays 5 tiles at most." in said(rules)


@pytest.mark.parametrize(
    ("discount", "paid"), [("none", (12, 2)), ("cheapest free", (10, 0)), ("half the dearest", (9, 1))]
)
def test_the_discount_of_the_engineer(discount: str, paid: tuple[int, int]) -> None:
    table = at("build_track", f'engineer = {{ discount = "{discount}" }}', blue=ENGINEER)
    prices = [table.sheet.build_price(table.state, "blue", tiles) for tiles in ((2, 7, 3), (2,))]
    assert tuple(prices) == paid
    assert table.sheet.cheapest_placement(table.state, "blue", ()) == paid[1]
    assert table.sheet.build_price(table.state, "green", (2, 7, 3)) == 12


def test_no_special_link_is_halved_where_there_are_several() -> None:
    """R96: three links of $6 and more beside a tile of $2."""
    table = at("build_track", 'engineer = { discount = "half the dearest" }', "detroit", blue={"cash": 30, **ENGINEER})
    table.play("blue", "build link Midtown-Downtown; more")
    assert isinstance(table.state.extra, DirectLink)
    assert table.state.extra.prices == (6,)
    assert table.sheet.build_price(table.state, "blue", (6, 3)) == 8
    assert table.sheet.decode(table.sheet.encode(table.state)) == table.state


def test_rounds() -> None:
    table, asked = at("move_goods", "rounds = 3"), 0
    table.settle()
    while table.state.phase == "move_goods":
        table.play(str(table.asked), "pass")
        asked += 1
    assert asked == 3 * 3
    assert "3 rounds of moving goods." in said("rounds = 3")


def test_engine_cap() -> None:
    table = at("move_goods", "engine_cap = 2", blue={"engine": 2})
    assert "loco" not in table.legal
    assert "An engine pulls 2 links at most." in said("engine_cap = 2")


def test_complete_links() -> None:
    order = next(order for order in at("build_track", "").sheet.placements(position()) if "@" not in order)
    assert at("build_track", "").play("blue", order).state.track
    assert at("build_track", "complete_links = true").refusal("blue", order).rule == "R97"
    assert "Only complete links may be built." in said("complete_links = true")


def test_own_links() -> None:
    table = at("move_goods", 'own_links = "half"')
    ways = (("blue",), ("blue", "green"), ("green", "blue", None), ("blue", "green", "blue"))
    refused = [table.sheet.refuse_delivery(table.state, "blue", delivered("red", *owners)) for owners in ways]
    assert [refusal and refusal.rule for refusal in refused] == [None, None, "R131", None]


@pytest.mark.parametrize(("least", "enough"), [(0, 0), (1, 1), (2, 2)])
def test_links_of_others(least: int, enough: int) -> None:
    table = at("move_goods", f"links_of_others = {least}")
    ways: Sequence[tuple[str | None, ...]] = (("blue", None), ("blue", "green"), ("blue", "green", "pink"))
    refused = [table.sheet.refuse_delivery(table.state, "blue", delivered("red", *owners)) for owners in ways]
    assert [refusal is None for refusal in refused] == [number >= enough for number in range(3)]


def test_prices() -> None:
    made = sheet("prices = { mountain = 7, plain = 0 }")
    lands = {hex_.terrain: label for label, hex_ in made.board.hexes.items() if label not in made.board.towns}
    assert [made.terrain_price(lands[land]) for land in ("plain", "river", "mountain")] == [0, 3, 7]
    assert made.cheapest_placement(position("build_track", sheet=made), "blue", ()) == 0
    assert "A simple tile costs: plain $0 and mountain $7." in said("prices = { mountain = 7, plain = 0 }")


@pytest.mark.parametrize("rows", [0, 1, 2, 3])
def test_display_rows(rows: int) -> None:
    display = Table.deal(3, sheet=sheet(f"display_rows = {rows}")).state.display
    assert {column: sum(box is not None for box in boxes) for column, boxes in display.items()} == {
        column: min(rows, len(boxes)) for column, boxes in display.items()
    }


def test_production() -> None:
    holder = {"action": "production"}
    rolls: list[Draw] = [{"for": "production", "cubes": ["red"]}]
    table = at("goods_growth", 'production = "town"', blue=holder, rolls=rolls)
    assert f"produce {TOLEDO}" in table.legal
    after = Table(table.state, sheet=sheet('production = "town"'), rolls=dice(1, 1, 1, dark=(1, 1, 1)))
    after.play("blue", f"produce {TOLEDO}")
    assert after.state.cubes[TOLEDO] == ("red",)
    assert TOLEDO in after.sheet.sources(after.state)


def test_production_draws_nothing_where_no_town_is_left() -> None:
    made = sheet('production = "town"', "barbados")
    towns = dict(zip("ABCDE", made.board.towns, strict=False))
    assert len(towns) == len(made.board.towns)
    holder = {"action": "production"}
    state = position("goods_growth", sheet=made, seats=("blue", "green", "pink"), blue=holder, new_cities=towns)
    assert made.to_act(state) is None
    assert sum(state.bag.values()) == 25


def test_growth_dice() -> None:
    made = sheet("growth_dice = [1, 5]")
    assert made.growth_dice(position("goods_growth", sheet=made)) == (1, 5)
    assert "Dice of goods growth: 1 for the light half, 5 for the dark one." in said("growth_dice = [1, 5]")


@pytest.mark.parametrize(("table", "falls"), [("table", 4), ("fives", 4), ("none", 0)])
def test_income_reduction(table: str, falls: int) -> None:
    made = sheet(f'income_reduction = "{table}"')
    assert made.income_reduction(position("issue_shares", sheet=made), 21) == falls
    assert ("reduction_table" in [option.key for option in made.options()]) is (table == "table")


def test_reduction_doubled() -> None:
    made = sheet("reduction_doubled = [2, 3]")
    falls = [made.income_reduction(position("issue_shares", sheet=made, turn=turn), 21) for turn in (1, 2, 3, 4)]
    assert falls == [4, 8, 8, 4]
    assert "Turns 2 and 3: income reduction is doubled." in said("reduction_doubled = [2, 3]")


def test_expenses_add_turn() -> None:
    made = sheet("expenses_add_turn = true")
    state = position("issue_shares", sheet=made, turn=4, blue={"shares": 2, "engine": 1})
    assert made.expenses(state, "blue") == 2 + 1 + 4


def test_bankruptcy() -> None:
    made = sheet('bankruptcy = "never"')
    poor = position("collect_income", sheet=made, blue={"cash": 0, "income": 0, "shares": 9})
    after = enter(poor, "pay_expenses", rules=made)
    assert (after.players["blue"].income, after.players["blue"].out) == (0, 0)


def test_end() -> None:
    rules = 'end = "last player"\nexpenses_add_turn = true'
    made = sheet(rules)
    assert (made.turns(3), made.scored) == (None, False)
    assert not made.last_turn(position("goods_growth", sheet=made, turn=10))
    assert "The last player who is not bankrupt wins. There is no last turn and there are no points." in said(rules)


def test_points() -> None:
    made = sheet("points = { track = 2, dollars = 10 }")
    table = Table(position("issue_shares", sheet=made, blue={"cash": 39, "income": 5, "shares": 2}), sheet=made)
    link = Link((CHICAGO, DETROIT), "blue", id="x")
    assert dict(made.score(table.state, "blue", [link])) == {"income": 15, "track": 2, "shares": -6, "cash": 3}
    assert str(made.sums(table.state, "blue")["cash"]) == "$39 / 10, rounded down"


@pytest.mark.parametrize(("cube", "lying"), [("drawn", None), ("red", "red"), ("white", "white")])
def test_the_cube_of_towns(cube: str, lying: str | None) -> None:
    made = sheet(f'towns = {{ cube = "{cube}" }}')
    state = Table.deal(3, sheet=made).state
    cubes = {state.cubes[town] for town in made.board.towns}
    assert all(len(on_town) == 1 for on_town in cubes)
    assert lying is None or cubes == {(lying,)}
    piles = [*state.cubes.values(), *(filter(None, boxes) for boxes in state.display.values())]
    count = sum(state.bag.values()) + sum(len(tuple(pile)) for pile in piles)
    assert count == 96 + (len(made.board.towns) if cube == "white" else 0)


@pytest.mark.parametrize(("urbanized", "kept"), [("keep", ("red",)), ("bag", None)])
def test_what_a_new_city_does_with_the_cube_of_its_town(urbanized: str, kept: tuple[str, ...] | None) -> None:
    rules = f'towns = {{ cube = "red", urbanized = "{urbanized}" }}'
    table = at("build_track", rules, blue={"action": "urbanization"}, cubes={TOLEDO: "red"})
    table.play("blue", f"build city A {TOLEDO}")
    assert table.state.cubes.get(TOLEDO) == kept


def test_the_income_of_towns() -> None:
    made = sheet("towns = { income = 2 }")
    state = position("build_track", sheet=made, blue={"income": 3})
    first = made.on_placement(state, "blue", Placement(TOLEDO, "town_1", "", ((-1, 0),)))
    assert (first.state.players["blue"].income, first.events) == (5, (TownConnected("blue", TOLEDO, 5),))
    again = made.on_placement(state, "blue", Placement(TOLEDO, "town_1", "town_1", ((-1, 0),)))
    assert again.state == state


@pytest.mark.parametrize(("more", "income", "gains"), [(2, 5, {"blue": 3}), (-2, 5, {"blue": -1}), (-2, 0, {})])
def test_the_income_of_goods(more: int, income: int, gains: dict[str, int]) -> None:
    made = sheet(f"goods = {{ red = {{ income = {more} }} }}")
    state = position("move_goods", sheet=made, blue={"income": income})
    assert made.delivery_gains(state, "blue", delivered("red", "blue")) == gains
    assert made.delivery_gains(state, "blue", delivered("black", "blue")) == {"blue": 1}


def test_goods_that_leave() -> None:
    made = sheet("goods = { red = { leaves = true } }")
    state = position("move_goods", sheet=made, bag={"blue": 1})
    assert made.on_delivered(state, "blue", delivered("red", "blue")).state.gone == {"red": 1}
    assert made.on_delivered(state, "blue", delivered("blue", "blue")).state.bag == {"blue": 2}


def test_extra_cubes() -> None:
    rules = f'[[rules.cubes]]\nhex = "{CHICAGO}"\nturns = [1, 2]\n[[rules.cubes]]\nhex = "{DETROIT}"\ncolour = "black"'
    made = sheet(rules)
    for turn, cubes in ((1, (1, 1)), (3, (0, 1))):
        drawn: list[Draw] = [{"for": "extra", "cubes": ["red"]}] if turn == 1 else []
        rolls = [*drawn, *dice(6, 6, 6, dark=(6, 6, 6))]
        state = position("goods_growth", sheet=made, turn=turn, bag={"red": 1, "black": 1})
        table = Table(state, sheet=made, rolls=rolls).settle()
        assert tuple(len(table.state.cubes.get(city, ())) for city in (CHICAGO, DETROIT)) == cubes
    assert "Turns 1 to 2: Chicago receives one cube from the bag." in said(rules)
    assert "Detroit receives one black cube every turn. When the bag has none, none comes." in said(rules)


def test_terminals() -> None:
    """A tag of the board: a colour is drawn, and nothing passes through."""
    text = (MAPS / "rust_belt" / "board.toml").read_text("utf-8")
    text = text.replace('"L7", colours = ["red"], ', '"L7", colours = [], tags = ["terminal"], ')
    made = catalog.own("age-of-steam", text)
    assert isinstance(made, DataSheet)
    state = Table.deal(3, sheet=made).state
    assert set(state.accepts) == {CHICAGO}
    assert sum(state.gone.values()) == 1
    assert [made.passes(state, node, "red") for node in (CHICAGO, DETROIT)] == [False, True]


def test_links_that_belong_to_everybody_and_those_for_new_cities_only() -> None:
    text = (MAPS / "rust_belt" / "board.toml").read_text("utf-8")
    text += f'\n[connections]\n"1" = {{ name = "Bridge", joins = ["{CHICAGO}", "{DETROIT}"] }}\n'
    text += f'"2" = {{ name = "Quay", joins = ["{CHICAGO}", "{TOLEDO}"], price = 4, tags = ["new city only"] }}\n'
    made = catalog.own("age-of-steam", text)
    assert isinstance(made, DataSheet)
    assert dict(Table.deal(3, sheet=made).state.links) == {"1": None}
    table = Table(position("build_track", sheet=made), sheet=made)
    assert "is public" in table.refusal("blue", "build link Bridge").sentence()
    assert table.refusal("blue", "build link Quay").rule == "R133"
    read = " ".join(map(str, made.rule_texts()))
    assert "Special links can be built: Quay $4." in read
    assert "Only when its town is a New City: Quay." in read
    assert "Links that belong to everybody from the start: Bridge." in read
