"""What the positions of all games on these boards write alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.rails.board import Board, Label
from pbem.rails.hexes import TOWN
from pbem.rails.tiles import ends
from pbem.rails.track import Segment


def track_of(board: Board, seen: Mapping[Label, Sequence[Any]]) -> dict[Label, tuple[Segment, ...]]:
    """The track that :attr:`Net.as_seen` shows."""
    edges = {**{name: edge for edge, name in enumerate(board.directions)}, "@": TOWN}
    return {
        hex_: tuple(Segment(*ends(edges[first], edges[second]), owner) for (first, second), owner in segments)
        for hex_, segments in seen.items()
    }
