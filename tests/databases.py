"""Empty, migrated databases for tests, made quickly: a copy of a file, or of a template database.

What a test has used is used again: an engine that knows its statements already is a good part of a short test.
"""

import itertools
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import URL, Engine, insert, literal, make_url, or_, select, text
from sqlalchemy import Table as SqlTable

from pbem.store.database import Database, open_engine
from pbem.store.tables import Table
from pbem.store.upgrade import upgrade

_numbers = itertools.count(1)
TABLES = Table.metadata.sorted_tables
_ANY_ROW = select(or_(*(select(literal(1)).select_from(table).exists() for table in TABLES)))
COUNTERS = (24, 92)
"""Where a file of SQLite says how often it has been changed, which no row depends on (section 1.3 of its format)."""
COPIES_FILES = 150000
"""From this version on PostgreSQL writes every page of a new database into its log unless it is told to copy files,
which costs a third as much on a server that keeps nothing."""


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


def put_tables(folder: Path) -> None:
    """Put a database with empty tables where a server looks for it that keeps its data in this folder."""
    (folder / "pbem.sqlite").write_bytes(_migrated())


class Sqlite:
    """Copies of one migrated file in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._engines = Engines()
        self._made: dict[str, bytes] = {}

    def bare(self) -> str:
        """The URL of a database that has no tables."""
        return f"sqlite:///{self._folder / f'bare{next(_numbers)}.sqlite'}"

    def make(self, name: str, make: Callable[[str], None], of: str = "") -> None:
        """Keep a database as ``make`` makes it from a bare one, or from the one that is kept as ``of``, unless there is
        one of this name; whoever makes it closes it."""
        if name not in self._made:
            url = self.copy(self._made[of]) if of else self.bare()
            make(url)
            self._made[name] = Path(url.removeprefix("sqlite:///")).read_bytes()

    def made(self, name: str, make: Callable[[str], None], of: str = "") -> str:
        """The URL of a copy of such a database."""
        self.make(name, make, of)
        return self.copy(self._made[name])

    def fresh(self) -> str:
        """The URL of an empty database."""
        return self.copy(_migrated())

    def copy(self, content: bytes) -> str:
        """The URL of a database with this content."""
        url = self._engines.idle() or f"sqlite:///{self._folder / f'test{next(_numbers)}.sqlite'}"
        Path(url.removeprefix("sqlite:///")).write_bytes(content)
        return url

    def opened(self, url: str) -> Database:
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


@dataclass(frozen=True)
class Content:
    """All that is in a database, to be copied into another one of its kind: a file of SQLite, or the rows of PostgreSQL
    with how far its sequences have come."""

    file: bytes
    rows: tuple[tuple[SqlTable, tuple[dict[str, Any], ...]], ...] = ()
    sequences: tuple[tuple[str, int], ...] = ()

    def digest(self) -> bytes:
        """What tells a file from others: the same whenever the same has been done to a copy of the same file."""
        content = bytearray(self.file)
        for counter in COUNTERS:
            content[counter : counter + 4] = bytes(4)
        return sha256(content).digest()


def is_empty(database: Database) -> bool:
    """Whether there is no row of ours in a database."""
    with database.engine.connect() as connection:
        return not connection.execute(_ANY_ROW).scalar_one()


def content_of(database: Database) -> Content:
    """All of a database, for :func:`fill`."""
    if database.engine.dialect.name == "postgresql":
        return _rows_of(database)
    with _file(database) as file, closing(sqlite3.connect(":memory:")) as copied:
        file.backup(copied)
        content = bytearray(copied.serialize())
    content[18:20] = b"\1\1"  # without a write-ahead log, which is no use in memory (section 1.3 of the file format)
    return Content(bytes(content))


def _rows_of(database: Database) -> Content:
    with database.engine.connect() as connection:
        found = ((table, connection.execute(select(table)).mappings().all()) for table in TABLES)
        rows = tuple((table, tuple(map(dict, mappings))) for table, mappings in found if mappings)
        used = connection.execute(text("SELECT sequencename, last_value FROM pg_sequences WHERE last_value > 0"))
        return Content(b"", rows, tuple((name, last) for name, last in used))


def fill(database: Database, content: Content) -> None:
    """Put all of another database in the place of what is in this one, which for PostgreSQL must be empty."""
    if database.engine.dialect.name == "postgresql":
        _insert(database, content)
        return
    with _file(database) as file, closing(sqlite3.connect(":memory:")) as copied:
        copied.deserialize(content.file)
        copied.backup(file)


def _insert(database: Database, content: Content) -> None:
    with database.engine.begin() as connection:
        connection.execute(text("SET LOCAL session_replication_role = replica"))  # foreign keys do not look
        for table, rows in content.rows:
            connection.execute(insert(table), list(rows))
        values = [{"name": name, "last": last} for name, last in content.sequences]
        if values:
            connection.execute(text("SELECT setval(quote_ident(CAST(:name AS text)), :last)"), values)


class Postgresql:
    """Copies of one migrated database on the server at ``url``; those that were used are emptied and used again.

    A copy is nine megabytes in three hundred files: a thousand of them would keep the disk busy for minutes.
    """

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._engines = Engines()
        self._made: dict[str, str] = {}
        self._quickly = " STRATEGY FILE_COPY" if _version(self._url) >= COPIES_FILES else ""
        self._command("CREATE DATABASE template_pbem")
        engine = open_engine(self._named("template_pbem"))
        upgrade(engine)
        engine.dispose()

    def bare(self) -> str:
        """The URL of a database that has no tables."""
        name = f"bare{next(_numbers)}"
        self._command(f"CREATE DATABASE {name}{self._quickly}")
        return self._named(name)

    def make(self, name: str, make: Callable[[str], None], of: str = "") -> None:
        """As for :class:`Sqlite`."""
        if name not in self._made:
            self._made[name] = self._copy(of) if of else self.bare()
            make(self._made[name])

    def made(self, name: str, make: Callable[[str], None], of: str = "") -> str:
        """The URL of a copy of such a database."""
        self.make(name, make, of)
        return self._copy(name)

    def _copy(self, name: str) -> str:
        copy = f"copy{next(_numbers)}"
        self._command(f"CREATE DATABASE {copy} TEMPLATE {make_url(self._made[name]).database}{self._quickly}")
        return self._named(copy)

    def fresh(self) -> str:
        """The URL of an empty database."""
        if url := self._engines.idle():
            _empty(self.opened(url).engine)
            return url
        name = f"test{next(_numbers)}"
        self._command(f"CREATE DATABASE {name} TEMPLATE template_pbem{self._quickly}")
        return self._named(name)

    def opened(self, url: str) -> Database:
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


def _version(url: URL) -> int:
    """Of the server at the URL, such as 150004."""
    engine = open_engine(url.render_as_string(hide_password=False))
    with engine.connect() as connection:
        version = int(connection.scalar(text("SHOW server_version_num")) or 0)
    engine.dispose()
    return version


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
