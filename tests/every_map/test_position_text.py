"""The text of a position tells all of it, on every map and in every language, and nothing that is hidden."""

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

import pytest

from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.engine.position_text import Misread
from pbem.engine.sheet import Sheet, State
from pbem.language.position_letters import read_letter
from tests.every_map.games import every_sheet, seed_of
from tests.every_map.position_texts import check_read_back, positions, text_of

LOOKED_AT = 3
"""Of so many positions of a game one is read back in the quick run, all in the slow one."""
SLOW_GAMES = 4
"""Of every sheet and player count, by robots that think."""
LATE = 80
"""Orders after which there is something of everything on the table."""
SPOILING = (":", "; ", ", ", " 999999", " -1", ", red 99999", " (K9)", ": x: y", "\x00", "…")
TAMPERED = ("age-of-steam/finland", "age-of-steam/western_us", "steam-power/ireland")


def late(sheet: Sheet, players: int) -> State:
    *_, last = islice(positions(sheet, players, 1, thoughtful=False), LATE)
    return last


@pytest.mark.parametrize("sheet", every_sheet())
def test_every_position_of_a_game_can_be_read_back_from_its_text(sheet: Sheet) -> None:
    states = positions(sheet, sheet.player_counts()[-1], 1, thoughtful=False)
    check_read_back(sheet, islice(states, None, None, LOOKED_AT))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(SLOW_GAMES))
@pytest.mark.parametrize("sheet", every_sheet())
def test_every_position_of_many_games_can_be_read_back_from_its_text(sheet: Sheet, number: int) -> None:
    for players in sheet.player_counts():
        check_read_back(sheet, positions(sheet, players, number, thoughtful=True))


def changed(text: str) -> Iterator[str]:
    """The text with one value changed: a number, or a word of a list that becomes the word before it."""
    for value in re.finditer(r"\d+", text):
        yield f"{text[: value.start()]}{int(value[0]) + 1}{text[value.end() :]}"
    for value in re.finditer(r"\b(red|blue|black|white|Ana(?!,))\b", text):
        other = {"red": "blue", "Ana": "green"}.get(value[0], "red")
        yield f"{text[: value.start()]}{other}{text[value.end() :]}"


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


def spoiled(text: str, luck: random.Random) -> Iterator[str]:
    """The text with lines left out, written twice, exchanged, cut off or ending in something else."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        other = luck.randrange(len(lines))
        yield "\n".join(lines[:at] + lines[at + 1 :])
        yield "\n".join([*lines[:at], line, *lines[at:]])
        yield "\n".join([*lines[:at], lines[other], *lines[at + 1 :]])
        yield "\n".join([*lines[:at], line[: luck.randrange(len(line) + 1)], *lines[at + 1 :]])
        yield "\n".join([*lines[:at], f"{line}{luck.choice(SPOILING)}", *lines[at + 1 :]])


@pytest.mark.parametrize("name", TAMPERED)
def test_spoiled_text_is_no_position_or_the_same_one(name: str) -> None:
    game, slug = name.split("/")
    sheet = catalog.sheet(game, slug)
    state = late(sheet, 4)
    names = dict(zip(state.seats, ("Ana", "Ben", "Eva", "Davi"), strict=True))
    text = text_of(sheet, state, names, state.seats[0])
    for other in spoiled(text, random.Random(1)):
        with suppress(Misread):
            position = read_letter(other, (sheet,)).position
            assert sheet.canonical(position.state, position.viewer) == sheet.canonical(state, state.seats[0])


@pytest.mark.parametrize("sheet", [sheet for sheet in catalog.sheets() if sheet.secret_draws])
def test_the_text_does_not_depend_on_what_its_reader_may_not_know(sheet: Sheet) -> None:
    state = late(sheet, sheet.player_counts()[-1])
    for viewer in ("", *state.seats):
        other = sheet.dealt_anew(state, viewer, SeededChance(seed_of(7), "other"))
        assert other != state
        assert sheet.words(other, viewer) == sheet.words(state, viewer)
