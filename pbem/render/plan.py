"""What a printed board and a lattice decide about a picture, whatever stands on the board. Kept per board."""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from math import ceil, floor

from pbem.rails.board import Board, Label
from pbem.rails.hexes import opposite
from pbem.render.geometry import Lattice, Point, near
from pbem.render.land import PAD, river_lines
from pbem.render.names import REACH_X, REACH_Y
from pbem.render.printed import special_hexes

UNLABELLED = frozenset({"water", "impassable"})
Box = tuple[float, float, float, float]
Hexes = tuple[tuple[Label, int, int], ...]
Lines = tuple[tuple[Point, ...], ...]


class Plan:
    """A board on a lattice; all places are px from the origin of the grid."""

    def __init__(self, board: Board, lattice: Lattice) -> None:
        self.board, self.lattice = board, lattice
        self.centres = {hex_.label: (hex_.x * lattice.dx, hex_.y * lattice.dy) for hex_ in board.hexes.values()}
        self.labelled = tuple(label for label, hex_ in board.hexes.items() if hex_.terrain not in UNLABELLED)
        self._two_steps: dict[Label, Hexes] = {}
        self._rivers_near: dict[Label, Lines] = {}
        self._in_reach: dict[Label, tuple[Label, ...]] = {}
        self._at = {(hex_.x, hex_.y): hex_.label for hex_ in board.hexes.values()}

    def in_picture(self, left: int, top: int) -> Mapping[Label, tuple[int, int]]:
        """The middle of every hex in a picture in which the origin of the grid is there."""
        return {label: (left + x, top + y) for label, (x, y) in self.centres.items()}

    @cached_property
    def rivers(self) -> Mapping[Label, tuple[Point, ...]]:
        """Per hex the points of rivers in it, in px from its middle."""
        return river_lines(self.board, self.lattice)

    @cached_property
    def corner(self) -> tuple[int, int]:
        hx, hy = self.lattice.reach
        left, top = (min(places) for places in zip(*self.centres.values(), strict=True))
        return left - round(PAD + hx), top - round(PAD + hy)

    @cached_property
    def walls(self) -> Mapping[Label, tuple[int, ...]]:
        """The impassable sides of every hex, from whichever side they are printed."""
        walls = self.board.walls
        return {
            label: tuple(
                edge
                for edge, beyond in enumerate(around)
                if (label, edge) in walls or (beyond is not None and (beyond, opposite(edge)) in walls)
            )
            for label, around in self.board.neighbours.items()
        }

    @cached_property
    def special(self) -> Mapping[Label, str]:
        return {label: min(self.board.hexes[label].tags, default="") for label in special_hexes(self.board)}

    def two_steps(self, label: Label) -> Hexes:
        """The hexes within two steps of one, with their middles in px from its own."""
        if label not in self._two_steps:
            x0, y0 = self.centres[label]
            found = ((one, *self.centres[one]) for one in near(self.board, label, 2))
            self._two_steps[label] = tuple((one, x - x0, y - y0) for one, x, y in found)
        return self._two_steps[label]

    def rivers_near(self, label: Label) -> Lines:
        """The rivers through those hexes, in px from its middle."""
        if label not in self._rivers_near:
            lines = [(self.rivers.get(one, ()), x, y) for one, x, y in self.two_steps(label)]
            self._rivers_near[label] = tuple(
                tuple((x + dx, y + dy) for dx, dy in line) for line, x, y in lines if len(line) > 1
            )
        return self._rivers_near[label]

    def in_reach(self, label: Label) -> tuple[Label, ...]:
        """The hexes of which some part lies where the name of a town can stand."""
        if label not in self._in_reach:
            (x0, y0), r = self.centres[label], self.lattice.r
            self._in_reach[label] = tuple(
                one
                for one, (x, y) in self.centres.items()
                if abs(x - x0) < (REACH_X + 1.1) * r and abs(y - y0) < (REACH_Y + 1.1) * r
            )
        return self._in_reach[label]

    def under(self, box: Box) -> Iterator[Label]:
        """The hexes whose square (a radius to each side) shares an area with a box."""
        left, top, right, bottom = box
        r, dx, dy = self.lattice.r, self.lattice.dx, self.lattice.dy
        for x in range(floor((left - r) / dx), ceil((right + r) / dx) + 1):
            if not left - r < x * dx < right + r:
                continue
            for y in range(floor((top - r) / dy), ceil((bottom + r) / dy) + 1):
                if top - r < y * dy < bottom + r and (label := self._at.get((x, y))) is not None:
                    yield label


@lru_cache(maxsize=32)
def plan_of(board: Board, lattice: Lattice) -> Plan:
    return Plan(board, lattice)
