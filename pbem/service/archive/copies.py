"""Finished games to take away: one page, books, pictures, an animation. A request is a row, the result a file that a
process of low priority makes and that is kept for some days.

The only place that writes ``copies``.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from pbem.engine import Value, say
from pbem.service.base import NotNow, Office, queries, rate_limits
from pbem.service.base.rate_limits import COPIES
from pbem.service.base.task_hints import make_hint
from pbem.store.statuses import CopyKind, GameStatus
from pbem.store.tables import Copy

KEPT = timedelta(days=3)
LEASE = timedelta(minutes=2)
"""How long a process has for its next sign of life before another may begin anew; every few pictures give one."""
TRIES = 3
MOST_WAITING = 20
ROOM = 400_000_000
"""Bytes of all files together; the oldest give way."""
ENDINGS = {
    CopyKind.PAGE: "html", CopyKind.A5: "pdf", CopyKind.LETTER: "pdf", CopyKind.PICTURES: "zip",
    CopyKind.ANIMATION: "webp",
}  # fmt: skip
OLD = "pdf"
"""The ending of files of kinds that there are no longer."""
FORMED = (CopyKind.PAGE, CopyKind.A5, CopyKind.LETTER)
"""Kinds that are made in several forms: in the language of who asks; a page with ``-c`` behind it in clear colours."""
AT_ONCE = 5


class CopyView(Value):
    """How far a file is. ``size``: bytes, 0 until it is made; ``done`` of ``total`` pictures, 0 before it begins."""

    kind: CopyKind
    size: int
    done: int
    total: int
    failed: bool
    expires_at: datetime | None


class Order(Value):
    """What a process is to make, and where the file belongs."""

    id: int
    game: str
    kind: CopyKind
    form: str
    path: Path


def name_of(kind: CopyKind, form: str) -> str:
    """What a row and a file are called after."""
    return f"{kind}-{form}" if kind in FORMED else kind


def path_of(office: Office, game_id: str, name: str) -> Path:
    """Where the file is, if there is one. Web and worker need the same data directory."""
    kind = name.partition("-")[0]
    return office.settings.data_dir / "copies" / f"{game_id}-{name}.{ENDINGS.get(kind, OLD)}"  # type: ignore[call-overload]


def of_game(office: Office, game_id: str, form: str, now: datetime) -> Mapping[CopyKind, CopyView]:
    """What was asked for of a game, in this form where there are several, and has not expired."""
    with office.read() as session:
        rows = session.scalars(select(Copy).where(Copy.game_id == game_id)).all()
        there = {row.kind: row for row in rows if row.expires_at is None or row.expires_at > now}
        return {
            kind: CopyView(kind, row.size, row.done, row.total, row.tries > TRIES, row.expires_at)
            for kind in CopyKind
            if (row := there.get(name_of(kind, form))) is not None
        }


def ask(office: Office, game_id: str, kind: CopyKind, form: str, whom: str, now: datetime) -> None:
    """Have a file of a finished game made; what is made or waits already is left as it is.

    ``whom``: who asks, as limits count.
    Raises ``NoSuch``, :class:`NotNow` for a game that goes on or when too many files wait, and ``TooMuch``.
    """
    with office.work(now) as work:
        game = queries.locked(work.session, game_id)
        if game.status != GameStatus.OVER:
            raise NotNow(say("This can be made when the game is over."))
        name = name_of(kind, form)
        row = work.session.scalar(select(Copy).where(Copy.game_id == game_id, Copy.kind == name))
        if row is not None and _is_good(row, path_of(office, game_id, name), now):
            return
        waiting = select(func.count()).where(Copy.size == 0, Copy.tries <= TRIES)
        if work.session.scalars(waiting).one() >= MOST_WAITING:
            raise NotNow(say("{n} files are waiting to be made. Try again later.", n=MOST_WAITING))
        rate_limits.use(office, work.session, COPIES, whom, now)
        if row is not None:
            work.session.delete(row)
            work.session.flush()
        new = Copy(game_id=game_id, kind=name, asked_at=now, tries=0, done=0, total=0, size=0)
        work.session.add(new)
        work.session.flush()
        work.hints.append(make_hint(new.id))


def claim(office: Office, number: int, now: datetime) -> Order | None:
    """Take a file in hand, unless it is made, in other hands, or has failed too often."""
    with office.work(now) as work:
        row = _locked(work.session, number)
        if row is None or row.size or row.tries > TRIES or (row.claimed_until is not None and row.claimed_until > now):
            return None
        row.tries += 1
        if row.tries > TRIES:
            return None
        row.claimed_until, row.done, row.total = now + LEASE, 0, 0
        kind, _, form = row.kind.partition("-")
        return Order(row.id, row.game_id, CopyKind(kind), form, path_of(office, row.game_id, row.kind))


def progress(office: Office, number: int, done: int, total: int, now: datetime) -> None:
    """Say how many pictures are drawn, and stay in charge."""
    with office.work(now) as work:
        if (row := _locked(work.session, number)) is not None:
            row.done, row.total, row.claimed_until = done, total, now + LEASE


def finish(office: Office, number: int, size: int, now: datetime) -> None:
    """The file is where it belongs; older ones give way where all together are too large."""
    gone: list[Path] = []
    with office.work(now) as work:
        row = _locked(work.session, number)
        if row is None:
            return
        row.size, row.expires_at, row.claimed_until = size, now + KEPT, None
        others = select(Copy).where(Copy.size > 0, Copy.id != number).order_by(Copy.expires_at.desc())
        room = ROOM - size
        for other in work.session.scalars(others):
            room -= other.size
            if room < 0:
                gone.append(path_of(office, other.game_id, other.kind))
                work.session.delete(other)
    _remove(gone)


def failed(office: Office, number: int, now: datetime) -> None:
    """It could not be made; it is tried again a little later, and at last given up."""
    with office.work(now) as work:
        if (row := _locked(work.session, number)) is not None:
            row.claimed_until = now + LEASE
            if row.tries >= TRIES:
                row.tries = TRIES + 1


def look(office: Office, until: datetime, now: datetime) -> Sequence[int]:
    """Files that were asked for before ``until`` and that nobody makes; deletes what has had its time."""
    free = or_(Copy.claimed_until.is_(None), Copy.claimed_until <= now)
    query = select(Copy.id).where(Copy.size == 0, Copy.tries <= TRIES, Copy.asked_at <= until, free)
    over = or_(Copy.expires_at <= now, (Copy.size == 0) & (Copy.asked_at <= now - KEPT))
    with office.read() as session:
        waiting = session.scalars(query.order_by(Copy.id).limit(AT_ONCE)).all()
        if session.scalar(select(Copy.id).where(over).limit(1)) is None:
            return waiting
    with office.work(now) as work:
        rows = work.session.scalars(select(Copy).where(over)).all()
        for row in rows:
            work.session.delete(row)
    _remove([path_of(office, row.game_id, row.kind) for row in rows])
    return waiting


def _is_good(row: Copy, path: Path, now: datetime) -> bool:
    if row.expires_at is None:
        return row.tries <= TRIES
    return row.expires_at > now and path.is_file()


def _locked(session: Session, number: int) -> Copy | None:
    return session.get(Copy, number, with_for_update=True)


def _remove(paths: Sequence[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
