"""What is told of a position and of a turn: marks, picture, position, events, words, and how orders are written."""

from collections import Counter

import pytest

from pbem.age_of_steam import words
from pbem.age_of_steam.events import ActionTaken
from pbem.age_of_steam.events_build import BuildEnded
from pbem.age_of_steam.events_goods import DiceRolled
from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine import catalog
from pbem.engine.events import Event
from pbem.language.voice import GameVoice
from tests.age_of_steam.table import RUST_BELT, Table, position, sheet_of
from tests.age_of_steam.test_move_goods import CHAIN
from tests.age_of_steam.typed_orders import VOCABULARY, bad
from tests.mail.game import SHEET, moments

# what is marked ----------------------------------------------------------------------------------------------


WAY = (("S10", 1, 4), ("R11", 1, 4))
"""From Evansville to Cincinnati."""


def marked(table: Table, seat: str, orders: str) -> dict[str, object]:
    """The marks that are not empty, without the figures in the table."""
    before = table.state
    table.play(seat, orders)
    marks = table.sheet.marks(before, table.state, table.events)
    names = ("laid", "route", "cube", "taken_from", "brought_to", "new_city", "special", "grown")
    return {name: getattr(marks, name) for name in names if getattr(marks, name)}


def test_a_link_that_was_bought_is_marked() -> None:
    detroit = sheet_of("detroit")
    table = Table(position(sheet=detroit), sheet=detroit)
    assert marked(table, "blue", "build link Midtown-Downtown") == {"special": "link:1"}


def test_a_new_city_is_marked() -> None:
    table = Table(position(blue={"action": "urbanization"}))
    assert marked(table, "blue", "build city A N5") == {"new_city": "N5"}


def test_every_tile_of_a_build_is_marked_by_itself() -> None:
    laid = marked(Table(position()), "blue", "build P3 NW-S; R3 N-S")
    assert laid == {"laid": ((("P3", 3, 5),), (("R3", 0, 3),))}


def test_a_delivery_is_marked_with_its_whole_way() -> None:
    table = Table(position("move_goods", track=CHAIN, cubes={"T9": "blue red"}))
    marks = marked(table, "blue", "move blue T9 > Q12")
    assert marks == {"cube": "blue", "taken_from": "T9", "brought_to": "Q12", "route": WAY}


def test_the_table_marks_the_figures_that_changed() -> None:
    table = Table(position())
    before = table.state
    table.play("blue", "build P3 NW-S")
    assert table.sheet.marks(before, table.state, table.events).cells == {("blue", "cash")}


# the picture -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", ["rust_belt", "germany", "finland", "heavy_cardboard"])
def test_terminals_zones_and_blocks_are_drawn_as_what_they_are(slug: str) -> None:
    """A terminal shows no cubes: none ever lie there."""
    sheet = sheet_of(slug)
    plates = sheet.scene(position(sheet=sheet)).cities
    special = {"terminal", "zone", "block"}
    wanted = Counter(next(iter(city.tags & special), "city") for city in sheet.board.cities.values())
    assert Counter(plate.kind for plate in plates) == wanted
    assert {plate.cubes is None for plate in plates if plate.kind == "terminal"} <= {True}
    assert {plate.cubes is None for plate in plates if plate.kind != "terminal"} == {False}


@pytest.mark.parametrize(("slug", "scored"), [("rust_belt", True), ("detroit", False)])
def test_the_picture_has_a_column_of_points_only_where_points_are_counted(slug: str, scored: bool) -> None:
    """Detroit counts turns, no points (its rules, 12)."""
    sheet = sheet_of(slug)
    columns = [key for key, _ in sheet.scene(position(sheet=sheet)).columns]
    assert columns == ["action", "cash", "income", "shares", "engine", *["points"] * scored]


def test_the_picture_shows_both_halves_of_the_display() -> None:
    """Section 8: every column of the display stands in the light half or in the dark one."""
    scene = sheet_of("rust_belt").scene(position())
    assert {row.chip[0] for row in scene.light} == {"L"}
    assert {row.chip[0] for row in scene.dark} == {"D"}


# the position ------------------------------------------------------------------------------------------------


def test_only_who_was_eliminated_is_out() -> None:
    """R66: ``out`` holds the turn of the elimination, 0 for whoever is in the game."""
    players = RUST_BELT.position(position(green={"out": 2}))["players"]
    assert {seat: player["out"] for seat, player in players.items()} == {"blue": False, "green": True, "yellow": False}


def test_a_map_that_deals_no_colours_to_places_does_not_speak_of_them() -> None:
    assert "accepts" not in RUST_BELT.position(position())


# events ------------------------------------------------------------------------------------------------------


def told(event: Event) -> str:
    return event.text().read(GameVoice(RUST_BELT, position(), {"blue": "Ana"}))


def test_an_action_that_changes_the_engine_says_what_it_pulls() -> None:
    assert told(ActionTaken("blue", "engineer")) == "Ana took Engineer."
    assert told(ActionTaken("blue", "locomotive", 2)) == "Ana took Locomotive; the engine pulls 2 links."
    assert told(ActionTaken("blue", "locomotive", 1)) == "Ana took Locomotive; the engine pulls 1 link."


def test_the_end_of_a_build_says_what_was_built_and_paid() -> None:
    assert told(BuildEnded("blue", 0, 0, 9)) == "Ana built no track."
    assert told(BuildEnded("blue", 1, 2, 7, ("S10",))) == "Ana built 1 tile for $2 (S10) and has $7."
    assert told(BuildEnded("blue", 2, 5, 4, ("S10", "R11"))) == "Ana built 2 tiles for $5 (S10 and R11) and has $4."
    assert told(BuildEnded("blue", 1, 5, 4)) == "Ana paid $5 and has $4."


def test_a_roll_says_for_which_half_of_the_display_it_is() -> None:
    assert told(DiceRolled("light", (3, 1))) == "Dice of the light half: 1 and 3."
    assert told(DiceRolled("dark", (2, 6))) == "Dice of the dark half: 2 and 6."


# words -------------------------------------------------------------------------------------------------------


SHEETS = [sheet for sheet in catalog.sheets() if isinstance(sheet, AgeOfSteam)]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.slug)
def test_phases_are_written_small_and_actions_with_capitals(sheet: AgeOfSteam) -> None:
    """As in the rulebook: select actions, but First Build. Its expenses are called bills everywhere here."""
    for phase in sheet.phases:
        assert sheet.word(phase.name) == phase.name.replace("_", " ").replace("expenses", "bills")
    for action in sheet.actions:
        assert sheet.word(action) == action.replace("-", " ").title()


def test_every_other_word_stands_for_itself() -> None:
    assert [SHEETS[0].word(word) for word in ("black", "none", "nobody")] == ["black", "none", "nobody"]


def test_the_money_of_a_player_is_what_the_table_says_and_takes_no_count_of_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = [(moment.state, SHEET.rows(moment.state)) for moment in moments()[::5]]
    monkeypatch.setattr(words, "points", None)
    for state, rows in tables:
        for row in rows:
            figures = SHEET.figures(state, row.seat)
            assert {"cash", "income", "bill", "engine"} <= figures.keys()
            assert figures.items() <= row.cells.items()
    state = tables[-1][0]
    gone = state.with_player(state.order[0], out=3)
    assert SHEET.figures(gone, state.order[0]) == {}


# how orders are written --------------------------------------------------------------------------------------


DELIVERY = "“move COLOUR FROM > NODE > NODE” and “move COLOUR FROM to NODE”"
USAGE = {
    "issue": "“issue N”",
    "shares": "“shares N”",
    "bid": "“bid N”, “bid max N” and “bid N max N then pass until N”",
    "drop": "“drop”",
    "action": "“action NAME > NAME”",
    "build": "“HEX SW-NE,N-S”",
    "done": "“done”",
    "move": DELIVERY,
    "loco": "“loco”",
    "pass": "“pass”",
    "produce": (
        "“produce decline”, “produce city CITY”, “produce N”, “produce TOWN”, “produce COLOUR>BOX COLOUR>BOX” and "
        "“produce COLOUR COLOUR”"
    ),
    "lift": "“lift COLOUR CITY > CITY”",
    "pay": "“pay”",
    "decline": "“decline”",
    "buyback": "“buyback”",
    "always": (
        "“always issue N”, “always bid max N”, “always auto-pass”, “always auto-loco”, “always pay” and "
        "“always decline”"
    ),
    "cancel": "“cancel”",
    "resign": "“resign”",
}
PARTS = {
    "move red L7 > H13 |": "“ORDER | ORDER”",
    "build max": (
        "“build STEP; STEP”, “HEX SW-NE,N-S”, “TOWN @SE,NW”, “city LETTER TOWN”, “link NAME-NAME”, “max N” and “more”"
    ),
    "build S10": "“HEX SW-NE,N-S”",
    "build Q10 @": "“HEX @SE,NW”",
    "build city": "“city LETTER TOWN”",
    "build city A Q10 keep": "“city LETTER NODE keep COLOUR COLOUR”, “keep all” and “keep none”",
    "build link": "“link NAME-NAME PRICE”",
    "build transcon": "“transcon PLAYER,PLAYER”",
}


@pytest.mark.parametrize("text", [*USAGE, *PARTS])
def test_an_order_that_goes_on_with_nonsense_is_answered_with_how_it_goes_on(text: str) -> None:
    assert str(bad(f"{text} ?").sentence()).partition(" Usage: ")[2] == f"{(USAGE | PARTS)[text]}."


def test_every_word_that_starts_an_order_says_how_it_goes_on() -> None:
    assert list(USAGE) == sorted(VOCABULARY.orders, key=list(USAGE).index)
