"""The marks of each kind of land inside one hex, quiet enough to read a name upon them."""

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

TUFT = 0.17
WAVE = 0.31
"""Half the width of a tuft, and of a wave."""

Pen = Callable[[Point], Point]
Spot = tuple[float, float, float]
"""The middle of a mark and half its width, in hex radii."""


def draw_pattern(canvas: Canvas, lattice: Lattice, centre: Point, kind: str) -> None:
    """The marks of a kind of land on the hex at ``centre``; plain land has none."""
    ground = TERRAIN[kind]

    def at(place: Point) -> Point:
        x, y = lattice.px(place)
        return centre[0] + x, centre[1] + y

    width = STROKE * lattice.r
    if kind in HATCHED:
        step, angles = HATCHED[kind]
        for angle in angles:
            _hatch(canvas, at, lattice, ground, angle, step, width)
    for spot in _spots(kind, flat=lattice.flat):
        _MARKS[kind](canvas, at, spot, ground, width)


def _spots(kind: str, *, flat: bool) -> tuple[Spot, ...]:
    if kind == "water":
        return tuple((x, y, WAVE) for x, y in WAVES)
    if kind not in ("dark_mountain", "swamp"):
        return marks_of(kind, flat=flat)
    wide = 1 if flat else 0.86
    spots = HIGH_PEAKS if kind == "dark_mountain" else tuple((x, y, TUFT) for x, y in TUFTS)
    return tuple((x * wide, y * wide, half) for x, y, half in spots)


def marks_of(kind: str, *, flat: bool) -> tuple[Spot, ...]:
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


def _arc(canvas: Canvas, at: Pen, spot: Spot, ground: Ground, width: float) -> None:
    x, y, _ = spot
    way = [(x + 0.2 * cos(radians(t)), y + 0.1 + 0.2 * sin(radians(t))) for t in range(190, 351, 16)]
    canvas.line([at(p) for p in way], width, ground.mark)


def _peak(canvas: Canvas, at: Pen, spot: Spot, ground: Ground, width: float) -> None:
    x, y, half = spot
    top, left, right = (x, y - 0.62 * half), (x - half, y + 0.58 * half), (x + half, y + 0.58 * half)
    shade = mix(ground.fill, ground.mark, 0.42)
    canvas.polygon([at(top), at(left), at((x - 0.02, y + 0.58 * half)), at((x + 0.03, y))], shade)
    canvas.line([at(left), at(top), at(right)], width, ground.mark)


def _tuft(canvas: Canvas, at: Pen, spot: Spot, ground: Ground, width: float) -> None:
    x, y, half = spot
    canvas.line([at((x - half, y + 0.07)), at((x + half, y + 0.07))], width, ground.mark)
    for foot, tip in ((0.0, 0.0), (-0.05, -0.10), (0.05, 0.10)):
        high = 0.19 if tip == 0 else 0.13
        canvas.line([at((x + foot, y + 0.07)), at((x + tip, y + 0.07 - high))], width, ground.mark)


def _wave(canvas: Canvas, at: Pen, spot: Spot, ground: Ground, width: float) -> None:
    x, y, half = spot
    way = [(x - half + 2 * half * i / 24, y + 0.035 * sin(i / 24 * radians(720))) for i in range(25)]
    canvas.stroke([at(p) for p in way], width, ground.mark, round_ends=True)


_MARKS = {"hill": _arc, "mountain": _peak, "dark_mountain": _peak, "swamp": _tuft, "water": _wave}


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
