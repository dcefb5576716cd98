"""The text of a position tells all of it, on every map and in every language, and nothing that is hidden."""

import re
from collections.abc import Iterator
from itertools import islice

import pytest

from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.engine.position_text import Misread
from pbem.engine.sheet import Sheet, State
from pbem.language.position_letters import read_letter
from tests.every_map.games import every_sheet, seed_of
from tests.every_map.position_texts import positions, text_of, the_text_tells_all

LOOKED_AT = 3
"""Of so many positions of a game one is read back in the quick run, all in the slow one."""
SLOW_GAMES = 4
"""Of every sheet and player count, by robots that think."""
LATE = 80
"""Orders after which there is something of everything on the table."""
TAMPERED = ("age-of-steam/finland", "age-of-steam/western_us", "steam-power/ireland")


def late(sheet: Sheet, players: int) -> State:
    *_, last = islice(positions(sheet, players, 1, thoughtful=False), LATE)
    return last


@pytest.mark.parametrize("sheet", every_sheet())
def test_every_position_of_a_game_can_be_read_back_from_its_text(sheet: Sheet) -> None:
    states = positions(sheet, sheet.player_counts()[-1], 1, thoughtful=False)
    the_text_tells_all(sheet, islice(states, None, None, LOOKED_AT))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(SLOW_GAMES))
@pytest.mark.parametrize("sheet", every_sheet())
def test_every_position_of_many_games_can_be_read_back_from_its_text(sheet: Sheet, number: int) -> None:
    for players in sheet.player_counts():
        the_text_tells_all(sheet, positions(sheet, players, number, thoughtful=True))


def changed(text: str) -> Iterator[str]:
    """The text with one value changed: a number, or a word of a list that becomes the word before it."""
    for found in re.finditer(r"\d+", text):
        yield f"{text[: found.start()]}{int(found[0]) + 1}{text[found.end() :]}"
    for found in re.finditer(r"\b(red|blue|black|white|Ana(?!,))\b", text):
        other = {"red": "blue", "Ana": "green"}.get(found[0], "red")
        yield f"{text[: found.start()]}{other}{text[found.end() :]}"


@pytest.mark.parametrize("name", TAMPERED)
def test_a_changed_value_is_noticed(name: str) -> None:
    game, slug = name.split("/")
    sheet = catalog.sheet(game, slug)
    state = late(sheet, 4)
    viewer, names = state.seats[0], dict(zip(state.seats, ("Ana", "Ben", "Eva", "Davi"), strict=True))
    text = text_of(sheet, state, names, viewer)
    assert read_letter(text, (sheet,))
    unnoticed = []
    for other in changed(text):
        try:
            read_letter(other, (sheet,))
        except Misread:
            continue
        unnoticed.append(other)
    assert unnoticed == []


@pytest.mark.parametrize("sheet", [sheet for sheet in catalog.sheets() if sheet.secret_draws])
def test_the_text_does_not_depend_on_what_its_reader_may_not_know(sheet: Sheet) -> None:
    state = late(sheet, sheet.player_counts()[-1])
    for viewer in ("", *state.seats):
        other = sheet.dealt_anew(state, viewer, SeededChance(seed_of(7), "other"))
        assert other != state
        assert sheet.words(other, viewer) == sheet.words(state, viewer)
