"""Where everything lies: the lattice of whole pixels, the curves of track, the frame a board is drawn in.

Inside a hex places are in hex radii from its middle (x to the right, y down) and become px by
:meth:`Lattice.px`. Everything that belongs to the grid is stretched with it by about a hundredth at most, so
that all centres are whole pixels; signs, coins and cubes are not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from math import cos, hypot, pi, radians, sin, sqrt

from pbem.engine import Value
from pbem.rails.board import Board, Label
from pbem.rails.hexes import TOWN

Point = tuple[float, float]
ROOT3 = sqrt(3)


@dataclass(frozen=True, eq=False)
class Lattice:
    """``dx``, ``dy``: px for one step of a hex's grid position to the right and down. ``legible``: names are for
    reading, however small the hexes are.

    Of all that is drawn lattices are looked up most often, so one is known by being the same object.
    """

    orientation: str
    dx: int
    dy: int
    legible: bool = False

    @staticmethod
    @lru_cache(maxsize=64)
    def of(orientation: str, dx: int, dy: int, *, legible: bool = False) -> Lattice:
        return Lattice(orientation, dx, dy, legible)

    @staticmethod
    @lru_cache(maxsize=64)
    def of_radius(orientation: str, radius: float, *, legible: bool = False) -> Lattice:
        """The lattice whose hexes come nearest to a radius in px."""
        far, near = round(1.5 * radius), round(ROOT3 / 2 * radius)
        dx, dy = (far, near) if orientation == "flat-top" else (near, far)
        return Lattice.of(orientation, dx, dy, legible=legible)

    @property
    def flat(self) -> bool:
        return self.orientation == "flat-top"

    @cached_property
    def r(self) -> float:
        return (self.dx if self.flat else self.dy) / 1.5

    @cached_property
    def stretch(self) -> Point:
        """What the grid is stretched by, to the right and down."""
        other = ROOT3 / 2 * self.r
        return (1.0, self.dy / other) if self.flat else (self.dx / other, 1.0)

    def px(self, point: Point) -> Point:
        """A place of the grid in px from the middle of its hex."""
        sx, sy = self.stretch
        return point[0] * self.r * sx, point[1] * self.r * sy

    @cached_property
    def reach(self) -> Point:
        """How far a hex reaches from its middle to the side and down, in px."""
        return self.px((1, ROOT3 / 2) if self.flat else (ROOT3 / 2, 1))

    @cached_property
    def half(self) -> tuple[int, int]:
        """Half the width and height of a picture of one hex with a little room around it, whole px."""
        width, height = (1.0, ROOT3 / 2) if self.flat else (ROOT3 / 2, 1.0)
        x, y = self.px((width, height))
        return int(x) + 4, int(y) + 4

    def bearing(self, edge: int) -> float:
        """The angle of an edge seen from the middle, in degrees, clockwise from the right."""
        return (-90 if self.flat else -60) + 60 * edge

    def corners(self, size: float = 1.0) -> list[Point]:
        """The six corners in px; corner ``e`` lies between edges ``e`` and ``e + 1``."""
        return [self.px(polar(size, self.bearing(edge) + 30)) for edge in range(6)]

    def side(self, edge: int) -> Point:
        return self.px(polar(ROOT3 / 2, self.bearing(edge)))


def polar(length: float, angle: float) -> Point:
    """A point ``length`` from the origin at an angle in degrees."""
    return length * cos(radians(angle)), length * sin(radians(angle))


class Curve(Value):
    """A piece of track in its hex, in px: points from its first end to its second, and the way to each."""

    points: tuple[Point, ...]
    ways: tuple[float, ...]

    @property
    def length(self) -> float:
        return self.ways[-1]

    def at(self, way: float) -> tuple[Point, Point]:
        """The point ``way`` px from the first end and the direction there; outside it runs on straight."""
        i = 1
        last = len(self.ways) - 1
        while i < last and self.ways[i] < way:
            i += 1
        (ax, ay), (bx, by) = self.points[i - 1], self.points[i]
        step = self.ways[i] - self.ways[i - 1]
        share = (way - self.ways[i - 1]) / step
        return (ax + (bx - ax) * share, ay + (by - ay) * share), ((bx - ax) / step, (by - ay) / step)

    def part(self, start: float, end: float) -> list[Point]:
        inner = [p for p, way in zip(self.points, self.ways, strict=True) if start < way < end]
        return [self.at(start)[0], *inner, self.at(end)[0]]


@lru_cache(maxsize=256)
def curve(lattice: Lattice, a: int, b: int) -> Curve:
    """The curve of the piece with ends ``a`` and ``b`` (an edge, or ``TOWN``)."""
    points = [lattice.px(p) for p in _ideal(lattice, a, b)]
    ways = [0.0]
    for (ax, ay), (bx, by) in pairwise(points):
        ways.append(ways[-1] + hypot(bx - ax, by - ay))
    return Curve(tuple(points), tuple(ways))


def _ideal(lattice: Lattice, a: int, b: int) -> list[Point]:
    if TOWN in (a, b):
        side = polar(ROOT3 / 2, lattice.bearing(max(a, b)))
        return [(0.0, 0.0), side] if a == TOWN else [side, (0.0, 0.0)]
    turn = (b - a) % 6
    if turn == 3:
        return [polar(ROOT3 / 2, lattice.bearing(a)), polar(ROOT3 / 2, lattice.bearing(b))]
    if turn > 3:
        return _ideal(lattice, b, a)[::-1]
    # gentle: around the hex beyond the edge between; acute: around the corner between
    middle = lattice.bearing(a) + 30 * turn
    cx, cy = polar(ROOT3 if turn == 2 else 1.0, middle)
    radius, sweep, steps = (1.5, 60, 20) if turn == 2 else (0.5, 120, 20)
    start = middle + 180 + sweep / 2
    return [
        (cx + radius * cos(t), cy + radius * sin(t))
        for t in (radians(start - sweep * i / steps) for i in range(steps + 1))
    ]


def arc_length(a: int, b: int) -> float:
    """The length of a piece in hex radii."""
    if TOWN in (a, b):
        return ROOT3 / 2
    turn = min((a - b) % 6, (b - a) % 6)
    return {1: pi / 3, 2: pi / 2, 3: ROOT3}[turn]


class Frame(Value):
    """A board of some lattice at some place of a picture: ``left``, ``top`` = px of the grid's origin."""

    lattice: Lattice
    left: int
    top: int

    def centre(self, board: Board, label: Label) -> tuple[int, int]:
        """The middle of a hex in px of the picture."""
        hex_ = board.hexes[label]
        return self.left + hex_.x * self.lattice.dx, self.top + hex_.y * self.lattice.dy


@lru_cache(maxsize=64)
def extent(board: Board) -> tuple[int, int, int, int]:
    """The smallest and largest grid positions: left, top, right, bottom."""
    xs = [h.x for h in board.hexes.values()]
    ys = [h.y for h in board.hexes.values()]
    return min(xs), min(ys), max(xs), max(ys)


def near(board: Board, label: Label, steps: int) -> dict[Label, None]:
    """A hex and those within so many steps of it, in the order of their distance."""
    found: dict[Label, None] = {label: None}
    for _ in range(steps):
        for one in list(found):
            found.update({beyond: None for beyond in board.neighbours[one] if beyond is not None})
    return found


def size(board: Board) -> Point:
    """Width and height of a board in hex radii."""
    left, top, right, bottom = extent(board)
    across, down = right - left, bottom - top
    if board.orientation == "flat-top":
        return 1.5 * across + 2, ROOT3 / 2 * down + ROOT3
    return ROOT3 / 2 * across + ROOT3, 1.5 * down + 2


def pixels(board: Board, lattice: Lattice) -> tuple[int, int]:
    """Width and height in px of the board's hexes on a lattice."""
    left, top, right, bottom = extent(board)
    hx, hy = lattice.reach
    return round((right - left) * lattice.dx + 2 * hx), round((bottom - top) * lattice.dy + 2 * hy)


def framed(board: Board, lattice: Lattice, x: float, y: float) -> Frame:
    """The frame that puts the left upper corner of the board's hexes at (x, y)."""
    left, top, _, _ = extent(board)
    hx, hy = lattice.reach
    return Frame(lattice, round(x + hx) - left * lattice.dx, round(y + hy) - top * lattice.dy)


MAP_WIDTH, MAP_MARGIN, MAP_HEIGHT = 1400, 22, 1400


class MapGeometry(Value):
    """Where things lie in the picture ``map_png`` makes of a board, in its px: for an overlay of the same size."""

    width: int
    height: int
    frame: Frame
    centres: Mapping[Label, tuple[int, int]]

    @property
    def radius(self) -> float:
        return self.frame.lattice.r

    def centre(self, label: Label) -> tuple[int, int]:
        """The middle of a hex. Raises ``KeyError`` for a label that is not on the board."""
        return self.centres[label]

    def polygon(self, label: Label) -> tuple[tuple[int, int], ...]:
        """The six corners of a hex, clockwise."""
        x, y = self.centres[label]
        return tuple((round(x + dx), round(y + dy)) for dx, dy in self.frame.lattice.corners())

    def side(self, label: Label, edge: int) -> Point:
        x, y = self.centres[label]
        dx, dy = (0.0, 0.0) if edge == TOWN else self.frame.lattice.side(edge)
        return round(x + dx, 1), round(y + dy, 1)


def map_geometry(board: Board) -> MapGeometry:
    """The geometry of the picture of the map alone (``map_png``), for both orientations."""
    wide, high = size(board)
    radius = min(72.0, (MAP_WIDTH - 2 * MAP_MARGIN) / wide, (MAP_HEIGHT - 2 * MAP_MARGIN) / high)
    lattice = Lattice.of_radius(board.orientation, radius)
    across, down = pixels(board, lattice)
    narrow = across + 2 * MAP_MARGIN
    # a map that fills the width is exactly as wide as every other; rounding moves it by a px or two
    width = MAP_WIDTH if abs(narrow - MAP_WIDTH) < MAP_MARGIN else narrow
    frame = framed(board, lattice, (width - across) / 2, MAP_MARGIN)
    centres = {label: frame.centre(board, label) for label in board.hexes}
    return MapGeometry(width, down + 2 * MAP_MARGIN, frame, centres)
