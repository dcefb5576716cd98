"""The sheet that a command is asked for, and how many play it."""

from pbem.cli._terminal import Failure
from pbem.engine import catalog
from pbem.engine.sheet import Sheet

USUAL = 4
"""Players where nobody says how many, on maps that allow so many."""


def find(game: str, slug: str) -> Sheet:
    """The sheet of a game on a map. Raises :class:`Failure`."""
    try:
        return catalog.sheet(game, slug)
    except catalog.UnknownSheet as unknown:
        raise Failure(str(unknown), 2) from unknown


def players(sheet: Sheet, asked: int | None) -> int:
    """How many play: as asked, or as usual. Raises :class:`Failure` for a number the map does not allow."""
    counts = sheet.player_counts()
    number = (USUAL if USUAL in counts else counts[-1]) if asked is None else asked
    if number not in counts:
        raise Failure(f"{sheet.name} is played by {counted(sheet)}.", 2)
    return number


def counted(sheet: Sheet) -> str:
    """How many can play, in words."""
    first, last = sheet.player_counts()[0], sheet.player_counts()[-1]
    if first == last:
        return f"{first} player" if first == 1 else f"{first} players"
    return f"{first} to {last} players"
