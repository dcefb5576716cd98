"""Small signs: cubes, dice chips, hexagons of New Cities, discs and pills of colours. Sizes are in px."""

from functools import lru_cache
from math import cos, radians, sin
from typing import NamedTuple

from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part, Point
from pbem.render.geometry import polar
from pbem.render.palette import Colour, Livery
from pbem.render.type import width


def draw_cube(canvas: Canvas, centre: Point, side: float, colour: str) -> None:
    good = p.GOODS[colour]
    x, y = centre
    half = side / 2
    inner = half - max(0.9, 0.065 * side)
    canvas.box((x - half, y - half, x + half, y + half), 0.22 * side, good.edge)
    canvas.box((x - inner, y - inner, x + inner, y + inner), 0.17 * side, good.fill)
    canvas.text(centre, good.letter, "bold", 0.80 * side, good.on)


def draw_chip(canvas: Canvas, centre: Point, height: float, text: str, *, dark: bool) -> None:
    """The die of a half: white with ink for the light half, the other way round for the dark."""
    half, across = height / 2, chip_width(height, text) / 2
    x, y = centre
    line = max(1.0, 0.08 * height)
    outer, inner, letter = (p.WHITE, p.DIE_DARK, p.WHITE) if dark else (p.DIE_DARK, p.WHITE, p.INK)
    canvas.box((x - across, y - half, x + across, y + half), 0.24 * height, outer)
    canvas.box((x - across + line, y - half + line, x + across - line, y + half - line), 0.18 * height, inner)
    canvas.text(centre, text, "bold", DIGIT * height, letter)


DIGIT = 0.95
"""The type size of the digit of a die, of its height."""


def chip_width(height: float, text: str) -> float:
    return 0.94 * height if len(text) == 1 else width(text, "bold", round(DIGIT * height, 1)) + 0.36 * height


def draw_hexagon(
    canvas: Canvas,
    centre: Point,
    height: float,
    letter: str,
    fill: Colour,
    on: Colour,
    line: Colour,
    *,
    thick: float = 0.09,
) -> None:
    """The sign of a New City, flat-top on every board."""
    r = height / 1.732
    x, y = centre
    for size, colour in ((r, line), (r - max(1.2, thick * height), fill)):
        canvas.polygon([(x + dx, y + dy) for dx, dy in (polar(size, 60 * i) for i in range(6))], colour)
    canvas.text(centre, letter, "bold", 0.70 * height, on)


def draw_disc(canvas: Canvas, centre: Point, diameter: float, colour: str) -> None:
    """A colour a City accepts, where it accepts several: a disc with its letter."""
    good = p.GOODS[colour]
    canvas.disc(centre, diameter / 2, p.WHITE)
    canvas.disc(centre, diameter / 2 - 0.8, p.INK)
    canvas.disc(centre, diameter / 2 - 1.9, good.fill)
    canvas.text(centre, good.letter, "bold", 0.70 * diameter, good.on)


def draw_pill(canvas: Canvas, centre: Point, height: float, text: str) -> None:
    across, half = pill_width(height, text) / 2, height / 2
    x, y = centre
    line = max(1.0, 0.07 * height)
    canvas.box((x - across, y - half, x + across, y + half), half, p.INK)
    canvas.box((x - across + line, y - half + line, x + across - line, y + half - line), half - line, p.WHITE)
    canvas.text(centre, text, "bold", 0.80 * height, p.INK)


def pill_width(height: float, text: str) -> float:
    return width(text, "bold", round(0.80 * height, 1)) + 0.5 * height


@lru_cache(maxsize=128)
def cube(side: int, colour: str, ring: Colour | None = None) -> Part:
    """A cube by itself, ``side`` px; with a ``ring`` of another colour around it."""
    room = 4 if ring else 2
    canvas = Canvas(side + 2 * room, side + 2 * room, scale=4)
    if ring:
        half = side / 2 + 2.6
        canvas.box((-half, -half, half, half), 0.26 * side, p.GLOW_EDGE)
        canvas.box((-half + 0.8, -half + 0.8, half - 0.8, half - 0.8), 0.24 * side, ring)
    draw_cube(canvas, (0, 0), side, colour)
    return canvas.part()


@lru_cache(maxsize=16)
def slot(side: int) -> Part:
    canvas = Canvas(side, side, scale=4)
    half = side / 2
    canvas.box((-half, -half, half, half), 0.22 * side, p.SLOT)
    canvas.box((-half + 1.6, -half + 1.6, half - 1.6, half - 1.6), 0.17 * side, p.PAPER)
    return canvas.part()


@lru_cache(maxsize=64)
def chip(height: int, text: str, *, dark: bool) -> Part:
    wide = round(chip_width(height, text))
    canvas = Canvas(wide + wide % 2, height, scale=4)
    draw_chip(canvas, (0, 0), height, text, dark=dark)
    return canvas.part()


@lru_cache(maxsize=64)
def hexagon(height: int, letter: str, colours: tuple[str, ...], *, on_board: bool) -> Part:
    """A New City by itself: filled with its colour when it lies on the board, outlined in it in stock."""
    canvas = Canvas(2 * round(height * 0.6), height + height % 2, scale=4)
    if len(colours) != 1:
        draw_hexagon(canvas, (0, 0), height, letter, p.WHITE, p.INK, p.INK)
        return canvas.part()
    good = p.GOODS[colours[0]]
    if on_board:
        draw_hexagon(canvas, (0, 0), height, letter, good.fill, good.on, good.edge, thick=0.05)
    else:
        line = p.INK if colours[0] == "white" else good.fill
        draw_hexagon(canvas, (0, 0), height, letter, p.WHITE, p.INK, line)
    return canvas.part()


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
