"""The words of positions in emails, each of one meaning in its place; and the check, as ``docs/letters.md`` says."""

import json
import re
from collections.abc import Iterator
from hashlib import sha256

import pytest

from pbem.age_of_steam import position_text as age_of_steam
from pbem.age_of_steam import visit_lines
from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine import catalog, position_text
from pbem.engine.moves import SEATS
from pbem.language import current, languages, reading
from pbem.language.voice import READER
from pbem.rails import board_text, place_text, walks
from pbem.rails import position_text as rails
from pbem.rails.sheet import MapSheet
from pbem.steam_power import position_text as steam_power
from tests.every_map.games import deal
from tests.every_map.position_texts import names_of, text_of

SHEETS = [sheet for sheet in catalog.sheets() if isinstance(sheet, MapSheet)]
each_language = pytest.mark.parametrize("code", [language.code for language in languages()])


def kept_heads(sheet: MapSheet[object, object]) -> Iterator[str]:  # type: ignore[type-var]
    """What stands before the colons of the lines that the phases and the map keep."""
    for kept in (sheet.extra, *(phase.scratch for phase in sheet.phases)):
        yield from (line.head for line in kept.lines.values()) if kept else ()


PLACES = {
    "heads of sections": (
        rails.POSITION, rails.CHECK, age_of_steam.PLAYERS, age_of_steam.CITIES, age_of_steam.NEW_CITIES,
        age_of_steam.LAND, age_of_steam.BOX, steam_power.HAND, steam_power.COMPANIES, walks.TRACK,
    ),
    "clauses of a City": (
        board_text.TAKES, age_of_steam.DEALT, age_of_steam.CUBES, board_text.LIGHT, board_text.DARK,
    ),
    "clauses of a City of Steam Power": (steam_power.FACTORY, steam_power.CUBES, steam_power.USED_UP),
    "figures of a player": (*age_of_steam.FIGURES, age_of_steam.BILL, age_of_steam.POINTS, age_of_steam.OUT),
    "figures of Steam Power": (
        steam_power.CASH, steam_power.CONTRACTS, steam_power.TRAINS, steam_power.FACTORIES, steam_power.POINTS,
        steam_power.DONE,
    ),
    "steps of a walk": (walks.OPEN, walks.FERRY, walks.DIRECT, walks.PUBLIC),
    "a build under way": (visit_lines.OVER, visit_lines.ADDED, visit_lines.TURNED, visit_lines.PAID),
    "the box": (age_of_steam.BAG, age_of_steam.GONE),
    "the box of Steam Power": (
        steam_power.STOCK, steam_power.BAG, steam_power.LEFT_OVER, steam_power.COUNTERS, steam_power.TRAIN_BAG,
    ),
    "clauses of a printed City": (
        board_text.TAKES, board_text.START, board_text.LIGHT, board_text.DARK, *board_text.TAGS.values(),
    ),
    "clauses of a printed connection": (
        walks.FERRY, walks.DIRECT, walks.PUBLIC, board_text.AT, board_text.PRICE, *board_text.TAGS.values(),
    ),
    "what is printed on a hex": (
        board_text.CITY, board_text.TOWN, board_text.PRICE, board_text.LAND["plain"], *board_text.TAGS.values(),
    ),
    "clauses of a side": (place_text.SIDE, place_text.TRACK, place_text.NO_TRACK),
    "heads about a place": (place_text.BESIDE, place_text.LINKS, board_text.CONNECTIONS),
    "yes or no": (position_text.YES, position_text.NONE),
    **{
        f"the first section, {sheet.slug}": tuple(dict.fromkeys((
            rails.OPTIONS, age_of_steam.SEATED, steam_power.TO_ACT, steam_power.LEFT, steam_power.COMPANY,
            steam_power.KNOWN, *kept_heads(sheet),
        )))
        for sheet in SHEETS
    },
}  # fmt: skip
"""Words that can stand in one place; whoever reads one has to know which it is."""


@each_language
@pytest.mark.parametrize("place", PLACES)
def test_no_two_words_of_one_place_are_alike(place: str, code: str) -> None:
    with reading(code):
        said = [READER.fixed(word) for word in PLACES[place]]
    assert len(set(said)) == len(said)
    assert [(a, b) for a in said for b in said if a != b and f"{a} ".startswith(f"{b} ")] == []
    assert not [word for word in said if re.search(r";|\d$", word)]


WHOLE = {
    "kinds of hexes": (
        *board_text.LAND.values(), board_text.CITY, place_text.NEW_CITY, board_text.TOWN, place_text.OFF,
    ),
    "heads of a printed board": (*board_text.HEADS, rails.POSITION),
}  # fmt: skip
"""Words that stand alone in one place."""


@each_language
@pytest.mark.parametrize("place", WHOLE)
def test_no_two_words_that_stand_alone_are_alike(place: str, code: str) -> None:
    with reading(code):
        said = {READER.fixed(word) for word in WHOLE[place]}
    assert len(said) == len(WHOLE[place])
    assert not [word for word in said if re.search(r"[;:]|\d$", word)]


@each_language
@pytest.mark.parametrize("sheet", SHEETS, ids=[sheet.slug for sheet in SHEETS])
def test_no_two_colours_actions_or_phases_are_called_alike(sheet: MapSheet[object, object], code: str) -> None:  # type: ignore[type-var]
    actions = sheet.actions if isinstance(sheet, AgeOfSteam) else ()
    kinds = (SEATS, actions, tuple(phase.name for phase in sheet.phases))
    with reading(code):
        for kind in kinds:
            said = {current().word(sheet.word(word)) for word in kind}
            assert len(said) == len(kind)
            assert not [word for word in said if re.search(r"[,;:\d]", word)]


def test_no_place_is_called_in_a_way_that_could_be_misread() -> None:
    names = {name for sheet in SHEETS for name in sheet.place_names(deal(sheet, 1)).values()}
    assert not [name for name in names if re.search(r"[,;:]", name)]


def test_the_check_is_worked_out_as_the_page_says() -> None:
    for sheet in SHEETS:
        state = deal(sheet, 1)
        plain = json.loads(sheet.canonical(state))
        written = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        digest = sha256(written.encode()).hexdigest()
        assert text_of(sheet, state, names_of(state)).endswith(f"Check: {digest[:8]}")
