"""New track tile by tile from one City to another, for all robots and both games."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator

from pbem.rails.board import Board, Label
from pbem.rails.hexes import opposite
from pbem.rails.scene import Scene
from pbem.rails.tiles import TILE_OF, ends

TURNS = (3, 2, 4, 1, 5)
"""From the edge over which a tile is entered to that over which it is left, straight on first."""
Step = tuple[Label, int | None, int | None]
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


def named(board: Board, steps: Iterable[Step], towns: Container[Label] = ()) -> tuple[str, ...]:
    """Tiles as they are typed."""
    words = []
    for label, *edges in steps:
        names = [board.directions[edge] for edge in edges if edge is not None]
        words.append(f"{label} @{','.join(names)}" if label in towns else f"{label} {'-'.join(names)}")
    return tuple(words)
