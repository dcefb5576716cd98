"""What the positions of all games on these boards write alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pbem.rails.board import Board, Label
from pbem.rails.hexes import TOWN
from pbem.rails.tiles import ends
from pbem.rails.track import Segment, Track, TrackKey, key_of


def track_as_seen(board: Board, track: Track) -> dict[str, list[list[object]]]:
    """Per hex its segments as ``[[exit, exit], owner]``, exits as seen on the board, ``@`` for the town."""
    names = {**dict(enumerate(board.directions)), TOWN: "@"}
    return {hex_: [[[names[a], names[b]], owner] for a, b, owner in track[hex_]] for hex_ in sorted(track)}


def track_kept(board: Board, track: Track) -> Mapping[Label, object]:
    """The same as :func:`track_as_seen` to be written only, as most orders change no track."""
    return _kept(board, key_of(track))


@lru_cache(maxsize=128)
def _kept(board: Board, track: TrackKey) -> Mapping[Label, object]:
    return track_as_seen(board, dict(track.items))


def track_of(board: Board, seen: Mapping[Label, Sequence[Any]]) -> dict[Label, tuple[Segment, ...]]:
    """The track that :func:`track_as_seen` shows."""
    edges = {**{name: edge for edge, name in enumerate(board.directions)}, "@": TOWN}
    return {
        hex_: tuple(Segment(*ends(edges[first], edges[second]), owner) for (first, second), owner in segments)
        for hex_, segments in seen.items()
    }
