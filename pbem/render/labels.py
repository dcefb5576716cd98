"""Where the labels of hexes stand: in the emptiest of four corners, decided by the hex alone."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from pbem.rails.track import Segment
from pbem.render.geometry import Lattice, Point, curve
from pbem.render.type import CAP, width

SIZE, LEAST = 0.315, 14.0
TRACK_ROOM, WALL_ROOM, RIVER_ROOM, RING_ROOM = 0.15, 0.13, 0.08, 0.22
COIN_ROOM, CUBE_ROOM, NAME_COST = 0.25, 0.27, 0.2

Box = tuple[float, float, float, float]


class Surroundings(NamedTuple):
    """What a label has to keep clear of on its hex. Points are in px from the middle."""

    segments: tuple[Segment, ...] = ()
    walls: tuple[int, ...] = ()
    river: tuple[Point, ...] = ()
    town: bool = False
    city_above: bool = False
    coins: tuple[Point, ...] = ()
    cubes: tuple[Point, ...] = ()
    names: tuple[Box, ...] = ()


def label_size(lattice: Lattice) -> float:
    """The type size of labels in px."""
    return round(max(LEAST, SIZE * lattice.r), 1)


@lru_cache(maxsize=4096)
def label_place(lattice: Lattice, text: str, around: Surroundings) -> Point:
    """The middle of a label in px from the middle of its hex."""
    wide = width(text, "medium", label_size(lattice)) / lattice.r
    return lattice.px(min(_ranked(lattice, wide, around))[1])


def _ranked(lattice: Lattice, wide: float, around: Surroundings) -> list[tuple[float, Point]]:
    if lattice.flat:
        slots = [(-0.905 + wide / 2, 0.0), (0.905 - wide / 2, 0.0)]
        slots += [(x, y) for y in (-0.70, 0.70) for x in (-0.44 + wide / 2, 0.44 - wide / 2)]
        slots += [(x, y) for y in (-0.30, 0.30) for x in (-0.75 + wide / 2, 0.75 - wide / 2)]
    else:
        slots = [(0.0, -0.745), (0.0, 0.745)]
        slots += [(x, y) for y in (-0.42, 0.42, 0.0) for x in (-0.80 + wide / 2, 0.80 - wide / 2)]
    found = []
    for rank, (x, y) in enumerate(slots):
        cost = 0.1 * min(rank, 4) + 10 * _missing(lattice, label_box(lattice, (x, y), wide), around)
        if rank == 0 and around.city_above:
            cost += 0.5
        found.append((cost, (x, y)))
    return found


def label_box(lattice: Lattice, centre: Point, wide: float) -> Box:
    """The box of a label's letters, in hex radii."""
    high = CAP * label_size(lattice) / lattice.r
    x, y = centre
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def _missing(lattice: Lattice, box: Box, around: Surroundings) -> float:
    """What the box lacks of its clearances."""
    r = lattice.r
    missing = 0.0
    tracks = [curve(lattice, s.a, s.b).part(0, curve(lattice, s.a, s.b).length) for s in around.segments]
    for points in tracks:
        missing += max(0.0, TRACK_ROOM - distance(box, _dense(points), r))
    for edge in around.walls:
        corners = lattice.corners()
        missing += max(0.0, WALL_ROOM - distance(box, _dense([corners[edge - 1], corners[edge]]), r))
    if around.river and not tracks:
        missing += max(0.0, RIVER_ROOM - distance(box, list(around.river), r))
    if around.coins:
        missing += max(0.0, COIN_ROOM - distance(box, list(around.coins), r))
    for left, top, right, bottom in around.names:
        if box[0] * r < right and box[2] * r > left and box[1] * r < bottom and box[3] * r > top:
            missing += NAME_COST
    if around.cubes:
        missing += max(0.0, CUBE_ROOM - distance(box, list(around.cubes), r))
    if around.town:
        missing += max(0.0, RING_ROOM - distance(box, [(0.0, 0.0)], r))
    return missing


def _dense(points: list[Point]) -> list[Point]:
    """The way with a point every few px."""
    found = [points[0]]
    for (ax, ay), (bx, by) in pairwise(points):
        steps = max(1, int(hypot(bx - ax, by - ay) / 2))
        found += [(ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps) for i in range(1, steps + 1)]
    return found


def distance(box: Box, points: list[Point], unit: float) -> float:
    """The least distance of a box from points given in px of ``unit`` to one of the box's units."""
    left, top, right, bottom = box
    return min(
        hypot(max(left - x / unit, 0.0, x / unit - right), max(top - y / unit, 0.0, y / unit - bottom))
        for x, y in points
    )
