"""Clocks that run at every hour of every day, as most do: an outage moves them all in one statement.

What their games have left is the same afterwards as when :func:`game_clock.set_times` sets them anew.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, String, Update, bindparam, cast, exists, or_, select, update
from sqlalchemy.orm import Session

from pbem.service.clocks.all_games import ACCOUNTS, GAMES, SEATS
from pbem.statuses import GameStatus
from pbem.store import many
from pbem.store.moments import Moments
from pbem.store.tables import Absence

NO_DAYS = "[]"
ENDS = ("deadline_at", "remind_at")


def moved(session: Session, since: datetime, until: datetime) -> set[str]:
    """Let no time have run from ``since`` until ``until`` on the clocks of open questions that a constant clock has and
    whose next moments were still to come; the ids of their games. The caller has locked all games that run."""
    made = _moved(many.dialect_of(session))
    given = {"since": since, "until": until}
    return set(session.connection().execute(made, given).scalars())


@cache
def _moved(dialect: str) -> Update:
    moments = Moments(dialect)
    since, until = (bindparam(name, type_=GAMES.c.counted_from.type) for name in ("since", "until"))
    ran = moments.seconds(GAMES.c.counted_from, since)
    clock = {"spent_seconds": GAMES.c.spent_seconds + ran, "counted_from": until}
    ends = {
        name: moments.later(GAMES.c[name], GAMES.c.counted_from, until, ran) for name in ("deadline_at", "remind_at")
    }
    return (
        update(GAMES)
        .where(*_runs_constantly(since), exists(_asked()))
        .values({GAMES.c[name]: value for name, value in (clock | ends).items()})
        .returning(GAMES.c.id)
    )


def _runs_constantly(since: ColumnElement[datetime]) -> tuple[ColumnElement[bool], ...]:
    """A game of which nothing but its question runs, with a clock that had begun to and reaches no moment by then."""
    row = GAMES.c
    begun = (row.counted_from <= since, row.deadline_at > since)
    idle = (row.paused_at, row.robot_at)
    past = (row.waiting_since, row.reminded_at, row.grace_until, row.stops_at)
    return (
        row.status == GameStatus.RUNNING,
        *begun,
        *(each.is_(None) for each in idle),
        *(or_(each.is_(None), each <= since) for each in past),
        or_(row.remind_at.is_(None), row.remind_at > since),
        row.weekends,
        cast(row.holidays, String) == NO_DAYS,
    )


def _asked() -> Any:
    """The seat that is asked where its player plays and is never away or asleep."""
    seat, account = SEATS.c, ACCOUNTS.c
    never_asleep = or_(account.quiet_from.is_(None), account.quiet_to.is_(None), account.quiet_from == account.quiet_to)
    away = select(Absence.id).where(Absence.account_id == seat.account_id)
    return (
        select(seat.id)
        .select_from(SEATS.outerjoin(ACCOUNTS, account.id == seat.account_id))
        .where(seat.game_id == GAMES.c.id, seat.colour == GAMES.c.to_act, seat.colour != "")
        .where(seat.robot == "", seat.caretaker_since.is_(None), never_asleep, ~exists(away))
        .correlate(GAMES)
    )
