"""Random play ends on every map with every number of players; a referee looks at it after every order.

``make soak`` plays a thousand games for each, :mod:`tests.every_map.soak`; here each has one of every kind of player.
"""

import pytest

from pbem.engine import catalog
from pbem.engine.sheet import Sheet
from tests.every_map.watched import QUICK, watch

THINKING, RASH, THRIFTY = 0, 1, 3
"""Games by the kind of their players (:func:`tests.every_map.watched.watch`).

One thoughtful game costs more than all hasty ones together: each sheet has it once, with as many players as it
takes, for the longest lists; `make soak` plays it with every number of players."""


def tables() -> list[object]:
    """Every sheet with every player count."""
    return [
        pytest.param(sheet, players, id=f"{sheet.slug}-{players}")
        for sheet in catalog.sheets()
        for players in sheet.player_counts()
    ]


@pytest.mark.parametrize(("sheet", "players"), tables())
def test_random_play_reaches_the_end(sheet: Sheet, players: int) -> None:
    for number in (THINKING, RASH, THRIFTY):
        if number == THINKING and players != max(sheet.player_counts()):
            continue
        try:
            watch(sheet, players, number, QUICK)
        except Exception as fault:
            fault.add_note(f"in game {number} of {sheet.name} with {players} players")
            raise
