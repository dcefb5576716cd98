"""Which migrations there are, and which of them the tables of a database have.

Alembic runs them (:mod:`pbem.store.upgrade`). It weighs as much as a web framework, and the processes of a server only
have to know that there is nothing to run.
"""

from importlib import resources

from sqlalchemy import Connection, Engine, inspect

MIGRATIONS = resources.files("pbem.store") / "migrations"
NUMBER = 4
"""Digits at the beginning of a migration's file: its revision."""


class Newer(RuntimeError):
    """The tables were made by a newer version of pbem; the text is a sentence."""


class Busy(RuntimeError):
    """Others use the tables all the time; the text is a sentence, and nothing was changed."""


def revisions() -> tuple[str, ...]:
    """Every migration this version has, oldest first."""
    names = (file.name for file in (MIGRATIONS / "versions").iterdir())
    return tuple(sorted(name[:NUMBER] for name in names if name[:NUMBER].isdigit() and name.endswith(".py")))


def revision(connection: Connection) -> str:
    """The migration the tables are at; empty before the first."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() or "")


def missing(engine: Engine) -> list[str]:
    """The migrations that have not been run yet, oldest first. Raises :class:`Newer`."""
    with engine.connect() as connection:
        return missing_at(connection)


def missing_at(connection: Connection) -> list[str]:
    """The same in the transaction of a connection."""
    current, known = revision(connection), revisions()
    if current and current not in known:
        raise Newer(
            f"The database belongs to a newer version of pbem ({current}; this one knows {known[-1]}). "
            f"Run that version, or restore a backup from before it."
        )
    return list(known[known.index(current) + 1 :] if current else known)
