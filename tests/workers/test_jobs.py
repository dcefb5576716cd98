"""The clock does in processes of their own what the operator asks for, and makes a backup when one is due."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.service.operator import jobs
from pbem.service.operator.jobs import JobView
from pbem.store import kept_backups
from pbem.store.statuses import JobKind
from tests.databases import Sqlite
from tests.patience import PATIENCE
from tests.table import Table
from workers import backups, work
from workers.jobs import JobRunner, command


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(Sqlite(tmp_path).fresh(), tmp_path)
    table.open()
    table.office = replace(table.office, settings=replace(table.office.settings, operator="ana@example.org"))
    return table


def done(table: Table, kind: JobKind, given: str = "") -> JobView:
    """Ask for a job, and let a clock do it."""
    jobs.ask(table.office, table.host, kind, given, table.now)
    doer, end = JobRunner(table.office), time.monotonic() + PATIENCE
    while (view := jobs.latest(table.office)[kind]).done_at is None:
        assert time.monotonic() < end
        doer.look(table.now)
        time.sleep(0.02)
    return view


def test_every_job_is_its_command_and_what_it_said_is_kept(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.jobs.PBEM", ("echo",))
    for kind, words in (
        (JobKind.DOCTOR, "doctor"), (JobKind.BACKUP, "backup"), (JobKind.CHECK, "backup --check"),
        (JobKind.RATINGS, "ratings"), (JobKind.RECHECK, "recheck"), (JobKind.MAIL, "doctor --mail ana@example.org"),
    ):  # fmt: skip
        view = done(table, kind)
        assert (view.good, view.says) == (True, words)
    assert done(table, JobKind.RECHECK, "7kq2m 9pd4x").says == "recheck 7kq2m 9pd4x"
    monkeypatch.setattr("workers.jobs.PBEM", ("cat",))  # what was pasted is given as a file
    monkeypatch.setattr(
        "workers.jobs.command", lambda begun, operator, received: command(begun, operator, received)[4:]
    )
    assert done(table, JobKind.MAIL, "DKIM-Signature: żółw").says == "DKIM-Signature: żółw"


def test_one_that_fails_is_told_and_one_that_is_stopped_too(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.jobs.PBEM", ("false",))
    assert done(table, JobKind.DOCTOR).good is False
    monkeypatch.setattr("workers.jobs.command", lambda *_: ("60",))
    monkeypatch.setattr("workers.jobs.PBEM", ("sleep",))
    jobs.ask(table.office, table.host, JobKind.RATINGS, "", table.now)
    doer = JobRunner(table.office)
    doer.look(table.now)
    doer.end(table.now)
    view = jobs.latest(table.office)[JobKind.RATINGS]
    assert (view.good, view.says) == (False, jobs.INTERRUPTED)


def test_the_newest_backup_is_restored_on_trial_and_a_damaged_one_is_told(table: Table, tmp_path: Path) -> None:
    folder, key = tmp_path / "backups", table.office.settings.secret_key
    file, counts = kept_backups.make(table.office.database.engine, folder, key, table.now)
    assert kept_backups.check(folder, key) == (kept_backups.kept(folder)[-1], counts)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(kept_backups.Unsound, match="cannot be restored"):
        kept_backups.check(folder, key)
    assert [path for path in folder.iterdir() if path.is_dir()] == []


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


def test_one_is_made_at_its_time_beside_the_clock(keeper: backups.BackupScheduler, tmp_path: Path) -> None:
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
