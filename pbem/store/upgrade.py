"""Bring a database to the tables this version of the code knows."""

import time

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import OperationalError

from pbem.store import revision
from pbem.store.revision import Busy, missing_at

PATIENCE = 60.0
"""Seconds to wait for tables that others use."""
TRY_MS, PAUSE = 300, 0.2
"""How long one try for all tables waits. It is shorter than PostgreSQL's look for deadlocks (a second), so that of an
older process in the middle of something and us it is always we who give way."""
ONE_AT_A_TIME = 0x7062656D
"""The advisory lock of whoever changes tables."""
GIVE_WAY = ("55P03", "40P01")
"""SQLSTATE of a lock that was not available, and of a deadlock."""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(revision.MIGRATIONS))
    return config


def upgrade(engine: Engine, to: str = "head") -> None:
    """Run every migration that is missing, all in one transaction; does nothing when there is none.

    Safe while older processes are at work, and when several do it at once: the first does it for all. Raises
    :class:`pbem.store.revision.Newer` and :class:`Busy`.
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
                    "The tables cannot be updated because something keeps using them. Try again later."
                ) from error
        time.sleep(PAUSE)


def migrate(connection: Connection, to: str = "head") -> None:
    """The same in the transaction of a connection, in one try. Raises :class:`pbem.store.revision.Newer`."""
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
