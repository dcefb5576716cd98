"""A game that is over with a review that was not worked out: which orders are clear is known beforehand."""

from collections.abc import Sequence

from pbem.robot.review import METHOD
from pbem.robot.review.comparisons import FIRST_PAIRS, Comparison, Continuation
from pbem.robot.review.course import OrderWorth
from pbem.robot.review.value import Worth
from pbem.service.statistics import counting
from pbem.store.statuses import ReviewStatus
from pbem.store.tables import ReviewRow
from tests.table import Table

BUILD = "build B1 NE-S; D1 N-S"
"""Minneapolis to Duluth, where nothing was built."""


def compared(table: Table, phase: str, better: str, lead: float, place: int = 0) -> Comparison:
    """An order of a phase, the ``place``-th of the game, beside one that is better by ``lead`` points or worse."""
    move = [move for move in table.view().log if move.phase == phase and move.counts][place]
    pairs = [
        (Continuation(lead + wave, 5, 12, out=False, others_out=False), Continuation(-wave, 2, 3, wave > 0, False))
        for wave in (-1.0, 1.0) * (FIRST_PAIRS // 2)
    ]
    return Comparison(move.number, move.turn, phase, move.seat, move.orders, better, lead, pairs)


def decisions(table: Table) -> list[Comparison]:
    """A large mistake, a small one, a best move, and one of which nothing is known, of a game of default orders."""
    return [
        compared(table, "build_track", BUILD, 11.0),
        compared(table, "issue_shares", "issue 2", 4.0, place=1),
        compared(table, "build_track", BUILD, -8.0, place=1),
        compared(table, "issue_shares", "issue 1", 0.5, place=2),
    ]


def course(table: Table) -> list[OrderWorth]:
    """Two turns of four seats: a mistake costs its player 12 points and a fifth of the chances, a best move in the same
    phase brings 6 and three twentieths, and the dice of the second turn bring the player of the mistake 3."""
    mistake, _, best, _ = decisions(table)
    seats = [seat.seat for seat in table.view().seats]
    even = {seat: Worth(40.0, 0.25) for seat in seats}
    build = mistake.turn, mistake.phase
    first = even | {mistake.player: Worth(28.0, 0.05), best.player: Worth(40.0, 0.35)}
    second = first | {mistake.player: Worth(28.0, 0.0), best.player: Worth(46.0, 0.5)}
    lucky = second | {mistake.player: Worth(31.0, 0.0)}
    return [
        OrderWorth(0, 0, "", "", even, even),
        OrderWorth(mistake.number, *build, mistake.player, first, first),
        OrderWorth(best.number, *build, best.player, second, second),
        OrderWorth(best.number + 1, build[0] + 1, "move_goods", best.player, lucky, second),
    ]


def put(
    table: Table,
    found: Sequence[Comparison],
    status: ReviewStatus = ReviewStatus.DONE,
    part: int = 100,
    went: Sequence[OrderWorth] = (),
) -> None:
    """Count the game that is over, and give it this review."""
    counting.count(table.office, table.game, table.now)
    with table.office.write() as session:
        row = session.get_one(ReviewRow, table.game)
        row.status, row.part, row.spent = status, part, 90_000
        row.found = {
            "method": METHOD, "read": 0,
            "orders": [one.to_json() for one in went], "whole": True, "compared": [one.to_json() for one in found],
        }  # fmt: skip
