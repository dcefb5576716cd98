"""Check database, migrations, broker, SMTP, clock, what waits and what is broken, and say what to do about it.

The exit status is 0 when all is well, else 1. What only deserves a look is marked with a question mark and counts as
well. What can be seen from the database is what /readyz tells, too.
"""

from __future__ import annotations

import argparse
import smtplib
from collections.abc import Iterator
from datetime import UTC, datetime

from sqlalchemy.exc import DBAPIError

from pbem import smtp
from pbem.cli import _machine
from pbem.cli._office import settings
from pbem.service import Office, figures, health, stuck
from pbem.service.health import Finding
from pbem.settings import Settings
from pbem.store.database import open_engine

BROKER_SECONDS = 5.0
NAMED = 5
"""Games that are named; of more only the number is told."""


def add(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(args: argparse.Namespace) -> int:
    office = Office.open(settings())
    ill = False
    for finding in _findings(office, datetime.now(UTC)):
        sign = "ok   " if not finding.do else "LOOK " if finding.well else "ILL  "
        print(f"{sign} {finding.name}: {finding.says}")
        if finding.do:
            print(f"      {finding.do}")
        ill = ill or not finding.well
    return int(ill)


def _findings(office: Office, now: datetime) -> Iterator[Finding]:
    found = health.findings(office, now, broker_seconds=BROKER_SECONDS)
    yield _database(office.settings)
    yield from found[1:]
    yield _smtp(office.settings)
    yield _mail_in(office.settings)
    if health.ready(found):
        yield from _rows(office, now)
    yield from _machine.findings(office.settings)


def _database(chosen: Settings) -> Finding:
    """Here, and not on a page, its address and its answer may be seen."""
    engine = open_engine(chosen.database_url)
    where = engine.url.render_as_string(hide_password=True)
    try:
        engine.connect().close()
    except DBAPIError as error:
        first, _, _ = str(error.orig).strip().partition("\n")
        return Finding("database", False, f"{where}: {first}", "Start it, or correct PBEM_DATABASE_URL.")
    return Finding("database", True, where)


def _smtp(chosen: Settings) -> Finding:
    """Whether the mail server lets us in."""
    if not chosen.smtp_url:
        return Finding("SMTP", True, "none is set, letters go into the outbox")
    try:
        with smtp.connect(chosen.smtp_url) as server:
            server.noop()
    except (smtplib.SMTPException, OSError) as error:
        return Finding(
            "SMTP", False, f"{type(error).__name__}: {error}",
            "Correct PBEM_SMTP_URL (user, password, port). Letters wait meanwhile and are tried again.",
        )  # fmt: skip
    return Finding("SMTP", True, "the server answers")


def _mail_in(chosen: Settings) -> Finding:
    """What may come in by mail; where the process runs cannot be seen from here."""
    if chosen.mailin_port:
        answers = f", answers to {chosen.orders_address}" if chosen.orders_address else ""
        return Finding("mail in", True, f"returned mails to {chosen.return_path}{answers}")
    if chosen.orders_address or chosen.return_path:
        return Finding(
            "mail in", True, "letters name an address of ours, and no port is set that takes mails",
            "If no other machine runs workers.mailin, set PBEM_MAILIN_PORT (docs/hosting.md, “Mails that come back”).",
        )  # fmt: skip
    return Finding("mail in", True, "none is taken")


def _rows(office: Office, now: datetime) -> Iterator[Finding]:
    counted = figures.look(office, now)
    yield _stuck(office)
    yield _given_up(counted.given_up)
    yield _many(
        "accounts", counted.unreachable, "get no mails because they came back",
        "Hosts have been told. If there are many, look at SPF and DKIM (docs/hosting.md).",
    )  # fmt: skip
    yield _many(
        "hooks", counted.hooks_stopped, "webhooks are switched off because they failed for a day",
        "Their owners have been told. If there are many, look whether the workers reach the internet.",
    )  # fmt: skip


def _stuck(office: Office) -> Finding:
    waiting = stuck.of_all(office)
    if not waiting:
        return Finding("stuck", True, "no orders met an error of ours")
    games = sorted({row.game for row in waiting})
    named = ", ".join(games[:NAMED]) + (f" and {len(games) - NAMED} more" if len(games) > NAMED else "")
    return Finding(
        "stuck", False, f"{len(waiting)} met an error of ours, in {named}",
        "The log of the worker has the errors under “is stuck”. Once they are mended: pbem unstick --all",
    )  # fmt: skip


def _given_up(number: int) -> Finding:
    return _many("given up", number, "letters were given up", "Each is in its reader's delivery log, with the answer.")


def _many(name: str, number: int, what: str, do: str) -> Finding:
    return Finding(name, True, f"{number} {what}" if number else "none", do if number else "")
