"""Where the labels of hexes stand: in the emptiest of four corners, decided by the hex alone."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot, inf
from typing import NamedTuple

from pbem.rails.track import Segment
from pbem.render.geometry import Lattice, Point, curve
from pbem.render.type import CAP, width

SIZE, LEAST, CLOSE = 0.315, 14.0, 0.47
"""The type size in hex radii, the smallest in px, and at which share of the radius labels of two hexes meet."""
TRACK_ROOM, WALL_ROOM, RIVER_ROOM, RING_ROOM = 0.15, 0.13, 0.08, 0.22
BAND_ROOM, AMBER_ROOM = 0.33, 0.2
COIN_ROOM, CUBE_ROOM, NAME_COST = 0.25, 0.27, 2.0

PRICE_SLOTS = (
    (0.0, 0.58),
    (0.0, -0.58),
    (0.46, 0.0),
    (-0.46, 0.0),
    *((x, y) for y in (0.5, -0.5) for x in (0.3, -0.3)),
)
PRICE_LACK = 0.12
"""A boxed price is left out where it would come nearer to track than this allows, in hex radii."""

Box = tuple[float, float, float, float]
Spot = tuple[float, float, Box]
"""The middle of a label and the box of its letters, in px from the middle of its hex."""


class Surroundings(NamedTuple):
    """What a label has to keep clear of on its hex. Points are in px from the middle.

    ``banded``: pieces with an amber band; ``ringed``: edges behind which a City has an amber ring.
    """

    segments: tuple[Segment, ...] = ()
    walls: tuple[int, ...] = ()
    river: tuple[Point, ...] = ()
    town: bool = False
    city_above: bool = False
    coins: tuple[Point, ...] = ()
    cubes: tuple[Point, ...] = ()
    names: tuple[Box, ...] = ()
    banded: frozenset[tuple[int, int]] = frozenset()
    ringed: tuple[int, ...] = ()


def label_size(lattice: Lattice) -> float:
    least = min(LEAST, CLOSE * lattice.r) if lattice.legible else LEAST
    return round(max(least, SIZE * lattice.r), 1)


@lru_cache(maxsize=1500)
def label_spot(lattice: Lattice, text: str, around: Surroundings) -> Spot:
    """The middle of a label and the box of its letters, in px from the middle of its hex."""
    dx, dy = label_place(lattice, text, around)
    r = lattice.r
    left, top, right, bottom = label_box(lattice, (dx / r, dy / r), _wide(lattice, text))
    return dx, dy, (left * r, top * r, right * r, bottom * r)


def label_place(lattice: Lattice, text: str, around: Surroundings) -> Point:
    """The middle of a label in px from the middle of its hex."""
    wide = _wide(lattice, text)
    beside = sides(around)
    spots = list(_spots(lattice, around))
    best, least = (0.0, 0.0), inf
    for rank, slot in enumerate(_slots(lattice, wide)):
        own = 0.5 if rank == 0 and around.city_above else 0.1 * min(rank, 4)
        if own >= least:
            continue
        box = label_box(lattice, slot, wide)
        lack = [_lack(lattice, wide, rank, *side) for side in beside]
        lack += [max(0.0, room - distance(box, points)) for room, points in spots]
        cost = own + 10 * sum(lack)
        cost += sum(NAME_COST for name in around.names if _covers(name, box, lattice.r))
        if cost < least:
            best, least = slot, cost
    return lattice.px(best)


def _wide(lattice: Lattice, text: str) -> float:
    return width(text, "medium", label_size(lattice)) / lattice.r


@lru_cache(maxsize=256)
def price_place(lattice: Lattice, wide: float, high: float, segments: tuple[Segment, ...], town: bool) -> Point | None:
    """The middle of a boxed price of a size in px, counted from its hex; ``None`` where track leaves no room."""
    half_x, half_y = wide / 2 / lattice.r, high / 2 / lattice.r
    obstacles = [(TRACK_ROOM, way_points(lattice, True, segment.a, segment.b)) for segment in segments]
    obstacles += [(RING_ROOM, ((0.0, 0.0),))] if town else []
    best, least = None, PRICE_LACK
    for rank, (x, y) in enumerate(PRICE_SLOTS):
        box = (x - half_x, y - half_y, x + half_x, y + half_y)
        lack = sum(max(0.0, room - distance(box, points)) for room, points in obstacles)
        if lack + 0.001 * rank < least:
            best, least = (x, y), lack + 0.001 * rank
    return None if best is None else lattice.px(best)


def _slots(lattice: Lattice, wide: float) -> list[Point]:
    """Where a label may stand, in hex radii, the best first: corners, then beside the sides."""
    if lattice.flat:
        slots = [(-0.905 + wide / 2, 0.0), (0.905 - wide / 2, 0.0)]
        slots += [(x, y) for y in (-0.70, 0.70) for x in (-0.44 + wide / 2, 0.44 - wide / 2)]
        return slots + [(x, y) for y in (-0.30, 0.30) for x in (-0.75 + wide / 2, 0.75 - wide / 2)]
    slots = [(0.0, -0.745), (0.0, 0.745)]
    return slots + [(x, y) for y in (-0.42, 0.42, 0.0) for x in (-0.80 + wide / 2, 0.80 - wide / 2)]


Side = tuple[float, bool, int, int]
"""A clearance and what to keep it from: a piece of track by its ends, or a side of the hex by its corners."""


def sides(around: Surroundings) -> list[Side]:
    found: list[Side] = [
        (BAND_ROOM if segment.ends in around.banded else TRACK_ROOM, True, segment.a, segment.b)
        for segment in around.segments
    ]
    found += [(WALL_ROOM, False, edge - 1, edge) for edge in around.walls]
    found += [(AMBER_ROOM, False, edge - 1, edge) for edge in around.ringed]
    return found


@lru_cache(maxsize=4096)
def _lack(lattice: Lattice, wide: float, rank: int, room: float, track: bool, a: int, b: int) -> float:
    """How much a label in one of its slots lacks of its clearance from a side."""
    box = label_box(lattice, _slots(lattice, wide)[rank], wide)
    return max(0.0, room - distance(box, way_points(lattice, track, a, b)))


@lru_cache(maxsize=256)
def way_points(lattice: Lattice, track: bool, a: int, b: int) -> tuple[Point, ...]:
    """Points along a piece of track or a side, in hex radii."""
    corners = lattice.corners()
    way = curve(lattice, a, b).points if track else (corners[a], corners[b])
    return tuple((x / lattice.r, y / lattice.r) for x, y in _dense(way))


def _spots(lattice: Lattice, around: Surroundings) -> Iterator[tuple[float, list[Point]]]:
    """What else to keep clear of: the clearance and points, both in hex radii."""
    r = lattice.r

    def radii(points: Iterable[Point]) -> list[Point]:
        return [(x / r, y / r) for x, y in points]

    if around.river and not around.segments:
        yield RIVER_ROOM, radii(around.river)
    if around.coins:
        yield COIN_ROOM, radii(around.coins)
    if around.cubes:
        yield CUBE_ROOM, radii(around.cubes)
    if around.town:
        yield RING_ROOM, [(0.0, 0.0)]


def _covers(name: Box, box: Box, r: float) -> bool:
    """Whether a name (in px) covers a box (in hex radii)."""
    left, top, right, bottom = (side * r for side in box)
    return left < name[2] and right > name[0] and top < name[3] and bottom > name[1]


def label_box(lattice: Lattice, centre: Point, wide: float) -> Box:
    """The box of a label's letters, in hex radii."""
    high = CAP * label_size(lattice) / lattice.r
    x, y = centre
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def _dense(points: Sequence[Point]) -> list[Point]:
    """The way with a point every few px."""
    found = [points[0]]
    for (ax, ay), (bx, by) in pairwise(points):
        steps = max(1, int(hypot(bx - ax, by - ay) / 3))
        found += [(ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps) for i in range(1, steps + 1)]
    return found


def distance(box: Box, points: Iterable[Point]) -> float:
    """The least distance of a box from points, all in the same unit."""
    left, top, right, bottom = box
    return min(hypot(max(left - x, 0.0, x - right), max(top - y, 0.0, y - bottom)) for x, y in points)
