"""The sheet that a command is asked for, and how many play it."""

import re
from pathlib import Path

from pbem.cli import _terminal
from pbem.cli._terminal import Failure
from pbem.engine import Sheet, catalog
from pbem.engine.faults import BadDrawing

HASH = re.compile(r"(own-)?[0-9a-f]{8,16}")
"""The first digits of what an own map is known by."""
USUAL = 4
"""Players where nobody says how many, on maps that allow so many."""


def find(game: str, slug: str) -> Sheet:
    """The sheet of a game on a map, by its name, or by its ``board.toml`` or the folder in which that lies alone.

    Raises :class:`Failure`.
    """
    if (drawing := drawing_of(slug)) is not None:
        return _drawn(game, drawing)
    if HASH.fullmatch(slug):
        raise Failure(
            f"{slug} is a map of some server. There `pbem map show {slug} > board.toml` writes its drawing: name that "
            "file here.",
            2,
        )
    try:
        return catalog.sheet(game, slug)
    except catalog.UnknownSheet as unknown:
        raise Failure(str(unknown), 2) from unknown


def drawing_of(named: str) -> Path | None:
    """The ``board.toml`` that is named by itself or by its folder; ``None`` where neither is there."""
    path = Path(named)
    if path.suffix == ".toml" or (path.is_dir() and len(path.parts) > 1):
        return path / "board.toml" if path.is_dir() else path
    return path / "board.toml" if (path / "board.toml").is_file() else None


def _drawn(game: str, drawing: Path) -> Sheet:
    if (drawing.parent / "rules.py").exists():
        raise Failure(f"{drawing.parent} has rules of its own: such a map is found where docs/extending.md says.", 2)
    try:
        return catalog.own(game, _terminal.text(drawing))
    except BadDrawing as bad:
        raise Failure(f"{drawing}: {bad}", 2) from bad


def players(sheet: Sheet, asked: int | None) -> int:
    """How many play: as asked, or as usual. Raises :class:`Failure` for a number the map does not allow."""
    counts = sheet.player_counts()
    number = (USUAL if USUAL in counts else counts[-1]) if asked is None else asked
    if number not in counts:
        raise Failure(f"{sheet.name} is played by {counted(sheet)}.", 2)
    return number


def counted(sheet: Sheet) -> str:
    first, last = sheet.player_counts()[0], sheet.player_counts()[-1]
    if first == last:
        return f"{first} player" if first == 1 else f"{first} players"
    return f"{first} to {last} players"
