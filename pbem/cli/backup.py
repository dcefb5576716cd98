"""Back up the whole database into one file, while the server runs.

The file holds every row of the database as of one moment. You can restore it into SQLite or PostgreSQL
(docs/hosting.md). It appears only when it is complete, and then replaces a file of the same name. It holds email
addresses and the dice of running games, but not the secret key: keep that as well, in another place.

Without FILE the backup goes into the folder PBEM_BACKUP_DIR, as those that the clock makes: it is restored on trial,
and old ones are removed.
"""

import argparse
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import make_url

from pbem.cli._office import failing
from pbem.cli._settings import environment, settings
from pbem.cli._terminal import Failure, Progress
from pbem.settings.settings import Settings
from pbem.store import kept_backups
from pbem.store.backup import NoTables, back_up
from pbem.store.database import open_engine

GIVE = "Nothing was backed up. Run this with the settings of the server (docs/hosting.md)."


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="the file to write, for example pbem-2026-11-20.backup"
    )
    parser.add_argument(
        "--check", action="store_true", help="make none: restore the newest of PBEM_BACKUP_DIR on trial"
    )


def run(args: argparse.Namespace) -> int:
    of_a_server(environment())
    chosen = settings()
    if args.check:
        return _check(chosen)
    file, counts = _backed_up(chosen, args.file)
    size = file.stat().st_size / 1e6
    print(f"{file}: {sum(counts.values()):,} rows, {counts.get('games', 0):,} games, {size:,.1f} MB", file=sys.stderr)
    print(f"The secret key is not included: {_kept(chosen)}", file=sys.stderr)
    return 0


def _check(chosen: Settings) -> int:
    if chosen.backup_dir is None or not kept_backups.kept(chosen.backup_dir):
        raise Failure("There is no backup: PBEM_BACKUP_DIR is not set, or nothing was backed up there yet.")
    try:
        newest, counts = kept_backups.check(chosen.backup_dir, chosen.secret_key)
    except (kept_backups.Unsound, kept_backups.UnderWay) as sentence:
        raise Failure(str(sentence)) from sentence
    rows = f"{sum(counts.values()):,} rows, {counts.get('games', 0):,} games"
    print(f"{newest.file}: made at {newest.made:%Y-%m-%d %H:%M} UTC, restored on trial: {rows}", file=sys.stderr)
    return 0


def of_a_server(environ: Mapping[str, str]) -> None:
    """Refuse settings under which no server has ever run, before anything is made for them.

    Cron for instance starts commands without the settings of the service.
    """
    folder = Path(environ.get("PBEM_DATA_DIR", "") or "var")
    if not environ.get("PBEM_SECRET_KEY") and not (folder / "secret_key").is_file():
        raise Failure(
            f"There is no server here: PBEM_SECRET_KEY is not set, and {folder.absolute()} holds no secret_key. {GIVE}"
        )


def _there(chosen: Settings) -> None:
    """SQLite would make a file that is missing."""
    url = make_url(chosen.database_url)
    if url.drivername == "sqlite" and not Path(url.database or "").is_file():
        raise Failure(f"There is no database {url.database}. {GIVE}")


def _backed_up(chosen: Settings, named: Path | None) -> tuple[Path, dict[str, int]]:
    if (place := named or chosen.backup_dir) is None:
        raise Failure("Name the file to write, or set PBEM_BACKUP_DIR.")
    _there(chosen)
    progress, engine = Progress(), open_engine(chosen.database_url)
    try:
        with failing():
            if named is None:
                return kept_backups.make(engine, place, chosen.secret_key, datetime.now(UTC))
            return named, back_up(engine, named, chosen.secret_key, datetime.now(UTC), progress)
    except (kept_backups.Unsound, kept_backups.UnderWay) as sentence:
        raise Failure(str(sentence)) from sentence
    except NoTables as empty:
        raise Failure(f"{empty} {GIVE}") from empty
    except OSError as error:
        raise Failure(f"{place} cannot be written: {error.strerror or error}.") from error
    finally:
        progress.end()
        engine.dispose()


def _kept(chosen: Settings) -> str:
    if environment().get("PBEM_SECRET_KEY"):
        return "keep PBEM_SECRET_KEY as well, or no link in any email will work after a restore."
    return f"keep {chosen.data_dir / 'secret_key'} as well, or no link in any email will work after a restore."
