"""Bring a database to the tables this version of the code knows."""

from __future__ import annotations

import time
from functools import cache
from importlib import resources

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import OperationalError

PATIENCE = 60.0
"""Seconds to wait for tables that others use."""
TRY_MS, PAUSE = 300, 0.2
"""How long one try for all tables waits. It is shorter than PostgreSQL's look for deadlocks (a second), so that of an
older process in the middle of something and us it is always we who give way."""
ONE_AT_A_TIME = 0x7062656D
"""The advisory lock of whoever changes tables."""
GIVE_WAY = ("55P03", "40P01")
"""SQLSTATE of a lock that was not available, and of a deadlock."""


class Newer(RuntimeError):
    """The tables were made by a newer version of pbem; the text is a sentence."""


class Busy(RuntimeError):
    """Others use the tables all the time; the text is a sentence, and nothing was changed."""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(resources.files("pbem.store") / "migrations"))
    return config


def upgrade(engine: Engine, to: str = "head") -> None:
    """Run every migration that is missing, all in one transaction; does nothing when there is none.

    Safe while older processes are at work, and when several do it at once: the first does it for all. Raises
    :class:`Newer` and :class:`Busy`.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with engine.execution_options(pbem_writes=True).begin() as connection:
                migrate(connection, to)
                return
        except OperationalError as error:
            if engine.dialect.name == "sqlite" and "locked" not in str(error.orig):
                raise
            if engine.dialect.name != "sqlite" and getattr(error.orig, "sqlstate", "") not in GIVE_WAY:
                raise
            if time.monotonic() > until:
                raise Busy(
                    "The tables cannot be changed: something uses them all the time. Try again later."
                ) from error
        time.sleep(PAUSE)


def migrate(connection: Connection, to: str = "head") -> None:
    """The same in the transaction of a connection, in one try. Raises :class:`Newer`."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({ONE_AT_A_TIME})")
    if not missing_at(connection):
        return
    if connection.dialect.name == "postgresql":
        take_all(connection)
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def clear(connection: Connection) -> None:
    """Take every table away, with what is in it."""
    config = _config()
    config.attributes["connection"] = connection
    command.downgrade(config, "base")


def take_all(connection: Connection) -> None:
    """On PostgreSQL: nobody else is in any table until the end of the transaction."""
    quote = connection.dialect.identifier_preparer.quote
    names = ", ".join(quote(name) for name in sorted(inspect(connection).get_table_names()))
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = {TRY_MS}")
    if names:
        connection.exec_driver_sql(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE")


def missing(engine: Engine) -> list[str]:
    """The migrations that have not been run yet, oldest first. Raises :class:`Newer`."""
    with engine.connect() as connection:
        return missing_at(connection)


@cache
def revisions() -> tuple[str, ...]:
    """Every migration this version has, oldest first."""
    return tuple(found.revision for found in ScriptDirectory.from_config(_config()).walk_revisions())[::-1]


def revision(connection: Connection) -> str:
    """The migration the tables are at; empty before the first."""
    return MigrationContext.configure(connection).get_current_revision() or ""


def missing_at(connection: Connection) -> list[str]:
    """The same in the transaction of a connection."""
    current, known = revision(connection), revisions()
    if current and current not in known:
        raise Newer(
            f"The database has the tables of a newer version of pbem ({current}; this one knows {known[-1]}). "
            f"Run that version, or restore a backup from before it."
        )
    return list(known[known.index(current) + 1 :] if current else known)
