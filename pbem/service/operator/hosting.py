"""The figures of the page of who runs the server: games, queues, disk, last backup."""

import shutil
from datetime import datetime
from pathlib import Path

from sqlalchemy import make_url, select

from pbem.engine import Value
from pbem.service.base import Office
from pbem.service.operator import server_metrics
from pbem.service.operator.server_metrics import Figures
from pbem.settings.settings import Settings
from pbem.store import kept_backups
from pbem.store.statuses import GameStatus
from pbem.store.tables import Game

ROOM = 512 * 1024 * 1024
"""Bytes that should be free where the data is."""


class Disk(Value):
    """The fullest disk of those that the data are on. ``free``: bytes."""

    free: int
    folder: str

    @property
    def enough(self) -> bool:
        return self.free >= ROOM


class Overview(Value):
    """How the server is. ``games``: how many of each status. ``backup``: when the clock made the last one, ``None``
    when there is none yet; ``backups``: whether it makes any.
    """

    figures: Figures
    games: dict[str, int]
    disk: Disk
    backups: bool
    backup: datetime | None
    backup_late: bool


def overview(office: Office, now: datetime) -> Overview:
    """Look at rows, disks and the folder of backups; changes nothing."""
    folder = office.settings.backup_dir
    made = None if folder is None else newest(folder)
    return Overview(
        figures=server_metrics.look(office, now),
        games=server_metrics.games(office),
        disk=disk(office.settings),
        backups=folder is not None,
        backup=made,
        backup_late=made is not None and now - made >= kept_backups.LATE,
    )


def late_games(office: Office, now: datetime, most: int) -> tuple[tuple[str, str, datetime], ...]:
    """Id, title and end of the time of games in which nothing happened when it was over, longest ago first."""
    late = (Game.status == GameStatus.RUNNING, Game.deadline_at <= now - server_metrics.LATE_GAME)
    query = select(Game.id, Game.title, Game.deadline_at).where(*late).order_by(Game.deadline_at, Game.id).limit(most)
    with office.read() as session:
        return tuple((number, title, at) for number, title, at in session.execute(query) if at is not None)


def disk(settings: Settings) -> Disk:
    url = make_url(settings.database_url)
    folders = [settings.data_dir, *([Path(url.database or "").parent] if url.drivername == "sqlite" else [])]
    free, folder = min((shutil.disk_usage(folder).free, str(folder)) for folder in folders if folder.is_dir())
    return Disk(free, folder)


def newest(folder: Path) -> datetime | None:
    last = next(reversed(kept_backups.kept(folder)), None)
    return None if last is None else last.made


def runs(settings: Settings, address: str) -> bool:
    return settings.operator != "" and settings.operator == address
