"""The folder of the backups that the clock makes: when the next is due, which are kept, whether one can be restored."""

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Engine

from pbem.settings.paths import names_to_disk
from pbem.store.backup import back_up
from pbem.store.database import open_engine

EVERY = timedelta(hours=6)
ALL, DAYS, WEEKS = timedelta(hours=24), 7, 5
"""What is kept: all of the last day, the last of each of the last days that have one, and the last of each week."""
LATE = 2 * EVERY
"""How old the newest may be before something is wrong."""

_NAME = re.compile(r"pbem-(\d{8}T\d{6})Z\.backup")
_STAMP = "%Y%m%dT%H%M%S"
_TRIAL = ".trial-"


class Unsound(Exception):
    """A backup that was written cannot be restored; the text is a sentence. It is not kept."""


class UnderWay(Exception):
    """Another process is making a backup into the folder."""


@dataclass(frozen=True, slots=True)
class StoredBackup:
    made: datetime
    file: Path


def kept(folder: Path) -> list[StoredBackup]:
    """Those there are, oldest first; other files are none of ours."""
    names = ((path, _NAME.fullmatch(path.name)) for path in folder.glob("pbem-*.backup"))
    return sorted(
        (StoredBackup(datetime.strptime(name[1], _STAMP).replace(tzinfo=UTC), path) for path, name in names if name),
        key=lambda one: one.made,
    )


def due(folder: Path, now: datetime) -> bool:
    there = kept(folder)
    return not there or not timedelta(0) <= now - there[-1].made < EVERY


def make(engine: Engine, folder: Path, key: str, now: datetime) -> tuple[Path, dict[str, int]]:
    """Write a backup, restore it into a database of its own that is then thrown away, and forget what is too old.

    Returns the file, and how many rows it has by table. Raises what :func:`pbem.store.backup.back_up` does,
    :class:`Unsound` and :class:`UnderWay`.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(folder):
        for left in (*folder.glob(f"{_TRIAL}*"), *folder.glob(".pbem-*.part")):  # by one that was killed
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        with tempfile.TemporaryDirectory(prefix=_TRIAL, dir=folder) as trial:
            draft = Path(trial, "backup")
            counts = back_up(engine, draft, key, now)
            _restore(draft, Path(trial), key, counts)
            file = folder / f"pbem-{now.astimezone(UTC):{_STAMP}}Z.backup"
            os.replace(draft, file)
            names_to_disk(folder)
        for one in too_old(kept(folder), now):
            one.file.unlink()
        return file, counts


def check(folder: Path, key: str) -> tuple[StoredBackup, dict[str, int]]:
    """Restore the newest backup into a database of its own that is then thrown away; how many rows it has by table.

    Raises :class:`Unsound`, :class:`UnderWay`, and ``IndexError`` when there is none.
    """
    from pbem.store.restore import check as read

    newest = kept(folder)[-1]
    with _alone(folder), tempfile.TemporaryDirectory(prefix=_TRIAL, dir=folder) as trial:
        try:
            counts = dict(read(newest.file, [key]).counts)
        except ValueError as error:
            raise Unsound(f"The backup cannot be restored: {error}") from error
        _restore(newest.file, Path(trial), key, counts)
    return newest, counts


def _restore(file: Path, folder: Path, key: str, counts: dict[str, int]) -> None:
    """Do what would be done after an accident, and see whether every row is there."""
    from pbem.store.restore import check, put  # with all that migrations need, and the clock and most commands do not

    engine = open_engine(f"sqlite:///{folder / 'trial.sqlite'}")
    try:
        check(file, [key])
        with engine.execution_options(pbem_writes=True).begin() as connection:
            put(connection, file, [key])
        with engine.connect() as connection:
            found = {name: connection.scalar(sa.select(sa.func.count()).select_from(sa.table(name))) for name in counts}
    except (ValueError, sa.exc.SQLAlchemyError) as error:
        raise Unsound(f"The backup cannot be restored: {error}") from error
    finally:
        engine.dispose()
    if wrong := [name for name, number in counts.items() if found[name] != number]:
        raise Unsound(f"The backup cannot be restored: the table {wrong[0]} has not the rows that were written.")


def too_old(there: Sequence[StoredBackup], now: datetime) -> list[StoredBackup]:
    """Those that are not kept any more, of backups in the order in which they were made."""
    days = {one.made.date(): one for one in there}
    weeks = {one.made.isocalendar()[:2]: one for one in there}
    stay = [one.file for one in there if now - one.made < ALL]
    stay += [days[day].file for day in sorted(days)[-DAYS:]] + [weeks[week].file for week in sorted(weeks)[-WEEKS:]]
    return [one for one in there if one.file not in stay]


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with (folder / ".lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UnderWay(f"A backup is being made into {folder} already.") from error
        yield
