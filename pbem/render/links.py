"""Special links: ferries on their water hex and direct links between two neighbouring places."""

from functools import lru_cache

from PIL import Image, ImageDraw

from pbem.rails.scene import SpecialLink
from pbem.rails.track import Segment
from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part, Point
from pbem.render.coins import span
from pbem.render.drawn import Drawn, packed
from pbem.render.geometry import Curve, Lattice
from pbem.render.land import price_size, price_tag
from pbem.render.places import Places
from pbem.render.signs import coin
from pbem.render.sketch import Sketch
from pbem.render.track import PUBLIC_OWNER, draw_piece
from pbem.render.type import Mask

RUNG_STEP, RUNG_LONG, RUNG_THICK = 0.20, 0.19, 0.10


def draw_links(page: Sketch, places: Places) -> None:
    for link in places.scene.links:
        way, origin = span(places.lattice, link, places.at)
        part = _picture(places.lattice, way, PUBLIC_OWNER if link.public else link.owner)
        page.lay(part, *origin)


def draw_tags(page: Sketch, places: Places) -> None:
    r = places.lattice.r
    for link in places.scene.links:
        if link.id not in places.tags:
            continue
        if link.owner is not None:
            page.lay(coin(link.owner, round(p.COIN * r)), *places.tags[link.id])
        else:
            page.lay(price_tag(f"${link.price}", price_size(places.lattice)), *places.tags[link.id])


def glow_link(page: Sketch, places: Places, link: SpecialLink, width: float, colour: p.Colour) -> None:
    way, origin = span(places.lattice, link, places.at)
    points = tuple((origin[0] + x, origin[1] + y) for x, y in way.points)
    cut = _band((page.width, page.height), points, width * places.lattice.r / 2)
    page.tint(cut, colour, cut.dx, cut.dy)


@lru_cache(maxsize=16)
def _band(size: tuple[int, int], points: tuple[Point, ...], half: float) -> Mask:
    """A band along points of a picture of a size, with round ends."""
    image = Image.new("L", size)
    draw = ImageDraw.Draw(image)
    draw.line(points, fill=255, width=round(2 * half), joint="curve")
    for x, y in (points[0], points[-1]):
        draw.ellipse((x - half, y - half, x + half, y + half), fill=255)
    box = image.getbbox() or (0, 0, 1, 1)
    return Mask(image.crop(box), *box[:2], Drawn("stroke", packed(points), 2 * half, round=True))


@lru_cache(maxsize=64)
def _picture(lattice: Lattice, way: Curve, owner: str | None) -> Part:
    side = 2 * round(1.2 * lattice.r)
    canvas = Canvas(side, side, scale=4)
    if owner is not None:
        draw_piece(canvas, lattice, way, Segment(0, 3, owner))
        return canvas.part()
    r = lattice.r
    count = max(2, round(way.length / (RUNG_STEP * r)))
    for i in range(count):
        (x, y), direction = way.at(way.length * (i + 0.5) / count)
        _rung(canvas, (x, y), direction, r)
    return canvas.part()


def _rung(canvas: Canvas, centre: Point, direction: Point, r: float) -> None:
    x, y = centre
    ux, uy = direction
    for extra, colour in ((0.06, p.INK), (0.0, p.CARD)):
        half = (RUNG_LONG - 0.06 + extra) / 2 * r
        ends = [(x - uy * half, y + ux * half), (x + uy * half, y - ux * half)]
        canvas.stroke(ends, (RUNG_THICK - 0.02 + extra) * r, colour)


WIDTH, EDGE = 0.125, 0.035
START, END = 0.16, 0.84
DOTS, DOT = 4, 0.052


def draw_bars(page: Sketch, places: Places) -> None:
    for bar in places.scene.bars:
        page.lay(_bar(places.lattice, bar.edge, bar.open), *places.at(bar.hex))


@lru_cache(maxsize=32)
def _bar(lattice: Lattice, edge: int, whole: bool) -> Part:
    width, height = lattice.half
    room = round(0.15 * lattice.r)
    canvas = Canvas(2 * (width + room), 2 * (height + room), scale=4)
    (ax, ay), (bx, by) = lattice.corners()[edge - 1], lattice.corners()[edge]

    def at(share: float) -> tuple[float, float]:
        return ax + (bx - ax) * share, ay + (by - ay) * share

    for extra, colour in ((2 * EDGE, p.INK), (0.0, p.WHITE)):
        if whole:
            canvas.stroke([at(START), at(END)], (WIDTH + extra) * lattice.r, colour, round_ends=True)
        else:
            for i in range(DOTS):
                share = START + (END - START) * (i + 0.5) / DOTS
                canvas.disc(at(share), (DOT + extra / 2) * lattice.r, colour)
    return canvas.part()


@lru_cache(maxsize=1)
def bar_sign() -> Part:
    canvas = Canvas(40, 30, scale=4)
    for half, thick, colour in ((13.0, 12.0, p.INK), (13.0, 8.0, p.WHITE)):
        canvas.stroke([(-half, 0), (half, 0)], thick, colour, round_ends=True)
    return canvas.part()
