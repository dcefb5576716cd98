"""How databases are opened, waited for, upgraded and restored into: every number, without a server of PostgreSQL."""

import gzip
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Self

import pytest
import sqlalchemy as sa
from alembic import command
from sqlalchemy import Engine, text
from sqlalchemy.exc import OperationalError

from pbem.store import backup, database, restore, revision, upgrade
from pbem.store.database import open_engine
from tests.databases import Sqlite
from tests.sleeping import Clock
from tests.store.filling import fill

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
KEY = "a key that only tests know"
NOW = datetime(2026, 11, 20, 18, tzinfo=UTC)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in (database, upgrade):
        monkeypatch.setattr(module, "time", made)
    return made


# opened -------------------------------------------------------------------------------------------------------


def test_sqlite_waits_half_a_minute_and_lets_readers_in_beside_a_writer(sqlite: Sqlite) -> None:
    engine = open_engine(sqlite.bare())
    with engine.connect() as connection:
        found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in
                 ("busy_timeout", "foreign_keys", "journal_mode")]  # fmt: skip
    assert found == [30_000, 1, "wal"]
    assert engine.hide_parameters
    engine.dispose()


# upgraded -----------------------------------------------------------------------------------------------------


class Failing(Exception):
    """What the driver says."""

    def __init__(self, said: str, sqlstate: str = "") -> None:
        super().__init__(said)
        self.sqlstate = sqlstate


class Broken:
    """An engine whose transactions fail."""

    def __init__(self, kind: str, error: Failing) -> None:
        self.dialect = type("Dialect", (), {"name": kind})
        self.tries, self._error = 0, error

    def execution_options(self, **_: object) -> Self:
        return self

    @contextmanager
    def begin(self) -> Iterator[None]:
        self.tries += 1
        raise OperationalError("", None, self._error)
        yield


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("sqlite", Failing("database is locked")),
        ("postgresql", Failing("", "55P03")),
        ("postgresql", Failing("", "40P01")),
    ],
)
def test_tables_that_others_use_are_waited_for_a_minute(clock: Clock, kind: str, error: Failing) -> None:
    engine = Broken(kind, error)
    with pytest.raises(revision.Busy, match="Try again later"):
        upgrade.upgrade(engine)  # type: ignore[arg-type]
    assert 60 < clock.now - 1000 <= 60.3
    assert engine.tries in {301, 302}


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("sqlite", Failing("no such table")),
        ("sqlite", Failing("disk I/O error", "55P03")),
        ("postgresql", Failing("database is locked")),
        ("postgresql", Failing("", "08006")),
    ],
)
def test_another_error_is_told_at_once(clock: Clock, kind: str, error: Failing) -> None:
    engine = Broken(kind, error)
    with pytest.raises(OperationalError):
        upgrade.upgrade(engine)  # type: ignore[arg-type]
    assert (engine.tries, clock.now) == (1, 1000)


def test_tables_that_are_up_to_date_are_left_alone(sqlite: Sqlite, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = open_engine(sqlite.fresh())
    monkeypatch.setattr(command, "upgrade", lambda *_: pytest.fail("they are migrated again"))
    upgrade.upgrade(engine)
    engine.dispose()


def test_tables_of_a_newer_version_are_told_with_what_this_one_knows(sqlite: Sqlite) -> None:
    engine = open_engine(sqlite.fresh())
    known = revision.revisions()
    with engine.execution_options(pbem_writes=True).begin() as connection:
        assert revision.revision(connection) == known[-1]
        for at in known:
            connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{at}'")
            assert revision.missing_at(connection) == list(known[known.index(at) + 1 :])
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        with pytest.raises(revision.Newer, match=f"9999; this one knows {known[-1]}"):
            revision.missing_at(connection)
        connection.exec_driver_sql("DELETE FROM alembic_version")
        assert revision.missing_at(connection) == list(known)
    engine.dispose()


# backups ------------------------------------------------------------------------------------------------------


@pytest.fixture
def filled(sqlite: Sqlite) -> Iterator[Engine]:
    """A database with three rows in every table."""
    engine = open_engine(sqlite.fresh())
    with engine.execution_options(pbem_writes=True).begin() as connection:
        fill(connection)
    yield engine
    engine.dispose()


def test_backups_of_one_state_are_the_same_and_marked_by_sixteen_digits(filled: Engine, tmp_path: Path) -> None:
    for name in ("one", "two"):
        backup.back_up(filled, tmp_path / name, KEY, NOW)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    lines = gzip.decompress((tmp_path / "one").read_bytes()).splitlines()
    assert json.loads(lines[0]) == {
        "format": "pbem-backup/1", "made": "2026-11-20T18:00:00+00:00", "revision": revision.revisions()[-1],
        "key": backup.mark_of(KEY),
    }  # fmt: skip
    assert "`pbem-backup/1`" in Path("docs/reliability.md").read_text("utf-8")
    assert (len(backup.mark_of(KEY)), len(backup.seal_of(KEY, "x"))) == (16, 64)
    assert list(json.loads(lines[-1])) == ["sha256", "seal"]


def test_a_line_may_be_as_long_as_the_longest(filled: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert restore.LONGEST_LINE == 33_554_432
    backup.back_up(filled, tmp_path / "file", KEY, NOW)
    longest = max(map(len, gzip.decompress((tmp_path / "file").read_bytes()).splitlines(keepends=True)))
    monkeypatch.setattr(restore, "LONGEST_LINE", longest)
    assert restore.check(tmp_path / "file", (KEY,)).counts["games"] == 3
    monkeypatch.setattr(restore, "LONGEST_LINE", longest - 1)
    with pytest.raises(restore.BadBackup, match="longer than any row"):
        restore.check(tmp_path / "file", (KEY,))


def test_only_what_fills_by_itself_gives_way(filled: Engine, sqlite: Sqlite, tmp_path: Path) -> None:
    backup.back_up(filled, tmp_path / "file", KEY, NOW)
    engine = open_engine(sqlite.fresh())
    with engine.execution_options(pbem_writes=True).begin() as connection:
        for name in ("heartbeats", "allowances"):
            stored = next(table for table in backup.stored_tables(connection) if table.name == name)
            values = {"id": 9, "at": NOW} if name == "heartbeats" else {"key": "x", "used": 1, "until": NOW}
            connection.execute(sa.insert(stored.typed).values(**values))
        restore.put(connection, tmp_path / "file", (KEY,))
        with pytest.raises(restore.NotEmpty, match="table accounts has rows"):
            restore.put(connection, tmp_path / "file", (KEY,))
        assert connection.exec_driver_sql("SELECT count(*) FROM heartbeats").scalar() == 3
    engine.dispose()


def test_restoring_tells_after_every_two_hundred_rows_how_far_it_is(sqlite: Sqlite, tmp_path: Path) -> None:
    source, engine = open_engine(sqlite.fresh()), open_engine(sqlite.fresh())
    with source.execution_options(pbem_writes=True).begin() as connection:
        accounts = next(table for table in backup.stored_tables(connection) if table.name == "accounts").typed
        columns = [column.name for column in accounts.columns]
        fill(connection, 1)
        for number in range(2, 402):
            values = {"id": number, "address": f"a{number}", "created_at": NOW}
            row = connection.execute(sa.select(accounts).where(accounts.c.id == 1)).one()._mapping
            wanted = {name: values.get(name, row[name]) for name in columns}
            connection.execute(sa.insert(accounts).values(**wanted))
    made: list[tuple[str, int, int]] = []
    backup.back_up(source, tmp_path / "file", KEY, NOW, lambda *words: made.append(words))
    assert [words for words in made if words[0] == "accounts"] == [
        ("accounts", 200, 401), ("accounts", 400, 401), ("accounts", 401, 401),
    ]  # fmt: skip
    told: list[tuple[str, int, int]] = []
    with engine.execution_options(pbem_writes=True).begin() as connection:
        restore.put(
            connection, tmp_path / "file", (KEY,), totals={"accounts": 401}, progress=lambda *words: told.append(words)
        )
    assert told == [("accounts", 200, 401), ("accounts", 400, 401)]
    told.clear()
    engine.dispose()
    source.dispose()


@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        ("integer", 2**63 - 1, 2**63 - 1),
        ("integer", -(2**63), -(2**63)),
        ("integer", 0, 0),
        ("boolean", False, False),
        ("text", "", ""),
        ("json", [1], [1]),
        ("text", None, None),
        ("date", "2026-12-24", date(2026, 12, 24)),
        ("time", "2026-11-20T19:00:00+01:00", NOW),
        ("bytes", "AQI=", b"\x01\x02"),
    ],
)
def test_a_value_is_read_as_its_kind(kind: str, value: object, read: object) -> None:
    assert restore._value(kind, value, "games") == read


def test_threads_that_write_to_sqlite_queue_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)  # who finds it locked fails at once
    opened = database.Database(f"sqlite:///{tmp_path}/queue.sqlite")
    with opened.write() as session:
        session.execute(text("CREATE TABLE counted (number INTEGER)"))

    def count(number: int) -> None:
        with opened.write() as session:
            session.execute(text("INSERT INTO counted VALUES (:number)"), {"number": number})
            time.sleep(0.001)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(count, range(40)))
    with opened.read() as session:
        assert session.scalar(text("SELECT count(*) FROM counted")) == 40
    opened.close()


def test_rows_that_do_not_fit_are_told_in_the_words_of_the_database_alone(sqlite: Sqlite) -> None:
    engine = open_engine(sqlite.fresh())
    with engine.execution_options(pbem_writes=True).begin() as connection:
        head = next(table for table in backup.stored_tables(connection) if table.name == "heartbeats")
        row = [{"id": 9, "at": NOON}[name] for name in head.columns]
        with pytest.raises(restore.BadBackup) as caught:
            restore._insert(connection, head, [row, row])
    engine.dispose()
    assert str(caught.value) == (
        "Rows of the table heartbeats do not fit into this database: UNIQUE constraint failed: heartbeats.id."
    )
