"""Empty, migrated databases for tests, made quickly: a copy of a file, or of a template database.

What a test has used is used again: an engine that knows its statements already is a good part of a short test.
"""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Engine, make_url, text

from pbem.store.database import Database, open_engine
from pbem.store.upgrade import upgrade

_numbers = itertools.count(1)


@cache
def _migrated() -> bytes:
    """What is in a file with empty tables."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "template.sqlite"
        engine = open_engine(f"sqlite:///{path}")
        upgrade(engine)
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        engine.dispose()
        return path.read_bytes()


class Sqlite:
    """Copies of one migrated file in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._engines = Engines()

    def bare(self) -> str:
        """The URL of a database that has no tables."""
        return f"sqlite:///{self._folder / f'bare{next(_numbers)}.sqlite'}"

    def fresh(self) -> str:
        """The URL of an empty database."""
        return self.copy(_migrated())

    def copy(self, content: bytes) -> str:
        """The URL of a database with this content."""
        url = self._engines.idle() or f"sqlite:///{self._folder / f'test{next(_numbers)}.sqlite'}"
        Path(url.removeprefix("sqlite:///")).write_bytes(content)
        return url

    def opened(self, url: str) -> Database:
        """The database with its engine."""
        return self._engines.database(url)

    def used(self, url: str) -> None:
        """A test is over whose database this was."""
        self._engines.use_again(url)
        path = Path(url.removeprefix("sqlite:///"))
        for file in path.parent.glob(f"{path.name}*"):
            file.unlink()


@contextmanager
def _file(database: Database) -> Iterator[sqlite3.Connection]:
    """The connection of SQLite under one of SQLAlchemy."""
    with database.engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        yield driver


def is_empty(database: Database) -> bool:
    """Whether there is no row of ours in a database of SQLite."""
    with _file(database) as file:
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return not any(
            file.execute(f'SELECT 1 FROM "{name}" LIMIT 1').fetchone()
            for name in names
            if not name.startswith("sqlite_") and name != "alembic_version"
        )


def content_of(database: Database) -> bytes:
    """All of a database of SQLite, for :func:`fill`."""
    with _file(database) as file, closing(sqlite3.connect(":memory:")) as copied:
        file.backup(copied)
        content = bytearray(copied.serialize())
    content[18:20] = b"\1\1"  # without a write-ahead log, which is no use in memory (section 1.3 of the file format)
    return bytes(content)


def fill(database: Database, content: bytes) -> None:
    """Put all of another database of SQLite in the place of what is in this one."""
    with _file(database) as file, closing(sqlite3.connect(":memory:")) as copied:
        copied.deserialize(content)
        copied.backup(file)


class Postgresql:
    """Copies of one migrated database on the server at ``url``; those that were used are emptied and used again.

    A copy is nine megabytes in three hundred files: a thousand of them would keep the disk busy for minutes.
    """

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._engines = Engines()
        self._command("CREATE DATABASE template_pbem")
        engine = open_engine(self._named("template_pbem"))
        upgrade(engine)
        engine.dispose()

    def bare(self) -> str:
        """The URL of a database that has no tables."""
        name = f"bare{next(_numbers)}"
        self._command(f"CREATE DATABASE {name}")
        return self._named(name)

    def fresh(self) -> str:
        """The URL of an empty database."""
        if url := self._engines.idle():
            _empty(self.opened(url).engine)
            return url
        name = f"test{next(_numbers)}"
        self._command(f"CREATE DATABASE {name} TEMPLATE template_pbem")
        return self._named(name)

    def opened(self, url: str) -> Database:
        """The database with its engine."""
        return self._engines.database(url)

    def used(self, url: str) -> None:
        """A test is over whose database this was, and it has left the tables as they are."""
        self._engines.use_again(url)

    def _named(self, name: str) -> str:
        return self._url.set(database=name).render_as_string(hide_password=False)

    def _command(self, sql: str) -> None:
        engine = open_engine(self._url.render_as_string(hide_password=False))
        with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.execute(text(sql))
        engine.dispose()


class Engines:
    """Databases with the engines that have been made for them, and those that nobody uses at present."""

    def __init__(self) -> None:
        self._databases: dict[str, Database] = {}
        self._idle: list[str] = []

    def database(self, url: str) -> Database:
        """The database at the URL, always the same."""
        if url not in self._databases:
            self._databases[url] = Database(url)
        return self._databases[url]

    def idle(self) -> str:
        """The URL of one that was used and is free now; empty where there is none."""
        return self._idle.pop() if self._idle else ""

    def use_again(self, url: str) -> None:
        """Nobody uses this one now."""
        self.database(url).close()
        self._idle.append(url)


def _empty(engine: Engine) -> None:
    """No rows, and numbers that begin with 1 again; fails where somebody still has a lock."""
    with engine.begin() as connection:
        connection.execute(text("SET LOCAL lock_timeout = '5s'"))
        connection.execute(text("SET LOCAL session_replication_role = replica"))  # foreign keys do not look
        for table in connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).all():
            if table != "alembic_version":
                connection.execute(text(f'DELETE FROM "{table}"'))
        begun = text("SELECT setval(format('%I', sequencename), 1, false) FROM pg_sequences WHERE last_value > 0")
        connection.execute(begun)
