"""Standing orders: stored, secret from everybody but their owner, and looked up when their moment comes.

The rules know nothing of them. After every move ``progress`` asks whether the seat to act has waiting orders
(:func:`waits`) for this question (:func:`fitting`), and plays what they say (:func:`due_move`) like any other order.
"""

import logging
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine import BadMove, Move, Refused, Say, Sheet, State, Typed, say, say_from_json, say_to_json
from pbem.engine.standing_orders import FIRST, StandingOrder, phase_of
from pbem.engine.units import Unit
from pbem.service.base import GameWork, NoSuch, Office, queries
from pbem.store.statuses import StandingOrderStatus
from pbem.store.tables import StandingOrderRow
from pbem.views.games import StandingOrderView

log = logging.getLogger(__name__)

BROKEN: Say = say("It could not be played because of an error on our side. The host has been told.")


def give(
    work: GameWork, seat: str, given: Sequence[StandingOrder], submission_id: int | None, *, played: bool = False
) -> None:
    """Keep orders for their moments; those of the same seat for the same phase that still wait are replaced.

    ``played``: the first of them has been played once already.
    """
    for row in waits(work, seat):
        if any(_replaces(order, row) for order in given):
            row.status, row.done_at = StandingOrderStatus.REPLACED, work.now
    for place, order in enumerate(given):
        row = StandingOrderRow(
            game_id=work.game.id,
            seat=seat,
            turn=order.turn,
            moment=order.moment,
            place=place,
            orders=str(order.move),
            lasting=order.lasting,
            guard=dict(order.guard),
            words=say_to_json(order.words),
            status=StandingOrderStatus.WAITING,
            plays=int(played and place == 0),
            submission_id=submission_id,
            given_at=work.now,
        )
        work.session.add(row)
        work.standing_orders.append(row)
    if given:
        work.session.flush()


def _replaces(order: StandingOrder, row: StandingOrderRow) -> bool:
    """Whether an order takes the place of one that waits: both standing or both for one turn, for the same phase."""
    same_kind = order.moment == row.moment and str(order.move).split()[:2] == row.orders.split()[:2]
    return order.turn == row.turn and (
        same_kind if order.every_turn else phase_of(order.moment) == phase_of(row.moment)
    )


def cancel_all(work: GameWork, seat: str) -> int:
    """Withdraw everything the seat has ordered ahead; returns how many orders that were."""
    waiting = waits(work, seat)
    for row in waiting:
        row.status, row.done_at = StandingOrderStatus.CANCELLED, work.now
    return len(waiting)


def withdraw(office: Office, game_id: str, seat: str, number: int, now: datetime) -> bool:
    """Withdraw one order; returns whether it still waited. Raises :class:`NoSuch` for another seat's."""
    with office.work(now) as work:
        queries.locked(work.session, game_id)
        row = work.session.get(StandingOrderRow, number)
        if row is None or (row.game_id, row.seat) != (game_id, seat):
            raise NoSuch(f"There is no order {number} of {seat} in game {game_id}.")
        if row.status != StandingOrderStatus.WAITING:
            return False
        row.status, row.done_at = StandingOrderStatus.CANCELLED, now
        return True


def waits(work: GameWork, seat: str) -> Sequence[StandingOrderRow]:
    """The orders of a seat that wait: those of a turn first, then standing ones."""
    mine = (row for row in work.standing_orders if _is_waiting(row) and row.seat == seat)
    return sorted(mine, key=lambda row: (-row.turn, row.id))


def asked_first(work: GameWork) -> frozenset[str]:
    """The seats that have ordered something for the turn of the position that comes before a draw."""
    turn = work.sheet.turn(work.state)
    waiting = (row for row in work.standing_orders if _is_waiting(row) and row.turn == turn)
    return frozenset(row.seat for row in waiting if row.guard.get(FIRST))


def fitting(sheet: Sheet, state: State, seat: str, waiting: Sequence[StandingOrderRow]) -> Sequence[StandingOrderRow]:
    """Those of a seat's orders that are for what it is asked now: of this turn first, then standing ones."""
    moment = sheet.moments(state, seat)[:1]
    found = [row for row in waiting if row.turn == sheet.turn(state) and (row.moment,) == moment]
    return found + [row for row in waiting if row.turn == 0 and moment and row.moment == phase_of(moment[0])]


def due_move(sheet: Sheet, state: State, row: StandingOrderRow, now: datetime) -> Move | None:
    """What an order says now that its moment has come. One that no longer holds is void: its owner is to be asked."""
    try:
        (move,) = sheet.parse(state, row.orders, {})
        words = say_from_json(row.words)
        return sheet.due_order(state, StandingOrder(move, row.moment, words, row.turn, row.lasting, row.guard))
    except (BadMove, Refused) as failed:
        void(row, failed, now)
    return None


def void(row: StandingOrderRow, failed: BadMove | Refused, now: datetime) -> None:
    """The order no longer holds; its owner is told why."""
    row.status, row.done_at = StandingOrderStatus.VOID, now
    if isinstance(failed, Refused):
        row.reason, row.rule = say_to_json(failed.refusal.why), failed.refusal.rule
    else:
        row.reason = say_to_json(failed.sentence())


def set_aside(row: StandingOrderRow, now: datetime) -> None:
    """The order met an error of ours; its owner is asked."""
    row.status, row.done_at, row.reason = StandingOrderStatus.STUCK, now, say_to_json(BROKEN)


def was_played(row: StandingOrderRow, number: int, now: datetime) -> None:
    row.plays, row.move_number = row.plays + 1, number
    if not row.lasting and row.turn:
        row.status, row.done_at = StandingOrderStatus.PLAYED, now


def sweep(work: GameWork) -> None:
    """Close standing orders whose moment is over, at the latest at the end of their turn."""
    sheet, state = work.sheet, work.state
    turn, over = sheet.turn(state), sheet.over(state)
    for row in filter(_is_waiting, work.standing_orders):
        if over or (row.turn and (row.turn < turn or _gone(sheet, state, row, turn))):
            row.status, row.done_at = (StandingOrderStatus.PLAYED if row.plays else StandingOrderStatus.ENDED), work.now


def _gone(sheet: Sheet, state: State, row: StandingOrderRow, turn: int) -> bool:
    if row.turn != turn:
        return False
    try:
        return row.moment not in sheet.moments(state, row.seat)
    except Exception:
        log.exception("whether standing order %s is still needed cannot be decided; it keeps waiting", row.id)
        return False


def void_now(work: GameWork, seat: str) -> int | None:
    """The order of the seat that has become void or was set aside in this unit of work, by number."""
    void = (StandingOrderStatus.VOID, StandingOrderStatus.STUCK)
    return max((row.id for row in work.standing_orders if row.seat == seat and row.status in void), default=None)


def of_seat(office: Office, game_id: str, seat: str) -> tuple[StandingOrderView, ...]:
    """The orders of a seat that wait, in the order of their moments; for the eyes of its owner only."""
    with office.read() as session:
        return waiting_of(session, game_id, seat)


def waiting_of(session: Session, game_id: str, seat: str) -> tuple[StandingOrderView, ...]:
    waiting = waiting_rows(session, game_id, seat)
    return tuple(view(row) for row in sorted(waiting, key=lambda row: (not row.turn, row.turn, row.id)))


def view(row: StandingOrderRow) -> StandingOrderView:
    reason = None if row.reason is None else say_from_json(row.reason)
    return StandingOrderView(
        row.id, row.orders, say_from_json(row.words), row.turn, row.status, row.given_at, reason, row.rule, row.moment
    )


def of_submission(session: Session, submission_id: int) -> tuple[StandingOrderView, ...]:
    query = select(StandingOrderRow).where(StandingOrderRow.submission_id == submission_id)
    return tuple(view(row) for row in session.scalars(query.order_by(StandingOrderRow.place)))


def covered(work: GameWork, seat: str) -> frozenset[str]:
    """The moments of the turn for which orders of the seat wait."""
    turn = work.sheet.turn(work.state)
    return frozenset(row.moment for row in waits(work, seat) if row.turn in (0, turn))


def taken_words(unit: Unit, orders: Sequence[StandingOrderView]) -> tuple[Say, ...]:
    """What was taken in, one sentence for each order."""
    return tuple(_taken(unit, order) for order in orders)


def _taken(unit: Unit, order: StandingOrderView) -> Say:
    if not order.turn:
        return say("“{orders}” stands until you cancel it: {moment}.", orders=Typed(order.orders), moment=order.words)
    return say(
        "“{orders}” waits for your moment in {turn}: {moment}.",
        orders=Typed(order.orders),
        turn=unit.nth(order.turn),
        moment=order.words,
    )


def _is_waiting(row: StandingOrderRow) -> bool:
    return row.status == StandingOrderStatus.WAITING


def waiting_rows(session: Session, game_id: str, seat: str) -> Sequence[StandingOrderRow]:
    query = select(StandingOrderRow).where(
        StandingOrderRow.game_id == game_id,
        StandingOrderRow.status == StandingOrderStatus.WAITING,
        StandingOrderRow.seat == seat,
    )
    return session.scalars(query.order_by(StandingOrderRow.turn.desc(), StandingOrderRow.id)).all()
