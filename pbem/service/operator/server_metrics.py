"""The figures of ``/metrics`` that are read from rows, so that they are the same whichever process is asked."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pbem.engine import Value
from pbem.service.base import Office
from pbem.store.statuses import GameStatus, Sending, SubmissionStatus
from pbem.store.tables import Game, Heartbeat, Letter, PushMessage, Submission, Unreachable, Webhook, WebhookMessage

LATE_GAME = timedelta(minutes=1)
"""So long after its end a deadline should have been noticed."""
LATELY = timedelta(hours=1)
TOLD: tuple[type[WebhookMessage | PushMessage], ...] = (WebhookMessage, PushMessage)
"""Messages that leave for other services, to webhooks and to devices."""


class Backlog(Value):
    """Rows that wait to be worked off. ``age``: since when the oldest could have been; ``None`` when there are none."""

    number: int
    age: timedelta | None = None

    @property
    def seconds(self) -> int:
        return 0 if self.age is None else max(0, int(self.age.total_seconds()))


class Figures(Value):
    """What waits, what is late, what is broken.

    ``beat``: how long ago the clock looked, ``None`` for never. ``given_up``: letters nobody tries to send any more.
    ``overdue``: games whose time ended and nothing happened. ``unreachable``: accounts whose mails come back.
    """

    orders: Backlog
    letters: Backlog
    messages: Backlog
    beat: timedelta | None
    stuck: int
    given_up: int
    overdue: int
    unreachable: int
    webhooks_stopped: int


class LastHour(Value):
    """What became of rows of the last hour, by status. ``waits``: how long played orders had waited, shortest first."""

    letters: dict[str, int]
    submissions: dict[str, int]
    waits: tuple[timedelta, ...]


def look(office: Office, now: datetime) -> Figures:
    """Count what waits and what is broken: a few looks into indexes, whatever the number of games."""
    with office.read() as session:
        looked = session.scalar(select(Heartbeat.at))
        late = (Game.status == GameStatus.RUNNING) & (Game.deadline_at <= now - LATE_GAME)
        return Figures(
            orders=_backlog(session, Submission.received_at, Submission.status == SubmissionStatus.WAITING, now),
            letters=_backlog(session, Letter.next_try_at, _due(now), now),
            messages=_together(*(_backlog(session, one.next_try_at, _untold(one, now), now) for one in TOLD)),
            beat=None if looked is None else now - looked,
            stuck=_count(session, select(func.count()).where(Submission.status == SubmissionStatus.STUCK)),
            given_up=_count(session, select(func.count()).where(Letter.status == Sending.FAILED)),
            overdue=_count(session, select(func.count()).where(late)),
            unreachable=_count(session, select(func.count()).select_from(Unreachable)),
            webhooks_stopped=_count(session, select(func.count()).where(Webhook.stopped_at.is_not(None))),
        )


def games(office: Office) -> dict[str, int]:
    with office.read() as session:
        found = session.execute(select(Game.status, func.count()).group_by(Game.status))
        return _counted({row[0]: row[1] for row in found}, GameStatus)


def lately(office: Office, now: datetime) -> LastHour:
    """What the last hour was like; looks at its rows only."""
    with office.read() as session:
        letter = _first_since(session, Letter.id, Letter.created_at, now - LATELY)
        sent_in = _first_since(session, Submission.id, Submission.received_at, now - LATELY)
        # counted here: a database that groups by status reads the index of all rows for it
        written = session.scalars(select(Letter.status).where(Letter.id >= letter)).all()
        taken = select(Submission.status, Submission.received_at, Submission.done_at).where(Submission.id >= sent_in)
        orders = session.execute(taken).all()
        waits = sorted(
            max(timedelta(0), done - came)
            for status, came, done in orders
            if status == SubmissionStatus.PLAYED and done
        )
        return LastHour(
            _counted(Counter(written), Sending),
            _counted(Counter(row[0] for row in orders), SubmissionStatus),
            tuple(waits),
        )


def _due(now: datetime) -> ColumnElement[bool]:
    return (Letter.status == Sending.WAITING) & (Letter.next_try_at <= now) & Letter.held.is_(False)


def _untold(table: type[WebhookMessage | PushMessage], now: datetime) -> ColumnElement[bool]:
    return (table.status == Sending.WAITING) & (table.next_try_at <= now)


def _together(*queues: Backlog) -> Backlog:
    ages = [one.age for one in queues if one.age is not None]
    return Backlog(sum(one.number for one in queues), max(ages, default=None))


def _backlog(
    session: Session, since: InstrumentedAttribute[datetime], waits: ColumnElement[bool], now: datetime
) -> Backlog:
    number, oldest = session.execute(select(func.count(), func.min(since)).where(waits)).one()
    return Backlog(number, None if oldest is None else now - oldest)


def _count(session: Session, query: Select[int]) -> int:
    return session.scalar(query) or 0


def _counted(found: Mapping[str, int], known: type[StrEnum]) -> dict[str, int]:
    return {status: found.get(status, 0) for status in known}


def _first_since(
    session: Session, number: InstrumentedAttribute[int], at: InstrumentedAttribute[datetime], since: datetime
) -> int:
    """The first row that was made since then. Rows are numbered as they are made, so that no index of times is needed:
    the numbers are halved."""
    low, high = 0, (session.scalar(select(func.max(number))) or 0) + 1
    while low < high:
        middle = (low + high) // 2
        made = session.execute(select(number, at).where(number >= middle).order_by(number).limit(1)).first()
        if made is None or made[1] >= since:
            high = middle
        else:
            low = made[0] + 1
    return low
