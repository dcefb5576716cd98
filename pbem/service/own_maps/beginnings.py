"""What a new map begins with: an empty drawing of some size."""

from itertools import product

from pbem.engine import say
from pbem.rails.drawing_text import written
from pbem.rails.sketch import SIZES
from pbem.service.base import BadInput, Problem

ORIENTATIONS = ("flat-top", "pointy-top")
PLAIN = "."


def empty(name: str, designer: str, provenance: str, columns: int, rows: int, orientation: str) -> str:
    """The text of a map of plains without a City. Raises :class:`BadInput`."""
    for field, number in (("columns", columns), ("rows", rows)):
        if number not in SIZES:
            sentence = say("A map has {a} to {b} hexes from side to side.", a=SIZES[0], b=SIZES[-1])
            raise BadInput(Problem(field, sentence))
    if orientation not in ORIENTATIONS:
        raise BadInput(Problem("orientation", say("Choose which way the hexes stand.")))
    return written(
        {
            "name": name,
            "designer": designer,
            "orientation": orientation,
            "provenance": provenance,
            "sketch": _sketch(columns, rows, flat=orientation == "flat-top"),
        }
    )


def _sketch(columns: int, rows: int, *, flat: bool) -> str:
    """Signs of a line stand four places apart where the hexes lie on their sides, else two; every second line or column
    is moved by half a hex."""
    wide, high = (2 * columns, 2 * rows) if flat else (2 * columns, rows)
    lines = [[" "] * wide for _ in range(high)]
    for column, row in product(range(columns), range(rows)):
        line, at = (2 * row + column % 2, 2 * column) if flat else (row, 2 * column + row % 2)
        lines[line][at] = PLAIN
    return "\n".join("".join(line).rstrip() for line in lines)
