"""Directions and places on a hexagonal grid, as seen on the drawn board.

Edges are numbered 0 to 5 clockwise, opposite edge = +3. Flat-top boards: 0 is N; pointy-top boards: 0 is NE.
A hex is known by its label (``S10``): on flat-top boards the letters count half rows downwards and the number
counts columns; on pointy-top boards the letters count half columns to the right and the number counts rows.
"""

from math import sqrt

TOWN = -1
"""The end of a segment that lies in the town in the middle of its hex; ``@`` in the notation."""

OPPOSITE = (3, 4, 5, 0, 1, 2)
"""Per edge the same side of a hex seen from the neighbour."""

FLAT = ("N", "NE", "SE", "S", "SW", "NW")
POINTY = ("NE", "E", "SE", "SW", "W", "NW")

# steps (column, half row) on flat-top boards and (half column, row) on pointy-top boards
_FLAT_STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
_POINTY_STEPS = ((1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1))


def directions(orientation: str) -> tuple[str, ...]:
    """The names of edges 0 to 5 on a ``flat-top`` or ``pointy-top`` board."""
    return FLAT if orientation == "flat-top" else POINTY


def steps(orientation: str) -> tuple[tuple[int, int], ...]:
    """What one step across edge 0 to 5 adds to the grid position ``(x, y)`` of a hex."""
    return _FLAT_STEPS if orientation == "flat-top" else _POINTY_STEPS


def opposite(edge: int) -> int:
    """The same side of a hex seen from the neighbour."""
    return OPPOSITE[edge]


def centre(orientation: str, x: int, y: int) -> tuple[float, float]:
    """The centre of the hex at grid position ``(x, y)``, in hex radii, y downwards."""
    if orientation == "flat-top":
        return 1.5 * x, sqrt(3) / 2 * y
    return sqrt(3) / 2 * x, 1.5 * y


def letters(number: int) -> str:
    """0 → A, 25 → Z, 26 → AA: the letters of labels."""
    return chr(65 + number) if number < 26 else chr(64 + number // 26) + chr(65 + number % 26)


def grid_place(label: str, *, flat: bool) -> tuple[int, int]:
    """The column and the line of a hex in the sketch."""
    word = label.rstrip("0123456789")
    number, written = int(label[len(word) :]), ord(word[-1]) - 65 + 26 * (ord(word[0]) - 64) * (len(word) - 1)
    return (number, written) if flat else (written, number)


def label_at(x: int, y: int, *, flat: bool) -> str:
    """The hex in a column and a line of the sketch."""
    return f"{letters(y)}{x}" if flat else f"{letters(x)}{y}"
