"""How the tables are reached: one transaction per ``with``, on SQLite and on PostgreSQL."""

from __future__ import annotations

import select
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from sqlite3 import Connection as SqliteConnection
from sqlite3 import Cursor
from sqlite3 import OperationalError as SqliteBusy
from threading import Lock
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Dialect, Engine, create_engine, event, make_url
from sqlalchemy.exc import (
    DisconnectionError,
    InterfaceError,
    InternalError,
    InvalidatePoolError,
    OperationalError,
    TimeoutError,
)
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

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

ASKED_AFTER = 5.0
"""Seconds after which a connection to PostgreSQL that nobody used is asked whether it is still there: what stands
between the two may have forgotten it. Before that the end of a connection is seen without asking."""

AWAY = (OperationalError, InterfaceError, InternalError, TimeoutError, DisconnectionError)
"""What is raised when the database cannot be used at the moment, whatever was asked of it: trying again may help."""


class ReadSession(Session):
    """A session that only reads. ``kept``: the rows that it has read, once there is a list for them; otherwise it knows
    a row as long as somebody holds it. ``over``: the connection over which it reads, once it has one."""

    kept: list[object] | None = None
    over: Connection | None = None


def _keep(look: ReadSession, row: object) -> None:
    if look.kept is not None:
        look.kept.append(row)


def _begin_look(look: ReadSession, _transaction: object, connection: Connection) -> None:
    look.over = connection


event.listen(ReadSession, "loaded_as_persistent", _keep)  # one for each session would take longer than what it keeps
event.listen(ReadSession, "after_begin", _begin_look)


class Database:
    """One engine per process (make it after a fork). ``url`` as ``Settings.database_url`` has it."""

    def __init__(self, url: str) -> None:
        self.engine = open_engine(url)
        # SQLite lets one write at a time, and has others sleep for ever longer before they look again: threads queue.
        self._turn = Lock() if self.engine.dialect.name == "sqlite" else nullcontext()
        self._writing = self.engine.execution_options(pbem_writes=True)
        self._reading = self.engine
        self._asking = self.engine.execution_options(pbem_asks=True)
        if self.engine.dialect.name == "postgresql":  # where each statement would see what was committed before it
            one_state = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
            self._reading = self.engine.execution_options(**one_state)
            self._asking = self.engine.execution_options(isolation_level="AUTOCOMMIT")

    @contextmanager
    def read(self) -> Iterator[ReadSession]:
        """A transaction that sees one state of the database and changes nothing."""
        with ReadSession(self._reading, expire_on_commit=False) as session:
            try:
                yield session
            finally:
                _end_look(session)

    @contextmanager
    def ask(self) -> Iterator[Connection]:
        """For single questions, of which each sees what is committed when it is asked: with PostgreSQL a third of the
        messages of :meth:`read`. Nothing is to be changed with it."""
        with self._asking.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction that is committed at the end of the ``with``, or rolled back by an exception."""
        with self._turn, Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        """Give the connections back."""
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
    engine = create_engine(url, connect_args=ours, hide_parameters=True, pool_size=KEPT_OPEN)
    event.listen(engine, "connect", _postgresql_connected)
    event.listen(engine, "checkin", _postgresql_left)
    event.listen(engine, "checkout", partial(_postgresql_taken, engine.dialect))
    return engine


def _end_look(look: ReadSession) -> None:
    """End a transaction that has changed nothing with COMMIT where the database is PostgreSQL: when it is rolled back
    the driver forgets all statements that it has prepared, and the server reads and plans each of them anew.

    What was read is right, whatever becomes of the connection now: a database that has gone meanwhile raises nothing.
    """
    connection = look.over
    if connection is None or connection.closed or connection.invalidated or connection.dialect.name != "postgresql":
        return
    driver: Any = connection.connection.driver_connection
    try:
        if driver.info.transaction_status == driver.info.transaction_status.INTRANS:
            driver.commit()
        else:
            driver.rollback()
    except connection.dialect.loaded_dbapi.Error as error:
        connection.invalidate(error)


def _postgresql_left(_connection: PostgresqlConnection | None, entry: ConnectionPoolEntry) -> None:
    entry.info["left"] = time.monotonic()


def _postgresql_taken(
    dialect: Dialect, connection: PostgresqlConnection, entry: ConnectionPoolEntry, _taken: object
) -> None:
    """See that a connection out of the pool is still there: a server that ends says so, and what was said can be seen
    without asking. Raises ``InvalidatePoolError``, after which the pool makes a new one."""
    left = entry.info.get("left")
    if left is None or (time.monotonic() - left < ASKED_AFTER and not _has_spoken(connection)):
        return
    try:
        dialect.do_ping(connection)  # type: ignore[arg-type]
    except dialect.loaded_dbapi.Error as error:
        raise InvalidatePoolError from error


def _has_spoken(connection: PostgresqlConnection) -> bool:
    """Whether there is something to be read from the server, which nobody has asked: mostly its last words."""
    if connection.closed:
        return True
    looks = select.poll()
    looks.register(connection.fileno(), select.POLLIN)
    return bool(looks.poll(0))


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
    # Single questions need no transaction.
    options = connection.get_execution_options()
    if not options.get("pbem_asks", False):
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("pbem_writes", False) else "BEGIN")
