"""Balance reports of own maps: asked for by whoever drew the map, played game by game in the background, stopped.

The only place that writes ``own_map_reports``. One report is worked on at a time, on whatever machine: the one that was
asked for first.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.engine import Sheet, Value, catalog, replace, say
from pbem.robot.balance.games import Game
from pbem.service.base import NewLetter, NoSuch, NotNow, Office, Work, rate_limits
from pbem.service.base.rate_limits import MAP_REPORTS
from pbem.service.letters.kinds.maps import MapReported
from pbem.service.own_maps import drafts, versions
from pbem.service.own_maps.versions import Version
from pbem.store.statuses import MapStatus, ReviewStatus, TrialStatus
from pbem.store.tables import OwnMap, OwnMapReport, OwnMapVersion

GAMES = 20
"""With each number of players, at the most."""
SECONDS = 300
"""Of the processor, after which no further game begins."""
LEASE = timedelta(minutes=1)
"""How long a process has until it says again that it is alive, before another may go on with the report."""
TRIES = 3
OPEN = (ReviewStatus.WAITING, ReviewStatus.WORKING)
FIRST = (
    select(OwnMapReport)
    .where(OwnMapReport.status.in_(OPEN))
    .order_by(OwnMapReport.asked_at, OwnMapReport.version_id)
    .limit(1)
)


class Report(Value):
    """A report as far as it has come. ``spent``: seconds of the processor; ``before``: reports that come first;
    ``email``: whoever drew the map gets one at its end."""

    status: ReviewStatus
    seed: str
    games: tuple[Game, ...]
    spent: float
    before: int
    email: bool = False

    @property
    def open(self) -> bool:
        return self.status in OPEN


class Task(Value):
    """The next game of a report: ``number`` counts those with so many players."""

    version: int
    sheet: Sheet
    seed: str
    done: int

    @property
    def players(self) -> int:
        """The numbers of players take turns."""
        counts = self.sheet.player_counts()
        return counts[self.done % len(counts)]

    @property
    def number(self) -> int:
        return self.done // len(self.sheet.player_counts())


def most(sheet: Sheet) -> int:
    return GAMES * len(sheet.player_counts())


def ask(office: Office, version: Version, account_id: int, now: datetime, *, email: bool = False) -> None:
    """Begin a report on a version, with new dice if there is one. ``email``: write to whoever asks when it has ended.

    Raises :class:`NoSuch` for everybody but who drew the map, :class:`NotNow` and ``TooMuch``.
    """
    drafts.are_allowed(office)
    if version.owner != account_id:
        raise NoSuch(f"There is no version {version.id} of account {account_id}.")
    if version.status == MapStatus.WITHDRAWN:
        raise NotNow(versions.WITHDRAWN)
    if version.trial != TrialStatus.FINE:
        raise NotNow(versions.NOT_TRIED if version.trial == TrialStatus.WAITING else versions.FAILED)
    with office.work(now) as work:
        row = work.session.get(OwnMapReport, version.id, with_for_update=True)
        if row is not None and row.status in OPEN:
            raise NotNow(say("Robots are playing on this version already."))
        rate_limits.use(office, work.session, MAP_REPORTS, account_id, now)
        if row is not None:
            work.session.delete(row)
            work.session.flush()
        seed = office.entropy(8).hex()
        work.session.add(OwnMapReport(version_id=version.id, seed=seed, asked_at=now, email=email))


def stop(office: Office, version: Version, account_id: int, now: datetime) -> None:
    """End a report with the games that are finished; no email tells of what its reader has just done.

    Raises :class:`NoSuch`.
    """
    with office.work(now) as work:
        row = _own(work.session, version, account_id)
        if row.status in OPEN:
            row.status, row.ended_at, row.claimed_until = ReviewStatus.DONE, now, None


def tell(office: Office, version: Version, account_id: int, now: datetime, *, email: bool) -> None:
    """Say whether an email is wanted at the end of a report. Raises :class:`NoSuch`."""
    with office.work(now) as work:
        _own(work.session, version, account_id).email = email


def _own(session: Session, version: Version, account_id: int) -> OwnMapReport:
    row = session.get(OwnMapReport, version.id, with_for_update=True)
    if row is None or version.owner != account_id:
        raise NoSuch(f"There is no report on version {version.id} of account {account_id}.")
    return row


def of(office: Office, version: Version) -> Report | None:
    with office.read() as session:
        row = session.get(OwnMapReport, version.id)
        if row is None:
            return None
        earlier = OwnMapReport.status.in_(OPEN), OwnMapReport.asked_at < row.asked_at
        before = session.scalar(select(func.count()).where(*earlier)) if row.status in OPEN else 0
        return Report(row.status, row.seed, _games(row), row.spent / 1000, before or 0, row.email)


def seen_by(office: Office, version: Version, account_id: int | None) -> Report | None:
    """The report of a version that somebody may see: whoever drew the map sees all of it, others once it has ended."""
    found = of(office, version)
    if version.owner is not None and version.owner == account_id:
        return found
    return found if found is not None and found.games and not found.open else None


def _games(row: OwnMapReport) -> tuple[Game, ...]:
    return msgspec.convert((row.figures or {}).get("games", ()), tuple[Game, ...], strict=False)


def waits(office: Office, now: datetime) -> bool:
    """Whether there is a report to be worked on by somebody else than who does it now."""
    with office.read() as session:
        row = session.scalar(FIRST)
        return row is not None and _is_free(row, now)


def claim(office: Office, now: datetime) -> Task | None:
    """Take the first report in hand, unless somebody works on it; ``None`` when there is none.

    One that was begun too often in vain is given up.
    """
    with office.work(now) as work:
        session = work.session
        while (row := session.scalar(FIRST.with_for_update())) is not None and _is_free(row, now):
            if row.tries < TRIES:
                row.status, row.tries, row.claimed_until = ReviewStatus.WORKING, row.tries + 1, now + LEASE
                slug = catalog.OWN + session.get_one(OwnMapVersion, row.version_id).hash
                claimed = row.version_id, row.seed, row.games
                break
            _end(work, row, ReviewStatus.FAILED)
            session.flush()
        else:
            return None
    version, seed, done = claimed
    return Task(version, catalog.sheet(catalog.GAME_OF_DRAWINGS, slug), seed, done)


def _is_free(row: OwnMapReport, now: datetime) -> bool:
    return row.claimed_until is None or row.claimed_until <= now


def stays(office: Office, task: Task, now: datetime) -> bool:
    with office.write() as session:
        row = _in_hand(session, task)
        if row is not None:
            row.claimed_until = now + LEASE
        return row is not None


def keep(office: Office, task: Task, game: Game, spent: float, now: datetime) -> Task | None:
    """Keep a finished game, which took so many seconds; the next one, ``None`` where there is none to play."""
    with office.work(now) as work:
        row = _in_hand(work.session, task)
        if row is None:
            return None
        games: Sequence[object] = (row.figures or {}).get("games", ())
        row.figures = {"games": [*games, msgspec.to_builtins(game)]}
        row.games, row.spent, row.tries = task.done + 1, row.spent + round(1000 * spent), 0
        row.claimed_until = now + LEASE
        if row.games < most(task.sheet) and row.spent < 1000 * SECONDS:
            return replace(task, done=row.games)
        _end(work, row, ReviewStatus.DONE)
    return None


def _end(work: Work, row: OwnMapReport, how: ReviewStatus) -> None:
    """End a report, and write to whoever drew the map if that is wanted."""
    row.status, row.ended_at, row.claimed_until = how, work.now, None
    version = work.session.get_one(OwnMapVersion, row.version_id)
    own = work.session.get_one(OwnMap, version.map_key)
    if row.email and own.account_id is not None:
        letter = MapReported(own.name, own.key, version.number, row.games, how == ReviewStatus.FAILED)
        work.write(NewLetter(letter, f"{letter.kind}:{row.version_id}:{row.seed}", own.account_id))


def _in_hand(session: Session, task: Task) -> OwnMapReport | None:
    """The row of a game, locked, unless it was stopped, begun anew or played on by somebody else meanwhile."""
    row = session.get(OwnMapReport, task.version, with_for_update=True)
    same = row is not None and (row.status, row.seed, row.games) == (ReviewStatus.WORKING, task.seed, task.done)
    return row if same else None
