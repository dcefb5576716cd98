"""Where cubes lie that are not in a City: in the middle of their hex, or beside its track and town."""

from __future__ import annotations

from functools import lru_cache
from math import hypot

from pbem.rails.track import Segment
from pbem.render.geometry import Lattice, Point, curve, polar

CIRCLE, CUBE_SIDE = 0.50, 0.40
CLEAR = 0.36
"""From the axis of a piece of track to the middle of a cube that does not touch it."""


@lru_cache(maxsize=512)
def cube_places(lattice: Lattice, segments: tuple[Segment, ...], town: bool, count: int) -> tuple[Point, ...]:
    """As many places as there are cubes, in px from the middle of the hex."""
    if not segments and not town:
        step = 0.44
        return tuple(((i - (count - 1) / 2) * step * lattice.r, 0.0) for i in range(count))
    ring = [polar(CIRCLE, angle) for angle in (0, 180, *range(30, 180, 30), *range(210, 360, 30))]
    chosen: list[Point] = []
    for _ in range(count):
        best = max(ring, key=lambda place: (min(CLEAR, _room(lattice, place, segments, chosen)), -ring.index(place)))
        chosen.append(best)
    return tuple((x * lattice.r, y * lattice.r) for x, y in chosen)


def _room(lattice: Lattice, place: Point, segments: tuple[Segment, ...], chosen: list[Point]) -> float:
    """The distance of a place from all track of its hex, less where a cube lies already."""
    x, y = place
    found = [1.0]
    for segment in segments:
        way = curve(lattice, segment.a, segment.b)
        points = [way.at(way.length * i / 16)[0] for i in range(17)]
        found += [hypot(x - a / lattice.r, y - b / lattice.r) for a, b in points]
    found += [hypot(x - a, y - b) - 0.1 for a, b in chosen]
    return min(found)
