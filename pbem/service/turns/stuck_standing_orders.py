"""Standing orders that met an error of ours: let to wait again once it is fixed, or closed, by the operator."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine import Value
from pbem.engine.standing_orders import phase_of
from pbem.service.base import Office, queries
from pbem.service.base.numbers import NUMBERS
from pbem.service.turns import progress
from pbem.store.statuses import GameStatus, SeatStatus, StandingOrderStatus
from pbem.store.tables import AuditEntry, Game, Seat, StandingOrderRow


class StuckOrder(Value):
    """An order that was set aside. ``useful``: whether its moment can still come, for the player who gave it."""

    id: int
    game: str
    title: str
    since: datetime
    useful: bool


def of_all(office: Office, most: int) -> tuple[StuckOrder, ...]:
    """What is set aside, longest ago first, at most so many."""
    query = (
        select(StandingOrderRow, Game)
        .join(Game, Game.id == StandingOrderRow.game_id)
        .where(StandingOrderRow.status == StandingOrderStatus.STUCK)
        .order_by(StandingOrderRow.id)
    )
    with office.read() as session:
        return tuple(
            StuckOrder(row.id, game.id, game.title, row.done_at or row.given_at, _useful(session, game, row))
            for row, game in session.execute(query.limit(most)).all()
        )


def wait_again(office: Office, number: int, now: datetime) -> bool | None:
    """Let an order wait for its moment again, and play it when that is now; close one that is of no use any more.

    Returns whether it waits or was played, ``None`` when it is not set aside. One that meets an error again is set
    aside again, as ever.
    """
    with office.work(now) as begun:
        row = begun.session.get(StandingOrderRow, number) if number in NUMBERS else None
        if row is None:
            return None
        work = begun.lock(row.game_id)
        work.session.refresh(row)
        if row.status != StandingOrderStatus.STUCK:
            return None
        if not _useful(work.session, work.game, row):
            row.status = StandingOrderStatus.CANCELLED
            return False
        row.status, row.done_at, row.reason = StandingOrderStatus.WAITING, None, None
        work.session.flush()
        if work.game.to_act == row.seat:
            progress.go_on(work)
        return True


def _useful(session: Session, game: Game, row: StandingOrderRow) -> bool:
    """The game is at or before its turn, its player has the seat still and has ordered nothing else for the moment."""
    if game.status != GameStatus.RUNNING or 0 < row.turn < game.turn:
        return False
    seat = queries.seat(session, game.id, row.seat)
    taken = select(AuditEntry.id).where(
        AuditEntry.game_id == game.id, AuditEntry.seat_number == seat.number, AuditEntry.kind == "took-seat",
        AuditEntry.at >= row.given_at,
    )  # fmt: skip
    if not _held(seat) or session.scalar(taken.limit(1)) is not None:
        return False
    waiting = select(StandingOrderRow.moment).where(
        StandingOrderRow.game_id == game.id, StandingOrderRow.seat == row.seat, StandingOrderRow.turn == row.turn,
        StandingOrderRow.status == StandingOrderStatus.WAITING,
    )  # fmt: skip
    return phase_of(row.moment) not in map(phase_of, session.scalars(waiting))


def _held(seat: Seat) -> bool:
    return seat.account_id is not None and seat.status == SeatStatus.ACCEPTED
