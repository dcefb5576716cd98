"""The clock starts a backup when one is due, and no deadline waits for it."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.store import kept_backups
from tests.databases import Sqlite
from tests.patience import PATIENCE
from tests.table import Table
from workers import backups, work


@pytest.fixture
def keeper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> backups.BackupScheduler:
    table = Table(Sqlite(tmp_path).fresh(), tmp_path)
    table.start()
    for name, value in {"DATA_DIR": tmp_path, "DATABASE_URL": table.office.settings.database_url}.items():
        monkeypatch.setenv(f"PBEM_{name}", str(value))
    monkeypatch.setenv("PBEM_SECRET_KEY", table.office.settings.secret_key)
    monkeypatch.setenv("PBEM_BACKUP_DIR", str(tmp_path / "backups"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    return backups.BackupScheduler(
        replace(table.office, settings=replace(table.office.settings, backup_dir=tmp_path / "backups"))
    )


def look_until_over(keeper: backups.BackupScheduler) -> None:
    end = time.monotonic() + PATIENCE
    keeper.look(work.now())
    while keeper._process is not None:
        assert time.monotonic() < end
        time.sleep(0.02)
        keeper.look(work.now())


def test_one_is_made_beside_the_clock_and_no_second_one_before_its_time(
    keeper: backups.BackupScheduler, tmp_path: Path
) -> None:
    look_until_over(keeper)
    assert len(kept_backups.kept(tmp_path / "backups")) == 1
    keeper.look(work.now())
    assert keeper._process is None


def test_one_that_fails_is_told_and_tried_again_later(
    keeper: backups.BackupScheduler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(backups, "COMMAND", ("false",))
    look_until_over(keeper)
    assert "no backup was made (status 1)" in caplog.text
    keeper.look(work.now())
    assert keeper._process is None
    monkeypatch.setattr(backups, "AGAIN", 0.0)
    keeper._not_before = 0.0
    monkeypatch.setattr(backups, "COMMAND", ("sleep", "60"))
    keeper.look(work.now())
    assert keeper._process is not None
    keeper.end()


def test_without_a_folder_none_is_made(keeper: backups.BackupScheduler) -> None:
    keeper._folder = None
    keeper.look(work.now())
    assert keeper._process is None
