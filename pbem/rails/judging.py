"""What every game asks of a new piece of track; each function raises :class:`Refused` with the rule that is cited."""

from pbem.engine import Place, Seat, Who
from pbem.engine.moves import no
from pbem.rails.board import Board, Hex, Label
from pbem.rails.track import Net


def judge_hex(board: Board, label: Label) -> Hex:
    hex_ = board.hexes.get(label)
    if hex_ is None:
        raise no("", "There is no hex {hex} on this board.", hex=label)
    return hex_


def judge_side(board: Board, label: Label, edge: int, rule: str) -> None:
    """Track may lead to a side behind which there is land or a City."""
    if edge not in board.open_sides[label]:
        raise no(
            rule,
            "Track on {hex} cannot lead to {side}: there is no land to go on.",
            hex=Place(label),
            side=board.directions[edge],
        )


def judge_joining(net: Net, seat: Seat, label: Label, edge: int, rule: str) -> None:
    """Track may not join track of somebody else."""
    _, met = net.across(label, edge)
    if met is not None and met.owner not in (None, seat):
        raise no(
            rule,
            "Track on {hex} would join {owner}'s track at its side {side}.",
            hex=Place(label),
            owner=Who(met.owner),
            side=net.board.directions[edge],
        )
