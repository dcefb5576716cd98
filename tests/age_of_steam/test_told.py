"""What is told of a position: picture, figures, words, and how orders are written."""

from collections import Counter

import pytest

from pbem.age_of_steam import words
from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine import catalog
from tests.age_of_steam.table import RUST_BELT, position, sheet_of
from tests.age_of_steam.typed_orders import VOCABULARY, bad
from tests.mail.game import SHEET, moments

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


def test_the_money_of_a_player_is_what_the_table_says(monkeypatch: pytest.MonkeyPatch) -> None:
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


DELIVERY = "“move COLOUR FROM > NODE > NODE”, “move COLOUR FROM by NODE, NODE to NODE” and “move COLOUR FROM to NODE”"
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
