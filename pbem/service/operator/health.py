"""The health of the server: findings, each with what to do about it, for ``/readyz`` and ``pbem doctor``."""

from datetime import datetime, timedelta

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from pbem.engine import Value
from pbem.service.base import Office
from pbem.service.operator import server_metrics
from pbem.service.operator.server_metrics import Backlog, Figures
from pbem.store.revision import Newer, missing
from pbem.transport import broker

PLAYED_WITHIN = timedelta(minutes=2)
"""Orders that wait longer are late: a worker plays them at once, and the clock when the hint was lost."""
SENT_WITHIN = timedelta(minutes=5)
TOLD_WITHIN = timedelta(minutes=15)
SILENT = timedelta(minutes=2)
"""After this long without a look of the clock it does not run."""


class Finding(Value):
    """One thing that was looked at. ``says``: how it is; ``do``: what to do, empty when it is well.

    ``needed``: without it no request can be answered.
    """

    name: str
    well: bool
    says: str
    do: str = ""
    needed: bool = False


def findings(office: Office, now: datetime, *, broker_seconds: float) -> tuple[Finding, ...]:
    """Database, migrations, broker, what waits, and the clock: a few milliseconds when all is well.

    ``broker_seconds``: how long a broker may take to answer.
    """
    return (*_stored(office, now), _broker(office, broker_seconds))


def ready(found: tuple[Finding, ...]) -> bool:
    """Whether requests can be answered. Hints to workers are no condition: rows wait, and the clock finds them."""
    return all(finding.well for finding in found if finding.needed)


def _stored(office: Office, now: datetime) -> list[Finding]:
    """What the database knows, as far as it answers."""
    engine = office.database.engine
    try:
        tables = _tables(engine)
        rows = _rows(server_metrics.look(office, now), now) if tables.well else []
    except DBAPIError:
        return [
            Finding(
                "database", False, "cannot be reached",
                "Start it, or correct PBEM_DATABASE_URL; pbem doctor shows its answer.", needed=True,
            )
        ]  # fmt: skip
    return [Finding("database", True, "answers", needed=True), tables, *rows]


def _tables(engine: Engine) -> Finding:
    try:
        behind = missing(engine)
    except Newer as newer:
        return Finding("migrations", False, "the tables belong to a newer version", str(newer), needed=True)
    if behind:
        says = f"not run yet: {', '.join(behind)}"
        return Finding("migrations", False, says, "Run pbem migrate.", needed=True)
    return Finding("migrations", True, "up to date", needed=True)


def _broker(office: Office, seconds: float) -> Finding:
    try:
        broker.reach(office.settings, seconds)
    except broker.Away as away:
        return Finding(
            "broker", False, str(away),
            "Start Redis, or correct PBEM_BROKER_URL. Nothing is lost: the clock plays and sends meanwhile.",
        )  # fmt: skip
    return Finding("broker", True, "Redis answers" if office.settings.broker_url else "local, in the data directory")


def _rows(figures_now: Figures, now: datetime) -> list[Finding]:
    return [
        _backlog("orders", "wait to be played", figures_now.orders, PLAYED_WITHIN, "Check that a worker is running."),
        _backlog(
            "letters", "emails are due", figures_now.letters, SENT_WITHIN,
            "Check that a worker is running and that the mail server accepts emails; the worker's log has each error.",
        ),
        _backlog("webhooks", "messages are due", figures_now.messages, TOLD_WITHIN, "Check that a worker is running."),
        _clock(figures_now, now),
    ]  # fmt: skip


def _backlog(name: str, waits: str, found: Backlog, within: timedelta, do: str) -> Finding:
    if found.age is None:
        return Finding(name, True, "none waiting")
    says = f"{found.number} {waits}, the oldest for {found.seconds} s"
    return Finding(name, True, says) if found.age <= within else Finding(name, False, says, do)


def _clock(found: Figures, now: datetime) -> Finding:
    late = f"; {found.overdue} games are past their deadline" if found.overdue else ""
    if found.beat is None:
        return Finding("clock", False, f"has never run{late}", "Start the process “clock” (see Procfile).")
    looked = f"last ran {int(found.beat.total_seconds())} s ago"
    if found.beat > SILENT:
        return Finding("clock", False, f"{looked}{late}", "Start the process “clock” (see Procfile).")
    if found.overdue:
        return Finding("clock", False, f"{looked}{late}", "Its log says what failed.")
    return Finding("clock", True, f"{looked}, no game is past its deadline; it is {now:%Y-%m-%d %H:%M:%S} UTC")
