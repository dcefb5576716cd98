"""The way of a special link over the board, and where its price or its owner's coin stands."""

from collections.abc import Callable, Iterable
from math import hypot

from pbem.rails.board import Label
from pbem.rails.scene import SpecialLink
from pbem.render.geometry import Curve, Lattice, Point, curve

DIRECT = (0.36, 0.64)
"""Which part of the line between two neighbouring places a direct link takes."""
ASIDE = (0.46, -0.46, 0.60, -0.60, 0.74, -0.74, 0.88, -0.88)
TAG_HALF, COIN_HALF = (0.40, 0.21), (0.25, 0.25)
"""Half the width and height of a price tag and of a coin, in hex radii."""

Box = tuple[float, float, float, float]
Centre = Callable[[Label], tuple[int, int]]


def span(lattice: Lattice, link: SpecialLink, centre: Centre) -> tuple[Curve, tuple[int, int]]:
    """The way of a link in px, and the place of the picture it is counted from."""
    if link.hex is not None and len(link.exits) == 2:
        return curve(lattice, *link.exits), centre(link.hex)
    (ax, ay), (bx, by) = (centre(label) for label in link.joins)
    origin = (ax + bx) // 2, (ay + by) // 2
    start, end = ((ax + (bx - ax) * share - origin[0], ay + (by - ay) * share - origin[1]) for share in DIRECT)
    return Curve((start, end), (0.0, hypot(end[0] - start[0], end[1] - start[1]))), origin


def tag_spot(lattice: Lattice, link: SpecialLink, centre: Centre, taken: Iterable[Box]) -> tuple[int, int]:
    """The middle of a price tag or coin: on the way of a ferry, beside a direct link where it covers least."""
    way, (x0, y0) = span(lattice, link, centre)
    (x, y), (ux, uy) = way.at(way.length / 2)
    if link.hex is not None:
        return round(x0 + x), round(y0 + y)
    boxes = list(taken)
    r = lattice.r
    ends: list[Point] = [(x0 + x - uy * off * r, y0 + y + ux * off * r) for off in ASIDE]
    best = min(ends, key=lambda end: (round(_covered(spot_box(lattice, link, end), boxes)), ends.index(end)))
    return round(best[0]), round(best[1])


def spot_box(lattice: Lattice, link: SpecialLink, spot: Point) -> Box:
    """What the tag or coin of a link covers whose middle is at a spot."""
    (x, y), (across, down) = spot, TAG_HALF if link.owner is None else COIN_HALF
    return x - across * lattice.r, y - down * lattice.r, x + across * lattice.r, y + down * lattice.r


def _covered(tag: Box, boxes: list[Box]) -> float:
    left, top, right, bottom = tag
    return sum(
        max(0.0, min(right, box[2]) - max(left, box[0])) * max(0.0, min(bottom, box[3]) - max(top, box[1]))
        for box in boxes
    )
