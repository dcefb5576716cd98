"""Large labels of hexes: wherever there is room for them, a phone that shows the whole picture shows them legibly.

A label lies on the land like the names of a printed map: large and pale, clear of everything that stands there, and
over rivers and the marks of the land only where it has to. Where there is no room the small one of ``labels`` stands.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, hypot, sqrt
from typing import NamedTuple

from pbem.rails.board import Label
from pbem.render.geometry import MAP_WIDTH, Lattice, Point
from pbem.render.labels import (
    COIN_ROOM,
    CUBE_ROOM,
    RING_ROOM,
    RIVER_ROOM,
    Box,
    Spot,
    Surroundings,
    distance,
    sides,
    way_points,
)
from pbem.render.patterns import marks_of
from pbem.render.type import CAP, width

PHONE, LEGIBLE = 360, 6.0
"""Where a picture is shown so many px wide, capitals of the largest labels are so many px high."""
LARGEST = ceil(10 * LEGIBLE * MAP_WIDTH / PHONE / CAP) / 10
PALE = 28.0
SIZES = (LARGEST, PALE, 24.0)
"""Type sizes in px of a picture :data:`MAP_WIDTH` px wide, the better first. Labels smaller than ``PALE`` are dark."""
SMALL = 36
"""Hexes of a smaller radius in px are those of smaller pictures: nothing is read there, only seen."""
LATITUDES = (0.0, 0.15, 0.3, 0.42, 0.48, 0.56)
INSIDE = 0.985
"""The corners of a label stay within this share of its hex."""
WIDTHS = 4
"""Labels whose widths differ by less than this many px stand in the same places."""
SOFT = 10.0
"""What it costs to stand over a river or marks, more than any distance from the middle."""


class LargeSpot(NamedTuple):
    """The middle of a large label and the box of its letters, in px from the middle of its hex.

    ``over``: it covers a part of a river or of the marks of the land.
    """

    x: float
    y: float
    box: Box
    size: float
    over: bool


class PlacedLabel(NamedTuple):
    """A hex label with its middle and the box of its letters in px of the picture.

    ``large``: its type size, if there is room for a large one. ``over``: that one covers a part of the land's marks.
    """

    label: Label
    x: float
    y: float
    box: Box
    large: float = 0.0
    over: bool = False


def small_label(label: Label, spot: Spot, x: int, y: int) -> PlacedLabel:
    """The small label of a hex whose middle is at (x, y)."""
    dx, dy, (left, top, right, bottom) = spot
    return PlacedLabel(label, x + dx, y + dy, (x + left, y + top, x + right, y + bottom))


def placed_label(label: Label, spot: LargeSpot, x: int, y: int) -> PlacedLabel:
    """The label of a hex whose middle is at (x, y)."""
    left, top, right, bottom = spot.box
    box = left + x, top + y, right + x, bottom + y
    return PlacedLabel(label, x + spot.x, y + spot.y, box, spot.size, spot.over)


@lru_cache(maxsize=1500)
def large_spot(lattice: Lattice, text: str, terrain: str, around: Surroundings) -> LargeSpot | None:
    """Where a label is largest and clear of what is around it; ``None`` where only a small one is."""
    if lattice.r < SMALL:
        return None
    spots = (_spot(lattice, text, size, terrain, around) for size in SIZES)
    return next((spot for spot in spots if spot is not None), None)


def _spot(lattice: Lattice, text: str, size: float, terrain: str, around: Surroundings) -> LargeSpot | None:
    wide = WIDTHS * ceil(width(text, "medium", size) / WIDTHS)
    blocked = 0
    for side in sides(around):
        blocked |= _blocked(lattice, size, wide, *side)
    for number, x, y, over in _ranked(lattice, size, wide, terrain, around.river):
        if blocked >> number & 1:
            continue
        box = _box(lattice, size, wide, (x, y))
        if _clear(lattice, box, around):
            r = lattice.r
            left, top, right, bottom = box
            return LargeSpot(x * r, y * r, (left * r, top * r, right * r, bottom * r), size, over)
    return None


@lru_cache(maxsize=64)
def places(lattice: Lattice, size: float, wide: int) -> tuple[Point, ...]:
    """Where a label of a size and width in px fits into its hex, in hex radii, the nearest to the middle first."""
    half_x, half_y = wide / 2 / lattice.r, size * CAP / 2 / lattice.r
    found: list[Point] = []
    for latitude in LATITUDES:
        for y in {latitude, -latitude}:
            most = _room(lattice, abs(y) + half_y) - half_x
            if most >= 0:
                found += [(x, y) for x in {0.0, most / 2, -most / 2, most, -most}]
    return tuple(sorted(found, key=lambda place: (round(hypot(*place), 3), place[1], place[0])))


def _room(lattice: Lattice, y: float) -> float:
    """How far a hex reaches to each side so far above or below its middle, in radii; less than 0 outside it."""
    if lattice.flat:
        return INSIDE - y / sqrt(3) if y <= INSIDE * sqrt(3) / 2 else -1.0
    return min(INSIDE * sqrt(3) / 2, (INSIDE - y) * sqrt(3)) if y <= INSIDE else -1.0


@lru_cache(maxsize=1024)
def _blocked(lattice: Lattice, size: float, wide: int, room: float, track: bool, a: int, b: int) -> int:
    """The places that come too near to a piece of track or a side: a bit for each."""
    points = way_points(lattice, track, a, b)[::2]
    bits = 0
    for number, place in enumerate(places(lattice, size, wide)):
        if _near(_box(lattice, size, wide, place), points, room):
            bits |= 1 << number
    return bits


def _near(box: Box, points: Sequence[Point], room: float) -> bool:
    left, top, right, bottom = box
    for x, y in points:
        across = left - x if x < left else x - right if x > right else 0.0
        down = top - y if y < top else y - bottom if y > bottom else 0.0
        if across * across + down * down < room * room:
            return True
    return False


def _box(lattice: Lattice, size: float, wide: int, place: Point) -> Box:
    half_x, half_y = wide / 2 / lattice.r, size * CAP / 2 / lattice.r
    x, y = place
    return x - half_x, y - half_y, x + half_x, y + half_y


def _clear(lattice: Lattice, box: Box, around: Surroundings) -> bool:
    """Whether nothing that is put on the board stands where the label would."""
    r = lattice.r
    if around.town and distance(box, [(0.0, 0.0)]) < RING_ROOM:
        return False
    for room, points in ((COIN_ROOM, around.coins), (CUBE_ROOM, around.cubes)):
        if points and distance(box, [(x / r, y / r) for x, y in points]) < room:
            return False
    left, top, right, bottom = (side * r for side in box)
    return not any(left < name[2] and right > name[0] and top < name[3] and bottom > name[1] for name in around.names)


Ranked = tuple[tuple[int, float, float, bool], ...]
"""Places by their numbers, the best first, and whether they lie over something."""


@lru_cache(maxsize=400)
def _ranked(lattice: Lattice, size: float, wide: int, terrain: str, river: tuple[Point, ...]) -> Ranked:
    """The nearest to the middle first, but before those that lie over a river or marks of the land all others."""
    marks, r = marks_of(terrain, flat=lattice.flat), lattice.r
    water = [(x / r, y / r) for x, y in river]
    found = []
    for number, place in enumerate(places(lattice, size, wide)):
        box = _box(lattice, size, wide, place)
        over = sum(max(0.0, half - distance(box, [(x, y)])) for x, y, half in marks)
        if water:
            over += max(0.0, RIVER_ROOM + 0.02 - distance(box, water))
        found.append((round(hypot(*place), 3) + (SOFT * (1 + over) if over else 0.0), number, *place, over > 0))
    return tuple(one[1:] for one in sorted(found))
