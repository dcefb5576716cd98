"""Where the rivers of a board flow: which hexes they join, and one smooth line along each.

The printed board only says which hexes are river, or which hexes a named river that is no terrain touches.
Neighbouring ones are joined to a tree; every branch passes one point of each common side and one of each hex,
moved a little by a hash of the place.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from math import hypot
from zlib import crc32

from pbem.engine import Value
from pbem.rails.board import Board, Label
from pbem.rails.hexes import opposite
from pbem.render.geometry import ROOT3, Frame, Point, polar

Tree = Mapping[Label, Mapping[int, Label]]
SIDE_SHIFT, HEX_SHIFT, SPRING = 0.18, 0.13, 0.25
LAKE = 0.16
"""How far a river runs into water, in hex radii."""


class River(Value):
    points: tuple[Point, ...]
    widths: tuple[float, ...]


def rivers(board: Board, frame: Frame) -> list[River]:
    terrain = {label for label, h in board.hexes.items() if h.terrain == "river"}
    trees = [_tree(board, terrain), *(_tree(board, set(listed), listed) for listed in board.rivers.values())]
    return [_River(board, frame, tree).branch(way) for tree in trees for way in _branches(tree)]


def _tree(board: Board, wet: set[Label], listed: tuple[Label, ...] = ()) -> dict[Label, dict[int, Label]]:
    """Which hexes are joined across which edges; neighbours that follow one another in ``listed`` come first."""
    following = {frozenset(pair) for pair in pairwise(listed)}
    group = {label: label for label in wet}
    tree: dict[Label, dict[int, Label]] = {label: {} for label in wet}

    def root(label: Label) -> Label:
        while group[label] != label:
            label = group[label]
        return label

    def join(label: Label, edge: int, beyond: Label) -> None:
        tree.setdefault(label, {})[edge] = beyond
        tree.setdefault(beyond, {})[opposite(edge)] = label
        group[root(label)] = root(beyond)

    # sides that close a ring of three come last, so that chains are joined first
    sides = sorted(_sides(board, wet))
    for _, label, edge, beyond in sorted(sides, key=lambda side: frozenset((side[1], side[3])) not in following):
        if root(label) != root(beyond):
            join(label, edge, beyond)
    for label in sorted((set(board.towns) | set(board.city_at)) - wet):
        pieces = {root(n): (edge, n) for edge, n in reversed(list(enumerate(board.neighbours[label]))) if n in wet}
        if len(pieces) > 1:
            group[label] = label
            for edge, beyond in pieces.values():
                join(label, edge, beyond)
    return tree


def _sides(board: Board, wet: set[Label]) -> Iterable[tuple[int, Label, int, Label]]:
    for label in wet:
        around = board.neighbours[label]
        for edge in range(3):
            beyond = around[edge]
            if beyond in wet and beyond is not None:
                yield len(wet & set(around) & set(board.neighbours[beyond])), label, edge, beyond


def _branches(tree: Tree) -> list[list[Label]]:
    """The tree as ways: the longest way first, then the longest that starts on what is there already."""
    left = {frozenset((a, b)) for a, sides in tree.items() for b in sides.values()}
    done: set[Label] = set()
    found = []
    while left:
        touched = sorted(done & {label for pair in left for label in pair})
        starts = touched or sorted({label for pair in left for label in pair})
        way = max((_longest(tree, left, start) for start in starts), key=len)
        found.append(way)
        left -= {frozenset(pair) for pair in pairwise(way)}
        done |= set(way)
    return found + [[label] for label in sorted(set(tree) - done)]


def _longest(tree: Tree, left: set[frozenset[Label]], start: Label) -> list[Label]:
    best = [start]
    stack = [[start]]
    while stack:
        way = stack.pop()
        if len(way) > len(best):
            best = way
        stack += [
            [*way, beyond]
            for beyond in tree[way[-1]].values()
            if frozenset((way[-1], beyond)) in left and beyond not in way
        ]
    return best


def _wobble(x: int, y: int, salt: str) -> float:
    return crc32(f"{x},{y},{salt}".encode()) / 0x7FFFFFFF - 1


class _River:
    def __init__(self, board: Board, frame: Frame, tree: Tree) -> None:
        self.board, self.frame, self.tree = board, frame, tree
        self.lattice = frame.lattice

    def branch(self, way: list[Label]) -> River:
        joined = {label for label in way if len(self.tree[label]) > 2 or label not in self.tree}
        points, wide = self._middle(way)
        if len(way) == 1:
            return self._pond(way[0])
        for turn in (False, True):
            if turn:
                points, wide = points[::-1], wide[::-1]
                way = way[::-1]
            if way[0] in joined or len(self.tree[way[0]]) > 1:
                continue
            tail = self._tail(way[0], self._edge(way[0], way[1]))
            if tail:
                points, wide = tail[::-1] + points, [1.0] * len(tail) + wide
            else:
                wide = [SPRING, (1 + SPRING) / 2, 0.85, *wide[3:]] if len(wide) > 3 else [SPRING, *wide[1:]]
        return _smooth(points, wide)

    def _middle(self, way: list[Label]) -> tuple[list[Point], list[float]]:
        points: list[Point] = []
        for i, label in enumerate(way):
            points.append(self._hex_point(label))
            if i + 1 < len(way):
                points.append(self._side_point(label, self._edge(label, way[i + 1])))
        return points, [1.0] * len(points)

    def _edge(self, label: Label, beyond: Label) -> int:
        return self.board.neighbours[label].index(beyond)

    def _hex_point(self, label: Label) -> Point:
        hex_ = self.board.hexes[label]
        return self._px(label, (HEX_SHIFT * _wobble(hex_.x, hex_.y, "x"), HEX_SHIFT * _wobble(hex_.x, hex_.y, "y")))

    def _side_point(self, label: Label, edge: int, out: float = 0.0) -> Point:
        beyond = self.board.neighbours[label][edge]
        if edge > 2 and beyond is not None:
            label, edge, out = beyond, opposite(edge), -out
        hex_ = self.board.hexes[label]
        shift = SIDE_SHIFT * _wobble(hex_.x, hex_.y, str(edge))
        (mx, my), (tx, ty) = polar(ROOT3 / 2 + out, self._bearing(edge)), polar(shift, self._bearing(edge) + 90)
        return self._px(label, (mx + tx, my + ty))

    def _bearing(self, edge: int) -> float:
        return self.lattice.bearing(edge)

    def _px(self, label: Label, place: Point) -> Point:
        x, y = self.frame.centre(self.board, label)
        dx, dy = self.lattice.px(place)
        return x + dx, y + dy

    def _out(self, label: Label, edge: int) -> float | None:
        """How far past a side a river runs into what lies there (negative: it ends before), if it does."""
        beyond = self.board.neighbours[label][edge]
        if beyond is None:
            return -0.02
        if beyond in self.board.city_at:
            return 0.2
        return LAKE if self.board.hexes[beyond].terrain == "water" else None

    def _tail(self, label: Label, entered: int) -> list[Point]:
        for turn in (3, 2, 4):
            edge = (entered + turn) % 6
            out = self._out(label, edge)
            if out is not None:
                return [self._side_point(label, edge, out)]
        return []

    def _pond(self, label: Label) -> River:
        """A single river hex: an S through it, thin where nothing takes its water."""
        receivers = [edge for edge in range(6) if self._out(label, edge) is not None]
        lakes = [edge for edge in receivers if (self._out(label, edge) or 0) == LAKE]
        receivers = lakes if len(lakes) > 1 else receivers
        first = receivers[0] if receivers else 0
        second = max(receivers[1:] or [opposite(first)], key=lambda e: min((e - first) % 6, (first - e) % 6))
        middle = self._hex_point(label)
        (ax, ay), (bx, by) = (self._side_point(label, e, self._out(label, e) or -0.1) for e in (first, second))
        ends = [1.0 if edge in receivers else SPRING for edge in (first, second)]
        if second != opposite(first):
            return _smooth([(ax, ay), middle, (bx, by)], [ends[0], 1.0, ends[1]])
        sx, sy = self.lattice.px(polar(0.16, self._bearing(first) + 90))
        points = [
            (ax, ay),
            ((ax + middle[0]) / 2 + sx, (ay + middle[1]) / 2 + sy),
            middle,
            ((bx + middle[0]) / 2 - sx, (by + middle[1]) / 2 - sy),
            (bx, by),
        ]
        return _smooth(points, [ends[0], (1 + ends[0]) / 2, 1.0, (1 + ends[1]) / 2, ends[1]])


def _smooth(points: list[Point], wide: list[float]) -> River:
    """A Catmull-Rom curve through the points."""
    way = [points[0], *points, points[-1]]
    found: list[Point] = []
    widths: list[float] = []
    for i in range(1, len(way) - 2):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = way[i - 1 : i + 3]
        steps = max(3, int(hypot(cx - bx, cy - by) / 4))
        for step in range(steps):
            t = step / steps
            found.append((_between(ax, bx, cx, dx, t), _between(ay, by, cy, dy, t)))
            widths.append(wide[i - 1] + (wide[i] - wide[i - 1]) * t)
    return River((*found, points[-1]), (*widths, wide[-1]))


def _between(a: float, b: float, c: float, d: float, t: float) -> float:
    return b + (c - a) * t / 2 + (2 * a - 5 * b + 4 * c - d) * t * t / 2 + (3 * b - a - 3 * c + d) * t * t * t / 2
