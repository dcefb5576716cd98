"""What is laid over a board picture, in the picture's own coordinates: hexes to press, ghosts of track, routes."""

from collections.abc import Iterable

from pbem.rails.board import Label
from pbem.rails.hexes import TOWN
from pbem.render import MapGeometry

Ends = tuple[int, int]


def polygon(geometry: MapGeometry, label: Label) -> str:
    """The ``points`` of a hex."""
    return " ".join(f"{x},{y}" for x, y in geometry.polygon(label))


def track(geometry: MapGeometry, pieces: Iterable[tuple[Label, int, int]]) -> str:
    """The ``d`` of a path along pieces of track."""
    return "".join(_piece(geometry, label, a, b) for label, a, b in pieces)


def place(geometry: MapGeometry, labels: Iterable[Label]) -> str:
    """The classes that scroll the middle of hexes into view: where it lies in tenths of the board; empty without
    any hex of the board."""
    centres = [geometry.centre(label) for label in labels if label in geometry.centres]
    if not centres:
        return ""
    middle = (sum(along) / len(centres) for along in zip(*centres, strict=True))
    x, y = (
        max(1, min(9, round(10 * at / size)))
        for at, size in zip(middle, (geometry.width, geometry.height), strict=True)
    )
    return f"x{x} y{y}"


def _piece(geometry: MapGeometry, label: Label, a: int, b: int) -> str:
    (ax, ay), (bx, by) = geometry.side(label, a), geometry.side(label, b)
    if TOWN in (a, b) or (a - b) % 6 == 3:
        return f"M{ax:g} {ay:g}L{bx:g} {by:g}"
    if (b - a) % 6 in (1, 5):
        radius = geometry.radius / 2
        return f"M{ax:g} {ay:g}A{radius:.1f} {radius:.1f} 0 0 {0 if (b - a) % 6 == 1 else 1} {bx:g} {by:g}"
    x, y = geometry.centre(label)
    return f"M{ax:g} {ay:g}Q{x:g} {y:g} {bx:g} {by:g}"
