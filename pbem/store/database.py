"""How the tables are reached: one transaction per ``with``, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from sqlite3 import Connection as SqliteConnection

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.orm import Session

BUSY_SECONDS = 30


class Database:
    """One engine per process (make it after a fork). ``url`` as ``Settings.database_url`` has it."""

    def __init__(self, url: str) -> None:
        self.engine = open_engine(url)
        self._writing = self.engine.execution_options(pbem_writes=True)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A transaction that sees one state of the database and changes nothing."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction that is committed at the end of the ``with``, or rolled back by an exception."""
        with Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()


def open_engine(url: str) -> Engine:
    """An engine with the habits both databases need here."""
    engine = create_engine(url, pool_pre_ping=not url.startswith("sqlite"))
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _sqlite_connected)
        event.listen(engine, "begin", _sqlite_begins)
    return engine


def _sqlite_connected(connection: SqliteConnection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin in _sqlite_begins, not when the driver thinks fit
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout = {BUSY_SECONDS * 1000}",
        "journal_mode = WAL",
        "synchronous = NORMAL",
        "foreign_keys = ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _sqlite_begins(connection: Connection) -> None:
    # A writer takes the lock at once: one that reads first and then finds the lock taken cannot wait, it fails.
    writes = connection.get_execution_options().get("pbem_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
