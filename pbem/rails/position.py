"""What the positions of all games on these boards write alike (contract, section 4)."""

from __future__ import annotations

from pbem.rails.board import Board
from pbem.rails.hexes import TOWN
from pbem.rails.track import Track


def track_as_seen(board: Board, track: Track) -> dict[str, list[list[object]]]:
    """Per hex its segments as ``[[exit, exit], owner]``, exits as seen on the board, ``@`` for the town."""
    names = {**dict(enumerate(board.directions)), TOWN: "@"}
    return {
        hex_: [[[names[segment.a], names[segment.b]], segment.owner] for segment in segments]
        for hex_, segments in sorted(track.items())
    }
