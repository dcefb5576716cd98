"""Special links: ferries on their water hex and direct links between two neighbouring places."""

from __future__ import annotations

from functools import lru_cache
from math import hypot

from PIL import Image, ImageDraw

from pbem.rails.scene import SpecialLink
from pbem.rails.track import Segment
from pbem.render import palette as p
from pbem.render.canvas import Canvas, Point, paste
from pbem.render.geometry import Curve, Lattice, curve
from pbem.render.land import price_tag
from pbem.render.marks import coin
from pbem.render.places import Places
from pbem.render.track import PUBLIC_OWNER, draw_piece

RUNG_STEP, RUNG_LONG, RUNG_THICK = 0.20, 0.19, 0.10
DIRECT = (0.36, 0.64)


def draw_links(page: Image.Image, places: Places) -> None:
    """Rungs where a link can still be bought, track where somebody (or everybody) has it."""
    for link in places.scene.links:
        way, origin = _way(places, link)
        part = _picture(places.lattice, way, PUBLIC_OWNER if link.public else link.owner)
        paste(page, part, *origin)


def draw_tags(page: Image.Image, places: Places) -> None:
    """The price of a link that can be bought, the coin of its owner once it is."""
    r = places.lattice.r
    for link in places.scene.links:
        way, origin = _way(places, link)
        (x, y), direction = way.at(way.length / 2)
        if link.owner is not None:
            paste(page, coin(link.owner, round(p.COIN * r)), round(origin[0] + x), round(origin[1] + y))
        elif link.price is not None and not link.public:
            tag = price_tag(f"${link.price}", round(0.33 * r, 1))
            dx, dy = (0.0, 0.0) if link.hex is not None else _aside(places, link, direction)
            paste(page, tag, round(origin[0] + x + dx), round(origin[1] + y + dy))


def glow_link(page: Image.Image, places: Places, link: SpecialLink, width: float, colour: p.Colour) -> None:
    """The amber band under a link that was just bought."""
    way, origin = _way(places, link)
    draw = ImageDraw.Draw(page)
    points = [(origin[0] + x, origin[1] + y) for x, y in way.points]
    half = width * places.lattice.r / 2
    draw.line(points, fill=colour, width=round(2 * half), joint="curve")
    for x, y in (points[0], points[-1]):
        draw.ellipse((x - half, y - half, x + half, y + half), fill=colour)


def _way(places: Places, link: SpecialLink) -> tuple[Curve, tuple[int, int]]:
    """The way of a link in px from the place it is drawn around."""
    if link.hex is not None and len(link.exits) == 2:
        return curve(places.lattice, *link.exits), places.at(link.hex)
    (ax, ay), (bx, by) = (places.at(label) for label in link.joins)
    origin = (ax + bx) // 2, (ay + by) // 2
    start, end = ((ax + (bx - ax) * share - origin[0], ay + (by - ay) * share - origin[1]) for share in DIRECT)
    return Curve((start, end), (0.0, hypot(end[0] - start[0], end[1] - start[1]))), origin


def _aside(places: Places, link: SpecialLink, direction: Point) -> Point:
    """Along the common side, to the end where the tag covers least of signs and trays."""
    (ax, ay), (bx, by) = (places.at(label) for label in link.joins)
    x, y = (ax + bx) / 2, (ay + by) / 2
    r = places.lattice.r
    across, down = 0.42 * r, 0.22 * r
    ends = [(-direction[1] * off * r, direction[0] * off * r) for off in (0.46, -0.46, 0.60, -0.60, 0.74, -0.74)]

    def covered(end: Point) -> float:
        left, top, right, bottom = x + end[0] - across, y + end[1] - down, x + end[0] + across, y + end[1] + down
        return sum(
            max(0.0, min(right, box[2]) - max(left, box[0])) * max(0.0, min(bottom, box[3]) - max(top, box[1]))
            for box in places.sign_boxes
        )

    return min(ends, key=lambda end: (round(covered(end)), abs(end[0]) + abs(end[1])))


@lru_cache(maxsize=64)
def _picture(lattice: Lattice, way: Curve, owner: str | None) -> Image.Image:
    side = 2 * round(1.2 * lattice.r)
    canvas = Canvas(side, side, scale=4)
    if owner is not None:
        draw_piece(canvas, lattice, way, Segment(0, 3, owner))
        return canvas.done()
    r = lattice.r
    count = max(2, round(way.length / (RUNG_STEP * r)))
    for i in range(count):
        (x, y), direction = way.at(way.length * (i + 0.5) / count)
        _rung(canvas, (x, y), direction, r)
    return canvas.done()


def _rung(canvas: Canvas, centre: Point, direction: Point, r: float) -> None:
    x, y = centre
    ux, uy = direction
    for extra, colour in ((0.06, p.INK), (0.0, p.CARD)):
        half = (RUNG_LONG - 0.06 + extra) / 2 * r
        ends = [(x - uy * half, y + ux * half), (x + uy * half, y - ux * half)]
        canvas.stroke(ends, (RUNG_THICK - 0.02 + extra) * r, colour)
