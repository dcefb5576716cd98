"""Hexes of terrain ``special``: their track is printed, opens during the game and is nobody's to finish."""

from pbem.rails.board import Board, Label
from pbem.rails.scene import Scene
from pbem.rails.track import Chain, Segment
from pbem.render.track import PUBLIC_OWNER

SPECIAL = "special"


def special_hexes(board: Board) -> list[Label]:
    """The hexes of a board whose track is printed, in the order of the board."""
    return [label for label, hex_ in board.hexes.items() if hex_.terrain == SPECIAL]


def is_shut(scene: Scene, label: Label) -> bool:
    """Whether a hex is one that has not opened yet; a town on it is none so far."""
    return scene.board.hexes[label].terrain == SPECIAL and not scene.track.get(label)


def as_shown(board: Board, label: Label, segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """The pieces of a hex as they look: printed track that nobody owns is public."""
    if board.hexes[label].terrain != SPECIAL:
        return segments
    return tuple(s if s.owner is not None else s._replace(owner=PUBLIC_OWNER) for s in segments)


def is_printed(board: Board, chain: Chain) -> bool:
    """Whether a chain is printed track alone that nobody has joined."""
    return chain.owner is None and all(board.hexes[piece.hex].terrain == SPECIAL for piece in chain.pieces)
