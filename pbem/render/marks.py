"""The symbols of the players: a coin on track and in tables, and the same coin as SVG for pages."""

from functools import lru_cache
from math import cos, radians, sin
from typing import NamedTuple

from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part, Point
from pbem.render.palette import Livery


class Shape(NamedTuple):
    """A part of a symbol in a circle of radius 1: ``area`` (outline), ``disc`` or ``ring`` (radius, width)."""

    kind: str
    points: tuple[Point, ...] = ()
    radius: float = 0.0
    width: float = 0.0


def _area(*points: Point) -> Shape:
    return Shape("area", points)


def _bar(y: float) -> Shape:
    return _area((-0.6, y - 0.16), (0.6, y - 0.16), (0.6, y + 0.16), (-0.6, y + 0.16))


def _rod(angle: float, length: float, half: float) -> Shape:
    c, s = cos(radians(angle)), sin(radians(angle))
    corners = ((-length, -half), (length, -half), (length, half), (-length, half))
    return _area(*((x * c - y * s, x * s + y * c) for x, y in corners))


def _star() -> Shape:
    return _area(
        *((r * cos(radians(36 * i - 90)), r * sin(radians(36 * i - 90))) for i, r in enumerate((0.76, 0.34) * 5))
    )


def _half() -> Shape:
    return _area(*((0.7 * cos(radians(t)), 0.22 + 0.7 * sin(radians(t))) for t in range(180, 361, 12)))


SYMBOLS: dict[str, tuple[Shape, ...]] = {
    "disc": (Shape("disc", radius=0.52),),
    "square": (_area((-0.48, -0.48), (0.48, -0.48), (0.48, 0.48), (-0.48, 0.48)),),
    "up": (_area((0, -0.66), (0.66, 0.44), (-0.66, 0.44)),),
    "diamond": (_area((0, -0.68), (0.64, 0), (0, 0.68), (-0.64, 0)),),
    "star": (_star(),),
    "plus": (_rod(0, 0.66, 0.2), _rod(90, 0.66, 0.2)),
    "bars": (_bar(-0.29), _bar(0.29)),
    "ring": (Shape("ring", radius=0.48, width=0.27),),
    "down": (_area((0, 0.66), (0.66, -0.44), (-0.66, -0.44)),),
    "cross": (_rod(45, 0.66, 0.18), _rod(-45, 0.66, 0.18)),
    "half": (_half(),),
}
"""Every symbol by its name in ``palette.PLAYERS``, in radii of the coin's coloured area."""


@lru_cache(maxsize=64)
def coin(seat: str, diameter: int) -> Part:
    """The coin of a seat, ``diameter`` px without its halo."""
    side = diameter + 4
    canvas = Canvas(side, side, scale=6)
    draw_coin(canvas, (0, 0), diameter, seat)
    return canvas.part()


def draw_coin(canvas: Canvas, centre: Point, diameter: float, seat: str) -> None:
    """A coin on a canvas, ``diameter`` px without its halo."""
    livery = p.PLAYERS[seat]
    radius = diameter / 2
    ring = max(1.0, 0.09 * radius)
    canvas.disc(centre, radius + 1.1, p.HALO)
    canvas.disc(centre, radius, p.INK)
    canvas.disc(centre, radius - ring, livery.core)
    _draw(canvas, centre, livery, radius - ring)


def _draw(canvas: Canvas, centre: Point, livery: Livery, unit: float) -> None:
    x0, y0 = centre
    for shape in SYMBOLS[livery.symbol]:
        match shape.kind:
            case "area":
                canvas.polygon([(x0 + x * unit, y0 + y * unit) for x, y in shape.points], livery.on)
            case "disc":
                canvas.disc(centre, shape.radius * unit, livery.on)
            case _:
                canvas.disc(centre, (shape.radius + shape.width / 2) * unit, livery.on)
                canvas.disc(centre, (shape.radius - shape.width / 2) * unit, livery.core)


def mark_svg(seat: str) -> str:
    """The coin of a seat as an SVG document of 20 x 20. Raises ``KeyError`` for a colour nobody plays."""
    livery = p.PLAYERS[seat]
    parts = [
        f'<circle cx="10" cy="10" r="{radius}" fill="{p.code(colour)}"/>'
        for radius, colour in ((9.9, p.HALO), (9.1, p.INK), (8.1, livery.core))
    ]
    parts += [_svg(shape, 8.1, p.code(livery.on)) for shape in SYMBOLS[livery.symbol]]
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" viewBox="0 0 20 20">'
    return f"{head}{''.join(parts)}</svg>"


def _svg(shape: Shape, unit: float, fill: str) -> str:
    match shape.kind:
        case "area":
            points = " ".join(f"{10 + x * unit:.1f},{10 + y * unit:.1f}" for x, y in shape.points)
            return f'<polygon points="{points}" fill="{fill}"/>'
        case "disc":
            return f'<circle cx="10" cy="10" r="{shape.radius * unit:.1f}" fill="{fill}"/>'
        case _:
            return (
                f'<circle cx="10" cy="10" r="{shape.radius * unit:.1f}" fill="none" '
                f'stroke="{fill}" stroke-width="{shape.width * unit:.1f}"/>'
            )
