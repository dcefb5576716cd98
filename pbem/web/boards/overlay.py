"""What is laid over a board picture, in the picture's own coordinates: hexes to press, ghosts of track, routes."""

from __future__ import annotations

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


def column(geometry: MapGeometry, label: Label) -> int:
    """Where a hex lies from left (1) to right (20), for the class that scrolls it into view."""
    return max(1, min(20, round(20 * geometry.centre(label)[0] / geometry.width)))


def _piece(geometry: MapGeometry, label: Label, a: int, b: int) -> str:
    (ax, ay), (bx, by) = geometry.side(label, a), geometry.side(label, b)
    if TOWN in (a, b) or (a - b) % 6 == 3:
        return f"M{ax:g} {ay:g}L{bx:g} {by:g}"
    if (b - a) % 6 in (1, 5):
        radius = geometry.radius / 2
        return f"M{ax:g} {ay:g}A{radius:.1f} {radius:.1f} 0 0 {0 if (b - a) % 6 == 1 else 1} {bx:g} {by:g}"
    x, y = geometry.centre(label)
    return f"M{ax:g} {ay:g}Q{x:g} {y:g} {bx:g} {by:g}"
