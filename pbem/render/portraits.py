"""The portraits of the robots: drawn for 32 px, where shape and hat are what is left of a face."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import cos, radians, sin

from PIL import Image

from pbem.render import palette as p
from pbem.render.canvas import Canvas, Point
from pbem.render.palette import Colour, mix

SIDE = 96
"""Pixels of a portrait, for up to 48 px of a screen of double density."""
HALF = 50
"""Everything is measured from the middle; the tile reaches so far to each side."""
COPPER, STEEL, LAMP = p.PLAYERS["orange"].core, p.GOODS["gray"].fill, p.GLOW
LINE = 3.5
COLOURS = 64
STRANGER = "stranger"
"""Whose face stands for robots that have none of their own: those of a later version."""


@lru_cache(maxsize=16)
def portrait_png(robot: str) -> bytes:
    """The portrait of a robot as PNG, clear at its corners. Raises ``KeyError`` for a face that nobody has drawn."""
    face = _Face()
    FACES[robot](face)
    with io.BytesIO() as out:
        face.canvas.done().quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        return out.getvalue()


class _Face:
    """A canvas measured in hundredths of the tile."""

    def __init__(self) -> None:
        self.canvas = Canvas(SIDE, SIDE, scale=6)
        self.unit = SIDE / (2 * HALF)

    def tile(self, ground: Colour) -> None:
        """The frame and what is behind the robot."""
        self.box((-50, -50, 50, 50), 14, p.HALO)
        self.box((-48, -48, 48, 48), 12, p.INK)
        self.box((-44.5, -44.5, 44.5, 44.5), 9, ground)

    def body(self, colour: Colour) -> None:
        """Neck and shoulders, down to the frame."""
        self.box((-8, 20, 8, 40), 0, p.INK)
        self.box((-33, 30, 33, 44.5), 7, p.INK)
        self.box((-29.5, 33.5, 29.5, 44.5), 4, colour)
        self.box((-29.5, 40, 29.5, 44.5), 0, colour)

    def box(self, corners: tuple[float, float, float, float], radius: float, fill: Colour) -> None:
        left, top, right, bottom = (value * self.unit for value in corners)
        self.canvas.box((left, top, right, bottom), radius * self.unit, fill)

    def rimmed(self, corners: tuple[float, float, float, float], radius: float, fill: Colour) -> None:
        """A box with a dark rim inside its corners."""
        left, top, right, bottom = corners
        self.box(corners, radius, p.INK)
        inner = (left + LINE, top + LINE, right - LINE, bottom - LINE)
        self.box(inner, max(0, radius - LINE), fill)

    def disc(self, centre: Point, radius: float, fill: Colour) -> None:
        x, y = centre
        self.canvas.disc((x * self.unit, y * self.unit), radius * self.unit, fill)

    def area(self, points: list[Point], fill: Colour) -> None:
        self.canvas.polygon([(x * self.unit, y * self.unit) for x, y in points], fill)

    def line(self, start: Point, end: Point, width: float, fill: Colour) -> None:
        ends = [(x * self.unit, y * self.unit) for x, y in (start, end)]
        self.canvas.stroke(ends, width * self.unit, fill, round_ends=True)

    def eye(self, x: float, y: float, radius: float) -> None:
        """An eye that shines."""
        self.disc((x, y), radius, p.INK)
        self.disc((x - radius * 0.3, y - radius * 0.35), radius * 0.32, p.WHITE)


def _hexagon(centre: Point, radius: float) -> list[Point]:
    x, y = centre
    return [(x + radius * cos(radians(60 * i)), y + radius * sin(radians(60 * i))) for i in range(6)]


def _penny(face: _Face) -> None:
    """A copper coin under a conductor's cap, with a slot for a mouth."""
    face.tile(p.TERRAIN["water"].fill)
    face.body(p.PLAYERS["green"].core)
    face.disc((0, 2), 31, p.INK)
    face.disc((0, 2), 27.5, COPPER)
    face.disc((0, 2), 22.5, mix(COPPER, p.WHITE, 0.35))
    face.box((-23, -37, 23, -16), 9, p.INK)
    face.box((-19.5, -33.5, 19.5, -16), 6, p.PLAYERS["green"].core)
    face.disc((0, -26), 4.5, LAMP)
    face.box((-28, -19.5, 28, -11.5), 4, p.INK)
    face.eye(-10, -1, 5)
    face.eye(10, -1, 5)
    face.box((-12, 12.5, 12, 17.5), 2.5, p.INK)


def _rufus(face: _Face) -> None:
    """A square head of steel under a builder's helmet, a brow raised, with a broad grin."""
    face.tile(mix(p.GOODS["red"].fill, p.WHITE, 0.45))
    face.body(p.GOODS["red"].fill)
    for x in (-33, 33):
        face.rimmed((x - 7, -6, x + 7, 11), 4, STEEL)
    face.rimmed((-30, -24, 30, 30), 7, STEEL)
    face.disc((0, -15), 27, p.INK)
    face.disc((0, -15), 23.5, LAMP)
    face.box((-28, -15, 28, 13), 0, STEEL)
    face.box((-26.5, -15, 26.5, 26), 4, STEEL)
    face.box((-4, -39, 4, -15), 2, p.INK)
    face.box((-36, -19, 36, -10), 4, p.INK)
    face.box((-32.5, -16.5, 32.5, -12.5), 2, LAMP)
    face.eye(-12, 1, 5.5)
    face.eye(12, 1, 5.5)
    face.line((5, -6.5), (19, -9), 3, p.INK)
    face.rimmed((-19, 10, 19, 24), 6, p.WHITE)
    for x in (-8, 0, 8):
        face.line((x, 12), (x, 22), 1.6, p.INK)


def _clara(face: _Face) -> None:
    """A head like a hex with a lamp on it, and one large lens that looks at everything."""
    face.tile(mix(p.GOODS["purple"].fill, p.WHITE, 0.25))
    face.body(p.GOODS["blue"].fill)
    face.line((0, -24), (0, -36), 3.5, p.INK)
    face.disc((0, -37), 6.5, p.INK)
    face.disc((0, -37), 3.5, LAMP)
    face.area(_hexagon((0, 2), 36), p.INK)
    face.area(_hexagon((0, 2), 31.5), p.CARD)
    face.disc((-9, -2), 16, p.INK)
    face.disc((-9, -2), 12.5, p.GOODS["blue"].fill)
    face.disc((-9, -2), 6.5, p.INK)
    face.disc((-13, -7), 3.4, p.WHITE)
    face.eye(16, -1, 4.5)
    face.line((-6, 21), (9, 19.5), 3, p.INK)


def _stranger(face: _Face) -> None:
    """Somebody of a later version: a robot, and no more is known."""
    face.tile(p.ROW)
    face.body(p.MUTED)
    face.rimmed((-28, -26, 28, 28), 10, STEEL)
    face.eye(-11, -2, 5)
    face.eye(11, -2, 5)
    face.line((-9, 15), (9, 15), 3, p.INK)


FACES: Mapping[str, Callable[[_Face], None]] = {
    "penny": _penny,
    "rufus": _rufus,
    "clara": _clara,
    STRANGER: _stranger,
}
"""By the key of the robot."""
