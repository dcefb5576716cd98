"""Backups that the clock makes: when, which are kept, and that only those are that can be restored."""

import fcntl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine

from pbem.store import kept_backups
from pbem.store.backup import back_up
from pbem.store.kept_backups import StoredBackup, UnderWay, Unsound
from tests.databases import Sqlite
from tests.table import Table

KEY = "a key that only tests know"
NOW = datetime(2026, 11, 23, 3, 0, tzinfo=UTC)


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    made = Table(Sqlite(tmp_path).fresh(), tmp_path)
    made.start()
    return made.office.database.engine


def test_one_is_made_restored_on_trial_and_the_next_is_due_six_hours_later(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    assert kept_backups.due(folder, NOW)
    file, counts = kept_backups.make(engine, folder, KEY, NOW)
    assert counts["games"] == 1
    assert file == folder / "pbem-20261123T030000Z.backup"
    assert file.stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in folder.iterdir()) == [".lock", file.name]
    assert not kept_backups.due(folder, NOW + timedelta(hours=5, minutes=59))
    assert kept_backups.due(folder, NOW + timedelta(hours=6))
    assert kept_backups.due(folder, NOW - timedelta(hours=1)), "a clock that was set back stops no backups"


def test_an_unsound_one_is_not_kept(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def spoiled(engine: Engine, file: Path, key: str, now: datetime) -> dict[str, int]:
        counts = back_up(engine, file, key, now)
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
        return counts

    monkeypatch.setattr(kept_backups, "back_up", spoiled)
    with pytest.raises(Unsound, match="cannot be restored"):
        kept_backups.make(engine, tmp_path / "backups", KEY, NOW)
    assert kept_backups.kept(tmp_path / "backups") == []


def test_rows_missing_after_the_trial_are_told(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_backups, "back_up", lambda *how: {**back_up(*how), "accounts": 99})
    with pytest.raises(Unsound, match="the table accounts has not the rows"):
        kept_backups.make(engine, tmp_path / "backups", KEY, NOW)


def test_two_processes_do_not_make_one_at_once_and_what_a_killed_one_left_goes(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    (folder / ".trial-old").mkdir(parents=True)
    (folder / ".pbem-x.backup.y.part").write_bytes(b"half")
    with (folder / ".lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(UnderWay):
            kept_backups.make(engine, folder, KEY, NOW)
    kept_backups.make(engine, folder, KEY, NOW)
    assert sorted(path.name for path in folder.iterdir()) == [".lock", "pbem-20261123T030000Z.backup"]


def test_those_of_the_last_day_one_of_each_day_of_a_week_and_of_each_of_five_weeks_stay(tmp_path: Path) -> None:
    there: list[StoredBackup] = []
    for hours in range(0, 24 * 60, 6):
        made = NOW - timedelta(days=60) + timedelta(hours=hours + 6)
        there.append(StoredBackup(made, tmp_path / f"{made:%Y%m%d%H}"))
        gone = kept_backups.too_old(there, made)
        there = [one for one in there if one not in gone]
    assert [f"{one.made:%m-%d %H}" for one in there] == [
        "11-01 21", "11-08 21", "11-15 21",
        "11-17 21", "11-18 21", "11-19 21", "11-20 21", "11-21 21", "11-22 09", "11-22 15", "11-22 21", "11-23 03",
    ]  # fmt: skip


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    for name in ("pbem-09.backup", "pbem-20261123T030000Z.backup.old", "notes.txt"):
        (tmp_path / name).write_bytes(b"")
    assert kept_backups.kept(tmp_path) == []
