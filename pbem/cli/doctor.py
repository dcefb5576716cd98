"""Check the health of the server and say what to do about each problem.

With --mail YOU@EXAMPLE.ORG it checks instead whether emails arrive: it sends a test email with a code, waits for your
reply, and looks into the DNS (SPF, DKIM, DMARC, reverse name, MX) and at the encryption of the mail server.

Checks the database, migrations, broker, mail server, clock, waiting and stuck orders, disk and settings. The exit
status is 1 if any check says FAIL, otherwise 0; WARN does not change it. /readyz reports the checks that only need
the database and the broker.
"""

import argparse
import contextlib
import smtplib
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from email_validator import EmailNotValidError
from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from pbem.cli import _mail_test
from pbem.cli._mail_dns import Dns
from pbem.cli._settings import environment, settings
from pbem.cli._terminal import Failure
from pbem.service import Office, open_office
from pbem.service.letters import providers
from pbem.service.operator import health, server_metrics
from pbem.service.operator.health import Finding
from pbem.service.operator.hosting import ROOM, disk, newest
from pbem.service.turns import stuck
from pbem.settings.addresses import address_of, is_loopback, is_public
from pbem.settings.environment import LONGEST_NAME, unknown
from pbem.settings.settings import Settings
from pbem.store import kept_backups
from pbem.store.revision import Newer, missing
from pbem.transport import imap
from pbem.transport.smtp.connection import connect

BROKER_SECONDS = 5.0
UNREACHED = "Start it, or correct PBEM_DATABASE_URL."
MENDS = (
    (
        ("malformed", "not a database", "disk I/O error", "corrupted", "invalid page"),
        "The file is damaged: check the disk. Stop the server, move the file away together with its -wal and -shm, "
        "and restore your latest backup into a new one (docs/hosting.md).",
    ),
    (
        ("disk is full", "No space left"),
        "Free space on the disk of the database. Nothing is lost, and you do not need to restart anything.",
    ),
    (
        ("unable to open", "readonly", "permission denied"),
        "Check that PBEM_DATABASE_URL names the right file, and that the server can write to it and to its folder.",
    ),
    (("locked",), "Something keeps it locked: look for another program that uses the file."),
)
"""What a database says, and what to do then."""
NAMED = 5
"""Games that are named; of more only the number is told."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--mail",
        metavar="YOU@EXAMPLE.ORG",
        help="check emails instead: send a test email there, wait for your reply, look into the DNS",
    )
    parser.add_argument(
        "--minutes", type=float, default=10, help="how long to wait for the reply to the test email (default: 10)"
    )
    parser.add_argument(
        "--received", type=Path, metavar="FILE", help="an email of this server as it was received, with all its headers"
    )


def run(args: argparse.Namespace) -> int:
    office = open_office(settings())
    failed = False
    for finding in _mail(office, args) if args.mail else _findings(office, datetime.now(UTC)):
        sign = "ok   " if not finding.do else "WARN " if finding.well else "FAIL "
        print(f"{sign} {finding.name}: {finding.says}")
        if finding.do:
            print(f"      {finding.do}")
        failed = failed or not finding.well
    return int(failed)


def _mail(office: Office, args: argparse.Namespace) -> Iterator[Finding]:
    try:
        to = address_of(args.mail)
    except EmailNotValidError as error:
        raise Failure(f"{args.mail} is not an email address.") from error
    say = partial(print, file=sys.stderr, flush=True)
    return _mail_test.Test(office, to, 60 * args.minutes, args.received, Dns(), say).findings()


def _findings(office: Office, now: datetime) -> Iterator[Finding]:
    found = health.findings(office, now, broker_seconds=BROKER_SECONDS)
    yield _database(office, now)
    yield from found[1:]
    yield _smtp(office.settings)
    yield _mail_in(office.settings)
    yield from _mailbox(office.settings)
    if health.ready(found):
        yield from _rows(office, now)
    yield from machine_findings(office.settings)


def _database(office: Office, now: datetime) -> Finding:
    """Here, and not on a page, its address and its answer may be seen."""
    engine = office.database.engine
    where = engine.url.render_as_string(hide_password=True)
    try:
        says = _checked(engine) or _looked(office, now)
    except DBAPIError as error:
        says, _, _ = str(error.orig).strip().partition("\n")
    return Finding("database", not says, f"{where}: {says}" if says else where, _mend(says) if says else "")


def _checked(engine: Engine) -> str:
    """What SQLite finds wrong with its file; PostgreSQL sees to that itself."""
    with engine.connect() as connection:
        if engine.dialect.name != "sqlite":
            return ""
        found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
        return "" if found == "ok" else f"malformed ({' '.join(found.split())})"


def _looked(office: Office, now: datetime) -> str:
    with contextlib.suppress(Newer):  # which the finding about migrations tells
        if not missing(office.database.engine):
            server_metrics.look(office, now)
    return ""


def _mend(says: str) -> str:
    return next((do for words, do in MENDS if any(word in says for word in words)), UNREACHED)


def _smtp(chosen: Settings) -> Finding:
    if not chosen.smtp_url:
        return Finding("SMTP", True, "not configured, emails go into the outbox")
    try:
        with connect(chosen.smtp_url) as server:
            server.noop()
    except (smtplib.SMTPException, OSError) as error:
        return Finding(
            "SMTP", False, f"{type(error).__name__}: {error}",
            "Correct PBEM_SMTP_URL (user, password, port). Emails wait meanwhile and are tried again.",
        )  # fmt: skip
    return Finding("SMTP", True, "the server answers")


def _mail_in(chosen: Settings) -> Finding:
    """What may come in by mail; where the process runs cannot be seen from here."""
    if chosen.mailin_port:
        answers = f", replies to {chosen.orders_address}" if chosen.orders_address else ""
        return Finding("mail in", True, f"bounces to {chosen.return_path}{answers}")
    if chosen.imap_url and (chosen.orders_address or chosen.return_path):
        own = ", ".join(dict.fromkeys(filter(None, (chosen.orders_address, chosen.return_path))))
        return Finding("mail in", True, f"emails to {own} are read from a mailbox")
    if chosen.imap_url:
        return Finding(
            "mail in", True, "a mailbox is read, but emails give no address for replies or bounces",
            "Set PBEM_ORDERS_ADDRESS to the address of the mailbox (docs/hosting.md, “A mailbox”).",
        )  # fmt: skip
    if chosen.orders_address or chosen.return_path:
        return Finding(
            "mail in", True, "emails give an address for replies or bounces, but no incoming port is set",
            "If no other machine runs workers.mailin, set PBEM_MAILIN_PORT (docs/hosting.md, “Bounces”).",
        )  # fmt: skip
    return Finding("mail in", True, "no incoming email")


def _mailbox(chosen: Settings) -> Iterator[Finding]:
    if not chosen.imap_url:
        return
    try:
        with imap.connected(chosen.imap_url) as box:
            box.client.noop()
    except imap.FAULTS as error:
        yield Finding(
            "mailbox", False, f"{type(error).__name__}: {error}",
            "Correct PBEM_IMAP_URL (user, password, port, folder). Emails wait in the mailbox meanwhile.",
        )  # fmt: skip
    else:
        yield Finding("mailbox", True, f"the server answers, and {imap.folder_of(chosen.imap_url)} can be read")


def _rows(office: Office, now: datetime) -> Iterator[Finding]:
    counted = server_metrics.look(office, now)
    yield _stuck(office)
    yield _resting(office, now)
    yield _many(
        "given up", counted.given_up, "emails were given up", "The delivery logs of their readers have the answers."
    )
    yield _many(
        "accounts", counted.unreachable, "get no emails because they bounced",
        "Their hosts have been told. If there are many, check SPF and DKIM (docs/hosting.md).",
    )  # fmt: skip
    yield _many(
        "switched off", counted.webhooks_stopped, "webhooks were switched off because they failed for a day",
        "Their owners have been told. If there are many, check whether the workers can reach the internet.",
    )  # fmt: skip


def _stuck(office: Office) -> Finding:
    waiting = stuck.of_all(office)
    if not waiting:
        return Finding("stuck", True, "no orders are stuck")
    games = sorted({row.game for row in waiting})
    named = ", ".join(games[:NAMED]) + (f" and {len(games) - NAMED} more" if len(games) > NAMED else "")
    return Finding(
        "stuck", False, f"{len(waiting)} stopped by an error in pbem, in {named}",
        "The worker's log has the errors under “is stuck”. Once they are fixed: pbem unstick --all",
    )  # fmt: skip


def _resting(office: Office, now: datetime) -> Finding:
    found = providers.all_resting(office, now)
    if not found:
        return Finding("providers", True, "no mail provider is being left alone")
    told = [f"{one.host} until {one.until:%H:%M:%S} UTC ({_waiting(one.letters)})" for one in found[:NAMED]]
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return Finding(
        "providers", True, f"left alone because they took long or did not answer: {', '.join(told)}{more}",
        "Their emails leave by themselves: first one, then, if it is accepted quickly, the others. If this lasts for "
        "hours, look into the log of the mail server.",
    )  # fmt: skip


def _waiting(emails: int) -> str:
    return "1 email waits" if emails == 1 else f"{emails} emails wait"


def _many(name: str, number: int, what: str, do: str) -> Finding:
    return Finding(name, True, f"{number} {what}" if number else "none", do if number else "")


MAKE_ROOM = (
    "Free space on this disk before it is full: remove old backups, or files of other programs. With a full disk, pbem "
    "accepts no orders and sends no emails; nothing is lost, and it continues by itself once there is space."
)
REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "fuse.sshfs", "fuse.glusterfs"})
"""File systems of other machines, on which SQLite's locks cannot be relied on."""
MOUNTS = Path("/proc/self/mounts")


def machine_findings(chosen: Settings) -> Iterator[Finding]:
    """Disk, variables, key, address, operator, what pages say of them, limits, and where SQLite lies."""
    yield _disk(chosen)
    yield from _backups(chosen)
    yield from _variables()
    yield _key(chosen)
    yield _address(chosen)
    yield _operator(chosen)
    yield _named(chosen)
    yield _limits(chosen)
    url = make_url(chosen.database_url)
    if url.drivername == "sqlite" and (remote := remote_kind(Path(url.database or ""))):
        yield Finding(
            "sqlite", False, f"the database is on a network file system ({remote})",
            "Move it to a local disk, or use PostgreSQL.",
        )  # fmt: skip


def _disk(chosen: Settings) -> Finding:
    found = disk(chosen)
    says = f"{found.free // 2**20:,} MB free for {found.folder}"
    return Finding("disk", found.free >= ROOM, says, "" if found.free >= ROOM else MAKE_ROOM)


def _backups(chosen: Settings) -> Iterator[Finding]:
    """Whether the backups of the clock are made; other ways to make some cannot be seen from here."""
    if chosen.backup_dir is None:
        return
    made = newest(chosen.backup_dir)
    if made is not None and datetime.now(UTC) - made < kept_backups.LATE:
        yield Finding("backup", True, f"made at {made:%Y-%m-%d %H:%M} UTC, and restored on trial")
        return
    says = f"the newest in {chosen.backup_dir} is of {made:%Y-%m-%d %H:%M} UTC" if made else "there is none yet"
    yield Finding("backup", made is None, says, "The log of the clock says why. To make one now: pbem backup")


def _variables() -> Iterator[Finding]:
    if strange := unknown():
        named = ", ".join(name[:LONGEST_NAME] for name in strange[:NAMED])
        do = "Check the spelling; .env.example lists every variable."
        yield Finding("variables", True, f"ignored, because pbem has no such variables: {named}", do)


def _key(chosen: Settings) -> Finding:
    several = make_url(chosen.database_url).drivername != "sqlite"
    if several and not environment().get("PBEM_SECRET_KEY") and _kept(chosen) == chosen.secret_key:
        return Finding(
            "key", True, f"kept only in {chosen.data_dir / 'secret_key'}",
            "Set PBEM_SECRET_KEY to its content: every machine needs the same key, and it must outlive this disk.",
        )  # fmt: skip
    return Finding("key", True, "links are signed")


def _kept(chosen: Settings) -> str:
    file = chosen.data_dir / "secret_key"
    return file.read_text("ascii", "replace").strip() if file.is_file() else ""


def _address(chosen: Settings) -> Finding:
    says = f"links in emails lead to {chosen.public_url}"
    if chosen.smtp_url and is_loopback(urlsplit(chosen.public_url).hostname or ""):
        return Finding("address", False, says, "Set PBEM_PUBLIC_URL to an address that players can reach.")
    return Finding("address", True, says)


def _operator(chosen: Settings) -> Finding:
    if chosen.smtp_url and not chosen.operator:
        do = "Set PBEM_OPERATOR to your address; without it only the hosts of games hear of errors."
        return Finding("operator", True, "no operator is told by email about errors", do)
    return Finding("operator", True, chosen.operator or "not needed without a mail server")


def _named(chosen: Settings) -> Finding:
    """Whether the pages of a server that others can reach say who runs it."""
    lacking = [name for name, value in chosen.said_of_operator.items() if not value]
    if not lacking:
        return Finding("about", True, f"pages say that {chosen.operator_name} runs this server")
    if is_public(urlsplit(chosen.public_url).hostname or ""):
        do = f"Set {' and '.join(lacking)}: people may know who has their address, and many laws ask for it."
        return Finding("about", True, "pages do not say who runs this server", do)
    return Finding("about", True, "not needed on a private address")


def _limits(chosen: Settings) -> Finding:
    if not chosen.rate_limits:
        return Finding("limits", True, "rate limits are off", "Remove PBEM_RATE_LIMITS=off; it is for tests only.")
    if chosen.public_url.startswith("https:") and not chosen.proxies:
        do = "Set PBEM_PROXIES to the number of proxies in front of the web process (docs/hosting.md, “Limits”)."
        return Finding("limits", True, "everyone who comes through a proxy counts as one client", do)
    return Finding("limits", True, "each client is counted separately")


def remote_kind(path: Path, mounts: Path = MOUNTS) -> str:
    """The kind of the file system that a file is on, if another machine has it; empty where that cannot be seen."""
    if not mounts.is_file():
        return ""
    kinds: dict[Path, str] = {}
    for line in mounts.read_text("utf-8", "replace").splitlines():
        _, where, kind, *_ = line.split()
        kinds[Path(where.replace("\\040", " "))] = kind
    above = next((kinds[folder] for folder in [path, *path.parents] if folder in kinds), "")
    return above if above in REMOTE else ""
