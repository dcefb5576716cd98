"""The text of a position tells all of it, on every map and in every language, and nothing that is hidden."""

import random
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import cycle, islice

import pytest

from pbem.engine import Sheet, State, catalog
from pbem.engine.chance import SeededChance
from pbem.engine.moves import SEATS
from pbem.engine.position_text import Misread
from pbem.language import reading
from pbem.language.position_letters import read_letter
from pbem.language.voice import GameVoice
from pbem.rails.sheet import MapSheet
from tests.every_map.games import every_sheet, seed_of
from tests.every_map.position_texts import LANGUAGES, check_read_back, positions, text_of

LOOKED_AT = 3
"""Of so many positions of a game one is read back in the quick run, all in the slow one."""
SLOW_GAMES = 4
"""Of every sheet and player count, by robots that think."""
LATE = 80
"""Orders after which there is something of everything on the table."""
CHANGED = 20
"""Values of a text that are changed in the quick run, one at a time."""
PEOPLE = ("Ana", "Ben", "Eva", "Davi", "Finn", "Gus")
COLOURS = tuple(sorted({*SEATS, "red", "purple", "black", "white"}))
SPOILING = (":", "; ", ", ", " 999999", " -1", ", red 99999", " (K9)", ": x: y", "\x00", "…")
SPOILED = ("age-of-steam/finland", "age-of-steam/western_us", "steam-power/ireland")


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


def in_each_phase(sheet: Sheet) -> list[State]:
    """The latest of the first positions of a game in every phase."""
    states = islice(positions(sheet, sheet.player_counts()[-1], 1, thoughtful=False), LATE)
    return list({sheet.phase(state): state for state in states}.values())


def changed(text: str, kinds: Sequence[Collection[str]], luck: random.Random) -> list[str]:
    """The text with one value changed, once for each of its values: a number, or a word to another of its kind.

    What a player is called is told once, at the beginning of a line, and can be anything there.
    """
    kind_of = {word: sorted(kind) for kind in kinds for word in kind}
    words = "|".join(map(re.escape, sorted(kind_of, key=len, reverse=True)))
    texts = []
    for value in re.finditer(rf"(?<!\w)(?!(?<=\n)(?:{'|'.join(PEOPLE)}), )(?:{words})(?!\w)|-?\d+", text):
        others = kind_of[value[0]] if value[0] in kind_of else [str(int(value[0]) + n) for n in (-1, 1, 9)]
        other = luck.choice([word for word in others if word != value[0]])
        texts.append(f"{text[: value.start()]}{other}{text[value.end() :]}")
    return texts


def check_changes(sheet: Sheet, most: int) -> None:
    """Of ``most`` changes of a position in every phase each is noticed."""
    assert isinstance(sheet, MapSheet)
    luck = random.Random(sheet.full_name)
    for state, code in zip(in_each_phase(sheet), cycle(LANGUAGES), strict=False):
        names = dict(zip(state.seats, PEOPLE, strict=False))
        with reading(code):
            text = text_of(sheet, state, names, luck.choice(state.seats))
            voice = GameVoice(sheet, state, names)
            colours, places = set(map(voice.word, COLOURS)), set(sheet.place_names(state).values())
            texts = changed(text, (colours, places, sheet.board.hexes, PEOPLE), luck)
        assert read_letter(text, (sheet,))
        for other in luck.sample(texts, min(most, len(texts))):
            with pytest.raises(Misread):
                read_letter(other, (sheet,))


@pytest.mark.parametrize("sheet", every_sheet())
def test_a_changed_value_is_noticed(sheet: Sheet) -> None:
    check_changes(sheet, CHANGED)


@pytest.mark.slow
@pytest.mark.parametrize("sheet", every_sheet())
def test_every_changed_value_is_noticed(sheet: Sheet) -> None:
    check_changes(sheet, sys.maxsize)


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


@pytest.mark.parametrize("name", SPOILED)
def test_spoiled_text_is_no_position_or_the_same_one(name: str) -> None:
    game, slug = name.split("/")
    sheet = catalog.sheet(game, slug)
    state = late(sheet, 4)
    names = dict(zip(state.seats, PEOPLE, strict=False))
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
