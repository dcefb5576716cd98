"""Random play on every map, with a referee after every order."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem import catalog
from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine.sheet import Sheet
from tests.clerk import Clerk
from tests.every_map.games import SENSE, deal, play, players_of
from tests.referee import Referee

QUICK_BASE, QUICK = 20, 2
"""Games of the quick run on the map without rules of its own, and on every other."""
SOAK = 200
RASH = 0.5
"""The sense of the players of every fifth game, who bid and issue shares without thinking."""


def play_through(sheet: Sheet, number: int) -> None:
    """One game to its end, every position checked, with a referee who knows the rules where there is one."""
    state = dealt = deal(sheet, number)
    referee, clerk = Referee(sheet, dealt) if isinstance(sheet, AgeOfSteam) else None, Clerk(sheet)
    for played in play(sheet, number, dealt, RASH if number % 5 == 4 else SENSE):
        state = played.step.state
        if referee is not None:
            referee.watch(played.seat, played.order, played.step)
        else:
            clerk.check(state)
    seats = players_of(sheet, number)
    assert {line.seat for line in sheet.standings(state)} >= set(seats)
    length, inside = sheet.turns(len(seats)), [line for line in sheet.standings(state) if not line.out]
    if isinstance(sheet, AgeOfSteam) and length is not None:
        assert sheet.turn(state) <= length
        assert len(inside) < 2 or sheet.turn(state) == length, "it ended before its last turn"


def _quick(sheet: Sheet) -> int:
    return QUICK_BASE if sheet.slug == "rust_belt" else QUICK


def games(first: Callable[[Sheet], int], last: Callable[[Sheet], int]) -> list[object]:
    """Every sheet with the numbers of its games."""
    return [
        pytest.param(sheet, number, id=f"{sheet.slug}-{number}")
        for sheet in catalog.sheets()
        for number in range(first(sheet), last(sheet))
    ]


@pytest.mark.parametrize(("sheet", "number"), games(lambda _: 0, _quick))
def test_random_play_reaches_the_end(sheet: Sheet, number: int) -> None:
    play_through(sheet, number)


@pytest.mark.slow
@pytest.mark.parametrize(("sheet", "number"), games(_quick, lambda _: SOAK))
def test_random_play_reaches_the_end_every_time(sheet: Sheet, number: int) -> None:
    play_through(sheet, number)
