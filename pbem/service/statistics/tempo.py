"""How fast people answer, and whether they stay to the end: counted from moves, games and the audit log."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, time, timedelta

from sqlalchemy import Select, and_, func, or_, select
from sqlalchemy.orm import Session

from pbem.service.clocks import game_clock
from pbem.service.turns import audit_log
from pbem.store.statuses import PLAYING, GameStatus, MoveCause
from pbem.store.tables import Account, AuditEntry, Game, Move, Seat
from pbem.store.time_controls import Calendar, zone_named
from pbem.views.people import Tempo

ANSWERS = 50
"""Of how many of somebody's last answers the times are taken."""
GAMES, MOVES = 4, 120
"""In how many of the games begun last they are looked for, and among how many of the last moves of each: so the cost
does not grow with the length of games, nor with how many somebody has played."""
NIGHT = (time(23), time(7))
"""The night of those who have chosen no quiet hours."""


def tempos(session: Session, accounts: Collection[int]) -> dict[int, Tempo]:
    """How fast each of these people answers, in one statement, however many they are.

    Days that do not count for a player (absences, weekends and holidays of the game) are left out by the clock of the
    game when the answer comes; of the rest, the part is left out that lies in the quiet hours, or in the night where
    nobody has chosen any. Answers that came with others in one go took no time and do not count.
    """
    rows: defaultdict[int, list[timedelta]] = defaultdict(list)
    ended: dict[int, tuple[int, int]] = {}
    for account, finished, left, zone, quiet_from, quiet_to, spent, asked_at, at in session.execute(_query(accounts)):
        ended[account] = (finished or 0, left or 0)
        if spent is not None:
            calendar = Calendar(zone_named(zone), quiet=_night(quiet_from, quiet_to))
            rows[account].append(_awake(calendar, timedelta(seconds=spent), asked_at, at))
    return {account: _tempo(sorted(rows[account]), *counts) for account, counts in ended.items()}


def _query(accounts: Collection[int]) -> Select[int, int, int, str, int | None, int | None, int, datetime, datetime]:
    latest = (
        select(
            Seat.account_id,
            Seat.game_id,
            Seat.colour,
            Seat.answered_at,
            Game.version,
            func.row_number().over(partition_by=Seat.account_id, order_by=Game.started_at.desc()).label("nth"),
        )
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.account_id.in_(accounts), Game.status.in_((*PLAYING, GameStatus.OVER)))
        .subquery()
    )
    answers = (
        select(
            latest.c.account_id,
            Move.spent_seconds,
            Move.asked_at,
            Move.at,
            func.row_number().over(partition_by=latest.c.account_id, order_by=Move.at.desc()).label("nth"),
        )
        .join(latest, and_(Move.game_id == latest.c.game_id, Move.seat == latest.c.colour))
        .where(
            latest.c.nth <= GAMES,
            # with both ends PostgreSQL looks into these few moves of each game, and does not read all moves there are
            Move.number.between(latest.c.version - MOVES + 1, latest.c.version),
            Move.cause == MoveCause.PLAYER,
            Move.spent_seconds > 0,
            Move.asked_at.is_not(None),
            or_(latest.c.answered_at.is_(None), Move.at >= latest.c.answered_at),
        )
        .subquery()
    )
    finished = (
        select(Seat.account_id, func.count().label("n"))
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.account_id.in_(accounts), Game.status == GameStatus.OVER)
        .group_by(Seat.account_id)
        .subquery()
    )
    left = (
        select(AuditEntry.account_id, func.count().label("n"))
        .where(AuditEntry.account_id.in_(accounts), AuditEntry.kind.in_(audit_log.LEFT))
        .group_by(AuditEntry.account_id)
        .subquery()
    )
    return (
        select(
            Account.id,
            finished.c.n,
            left.c.n,
            Account.zone,
            Account.quiet_from,
            Account.quiet_to,
            answers.c.spent_seconds,
            answers.c.asked_at,
            answers.c.at,
        )
        .outerjoin(finished, finished.c.account_id == Account.id)
        .outerjoin(left, left.c.account_id == Account.id)
        .outerjoin(answers, and_(answers.c.account_id == Account.id, answers.c.nth <= ANSWERS))
        .where(Account.id.in_(accounts))
    )


def _night(first: int | None, last: int | None) -> tuple[time, time]:
    if first is None or last is None or first == last:
        return NIGHT
    return game_clock.clock_time(first), game_clock.clock_time(last)


def _awake(calendar: Calendar, spent: timedelta, asked_at: datetime, at: datetime) -> timedelta:
    """The part of an answer's time in which its player may have been awake."""
    return spent if at <= asked_at else spent * (1 - calendar.asleep(asked_at, at) / (at - asked_at))


def _tempo(times: Sequence[timedelta], finished: int, left: int) -> Tempo:
    if not times:
        return Tempo(finished=finished, left=left)
    quick, median, slow = (_quantile(times, quarter) for quarter in (1, 2, 3))
    return Tempo(len(times), median, quick, slow, finished, left)


def _quantile(times: Sequence[timedelta], quarter: int) -> timedelta:
    """The quartile of sorted times, between two of them where it falls between."""
    whole, part = divmod((len(times) - 1) * quarter, 4)
    after = times[min(whole + 1, len(times) - 1)]
    return times[whole] + (after - times[whole]) * part / 4
