"""Where the labels of hexes stand: in the emptiest of four corners, decided by the hex alone."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, hypot, inf, sqrt
from typing import NamedTuple

from pbem.rails.board import Label
from pbem.rails.track import Segment
from pbem.render.geometry import MAP_WIDTH, Lattice, Point, curve
from pbem.render.land import marks_of
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
    dx, dy, (left, top, right, bottom) = spot
    return PlacedLabel(label, x + dx, y + dy, (x + left, y + top, x + right, y + bottom))


def placed_label(label: Label, spot: LargeSpot, x: int, y: int) -> PlacedLabel:
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
