"""Jobs that the operator starts on the pages of the server: the clock does them, one after the other, with a command.

A request is a row, and so is what came of it. A job whose clock has ended is told as interrupted; none begins twice.
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from pbem.engine import Value, count_say, say
from pbem.service.base import BadInput, NotNow, Office, Problem, queries
from pbem.service.operator import operating
from pbem.store.statuses import JobKind
from pbem.store.tables import ServerJob

ALIVE = timedelta(minutes=2)
"""How long a clock has for its next sign of life."""
KEPT = 30
"""Jobs of which the outcome is kept."""
LONGEST_SAID = 6_000
MOST_GAMES = 50
LONGEST_HEAD = 40_000
RUNNING = "--running"
"""Given to look at the games alone that are not over."""
INTERRUPTED = ""
"""What the command of a job has said whose clock ended."""

_GAME = re.compile(r"[a-z0-9]{1,16}")


class JobView(Value):
    """The last job of a kind. ``good`` is ``None`` until it is done; ``says``: the end of what the command printed."""

    asked_at: datetime
    begun: bool
    done_at: datetime | None
    good: bool | None
    says: str


class Begun(Value):
    """A job that the caller does from now on."""

    id: int
    kind: JobKind
    given: str


def ask(office: Office, operator_id: int, kind: JobKind, given: str, now: datetime) -> None:
    """Have something done. Raises :class:`NotNow` while the same waits or is done, :class:`BadInput` for ``given``."""
    given = _checked(kind, given)
    with office.write() as session:
        queries.account(session, operator_id)  # who asks twice at once is told the second time
        if session.scalar(select(ServerJob.id).where(ServerJob.kind == kind, ServerJob.done_at.is_(None))) is not None:
            raise NotNow(say("This has been started already. Wait until it is done."))
        job = ServerJob(kind=kind, operator_id=operator_id, given=given, asked_at=now, says="")
        session.add(job)
        session.flush()
        session.execute(delete(ServerJob).where(ServerJob.id <= job.id - KEPT, ServerJob.done_at.is_not(None)))
        operating.write_down(session, operator_id, f"starts-{kind}", 0, now)


def _checked(kind: JobKind, given: str) -> str:
    if kind is JobKind.RECHECK and given != RUNNING:
        games = given[:2_000].lower().replace(",", " ").split()
        if not all(_GAME.fullmatch(game) for game in games):
            raise BadInput(Problem("given", say("Write the ids of games, with spaces between.")))
        if len(games) > MOST_GAMES:
            sentence = count_say("Name at most {n} game.", "Name at most {n} games.", MOST_GAMES)
            raise BadInput(Problem("given", sentence))
        return " ".join(games)
    if kind is JobKind.MAIL:
        if len(given) > LONGEST_HEAD:
            raise BadInput(Problem("given", say("This is too long. Paste the head of the email alone.")))
        return given.strip()
    return given if kind is JobKind.RECHECK else ""


def latest(office: Office) -> Mapping[JobKind, JobView]:
    """The last job of each kind, as far as there was one."""
    query = select(ServerJob).order_by(ServerJob.id)
    with office.read() as session:
        return {row.kind: _view(row) for row in session.scalars(query)}


def _view(row: ServerJob) -> JobView:
    return JobView(row.asked_at, row.alive_until is not None, row.done_at, row.good, row.says)


def begin(office: Office, now: datetime) -> Begun | None:
    """The next job that waits, which is the caller's then; ``None`` when there is none or another clock does one."""
    with office.write() as session:
        lost = (ServerJob.done_at.is_(None), ServerJob.alive_until < now)
        ended = {"done_at": now, "good": False, "says": INTERRUPTED}
        session.execute(update(ServerJob).where(*lost).values(ended))
        if session.scalar(select(ServerJob.id).where(ServerJob.done_at.is_(None), ServerJob.alive_until >= now)):
            return None
        waits = select(ServerJob).where(ServerJob.done_at.is_(None)).order_by(ServerJob.id).limit(1)
        row = session.scalar(waits.with_for_update(skip_locked=True))
        if row is None:
            return None
        row.alive_until = now + ALIVE
        return Begun(row.id, row.kind, row.given)


def goes_on(office: Office, number: int, now: datetime) -> None:
    with office.write() as session:
        _row(session, number).alive_until = now + ALIVE


def finish(office: Office, number: int, good: bool, says: str, now: datetime) -> None:
    """The job is done; the end of what was printed is kept."""
    with office.write() as session:
        row = _row(session, number)
        row.done_at, row.good, row.says = now, good, says[-LONGEST_SAID:]


def _row(session: Session, number: int) -> ServerJob:
    return session.get_one(ServerJob, number, with_for_update=True)
