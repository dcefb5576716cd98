"""A game that is over with a review that was not worked out: which orders are clear is known beforehand."""

from collections.abc import Sequence

from pbem.robot.review import METHOD
from pbem.robot.review.comparisons import FIRST_PAIRS, Comparison, Continuation
from pbem.robot.review.course import TurnWorth
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


def course(table: Table) -> list[TurnWorth]:
    """Three turns: the first seat wins, the last has luck of two points in the second turn."""
    seats = [seat.seat for seat in table.view().seats]
    points = [[40.0] * len(seats), [44.0, *[39.0] * (len(seats) - 1)], [52.0, *[35.0] * (len(seats) - 1)]]

    def turn(number: int, luck: float) -> TurnWorth:
        worths = {seat: Worth(one, one / sum(points[number])) for seat, one in zip(seats, points[number], strict=True)}
        lucky = {seats[-1]: Worth(points[number][-1] - luck, 0.2)}
        return TurnWorth(number, worths, worths | lucky)

    return [turn(0, 0.0), turn(1, 0.0), turn(2, 2.0)]


def put(
    table: Table,
    found: Sequence[Comparison],
    status: ReviewStatus = ReviewStatus.DONE,
    part: int = 100,
    went: Sequence[TurnWorth] = (),
) -> None:
    """Count the game that is over, and give it this review."""
    counting.count(table.office, table.game, table.now)
    with table.office.write() as session:
        row = session.get_one(ReviewRow, table.game)
        row.status, row.part, row.spent = status, part, 90_000
        row.found = {
            "method": METHOD, "read": 0,
            "course": [turn.to_json() for turn in went], "compared": [one.to_json() for one in found],
        }  # fmt: skip
