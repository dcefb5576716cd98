"""What everybody, or the player of a seat, may read of the entries of a game: the one place that decides it.

While a game runs, a robot's reason is read once nothing in it is hidden any more, and of orders that were taken back
others learn that there were some: neither the orders nor the position after them are shown. A finished game has no
secrets but events for the eyes of one seat.
"""

import json
from functools import lru_cache
from typing import Any

from sqlalchemy import BindParameter, Integer, Row, bindparam, func, select
from sqlalchemy.orm import Session

from pbem.engine import Who, replace, say, to_reader
from pbem.engine.events import Told, told
from pbem.engine.text import together
from pbem.robot.reasons import Until, reason_from_json
from pbem.service.base import queries
from pbem.service.base.queries import LogPart
from pbem.store.statuses import GameStatus, MoveCause
from pbem.store.tables import Game, Move
from pbem.views.games import MoveView


def entries(session: Session, game: Game, version: int, viewer: str, part: LogPart) -> tuple[MoveView, ...]:
    """A part of the log as it stood with entry ``version``, for the eyes of a seat, or with ``""`` of everybody."""
    return tuple(_entry(game, row, version, viewer) for row in queries.log(session, game.id, version, part))


def readable(events: tuple[Told, ...], viewer: str) -> tuple[Told, ...]:
    """Without what is for the eyes of others."""
    return tuple(event for event in events if event.open_to(viewer or None))


def position_shown(session: Session, game: Game, version: int) -> int:
    """After which entry the position is that may be shown for ``version``: another one where that was taken back."""
    if game.status == GameStatus.OVER:
        return version
    number: int = session.scalars(_SHOWN, {"game": game.id, "number": version}).one()
    return number


def state_shown(session: Session, game: Game, version: int) -> bytes:
    """The stored state of that position, for a ``version`` that is not the latest."""
    query = _STATE if game.status == GameStatus.OVER else _STATE_SHOWN
    state: bytes = session.scalars(query, {"game": game.id, "number": version}).one()
    return state


_NUMBER: BindParameter[int] = bindparam("number", type_=Integer)
_WITHDRAWN = (
    select(func.min(Move.number) - 1)
    .where(Move.game_id == bindparam("game"), Move.number <= _NUMBER, Move.taken_back_by > _NUMBER)
    .scalar_subquery()
)
"""The entry before the first that had not been taken back then, and has been since."""
_STATE = select(Move.state).where(Move.game_id == bindparam("game"), Move.number == _NUMBER)
_STATE_SHOWN = select(Move.state).where(
    Move.game_id == bindparam("game"), Move.number == func.coalesce(_WITHDRAWN, _NUMBER)
)
_SHOWN = select(func.coalesce(_WITHDRAWN, _NUMBER))


def _entry(game: Game, row: Row[Any], version: int, viewer: str) -> MoveView:
    over = game.status == GameStatus.OVER
    reason = None if row.why is None else reason_from_json(row.why)
    whole = MoveView(
        number=row.number,
        seat=row.seat,
        turn=row.turn,
        phase=row.phase,
        orders=row.orders,
        cause=row.cause,
        events=readable(_events(row.events), viewer),
        at=row.at,
        taken_back=row.taken_back_by is not None and row.taken_back_by <= version,
        why=together(reason.say, *filter(None, [reason.second])) if reason else None,
        by_mail=row.by_mail is not None and row.number >= row.by_mail,
    )
    if over:
        return whole
    if row.taken_back_by is not None:
        others = replace(whole, orders="", events=(), why=None)
    elif row.cause == MoveCause.TAKEN_BACK:
        others = replace(whole, events=(_taken_back(row.seat),))
    elif reason and not _told(game, row, reason.until):
        others = replace(whole, why=None)
    elif reason and not _told(game, row, reason.later):
        others = replace(whole, why=reason.say)
    else:
        return whole
    return replace(whole, others=others) if viewer and viewer == row.seat else others


def _told(game: Game, row: Row[Any], until: Until) -> bool:
    """Whether that is over until which a reason of an order is hidden in a game that runs."""
    turn_over: bool = game.turn != row.turn
    phase_over: bool = turn_over or game.phase != row.phase
    over = {Until.NOTHING: True, Until.PHASE: phase_over, Until.TURN: turn_over, Until.GAME: False}
    return over[until]


def _taken_back(seat: str) -> Told:
    return Told("TookBack", {"seat": seat}, say("{player} took back the last orders", player=Who(seat)))


@lru_cache(maxsize=4096)
def _events(stored: str) -> tuple[Told, ...]:
    """Events never change, and a game's whole log is read for every page of it."""
    return tuple(told(event) for event in json.loads(stored))


to_reader("{player} took back the last orders", player="You took back the last orders")
