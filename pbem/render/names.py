"""Where the names of towns stand: the cheapest of some places around the ring, measured on a small raster.

The raster holds what a name should not cover, each with its weight. A name depends only on what lies near its
town, so it moves only when something next to it was built.
"""

from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from pbem.rails.track import Segment
from pbem.render.canvas import band
from pbem.render.geometry import Lattice, Point, curve
from pbem.render.type import halves, width

SIZE, LEAST, HALO = 0.355, 16.0, 0.055
RING = 0.26
FULL, LABEL, WATER = 240, 160, 80
"""Weights on the raster: everything else, hex labels (two thirds), rivers (one third)."""
CELLS = 16
REACH_X, REACH_Y = 3.4, 2.2

Box = tuple[float, float, float, float]


class Near(NamedTuple):
    """What lies near a town, in px from its middle; ``bare``: nothing stands there that the name must leave free."""

    tracks: tuple[tuple[int, int, Segment], ...] = ()
    cities: tuple[tuple[int, int], ...] = ()
    boxes: tuple[Box, ...] = ()
    labels: tuple[Box, ...] = ()
    discs: tuple[tuple[float, float, float], ...] = ()
    rivers: tuple[tuple[Point, ...], ...] = ()
    bare: bool = False


class Name(NamedTuple):
    """A town name: its lines and the middle of its box in px from the town, and the box."""

    lines: tuple[str, ...]
    x: float
    y: float
    box: Box


def name_size(lattice: Lattice) -> float:
    return round(max(LEAST, SIZE * lattice.r), 1)


def line_step(size: float) -> float:
    return round(1.02 * size)


@lru_cache(maxsize=200)
def place_name(lattice: Lattice, text: str, near: Near) -> Name:
    raster = _raster(lattice, near)
    best: tuple[float, Name] | None = None
    for lines, surcharge, wide, high in _ways(lattice, text):
        for x, y, own in [*_candidates(wide, high), *([(0.0, 0.0, -0.1)] if near.bare else [])]:
            box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
            cost = own + surcharge + 6 * _covered(raster, box)
            cost += 1.2 * (max(0.0, -1.15 - box[0]) + max(0.0, box[2] - 1.15))
            if best is None or cost < best[0] - 1e-9:
                r = lattice.r
                left, top, right, bottom = (edge * r for edge in box)
                best = cost, Name(lines, x * r, y * r, (left, top, right, bottom))
    if best is None:
        raise AssertionError("a name has candidates")
    return best[1]


@lru_cache(maxsize=512)
def reach(lattice: Lattice, text: str) -> Point:
    """How far from its town a name can stand, with all its letters and a cell of the raster more, in px."""
    ways = [
        (abs(x) + wide / 2, abs(y) + high / 2)
        for _, _, wide, high in _ways(lattice, text)
        for x, y, _ in _candidates(wide, high)
    ]
    return tuple((max(far) + 2 / CELLS) * lattice.r for far in zip(*ways, strict=True))


def _ways(lattice: Lattice, text: str) -> list[tuple[tuple[str, ...], float, float, float]]:
    """A name on one line and on two, with the cost, width and height of each in hex radii."""
    broken = halves(text) if len(text) > 7 else None
    size, r = name_size(lattice), lattice.r
    return [
        (
            lines,
            surcharge,
            max(width(line, "medium", size) for line in lines) / r,
            (0.86 * size + line_step(size) * (len(lines) - 1)) / r,
        )
        for lines, surcharge in [((text,), 0.0), *([(broken, 0.08)] if broken else [])]
    ]


def _candidates(wide: float, high: float) -> list[tuple[float, float, float]]:
    near = RING + high / 2 + 0.02
    aside = RING + wide / 2
    found = [(0.0, near, 0.0), (0.0, -near, 0.03)]
    found += [(x, y, own + 0.04) for x in (0.28, -0.28) for y, own in ((near, 0.0), (-near, 0.03))]
    found += [(x, 0.0, 0.23) for x in (aside, -aside)]
    found += [(x, y, 0.25) for x in (aside, -aside) for y in (-0.22, 0.22)]
    return [*found, (0.0, 0.87, 0.4), (0.0, -0.87, 0.4)]


def _raster(lattice: Lattice, near: Near) -> Image.Image:
    image = Image.new("L", (round(2 * REACH_X * CELLS), round(2 * REACH_Y * CELLS)))
    draw = ImageDraw.Draw(image)
    unit = CELLS / lattice.r

    def at(x: float, y: float) -> Point:
        return x * unit + REACH_X * CELLS, y * unit + REACH_Y * CELLS

    def box(sides: Box, fill: int) -> None:
        draw.rectangle((*at(sides[0], sides[1]), *at(sides[2], sides[3])), fill=fill)

    for river in near.rivers:
        draw.line([at(x, y) for x, y in river], fill=WATER, width=3)
    for sides in near.labels:
        box(sides, LABEL)
    for x, y, segment in near.tracks:
        way = curve(lattice, segment.a, segment.b).points
        outline = band([(x + a, y + b) for a, b in way], 0.15 * lattice.r)
        draw.polygon([at(a, b) for a, b in outline], fill=FULL)
    corners = lattice.corners(0.88)
    for x, y in near.cities:
        draw.polygon([at(x + a, y + b) for a, b in corners], fill=FULL)
    for sides in near.boxes:
        box(sides, FULL)
    for across, down, radius in near.discs:
        draw.ellipse((*at(across - radius, down - radius), *at(across + radius, down + radius)), fill=FULL)
    return image


def _covered(raster: Image.Image, box: Box) -> float:
    """The weighted area under a box, in squares of the hex radius."""
    left, top, right, bottom = box
    cells = (
        round((left + REACH_X) * CELLS),
        round((top + REACH_Y) * CELLS),
        round((right + REACH_X) * CELLS),
        round((bottom + REACH_Y) * CELLS),
    )
    counts = raster.crop(cells).histogram()
    return sum(weight * counts[weight] for weight in (FULL, LABEL, WATER)) / (FULL * CELLS * CELLS)
