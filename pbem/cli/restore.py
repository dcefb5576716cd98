"""Restore a backup into an empty database, completely or not at all.

The file may come from the other kind of database or from an older version of pbem. Stop web, worker and clock first.
The whole file is checked before anything is written.

Whatever happened after the backup is lost. Emails that were waiting at the time of the backup may have left since, so
they are not sent again. Instead, everybody who plays gets one email that says so and lists the questions that are open
now, and all deadlines move by the time in between. If nothing can have happened, because the server has not run since
the backup (you are moving to another machine or database), use --moved: then everything continues as it was.
"""

import argparse
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.orm import Session

from pbem.cli._settings import settings
from pbem.cli._terminal import Failure, Progress
from pbem.service import Office, open_office
from pbem.service.base import Work
from pbem.service.letters import outbox
from pbem.service.turns import restored
from pbem.store.restore import BadBackup, NotEmpty, check, put
from pbem.store.revision import Newer
from pbem.store.upgrade import GIVE_WAY

SLACK = timedelta(minutes=5)
"""How far the clocks of two machines may be apart."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a file written by pbem backup")
    parser.add_argument("--moved", action="store_true", help="the server has not run since the backup")
    parser.add_argument(
        "--other-key",
        action="store_true",
        help="the secret key is lost: restore anyway, although no link in an old email will work",
    )


def run(args: argparse.Namespace) -> int:
    office = open_office(settings())
    progress = Progress()
    try:
        said = _restored(office, args, progress)
    except (BadBackup, NotEmpty, Newer) as sentence:
        raise Failure(str(sentence)) from sentence
    except OSError as error:
        raise Failure(f"{args.file} cannot be read: {error.strerror or error}.") from error
    except DBAPIError as error:
        raise Failure(_why(error)) from error
    finally:
        progress.end()
        office.database.close()
    print(said, file=sys.stderr)
    return 0


def _restored(office: Office, args: argparse.Namespace, progress: Progress) -> str:
    keys = (office.settings.secret_key, *office.settings.old_secret_keys)
    lines = check(args.file, keys, any_key=args.other_key)
    now = datetime.now(UTC)
    if lines.header.made > now + SLACK:
        raise Failure(
            f"The backup is from {lines.header.made:%Y-%m-%d %H:%M} UTC, so the clock of this machine is slow."
        )
    engine = office.database.engine.execution_options(pbem_writes=True)
    with engine.begin() as connection:
        put(connection, args.file, keys, any_key=args.other_key, totals=lines.counts, progress=progress)
        with Session(connection) as session:
            work = Work(session, now, office.message_id)
            told = _put_in_order(work, lines.header.made, moved=args.moved)
            outbox.finish(work)
            session.flush()
    office.hints.give(work.hints)
    rows, games = sum(lines.counts.values()), lines.counts.get("games", 0)
    return f"Restored {rows:,} rows, {games:,} games, as of {lines.header.made:%Y-%m-%d %H:%M:%S} UTC. {told}"


def _put_in_order(work: Work, made: datetime, *, moved: bool) -> str:
    if moved:
        restored.hint_all(work)
        return f"{restored.waiting(work.session):,} emails are waiting to be sent."
    return f"{restored.set_back(work, made):,} people will be told that the server was restored."


def _why(error: DBAPIError) -> str:
    in_use = isinstance(error, OperationalError) and (
        getattr(error.orig, "sqlstate", "") in GIVE_WAY or "locked" in str(error.orig)
    )
    if in_use:
        return "Something is using this database. Stop web, worker and clock, then restore again. Nothing was changed."
    return f"The database reports an error: {error.orig}"
