"""The hexes of Cities: enamel in the colours they accept, with an ink outline."""

from functools import lru_cache
from math import atan2, cos, degrees, radians

from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part, Point
from pbem.render.geometry import Lattice, polar
from pbem.render.land import draw_pattern

SCALE = 3
OUTLINE = 0.945
RING, RING_WIDTH = 0.84, 0.055


@lru_cache(maxsize=64)
def enamel(lattice: Lattice, kind: str, colours: tuple[str, ...]) -> Part:
    """The hex of a City: ink outline, its colours, the white ring of a New City."""
    width_, height = lattice.half
    canvas = Canvas(2 * width_, 2 * height, scale=SCALE)
    canvas.polygon(lattice.corners(1.0), p.INK)
    inner = lattice.corners(OUTLINE)
    if kind in ("terminal", "zone", "block") or not colours:
        ground = "block" if kind in ("city", "new") else kind
        canvas.polygon(inner, p.TERRAIN[ground].fill)
        draw_pattern(canvas, lattice, (0, 0), ground)
        # the pattern reaches the sides; the outline lies over it
        _ring(canvas, lattice, 1.0, OUTLINE, p.INK)
        if kind == "terminal":
            _ring(canvas, lattice, 0.80, 0.76, p.INK)
        return canvas.part()
    canvas.polygon(inner, p.GOODS[colours[0]].fill)
    if len(colours) == 2:
        _halves(canvas, lattice, colours)
    elif len(colours) > 2:
        _wedges(canvas, lattice, colours)
    if kind == "new":
        _ring(canvas, lattice, RING, RING - RING_WIDTH, p.WHITE)
    return canvas.part()


def _ring(canvas: Canvas, lattice: Lattice, outer: float, inner: float, colour: p.Colour) -> None:
    big, small = lattice.corners(outer), lattice.corners(inner)
    for i in range(6):
        canvas.polygon([big[i - 1], big[i], small[i], small[i - 1]], colour)


def _halves(canvas: Canvas, lattice: Lattice, colours: tuple[str, ...]) -> None:
    """The second colour fills the right half."""
    right = [(max(0.0, x), y) for x, y in lattice.corners(OUTLINE)]
    canvas.polygon(right, p.GOODS[colours[1]].fill)


def _wedges(canvas: Canvas, lattice: Lattice, colours: tuple[str, ...]) -> None:
    """Equal wedges from the top clockwise with white gaps, cut to the hex by its outline."""
    count = len(colours)
    for i, colour in enumerate(colours):
        angles = [-90 + 360 / count * (i + step / 8) for step in range(9)]
        rim = [_on_hex(lattice, angle) for angle in angles]
        corners = [c for c in lattice.corners(OUTLINE) if _between(c, angles[0], angles[-1])]
        outline = sorted([*rim, *corners], key=lambda point: _turn(point, angles[0]))
        canvas.polygon([(0, 0), *outline], p.GOODS[colour].fill)
    for i in range(count):
        canvas.line([(0, 0), _on_hex(lattice, -90 + 360 / count * i)], 0.045 * lattice.r, p.WHITE)


def _turn(point: Point, start: float) -> float:
    from_start = (_angle(point) - start) % 360
    return 0.0 if from_start > 359.9 else from_start


def _angle(point: Point) -> float:
    return degrees(atan2(point[1], point[0]))


def _between(point: Point, start: float, end: float) -> bool:
    return 0 < (_angle(point) - start) % 360 < end - start


def _on_hex(lattice: Lattice, angle: float) -> Point:
    """Where a ray from the middle meets the outline of the plate."""
    reach = 0.866 * OUTLINE
    best = min((lattice.bearing(edge) for edge in range(6)), key=lambda b: abs((angle - b + 180) % 360 - 180))
    return lattice.px(polar(reach / cos(radians(angle - best)), angle))


@lru_cache(maxsize=16)
def joined(lattice: Lattice, offsets: tuple[tuple[int, int], ...], colours: tuple[str, ...]) -> Part:
    """A City of several hexes as one shape: ink on its outside only, its inner sides as hairlines."""
    width, height = lattice.half
    reach = max(abs(x) for x, _ in offsets) + width, max(abs(y) for _, y in offsets) + height
    canvas = Canvas(2 * reach[0], 2 * reach[1], scale=3)
    fill = p.GOODS[colours[0]].fill if len(colours) == 1 else p.TERRAIN["block"].fill
    corners = lattice.corners()
    sides: dict[tuple[tuple[int, int], ...], int] = {}
    for x, y in offsets:
        hexagon = [(x + a, y + b) for a, b in corners]
        canvas.polygon(hexagon, fill)
        for i in range(6):
            ends = tuple(sorted((round(a), round(b)) for a, b in (hexagon[i - 1], hexagon[i])))
            sides[ends] = sides.get(ends, 0) + 1
    for outer in (False, True):
        for ends, count in sides.items():
            if outer and count == 1:
                canvas.stroke(ends, 0.09 * lattice.r, p.INK, round_ends=True)
            elif not outer and count > 1:
                canvas.line(ends, p.GRID_WIDTH * lattice.r, p.TERRAIN["block"].mark)
    return canvas.part()
