"""How the tables are reached: one transaction per ``with``, on SQLite and on PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from sqlite3 import Connection as SqliteConnection
from sqlite3 import Cursor
from sqlite3 import OperationalError as SqliteBusy
from threading import Lock
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import (
    DisconnectionError,
    InterfaceError,
    InternalError,
    OperationalError,
    PendingRollbackError,
    TimeoutError,
)
from sqlalchemy.orm import Session

if TYPE_CHECKING:  # SQLite needs no driver for PostgreSQL
    from psycopg import Connection as PostgresqlConnection

BUSY_SECONDS = 30
SYNCHRONOUS = "FULL"
"""What SQLite waits for before a commit counts: with FULL nothing committed is lost in a power cut."""

KEPT_OPEN = 8
"""Connections to PostgreSQL that a process keeps for its next use, at the most: as many as its threads need at once."""
CONNECT_SECONDS = 5
LOST_MS = 20_000
"""After how long without an answer a connection to PostgreSQL counts as lost, on both sides: a host that was cut off
says nothing, and would keep the lock of a game for hours."""
OURS = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 2, "tcp_user_timeout": LOST_MS}
THEIRS = {
    "tcp_keepalives_idle": 10,
    "tcp_keepalives_interval": 5,
    "tcp_keepalives_count": 2,
    "tcp_user_timeout": LOST_MS,
    "idle_in_transaction_session_timeout": 60_000,
}
"""The same for the server, and an end for whoever sleeps in a transaction (no program of ours takes a minute)."""

AWAY = (OperationalError, InterfaceError, InternalError, TimeoutError, DisconnectionError)
"""What is raised when the database cannot be used at the moment, whatever was asked of it: trying again may help."""


class ReadSession(Session):
    """A session that only reads. ``kept``: the rows that it has read, once there is a list for them; otherwise it knows
    a row as long as somebody holds it."""

    kept: list[object] | None = None


def _keep(look: ReadSession, row: object) -> None:
    if look.kept is not None:
        look.kept.append(row)


event.listen(ReadSession, "loaded_as_persistent", _keep)  # one for each session would take longer than what it keeps


class Database:
    """One engine per process (make it after a fork). ``url`` as ``Settings.database_url`` has it."""

    def __init__(self, url: str) -> None:
        self.engine = open_engine(url)
        # SQLite lets one write at a time, and has others sleep for ever longer before they look again: threads queue.
        self._turn = Lock() if self.engine.dialect.name == "sqlite" else nullcontext()
        self._writing = self.engine.execution_options(pbem_writes=True)
        self._reading = self.engine
        if self.engine.dialect.name == "postgresql":  # where each statement would see what was committed before it
            one_state = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
            self._reading = self.engine.execution_options(**one_state)

    @contextmanager
    def read(self) -> Iterator[ReadSession]:
        """A transaction that sees one state of the database and changes nothing.

        It ends with COMMIT: after ROLLBACK the driver of PostgreSQL prepares all its statements anew. What was read is
        right, whatever becomes of the connection now.
        """
        with ReadSession(self._reading, expire_on_commit=False) as session:
            yield session
            with suppress(*AWAY, PendingRollbackError):  # the latter when an error has been dealt with inside
                session.commit()

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction that is committed at the end of the ``with``, or rolled back by an exception."""
        with self._turn, Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        self.engine.dispose()


def open_engine(url: str) -> Engine:
    """An engine with the habits both databases need here. Its errors do not tell what was in the rows."""
    if make_url(url).get_backend_name() == "sqlite":
        engine = create_engine(url, hide_parameters=True)
        event.listen(engine, "connect", _sqlite_connected)
        event.listen(engine, "begin", _sqlite_begins)
        return engine
    habits = {"connect_timeout": CONNECT_SECONDS, **OURS}
    chosen = make_url(url).query
    ours: dict[str, Any] = {name: value for name, value in habits.items() if name not in chosen}
    engine = create_engine(url, connect_args=ours, hide_parameters=True, pool_size=KEPT_OPEN, pool_pre_ping=True)
    event.listen(engine, "connect", _postgresql_connected)
    return engine


def _postgresql_connected(connection: PostgresqlConnection, _record: object) -> None:
    with connection.cursor() as cursor:
        for name, value in THEIRS.items():
            cursor.execute("SELECT set_config(%s, %s, false)", (name, str(value)))
    connection.commit()


def _sqlite_connected(connection: SqliteConnection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin in _sqlite_begins, not when the driver thinks fit
    cursor = connection.cursor()
    for pragma in (f"busy_timeout = {BUSY_SECONDS * 1000}", f"synchronous = {SYNCHRONOUS}", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    _write_ahead(cursor)
    cursor.close()


def _write_ahead(cursor: Cursor) -> None:
    """Readers and one writer at the same time. The file remembers it, so that only the first process has to wait."""
    until = time.monotonic() + BUSY_SECONDS
    while cursor.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except SqliteBusy:  # others are at it: SQLite does not wait for them here
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def _sqlite_begins(connection: Connection) -> None:
    # A writer takes the lock at once: one that reads first and then finds the lock taken cannot wait, it fails.
    writes = connection.get_execution_options().get("pbem_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
