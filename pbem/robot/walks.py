"""New track tile by tile from one City to another, with its price and its order: for all robots and both games."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pbem.rails.board import Board, Label
from pbem.rails.hexes import opposite
from pbem.rails.scene import Scene
from pbem.rails.tiles import TILE_OF, ends

DOLLARS = re.compile(r"\$(\d+)")
TILE_PRICE = 2
"""Dollars for a tile where the picture does not say."""
NOTHING = "build nothing"
TURNS = (3, 2, 4, 1, 5)
"""From the edge over which a tile is entered to that over which it is left, straight on first."""
Step = tuple[Label, int, int | None]
"""A new tile with the edges over which it is entered and left; ``None`` where the way begins or ends on it."""


def walks(
    board: Board,
    cities: Container[Label],
    side: tuple[Label, int],
    longest: int,
    outs: Callable[[Label, int], Iterable[int | None]],
    steps: tuple[Step, ...] = (),
) -> Iterator[tuple[tuple[Step, ...], Label]]:
    """New track over a side of a hex, and the hex to which it leads: of a City, or where it may end.

    ``outs``: the sides to which it can leave a hex that it has come into over an edge, ``None`` where it can end there.
    """
    hex_, edge = side
    beyond, entry = board.neighbours[hex_][edge], opposite(edge)
    if beyond is None:
        return
    if beyond in cities:
        if steps:
            yield steps, beyond
    elif len(steps) < longest and all(label != beyond for label, _, _ in steps):
        for out in outs(beyond, entry):
            way = (*steps, (beyond, entry, out))
            if out is None:
                yield way, beyond
            elif len(way) < longest or board.neighbours[beyond][out] in cities:  # with the last tile it has to end
                yield from walks(board, cities, (beyond, out), longest, outs, way)


def beside(scene: Scene, hex_: Label, entry: int) -> Iterator[int]:
    """The sides to which new track from ``entry`` can go beside what lies there, by some tile."""
    old = scene.track.get(hex_, ())
    taken = {end for segment in old for end in segment.ends}
    if entry in taken or len(old) > 1:
        return
    sides = scene.board.open_sides.get(hex_, frozenset())
    for out in ((entry + turn) % 6 for turn in TURNS):
        if out in sides and out not in taken and (not old or frozenset((old[0].ends, ends(entry, out))) in TILE_OF):
            yield out


class Part(NamedTuple):
    """Track on one hex: the two sides of a piece, or the exits of a town."""

    hex: Label
    edges: tuple[int, ...]
    town: bool

    def typed(self, board: Board) -> str:
        names = [board.directions[edge] for edge in self.edges]
        return f"{self.hex} @{','.join(names)}" if self.town else f"{self.hex} {'-'.join(names)}"


def part_of(step: Step, towns: Container[Label] = ()) -> Part:
    """The track of a step, its edges in the order of the walk."""
    label, entry, out = step
    return Part(label, (entry,) if out is None else (entry, out), label in towns)


@dataclass(frozen=True, slots=True)
class Way:
    """Track that makes links between its nodes. ``link``: the order of a special link, which takes no tiles."""

    nodes: tuple[Label, ...]
    parts: tuple[Part, ...]
    cost: int
    link: str = ""

    @property
    def tiles(self) -> int:
        return 1 if self.link else len(self.parts)

    def turned(self) -> Way:
        """The same track, laid from its other end."""
        return Way(self.nodes[::-1], self.parts[::-1], self.cost, self.link)

    def leads(self) -> Iterator[tuple[Label, Label]]:
        """Every hex between two nodes with each of the two."""
        at = 0
        for part in self.parts:
            if not part.town:
                yield part.hex, self.nodes[at]
                yield part.hex, self.nodes[at + 1]
            elif at + 1 < len(self.nodes) and part.hex == self.nodes[at + 1]:
                at += 1


def order_of(board: Board, ways: Iterable[Way], parts: Iterable[Part], word: str = "build") -> str:
    """The order that lays these parts and buys the special links."""
    steps = [*(part.typed(board) for part in parts), *(way.link for way in ways if way.link)]
    return f"{word} {'; '.join(steps)}" if steps else NOTHING


def tile_price(scene: Scene, terrain: str = "plain") -> int:
    """Dollars for a tile on this terrain as the picture says."""
    found = DOLLARS.search(scene.prices.get(terrain) or scene.prices.get("plain", ""))
    return int(found[1]) if found else TILE_PRICE


def price_of(scene: Scene, label: Label) -> int:
    """Dollars for a tile on an empty hex."""
    hex_ = scene.board.hexes[label]
    return tile_price(scene, hex_.terrain) if hex_.price is None else hex_.price
