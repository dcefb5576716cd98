"""Check database, migrations, broker, SMTP, clock and the age of the oldest unsent letter."""

from __future__ import annotations

import argparse
import smtplib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from kombu.exceptions import OperationalError
from sqlalchemy.exc import DBAPIError

from pbem import broker, smtp
from pbem.cli._office import settings
from pbem.service import Office, due
from pbem.settings import Settings
from pbem.store.database import open_engine
from pbem.store.upgrade import Newer, missing

LATE = timedelta(minutes=5)
SILENT = timedelta(minutes=2)
"""After this long without a look of the clock it does not run."""
BROKER_SECONDS = 5


class Ill(Exception):
    """Something is not as it should be; the text says what."""


def add(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> int:
    chosen = settings()
    checks: list[tuple[str, Callable[[Settings], str]]] = [
        ("database", database),
        ("migrations", migrations),
        ("broker", reach_broker),
        ("SMTP", reach_smtp),
        ("clock", overdue),
        ("letters", unsent),
        ("orders", stuck),
    ]
    return max([_checked(name, check, chosen) for name, check in checks])


def _checked(name: str, check: Callable[[Settings], str], chosen: Settings) -> int:
    try:
        print(f"ok    {name}: {check(chosen)}")
    except Ill as ill:
        print(f"ILL   {name}: {ill}")
        return 1
    except DBAPIError as error:
        first, _, _ = str(error.orig).strip().partition("\n")
        print(f"ILL   {name}: {first}")
        return 1
    return 0


def database(chosen: Settings) -> str:
    """Whether it can be connected to."""
    engine = open_engine(chosen.database_url)
    with engine.connect():
        return str(engine.url.render_as_string(hide_password=True))


def migrations(chosen: Settings) -> str:
    """Whether the tables are those of this version."""
    try:
        behind = missing(open_engine(chosen.database_url))
    except Newer as newer:
        raise Ill(str(newer)) from newer
    if behind:
        raise Ill(f"not run yet: {', '.join(behind)}; run pbem migrate")
    return "up to date"


def reach_broker(chosen: Settings) -> str:
    """Whether hints can be given."""
    try:
        with broker.celery_app(chosen).connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, timeout=BROKER_SECONDS)
    except (OperationalError, OSError) as error:
        raise Ill(f"{error}") from error
    return "Redis answers" if chosen.broker_url else "local, in the data directory"


def reach_smtp(chosen: Settings) -> str:
    """Whether the mail server lets us in."""
    if not chosen.smtp_url:
        return "none is set, letters go into the outbox"
    try:
        with smtp.connect(chosen.smtp_url) as server:
            server.noop()
    except (smtplib.SMTPException, OSError) as error:
        raise Ill(f"{type(error).__name__}: {error}") from error
    return "the server answers"


def overdue(chosen: Settings) -> str:
    """Whether the clock runs and deadlines are kept, which is its work."""
    now = datetime.now(UTC)
    health = due.health(Office.open(chosen), now)
    late = f"; {health.overdue} games are past their deadline" if health.overdue else ""
    if health.beat is None:
        raise Ill(f"it has never looked; does it run?{late}")
    looked = f"it looked {int(health.beat.total_seconds())} s ago"
    if health.beat > SILENT:
        raise Ill(f"{looked}; does it run?{late}")
    if late:
        raise Ill(f"{looked}{late}")
    return f"{looked}, no game is past its deadline; it is {now:%Y-%m-%d %H:%M:%S} UTC"


def unsent(chosen: Settings) -> str:
    """Whether letters leave."""
    health = due.health(Office.open(chosen), datetime.now(UTC))
    given_up = f"; {health.failed} were given up" if health.failed else ""
    if health.oldest_unsent is None:
        return f"none is waiting{given_up}"
    text = f"{health.unsent} are due, the oldest since {int(health.oldest_unsent.total_seconds())} s{given_up}"
    if health.oldest_unsent > LATE:
        raise Ill(text)
    return text


def stuck(chosen: Settings) -> str:
    """Whether orders met an error of ours."""
    number = due.health(Office.open(chosen), datetime.now(UTC)).stuck
    if number:
        raise Ill(f"{number} are stuck; the worker's log has the errors")
    return "none is stuck"
