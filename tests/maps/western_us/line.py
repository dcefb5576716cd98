"""The line along the northern edge of the Western U.S., Seattle – Spokane – Fargo – Duluth, for the map's tests."""

from collections.abc import Sequence
from typing import Any

from maps.western_us.rules import Transcontinental, WesternUS
from pbem.engine import catalog, replace
from tests.age_of_steam.table import Table, building, position


def _west() -> WesternUS:
    sheet = catalog.sheet("age-of-steam", "western_us")
    assert isinstance(sheet, WesternUS)
    return sheet


WEST = _west()

ACROSS = {
    "F0": "{0} E-W",
    "H0": "{0} @W; {1} @E",
    **dict.fromkeys(("J0", "L0", "N0", "P0", "R0", "T0"), "{1} E-W"),
    "V0": "{1} @W; {2} @E",
    **dict.fromkeys(("X0", "Z0", "AB0"), "{2} E-W"),
}
"""Three links; ``{0}`` to ``{2}`` are their owners."""
EASTERN = {"V0": "blue @E", **dict.fromkeys(("X0", "Z0", "AB0"), "blue E-W")}
"""Blue's link from Fargo to Duluth alone: four points."""


def line(first: str, second: str, third: str, **changed: str) -> dict[str, str]:
    """The whole line with its owners; ``changed`` hexes replace those of the line, empty ones are left out."""
    track = {hex_: text.format(first, second, third) for hex_, text in ACROSS.items()} | changed
    return {hex_: text for hex_, text in track.items() if text}


def western(
    phase: str = "build_track", *, made: bool = False, added: Sequence[tuple[str, str]] = (), **given: Any
) -> Table:
    """A position; ``made``: East and West are joined; ``added``: track the builder has added in this turn."""
    state = replace(position(phase, sheet=WEST, **given), extra=Transcontinental(made=made))
    return Table(building(state, added=added, sheet=WEST) if added else state, sheet=WEST)
