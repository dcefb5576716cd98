"""The marks of each kind of land inside one hex, quiet enough to read a name upon them."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians, sin

from pbem.render.canvas import Canvas, Point
from pbem.render.geometry import Lattice
from pbem.render.palette import TERRAIN, Ground, mix

STROKE = 0.035
POINTY_SPOTS = ((-0.34, -0.14), (0.34, -0.02), (-0.02, 0.34))
HILLS = ((0.06, -0.42), (0.48, 0.08), (-0.06, 0.52))
PEAKS = ((0.08, -0.46), (0.48, 0.06), (-0.04, 0.50))
HIGH_PEAKS = (
    (-0.22, -0.50, 0.17), (0.24, -0.44, 0.22), (-0.34, 0.02, 0.15), (0.52, 0.04, 0.18), (0.02, 0.30, 0.22),
    (-0.28, 0.58, 0.16),
)  # fmt: skip
TUFTS = ((-0.22, -0.50), (0.32, -0.36), (-0.30, 0.18), (0.44, 0.22), (0.04, 0.60))
WAVES = ((-0.34, -0.30), (0.18, 0.36))

PEAK = 0.20
"""Half the width of hills and of peaks that are not high."""

Pen = Callable[[Point], Point]


def draw_pattern(canvas: Canvas, lattice: Lattice, centre: Point, kind: str) -> None:
    """The marks of a kind of land on the hex at ``centre``; plain land has none."""
    ground = TERRAIN[kind]

    def at(place: Point) -> Point:
        x, y = lattice.px(place)
        return centre[0] + x, centre[1] + y

    width = STROKE * lattice.r
    flat = lattice.flat
    match kind:
        case "hill":
            for spot in HILLS if flat else POINTY_SPOTS:
                _arc(canvas, at, spot, ground, width)
        case "mountain":
            for x, y in PEAKS if flat else POINTY_SPOTS:
                _peak(canvas, at, (x, y, PEAK), ground, width)
        case "dark_mountain":
            for peak in HIGH_PEAKS:
                _peak(canvas, at, peak if flat else (peak[0] * 0.86, peak[1] * 0.86, peak[2]), ground, width)
        case "swamp":
            for x, y in TUFTS:
                _tuft(canvas, at, (x, y) if flat else (x * 0.86, y * 0.86), ground, width)
        case "water":
            for spot in WAVES:
                _wave(canvas, at, spot, ground, width)
        case _ if kind in HATCHED:
            for angle in HATCHED[kind][1]:
                _hatch(canvas, at, lattice, ground, angle, HATCHED[kind][0], width)


def marks_of(kind: str, *, flat: bool) -> tuple[tuple[float, float, float], ...]:
    """The middles of single marks and half their widths, in hex radii; none where they cover the whole hex."""
    spots = {"hill": HILLS, "mountain": PEAKS}.get(kind, ())
    return tuple((x, y, PEAK) for x, y in (spots if flat or not spots else POINTY_SPOTS))


HATCHED: dict[str, tuple[float, tuple[int, ...]]] = {
    "difficult": (0.24, (45,)),
    "very_difficult": (0.20, (45, -45)),
    "impassable": (0.17, (-45,)),
    "special": (0.24, (45,)),
    "zone": (0.24, (-45,)),
    "terminal": (0.24, (-45,)),
}
"""Kinds of land told by lines: the step between them and their angles."""


def _arc(canvas: Canvas, at: Pen, spot: Point, ground: Ground, width: float) -> None:
    x, y = spot
    way = [(x + 0.2 * cos(radians(t)), y + 0.1 + 0.2 * sin(radians(t))) for t in range(190, 351, 16)]
    canvas.line([at(p) for p in way], width, ground.mark)


def _peak(canvas: Canvas, at: Pen, peak: tuple[float, float, float], ground: Ground, width: float) -> None:
    x, y, half = peak
    top, left, right = (x, y - 0.62 * half), (x - half, y + 0.58 * half), (x + half, y + 0.58 * half)
    shade = mix(ground.fill, ground.mark, 0.42)
    canvas.polygon([at(top), at(left), at((x - 0.02, y + 0.58 * half)), at((x + 0.03, y))], shade)
    canvas.line([at(left), at(top), at(right)], width, ground.mark)


def _tuft(canvas: Canvas, at: Pen, spot: Point, ground: Ground, width: float) -> None:
    x, y = spot
    canvas.line([at((x - 0.17, y + 0.07)), at((x + 0.17, y + 0.07))], width, ground.mark)
    for foot, tip in ((0.0, 0.0), (-0.05, -0.10), (0.05, 0.10)):
        high = 0.19 if tip == 0 else 0.13
        canvas.line([at((x + foot, y + 0.07)), at((x + tip, y + 0.07 - high))], width, ground.mark)


def _wave(canvas: Canvas, at: Pen, spot: Point, ground: Ground, width: float) -> None:
    x, y = spot
    way = [(x - 0.31 + 0.62 * i / 24, y + 0.035 * sin(i / 24 * radians(720))) for i in range(25)]
    canvas.stroke([at(p) for p in way], width, ground.mark, round_ends=True)


def _hatch(canvas: Canvas, at: Pen, lattice: Lattice, ground: Ground, angle: int, step: float, width: float) -> None:
    corners = lattice.corners(0.985)
    middle = at((0, 0))
    corners = [(middle[0] + x, middle[1] + y) for x, y in corners]
    dx, dy = cos(radians(angle)), sin(radians(angle))
    # lines of one family over the whole board, so that they run on from hex to hex
    gap = step * lattice.r
    across = [-x * dy + y * dx for x, y in corners]
    first, last = int(min(across) // gap), int(max(across) // gap) + 1
    for number in range(first, last + 1):
        ends = _cut(corners, across, number * gap)
        if len(ends) == 2:
            canvas.line(ends, width, ground.mark)


def _cut(corners: list[Point], across: list[float], level: float) -> list[Point]:
    """Where the line at a level meets the outline of the hex."""
    found = []
    for i in range(6):
        j = (i + 1) % 6
        if (across[i] < level) != (across[j] < level):
            share = (level - across[i]) / (across[j] - across[i])
            (ax, ay), (bx, by) = corners[i], corners[j]
            found.append((ax + (bx - ax) * share, ay + (by - ay) * share))
    return found
