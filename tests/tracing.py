"""Track as it is told to others, followed by other means than the rules: for the referee.

Reads a position (contract, section 4) and the printed board; knows nothing of ``pbem.rails.track``.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.rails.board import Board

Piece = tuple[str, frozenset[str]]
"""A hex and the two ends of a segment in it; ``@`` is the town."""

STEPS = {
    "flat-top": {"N": (0, -2), "NE": (1, -1), "SE": (1, 1), "S": (0, 2), "SW": (-1, 1), "NW": (-1, -1)},
    "pointy-top": {"NE": (1, -1), "E": (2, 0), "SE": (1, 1), "SW": (-1, 1), "W": (-2, 0), "NW": (-1, -1)},
}
BACK = {"N": "S", "NE": "SW", "SE": "NW", "S": "N", "SW": "NE", "NW": "SE", "E": "W", "W": "E"}

BOX = {
    "straight": 48, "gentle": 55, "acute": 7,
    "cross_straight_straight": 4, "cross_gentle_straight": 4, "cross_gentle_gentle": 3,
    "coexist_gentle_gentle": 1, "coexist_straight_acute": 1, "coexist_gentle_acute_1": 1, "coexist_gentle_acute_2": 1,
    "town_1": 3, "town_3_same_half": 2, "town_3_left": 2, "town_3_right": 2, "town_3_star": 2,
}  # fmt: skip
"""The tiles of the box, counted from the rulebook."""
UNDER_FOUR = {
    3: ("cross_straight_straight", "coexist_gentle_gentle"),
    2: ("cross_gentle_straight", "coexist_gentle_acute_1", "coexist_gentle_acute_2"),
    1: ("cross_gentle_gentle", "coexist_straight_acute"),
}
"""Tiles that can lie under a town of four exits, by how far the two missing exits are apart."""


@dataclass(frozen=True)
class Run:
    """A maximal run of segments: the nodes at its ends (one, two, or one twice), its owners, its open ends."""

    pieces: frozenset[Piece]
    nodes: tuple[str, ...]
    owners: frozenset[str | None]
    open: tuple[tuple[str, str], ...]

    @property
    def owner(self) -> str | None:
        (owner,) = self.owners
        return owner

    @property
    def link(self) -> bool:
        return len(self.nodes) == 2 and self.nodes[0] != self.nodes[1]


def places_of(board: Board) -> dict[tuple[int, int], str]:
    return {(hex_.x, hex_.y): label for label, hex_ in board.hexes.items()}


class Tracing:
    """The track of one position. ``places``: those of the board, where they are at hand."""

    def __init__(
        self, board: Board, position: Mapping[str, Any], places: Mapping[tuple[int, int], str] | None = None
    ) -> None:
        self.board = board
        self.steps = STEPS[board.orientation]
        self.at = places_of(board) if places is None else places
        self.city = {hex_: city.label for city in board.cities.values() for hex_ in city.hexes}
        self.city |= {label: label for label in position["new_cities"].values()}
        self.owner: dict[Piece, str | None] = {}
        self.on: dict[str, list[Piece]] = {}
        self.lay({(hex_, frozenset(ends)): owner for hex_, lying in position["track"].items() for ends, owner in lying})

    def lay(self, owner: Mapping[Piece, str | None]) -> None:
        """Put this track on the board in place of what lies there."""
        self.owner, self.on = dict(owner), {}
        for piece in self.owner:
            self.on.setdefault(piece[0], []).append(piece)

    def beyond(self, hex_: str, side: str) -> str | None:
        """The hex across a side, ``None`` off the board."""
        dx, dy = self.steps[side]
        place = self.board.hexes[hex_]
        return self.at.get((place.x + dx, place.y + dy))

    def runs(self) -> list[Run]:
        """Every run of segments, each once."""
        left, found = dict.fromkeys(self.owner), []
        while left:
            run = self._run(next(iter(left)))
            for piece in run.pieces:
                del left[piece]
            found.append(run)
        return found

    def _run(self, start: Piece) -> Run:
        pieces, nodes, ends, todo = {start}, list[str](), list[tuple[str, str]](), [start]
        while todo:
            hex_, sides = todo.pop()
            for side in sides:
                node, piece = self._end(hex_, side)
                if node is not None:
                    nodes.append(node)
                elif piece is None:
                    ends.append((hex_, side))
                elif piece not in pieces:
                    pieces.add(piece)
                    todo.append(piece)
        owners = frozenset(self.owner[piece] for piece in pieces)
        return Run(frozenset(pieces), tuple(sorted(nodes)), owners, tuple(sorted(ends)))

    def _end(self, hex_: str, side: str) -> tuple[str | None, Piece | None]:
        """The node at an end of a segment, or the segment that meets it."""
        if side == "@":
            return hex_, None
        beyond = self.beyond(hex_, side)
        assert beyond is not None, f"track runs off the board at {hex_} {side}"
        if beyond in self.city:
            return self.city[beyond], None
        return None, next((p for p in self.on.get(beyond, ()) if BACK[side] in p[1]), None)

    def tiles(self, without: Collection[str] = ()) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Per hex with track: whether it is a ``town``, and the edges of its segments or exits by number."""
        names = tuple(self.steps)
        hexes: dict[str, list[frozenset[str]]] = {}
        for hex_, ends in self.owner:
            if hex_ in without:
                continue
            hexes.setdefault(hex_, []).append(ends)
        for lying in hexes.values():
            if "@" in lying[0]:
                yield "town", tuple(sorted(names.index(side) for ends in lying for side in ends if side != "@"))
            else:
                yield "track", tuple(edge for ends in lying for edge in sorted(map(names.index, ends)))


def curve(a: int, b: int) -> str:
    """The simple track between two edges."""
    return {1: "acute", 2: "gentle", 3: "straight", 4: "gentle", 5: "acute"}[(b - a) % 6]


def complex_tile(a: int, b: int, c: int, d: int) -> str | None:
    """The tile with two segments, ``None`` where none exists."""
    first, second = sorted((curve(a, b), curve(c, d)), key=("gentle", "straight", "acute").index)
    if len({a, b, c, d}) < 4:
        return None
    if (a < c < b) is not (a < d < b):
        return f"cross_{first}_{second}"
    if (first, second) == ("gentle", "acute"):
        (gentle, acute) = ((a, b), (c, d)) if curve(a, b) == "gentle" else ((c, d), (a, b))
        start = next(g for g in gentle if (g + 2) % 6 in gentle)
        sharp = next(s for s in acute if (s + 1) % 6 in acute)
        return "coexist_gentle_acute_1" if (sharp - start) % 6 == 4 else "coexist_gentle_acute_2"
    return None if first == "acute" else f"coexist_{first}_{second}"


def three_exits(exits: tuple[int, ...]) -> str:
    """The dedicated tile of a town of three exits."""
    gaps = [(exits[(n + 1) % 3] - exits[n]) % 6 for n in range(3)]
    at = gaps.index(1) if 1 in gaps else 0
    around = (gaps[at], gaps[at - 2], gaps[at - 1])
    shapes = {(1, 1, 4): "same_half", (1, 4, 1): "same_half", (2, 2, 2): "star", (1, 2, 3): "right", (1, 3, 2): "left"}
    return f"town_3_{shapes[around]}"


def supply_fault(tiles: Iterator[tuple[str, tuple[int, ...]]], box: Mapping[str, int], discs: int) -> str | None:
    """What there is too much of on the board, if anything."""
    used, fours, discs_used = Counter[str](), Counter[int](), 0
    for kind, edges in tiles:
        if kind == "track":
            name = curve(*edges) if len(edges) == 2 else complex_tile(*edges) if len(edges) == 4 else None
            if name is None:
                return f"no tile shows {edges}"
            used[name] += 1
            continue
        discs_used += len(edges) in (2, 4)
        if len(edges) == 4:
            a, b = sorted(set(range(6)) - set(edges))
            fours[min(b - a, 6 - b + a)] += 1
        elif len(edges) > 4:
            return "a town of more than four exits"
        else:
            used["town_1" if len(edges) == 1 else curve(*edges) if len(edges) == 2 else three_exits(edges)] += 1
    for name, count in used.items():
        if count > box.get(name, 0):
            return f"{count} {name}"
    for apart, count in fours.items():
        if count > sum(box.get(name, 0) - used[name] for name in UNDER_FOUR[apart]):
            return f"{count} towns of four exits"
    return f"{discs_used} town discs" if discs_used > discs else None
