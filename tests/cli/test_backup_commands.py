"""``pbem backup`` and ``pbem restore``: a server that goes on elsewhere, and one that is set back."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.cli import main
from pbem.service import open_office
from pbem.service.letter_views import correspondence
from pbem.service.letters import outbox
from pbem.service.turns import restored
from pbem.settings.settings import Settings
from pbem.store import kept_backups
from pbem.store.tables import Letter
from tests.databases import Postgresql, Sqlite
from tests.store.filling import everything
from tests.table import Table

KEY = "a key that only tests know"
Choose = Callable[[str], None]


@pytest.fixture
def table(sqlite: Sqlite, tmp_path: Path) -> Table:
    """A game that has begun three hours ago by the clock on the wall, which commands read."""
    return _playing(sqlite.fresh(), tmp_path)


def _playing(url: str, folder: Path) -> Table:
    made = Table(url, folder / "data")
    made.now = datetime.now(UTC) - timedelta(hours=3)
    made.start()
    made.send_all()
    made.awake(minutes=1)
    return made


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Choose:
    """``on(url)``: the commands that follow use this database."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("PBEM_SECRET_KEY", KEY)
    return lambda url: monkeypatch.setenv("PBEM_DATABASE_URL", url)


def said(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    """Run a command; its exit status and what it said."""
    status = main([str(word) for word in words])
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def url_of(table: Table) -> str:
    return table.office.settings.database_url


def test_a_backup_under_settings_of_no_server_fails_and_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As from cron, which knows no settings: the default folder, no key, no database."""
    monkeypatch.chdir(tmp_path)
    status, told = said(capsys, "backup", tmp_path / "all.backup")
    assert status == 1
    assert told.startswith("pbem: There is no server here: PBEM_SECRET_KEY is not set, and ")
    assert "Run this with the settings of the server" in told
    assert list(tmp_path.iterdir()) == []


def test_a_backup_of_a_missing_file_makes_none(on: Choose, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    on(f"sqlite:///{tmp_path}/pbem.sqlite")
    status, told = said(capsys, "backup", tmp_path / "all.backup")
    assert (status, "There is no database" in told) == (1, True)
    assert not (tmp_path / "pbem.sqlite").exists()
    assert not (tmp_path / "all.backup").exists()


def test_without_a_file_it_goes_into_the_folder_of_the_clock_and_the_doctor_says_so(
    table: Table, on: Choose, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    on(url_of(table))
    assert said(capsys, "backup") == (1, "pbem: Name the file to write, or set PBEM_BACKUP_DIR.\n")
    folder = tmp_path / "kept"
    monkeypatch.setenv("PBEM_BACKUP_DIR", str(folder))
    assert "WARN  backup: there is none yet" in said(capsys, "doctor")[1]
    assert "There is no backup" in said(capsys, "backup", "--check")[1]
    assert said(capsys, "backup")[0] == 0
    (one,) = kept_backups.kept(folder)
    status, told = said(capsys, "backup", "--check")
    assert (status, f"made at {one.made:%Y-%m-%d %H:%M} UTC, restored on trial" in told) == (0, True)
    assert f"ok    backup: made at {one.made:%Y-%m-%d %H:%M} UTC" in said(capsys, "doctor")[1]
    one.file.rename(folder / "pbem-20261101T030000Z.backup")
    assert "FAIL  backup: the newest in" in said(capsys, "doctor")[1]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_backup_of_a_database_without_tables_fails(
    kind: str, on: Choose, request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    maker: Sqlite | Postgresql = request.getfixturevalue(kind)
    url = maker.bare()
    if kind == "sqlite":
        Path(url.removeprefix("sqlite:///")).touch()
    on(url)
    status, told = said(capsys, "backup", tmp_path / "all.backup")
    assert status == 1
    assert told.startswith("pbem: The database has no pbem tables. Nothing was backed up")
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name] == []


@pytest.mark.parametrize(("source", "target"), [("sqlite", "postgresql"), ("postgresql", "sqlite")])
def test_a_server_moves_to_the_other_kind_of_database_and_goes_on(
    source: str, target: str, on: Choose, request: pytest.FixtureRequest, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    makers: dict[str, Sqlite | Postgresql] = {
        "sqlite": request.getfixturevalue("sqlite"),
        "postgresql": request.getfixturevalue("postgresql"),
    }
    table = _playing(makers[source].fresh(), tmp_path)
    table.play()
    waiting = [(row.id, row.status) for row in table.letters()]
    on(url_of(table))
    assert said(capsys, "backup", tmp_path / "all.backup")[0] == 0
    moved = makers[target].bare()
    on(moved)
    status, out = said(capsys, "restore", "--moved", tmp_path / "all.backup")
    assert (status, "1 games" in out, "1 emails are waiting to be sent" in out) == (0, True, True)
    before = table.office
    table.office = open_office(_settings(table, moved), before.hints)
    assert everything(table.office.database.engine) == everything(before.database.engine)
    assert [(row.id, row.status) for row in table.letters()] == waiting
    table.now = datetime.now(UTC)
    table.play_on(12)
    assert table.view().version == 13
    table.close()
    before.database.close()


def _settings(table: Table, url: str) -> Settings:
    folder = str(table.office.settings.data_dir)
    same = {"PBEM_DATA_DIR": folder, "PBEM_SECRET_KEY": KEY, "PBEM_PUBLIC_URL": "https://play.example.org"}
    return Settings.read({**same, "PBEM_DATABASE_URL": url})


@pytest.fixture
def set_back(
    table: Table, on: Choose, sqlite: Sqlite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[Table, str]:
    """The game after its server was set back, and what ``restore`` said; an order and its letters are lost."""
    table.play()
    table.open(title="Another table")
    on(url_of(table))
    main(["backup", str(tmp_path / "all.backup")])
    table.close()
    capsys.readouterr()
    fresh = sqlite.fresh()
    on(fresh)
    status, out = said(capsys, "restore", tmp_path / "all.backup")
    assert status == 0
    table.office = open_office(_settings(table, fresh), table.office.hints)
    table.now = datetime.now(UTC)
    return table, out


def test_letters_that_may_have_left_after_the_backup_are_not_sent_again(set_back: tuple[Table, str]) -> None:
    table, out = set_back
    assert "4 people will be told that the server was restored" in out
    withdrawn = [row for row in table.letters("your-turn") if row.status == "withdrawn"]
    assert [row.last_error for row in withdrawn] == [restored.REASON]
    assert table.letters("invitation", status="waiting"), "an answer to an invitation would be lost as well"
    sent = table.send_all()
    assert sorted(set(sent)) == ["invitation", "set-back"]
    assert sent.count("set-back") == 4


def test_a_letter_that_is_sent_twice_after_all_has_one_message_id(
    table: Table, on: Choose, sqlite: Sqlite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --moved although the server ran on: what mail programs know as the same letter."""
    table.play()
    on(url_of(table))
    main(["backup", str(tmp_path / "all.backup")])
    (row,) = table.letters("your-turn", status="waiting")
    once = table.read(row).envelope.message_id
    table.close()
    fresh = sqlite.fresh()
    on(fresh)
    main(["restore", "--moved", str(tmp_path / "all.backup")])
    table.office = open_office(_settings(table, fresh), table.office.hints)
    assert outbox.claim(table.office, row.id, datetime.now(UTC))
    assert correspondence.letter(table.office, row.id, datetime.now(UTC)).view.envelope.message_id == once


def test_the_host_is_told_to_keep_the_key(
    table: Table, on: Choose, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on(url_of(table))
    assert "keep PBEM_SECRET_KEY as well" in said(capsys, "backup", tmp_path / "file")[1]
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600
    monkeypatch.setenv("PBEM_SECRET_KEY", "")
    (tmp_path / "data" / "secret_key").write_text("a key that the server has made")
    assert f"keep {tmp_path}/data/secret_key as well" in said(capsys, "backup", tmp_path / "file")[1]
    status, out = said(capsys, "restore", tmp_path / "file")
    assert (status, "not empty" in out) == (1, True)
    monkeypatch.setenv("PBEM_SECRET_KEY", "another key, because that one is lost")
    status, out = said(capsys, "restore", tmp_path / "file")
    assert (status, "another secret key" in out) == (1, True)


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_file_that_cannot_be_used_is_told(
    command: str, table: Table, on: Choose, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    on(url_of(table))
    status, out = said(capsys, command, tmp_path / "nowhere" / "file")
    assert (status, out.startswith(f"pbem: {tmp_path}/nowhere/file cannot be ")) == (1, True)
    (tmp_path / "folder").mkdir()
    assert said(capsys, command, tmp_path / "folder")[0] == 1


def test_an_ended_restore_leaves_it_empty(table: Table, on: Choose, sqlite: Sqlite, tmp_path: Path) -> None:
    """By kill -9 after the first rows: a real process, on a real file."""
    table.play_on(30)
    on(url_of(table))
    assert main(["backup", str(tmp_path / "file")]) == 0
    fresh = sqlite.fresh()
    on(fresh)
    script = (
        "import os, signal, sys\n"
        "from pbem.store import restore\n"
        "insert = restore._insert\n"
        "def dies(connection, head, batch):\n"
        "    insert(connection, head, batch)\n"
        "    if head is not None and head.name == 'moves':\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "restore._insert = dies\n"
        "from pbem.cli import main\n"
        "main(['restore', sys.argv[1]])\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(tmp_path / "file")], env=dict(os.environ), check=False)
    assert ended.returncode == -9
    empty = Table(fresh, tmp_path / "data")
    assert empty.letters() == []
    assert empty.rows(select(Letter.id)) == []
    assert main(["restore", str(tmp_path / "file")]) == 0
    assert empty.letters("set-back")
    empty.close()
