"""Backups: every row, from either kind of database to either, all or nothing, nothing from a file that is not whole."""

import errno
import gc
import gzip
import hashlib
import json
import os
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import Engine

from pbem.store import backup, restore, revision, upgrade
from pbem.store.backup import back_up, seal_of
from pbem.store.database import open_engine
from pbem.store.restore import BadBackup, NotEmpty
from tests.databases import Postgresql, Sqlite
from tests.store.filling import ROWS, everything, fill
from tests.store.later_version import later_version

KEY = "a key that only tests know"
NOW = datetime(2026, 11, 20, 18, tzinfo=UTC)
Edit = Callable[[list[bytes]], list[bytes]]


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def maker(kind: str, request: pytest.FixtureRequest) -> Sqlite | Postgresql:
    made: Sqlite | Postgresql = request.getfixturevalue(kind)
    return made


@pytest.fixture
def filled(sqlite: Sqlite) -> Engine:
    """A database with something in every table."""
    return _filled(sqlite)


def _filled(maker: Sqlite | Postgresql) -> Engine:
    return open_engine(maker.made("filled", _fill))


def _fill(url: str) -> None:
    engine = open_engine(url)
    upgrade.upgrade(engine)
    with engine.execution_options(pbem_writes=True).begin() as connection:
        fill(connection)
    engine.dispose()


@pytest.fixture(scope="module")
def written(sqlite: Sqlite, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of such a database, for tests that spoil it."""
    engine, file = _filled(sqlite), tmp_path_factory.mktemp("written") / "file"
    back_up(engine, file, KEY, NOW)
    engine.dispose()
    return file.read_bytes()


def put(engine: Engine, file: Path, *keys: str, any_key: bool = False) -> None:
    """What ``pbem restore`` does with the rows."""
    try:
        lines = restore.check(file, keys or (KEY,), any_key=any_key)
        with engine.execution_options(pbem_writes=True).begin() as connection:
            restore.put(connection, file, keys or (KEY,), any_key=any_key, totals=lines.counts)
    finally:
        engine.dispose()


@pytest.mark.parametrize("tables", ["none", "empty"])
@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_every_row_comes_back_in_either_kind_of_database(
    maker: Sqlite | Postgresql, target: str, tables: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    source, to = _filled(maker), request.getfixturevalue(target)
    counts = back_up(source, tmp_path / "file", KEY, NOW)
    engine = open_engine(to.bare() if tables == "none" else to.fresh())
    put(engine, tmp_path / "file")
    assert everything(engine) == everything(source)
    assert set(counts.values()) == {ROWS}
    assert revision.missing(engine) == []
    source.dispose()
    engine.dispose()


def test_rows_after_a_restore_get_new_numbers(filled: Engine, maker: Sqlite | Postgresql, tmp_path: Path) -> None:
    back_up(filled, tmp_path / "file", KEY, NOW)
    engine = open_engine(maker.fresh())
    put(engine, tmp_path / "file")
    with engine.execution_options(pbem_writes=True).begin() as connection:
        for stored in backup.stored_tables(connection):
            if stored.key == ("id",) and stored.columns["id"] == "integer":
                metadata = sa.MetaData()
                metadata.reflect(connection, only=[stored.name])
                table = metadata.tables[stored.name]
                if table.c.id.foreign_keys:
                    continue  # its rows have the numbers of another table's
                columns = [c for c in table.c if c.name != "id"]
                unique = {"address", "key", "source", "number", "version", "kind", "hash"}
                copy = [sa.literal("x") if c.name in unique and isinstance(c.type, sa.String) else
                        sa.literal(99) if c.name in unique else c for c in columns]  # fmt: skip
                one = sa.select(*copy).where(table.c.id == 2)
                connection.execute(sa.insert(table).from_select([c.name for c in columns], one))
                assert connection.scalar(sa.select(sa.func.max(table.c.id))) == ROWS + 1, stored.name
    engine.dispose()


def test_after_a_restore_rows_are_numbered_on_or_from_one(postgresql: Postgresql, tmp_path: Path) -> None:
    source = _filled(postgresql)
    with source.execution_options(pbem_writes=True).begin() as connection:
        connection.exec_driver_sql("DELETE FROM stops")
    back_up(source, tmp_path / "file", KEY, NOW)
    engine = open_engine(postgresql.fresh())
    put(engine, tmp_path / "file")
    with engine.execution_options(pbem_writes=True).begin() as connection:
        stored = [table for table in backup.stored_tables(connection) if table.columns.get("id") == "integer"]
        counters = {table.name: sa.func.pg_get_serial_sequence(table.name, "id") for table in stored}
        following = {
            name: connection.scalar(sa.select(sa.func.nextval(counter)))
            for name, counter in counters.items()
            if connection.scalar(sa.select(counter))
        }
    assert following.pop("stops") == 1
    assert len(following) > 5
    assert set(following.values()) == {ROWS + 1}
    source.dispose()
    engine.dispose()


def memory_of(database: Sqlite, file: Path, rows: int) -> int:
    """Bytes at most while a database with so many large rows is backed up and restored."""
    engine = open_engine(database.fresh())
    with engine.execution_options(pbem_writes=True).begin() as connection:
        fill(connection)
        many = f"WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) "
        nothing = ", ".join(["NULL"] * 5)
        row = f"'row1', i, '', 1, '', '', 'player', '[]', '[]', randomblob(4000), '', '2026-11-20', {nothing}"
        connection.exec_driver_sql(f"{many}INSERT INTO moves SELECT {row} FROM n")
    often = gc.get_threshold()
    gc.collect()
    gc.freeze()  # what there is already is not looked at every few objects
    gc.set_threshold(100, 2, 2)  # what is thrown away does not count
    tracemalloc.start()
    back_up(engine, file, KEY, NOW)
    engine.dispose()
    put(open_engine(database.fresh()), file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    gc.set_threshold(*often)
    return peak


def test_backing_up_and_restoring_need_the_same_memory_however_much_there_is(sqlite: Sqlite, tmp_path: Path) -> None:
    memory_of(sqlite, tmp_path / "first", 10)  # what is kept of the statements counts once
    some, much = (memory_of(sqlite, tmp_path / str(rows), rows) for rows in (250, 750))
    assert (tmp_path / "750").stat().st_size > 2_750_000
    assert much < some + 500_000


def test_a_backup_says_how_far_it_has_come_and_is_for_its_owner_alone(filled: Engine, tmp_path: Path) -> None:
    shown: list[tuple[str, int, int]] = []
    back_up(filled, tmp_path / "file", KEY, NOW, lambda *told: shown.append(told))
    assert ("games", ROWS, ROWS) in shown
    assert oct((tmp_path / "file").stat().st_mode)[-3:] == "600"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_backup_sees_one_state_while_others_write(maker: Sqlite | Postgresql, tmp_path: Path) -> None:
    engine = _filled(maker)
    before = everything(engine)

    def meanwhile(table: str, _done: int, _total: int) -> None:
        if table == "accounts":
            with engine.execution_options(pbem_writes=True).begin() as connection:
                connection.exec_driver_sql("UPDATE games SET title = 'changed'")
                connection.exec_driver_sql("DELETE FROM ballots")

    back_up(engine, tmp_path / "file", KEY, NOW, meanwhile)
    engine.dispose()
    copy = open_engine(maker.fresh())
    put(copy, tmp_path / "file")
    assert everything(copy) == before
    copy.dispose()


def test_no_half_file_is_left_when_the_backup_breaks_off(filled: Engine, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("the backup of yesterday")

    def full(_table: str, _done: int, _total: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OSError, match="No space left"):
        back_up(filled, tmp_path / "file", KEY, NOW, full)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("file", "the backup of yesterday")]


def test_a_database_in_use_is_not_restored_into(filled: Engine, maker: Sqlite | Postgresql, tmp_path: Path) -> None:
    back_up(filled, tmp_path / "file", KEY, NOW)
    used = _filled(maker)
    before = everything(used)
    with pytest.raises(NotEmpty, match="table accounts has rows"):
        put(used, tmp_path / "file")
    assert everything(used) == before
    used.dispose()


@pytest.mark.parametrize("tables", ["none", "empty"])
def test_a_backup_of_an_older_version_is_brought_up_to_date(
    tables: str, maker: Sqlite | Postgresql, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = _filled(maker)
    before = everything(old)
    back_up(old, tmp_path / "file", KEY, NOW)
    later_version(tmp_path, monkeypatch)
    engine = open_engine(maker.bare() if tables == "none" else maker.fresh())
    put(engine, tmp_path / "file")
    after = everything(engine)
    assert {name: len(rows) for name, rows in after.items()} == {name: len(rows) for name, rows in before.items()}
    assert [row[:-1] for row in after["accounts"]] == before["accounts"]
    assert [row[-1] for row in after["accounts"]] == [row[2] for row in before["accounts"]]
    assert {row[-1] for row in after["submissions"]} == {7}
    upgrade.upgrade(old)
    assert everything(old) == after
    old.dispose()
    engine.dispose()


def test_a_backup_of_a_newer_version_is_not_restored(filled: Engine, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        later_version(tmp_path, patch)
        upgrade.upgrade(filled)
        back_up(filled, tmp_path / "file", KEY, NOW)
    with pytest.raises(BadBackup, match="made by a newer version"):
        restore.check(tmp_path / "file", (KEY,))


def test_a_backup_goes_with_the_secret_key_of_its_server(filled: Engine, sqlite: Sqlite, tmp_path: Path) -> None:
    back_up(filled, tmp_path / "file", KEY, NOW)
    assert KEY.encode() not in gzip.decompress((tmp_path / "file").read_bytes())
    with pytest.raises(BadBackup, match=r"another secret key.*--other-key"):
        restore.check(tmp_path / "file", ("another key altogether",))
    assert restore.check(tmp_path / "file", ("a new key since then", KEY)).counts["games"] == ROWS
    put(open_engine(sqlite.fresh()), tmp_path / "file", "another key altogether", any_key=True)
    engine = open_engine(sqlite.fresh())
    with (
        engine.execution_options(pbem_writes=True).begin() as connection,
        pytest.raises(BadBackup, match="another secret key"),
    ):
        restore.put(connection, tmp_path / "file", ("another key altogether",))
    engine.dispose()


def _changed(lines: list[bytes]) -> list[bytes]:
    return [line.replace(b"row2", b"row7") for line in lines]


def _sealed_by_another(lines: list[bytes]) -> list[bytes]:
    """Somebody changes rows and works the checksum out anew, but has not got the key."""
    changed = _changed(lines)[:-1]
    digest = hashlib.sha256(b"".join(changed)).hexdigest()
    return [*changed, json.dumps({"sha256": digest, "seal": seal_of("a guess", digest)}).encode() + b"\n"]


def _headed(**values: object) -> Edit:
    """Something else stands in the first line."""
    return lambda lines: [json.dumps({**json.loads(lines[0]), **values}).encode() + b"\n", *lines[1:]]


def _put(at: int, line: bytes, *, instead: bool = False) -> Edit:
    """A line is put before another one, or in the place of all that follows."""
    return lambda lines: [*lines[:at], line + b"\n", *([] if instead else lines[at:])]


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda lines: lines[:-1], "ends in the middle"),
        (lambda lines: [*lines[:2], *lines[3:]], "rows are missing, or there are too many"),
        (_changed, "do not add up to the checksum"),
        (_sealed_by_another, "somebody without the secret key has changed it"),
        (lambda lines: [*lines, b"[1]\n"], "something follows its end"),
        (_put(2, b"[" * 1_000_000, instead=True), "cannot be read"),
        (_put(3, b"\xff\xfe{", instead=True), "cannot be read"),
        (_put(3, b"12", instead=True), "says nothing"),
        (_put(1, b"[1]"), "a row of no table"),
        (_put(2, b"[1]"), "a row of accounts has 1 values"),
        (_put(1, b'{"table":"accounts","columns":{"id":"serial"}}'), "columns are unknown"),
        (lambda lines: [*lines[:2], lines[1], *lines[2:]], "the table accounts twice"),
        (_headed(revision="9999"), "newer version of pbem"),
        (_headed(format="pbem-backup/2"), "has the format pbem-backup/2"),
        (lambda lines: lines[1:], "not a pbem backup"),
        (_headed(format="mail-backup/1"), "not a pbem backup"),
        (_headed(made=7), "not a pbem backup"),
    ],
)
def test_a_changed_file_is_refused(edit: Edit, told: str, written: bytes, sqlite: Sqlite, tmp_path: Path) -> None:
    lines = gzip.decompress(written).splitlines(keepends=True)
    (tmp_path / "file").write_bytes(gzip.compress(b"".join(edit(lines)), 1))
    with pytest.raises(BadBackup, match=told) as caught:
        restore.check(tmp_path / "file", (KEY,))
    assert str(caught.value).endswith(".")
    engine = open_engine(sqlite.fresh())
    with pytest.raises(BadBackup), engine.execution_options(pbem_writes=True).begin() as connection:
        restore.put(connection, tmp_path / "file", (KEY,))
    assert not any(everything(engine).values())
    engine.dispose()


def test_a_file_cut_or_with_another_byte_or_of_others_is_refused(written: bytes, tmp_path: Path) -> None:
    cut = [written[:length] for length in (0, 1, 10, 500, -9, -1)]
    places = [place % len(written) for place in (100, 1000, -20, -5)]
    other_byte = [written[:at] + bytes([written[at] ^ 0x10]) + written[at + 1 :] for at in places]
    of_others = [b"PK\x03\x04 a zip", b"SQLite format 3\x00", b"-- a dump\n", gzip.compress(b"x")]
    for content in (*cut, *other_byte, *of_others):
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(BadBackup):
            restore.check(tmp_path / "file", (KEY,))


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("integer", True), ("integer", 2**70), ("integer", "1"), ("text", 1), ("time", "yesterday"),
        ("date", "2026-13-01"), ("time", "2026-11-20T18:00:00"), ("time", "0001-01-01T00:00:00+14:00"),
        ("bytes", "%%"), ("bytes", "AQI=!"), ("boolean", 1), ("integer", 2**63), ("integer", -(2**63) - 1),
    ],
)  # fmt: skip
def test_a_value_that_is_none_of_its_kind_is_refused(kind: str, value: Any) -> None:
    with pytest.raises(BadBackup, match="games has a"):
        restore._value(kind, value, "games")
