"""The land picture: what is printed on a board and never changes. Kept per board and size."""

import ctypes
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from math import cos, hypot, radians, sin

from PIL import Image

from pbem.rails.board import Board, Label
from pbem.rails.hexes import opposite
from pbem.render import palette as p
from pbem.render.canvas import Canvas, Ground, Part, Point
from pbem.render.drawn import Drawn
from pbem.render.geometry import Frame, Lattice, framed, pixels
from pbem.render.rivers import River, rivers
from pbem.render.type import mask

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
    ground = p.TERRAIN[kind]

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


def _arc(canvas: Canvas, at: Pen, spot: Spot, ground: p.Ground, width: float) -> None:
    x, y, _ = spot
    way = [(x + 0.2 * cos(radians(t)), y + 0.1 + 0.2 * sin(radians(t))) for t in range(190, 351, 16)]
    canvas.line([at(point) for point in way], width, ground.mark)


def _peak(canvas: Canvas, at: Pen, spot: Spot, ground: p.Ground, width: float) -> None:
    x, y, half = spot
    top, left, right = (x, y - 0.62 * half), (x - half, y + 0.58 * half), (x + half, y + 0.58 * half)
    shade = p.mix(ground.fill, ground.mark, 0.42)
    canvas.polygon([at(top), at(left), at((x - 0.02, y + 0.58 * half)), at((x + 0.03, y))], shade)
    canvas.line([at(left), at(top), at(right)], width, ground.mark)


def _tuft(canvas: Canvas, at: Pen, spot: Spot, ground: p.Ground, width: float) -> None:
    x, y, half = spot
    canvas.line([at((x - half, y + 0.07)), at((x + half, y + 0.07))], width, ground.mark)
    for foot, tip in ((0.0, 0.0), (-0.05, -0.10), (0.05, 0.10)):
        high = 0.19 if tip == 0 else 0.13
        canvas.line([at((x + foot, y + 0.07)), at((x + tip, y + 0.07 - high))], width, ground.mark)


def _wave(canvas: Canvas, at: Pen, spot: Spot, ground: p.Ground, width: float) -> None:
    x, y, half = spot
    way = [(x - half + 2 * half * i / 24, y + 0.035 * sin(i / 24 * radians(720))) for i in range(25)]
    canvas.stroke([at(point) for point in way], width, ground.mark, round_ends=True)


_MARKS = {"hill": _arc, "mountain": _peak, "dark_mountain": _peak, "swamp": _tuft, "water": _wave}


def _hatch(canvas: Canvas, at: Pen, lattice: Lattice, ground: p.Ground, angle: int, step: float, width: float) -> None:
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


def give_back() -> None:
    """After something large was drawn that is kept small: what is free between the small things is given back.

    It takes milliseconds, and what is given back must be asked for again: not for what every picture takes. For the
    same reason the C library is left to learn which large things come again and again: with memory of its own for
    each of them (``mallopt``), a picture took four milliseconds more.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


PAD = 16
"""Room in px around the hexes of a land picture, for its rim."""
LEAST_PRICE = 11.5
"""The smallest type of prices in px where names are for reading."""
SCALE = 2
Size = tuple[int, int]
BLANK = frozenset({"plain", "river", "city", "block"})


@lru_cache(maxsize=24)
def land_picture(board: Board, lattice: Lattice) -> Ground:
    """The land on paper with ``PAD`` px around it."""
    width, height = pixels(board, lattice)
    frame = framed(board, lattice, PAD, PAD)
    return _drawn(board, frame, (width + 2 * PAD, height + 2 * PAD), tuple(board.hexes))


@lru_cache(maxsize=16)
def land_around(board: Board, frame: Frame, near: tuple[Label, ...], size: Size) -> Ground:
    """The land of the hexes ``near`` in a picture of a size, in which ``frame`` lies."""
    return _drawn(board, frame, size, near)


def _drawn(board: Board, frame: Frame, size: Size, labels: tuple[Label, ...]) -> Ground:
    return Ground(size, partial(_painted, board, frame, size, labels), partial(_told, board, frame, labels))


def _painted(board: Board, frame: Frame, size: Size, labels: tuple[Label, ...]) -> Image.Image:
    canvas = Canvas(*size, scale=SCALE, origin=(0, 0), ground=p.PAPER)
    _Land(board, frame, canvas, labels).draw()
    picture = canvas.done()
    give_back()
    return picture


def _told(board: Board, frame: Frame, labels: tuple[Label, ...]) -> tuple[Drawn, ...]:
    """What a land is made of: it is drawn once more, on a canvas on which next to nothing has room."""
    canvas = Canvas(1, 1, scale=1, origin=(0, 0))
    _Land(board, frame, canvas, labels).draw()
    return tuple(canvas.drawn)


@lru_cache(maxsize=16)
def _flows(board: Board, lattice: Lattice) -> tuple[River, ...]:
    """The rivers of a board in px from the grid's origin."""
    return tuple(rivers(board, Frame(lattice, 0, 0)))


def river_lines(board: Board, lattice: Lattice) -> Mapping[Label, tuple[Point, ...]]:
    """Per hex the points of rivers in it, in px from its middle."""
    frame = Frame(lattice, 0, 0)
    centres = {label: frame.centre(board, label) for label in board.hexes}
    found: dict[Label, list[Point]] = {}
    for river in _flows(board, lattice):
        label, near = "", list(centres)
        for x, y in river.points:
            label, before = min(near, key=lambda at: hypot(x - centres[at][0], y - centres[at][1])), label
            if label != before:  # the next point lies on the same hex or a neighbour
                near = [label, *(n for n in board.neighbours[label] if n is not None)]
            found.setdefault(label, []).append((x - centres[label][0], y - centres[label][1]))
    return {label: tuple(points) for label, points in found.items()}


class _Land:
    def __init__(self, board: Board, frame: Frame, canvas: Canvas, labels: tuple[Label, ...]) -> None:
        self.board, self.frame, self.canvas = board, frame, canvas
        self.lattice, self.r = frame.lattice, frame.lattice.r
        self.centres = {label: frame.centre(board, label) for label in board.hexes}
        self.hexes = {label: board.hexes[label] for label in labels}
        self.corners = self.lattice.corners()

    def draw(self) -> None:
        self._rim()
        for label, hex_ in self.hexes.items():
            self.canvas.polygon(self._hex(label, self.corners), p.TERRAIN[hex_.terrain].fill)
        for label, hex_ in self.hexes.items():
            if hex_.terrain not in BLANK:
                draw_pattern(self.canvas, self.lattice, self.centres[label], hex_.terrain)
        self._sides()
        flows = _flows(self.board, self.lattice)
        for river in flows:
            self._flow(river, p.RIVER_EDGE_WIDTH, p.RIVER_EDGE)
        for river in flows:
            self._flow(river, p.RIVER_WIDTH, p.RIVER)
        self._edge()
        draw_walls(self.canvas, self.lattice, self._wall_lines())

    def _hex(self, label: Label, corners: list[Point]) -> list[Point]:
        x, y = self.centres[label]
        return [(x + dx, y + dy) for dx, dy in corners]

    def _rim(self) -> None:
        for size, colour in ((1.075, p.RIM), (1.045, p.PAPER)):
            corners = self.lattice.corners(size)
            for label in self.hexes:
                self.canvas.polygon(self._hex(label, corners), colour)

    def _side(self, label: Label, edge: int) -> list[Point]:
        x, y = self.centres[label]
        (ax, ay), (bx, by) = self.corners[edge - 1], self.corners[edge]
        return [(x + ax, y + ay), (x + bx, y + by)]

    def _sides(self) -> None:
        """The hairlines between land hexes, then the shore, which lies over them."""
        wet = {label for label, h in self.hexes.items() if h.terrain == "water"}
        shore = []
        for label in self.hexes:
            for edge in range(3):
                beyond = self.board.neighbours[label][edge]
                if beyond not in self.hexes or (label in wet and beyond in wet):
                    continue
                if label in wet or beyond in wet:
                    shore.append(self._side(label, edge))
                else:
                    self.canvas.stroke(self._side(label, edge), p.GRID_WIDTH * self.r, p.GRID)
        for line in shore:
            self.canvas.stroke(line, p.SHORE_WIDTH * self.r, p.SHORE, round_ends=True)

    def _edge(self) -> None:
        for label, hex_ in self.hexes.items():
            if hex_.terrain == "water":
                continue
            for edge, beyond in enumerate(self.board.neighbours[label]):
                if beyond is None:
                    width = p.RIM_WIDTH * self.r
                    self.canvas.stroke(self._side(label, edge), width, p.RIM, round_ends=True)

    def _flow(self, river: River, width: float, colour: p.Colour) -> None:
        x, y = self.frame.left, self.frame.top
        points = [(x + dx, y + dy) for dx, dy in river.points]
        self.canvas.flow(points, [width * self.r * wide for wide in river.widths], colour)

    def _wall_lines(self) -> list[list[Point]]:
        return [self._side(label, edge) for label, edge in wall_sides(self.board) if label in self.hexes]


def wall_sides(board: Board) -> list[tuple[Label, int]]:
    found: dict[tuple[Label, int], None] = {}
    for label, edge in sorted(board.walls):
        beyond = board.neighbours[label][edge]
        if beyond is None or (beyond, opposite(edge)) not in found:
            found[label, edge] = None
    return list(found)


def draw_walls(canvas: Canvas, lattice: Lattice, lines: list[list[Point]]) -> None:
    """Impassable sides: they join into walls, so halos lie under all of them."""
    for width, colour in ((p.BARRIER_HALO, p.HALO), (p.BARRIER_WIDTH, p.BARRIER)):
        for line in lines:
            canvas.stroke(line, width * lattice.r, colour, round_ends=True)
    for (ax, ay), (bx, by) in lines:
        for share in (0.14, 0.38, 0.62, 0.86):
            canvas.disc((ax + (bx - ax) * share, ay + (by - ay) * share), 0.028 * lattice.r, p.PAPER)


def price_size(lattice: Lattice) -> float:
    return round(max(LEAST_PRICE if lattice.legible else 0.0, 0.33 * lattice.r), 1)


@lru_cache(maxsize=128)
def price_tag(text: str, size: float) -> Part:
    word = mask(text, "semibold", size)
    width, height = word.image.width + round(0.4 * size), round(1.22 * size)
    canvas = Canvas(width, height, scale=4)
    canvas.box((-width / 2, -height / 2, width / 2, height / 2), 0.2 * size, p.MUTED)
    canvas.box((-width / 2 + 1, -height / 2 + 1, width / 2 - 1, height / 2 - 1), 0.15 * size, p.CARD)
    canvas.text((0, 0), text, "semibold", size, p.INK)
    return canvas.part()
