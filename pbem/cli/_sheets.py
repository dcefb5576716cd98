"""The sheet that a command is asked for, and how many play it."""

from pathlib import Path

from pbem.cli import _terminal
from pbem.cli._terminal import Failure
from pbem.engine import catalog
from pbem.engine.faults import BadDrawing
from pbem.engine.sheet import Sheet

USUAL = 4
"""Players where nobody says how many, on maps that allow so many."""


def find(game: str, slug: str) -> Sheet:
    """The sheet of a game on a map, by its name or by the folder in which its ``board.toml`` lies alone.

    Raises :class:`Failure`.
    """
    folder = Path(slug)
    if (folder / "board.toml").is_file():
        return _drawn(game, folder)
    try:
        return catalog.sheet(game, slug)
    except catalog.UnknownSheet as unknown:
        raise Failure(str(unknown), 2) from unknown


def _drawn(game: str, folder: Path) -> Sheet:
    if (folder / "rules.py").exists():
        raise Failure(f"{folder} has rules of its own: such a map is found where docs/extending.md says.", 2)
    try:
        return catalog.own(game, _terminal.text(folder / "board.toml"))
    except BadDrawing as bad:
        raise Failure(f"{folder}: {bad}", 2) from bad


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
