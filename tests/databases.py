"""Empty, migrated databases for tests, made quickly: a copy of a file, or of a template database."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

from sqlalchemy import make_url, text

from pbem.store.database import open_engine
from pbem.store.upgrade import upgrade

_numbers = itertools.count(1)


class Sqlite:
    """Copies of one migrated file in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._template = folder / "template.sqlite"
        engine = open_engine(f"sqlite:///{self._template}")
        upgrade(engine)
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        engine.dispose()

    def bare(self) -> str:
        """The URL of a database that has no tables."""
        return f"sqlite:///{self._folder / f'bare{next(_numbers)}.sqlite'}"

    def fresh(self) -> str:
        """The URL of an empty database."""
        path = self._folder / f"test{next(_numbers)}.sqlite"
        shutil.copy(self._template, path)
        return f"sqlite:///{path}"

    def used(self, url: str) -> None:
        """A test is over whose database this was."""
        path = Path(url.removeprefix("sqlite:///"))
        for file in path.parent.glob(f"{path.name}*"):
            file.unlink()


class Postgresql:
    """Copies of one migrated database on the server at ``url``; those that were used are emptied and used again.

    A copy is nine megabytes in three hundred files: a thousand of them would keep the disk busy for minutes.
    """

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._used: list[str] = []
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
        if self._used:
            url = self._used.pop()
            _empty(url)
            return url
        name = f"test{next(_numbers)}"
        self._command(f"CREATE DATABASE {name} TEMPLATE template_pbem")
        return self._named(name)

    def used(self, url: str) -> None:
        """A test is over whose database this was, and it has left the tables as they are."""
        self._used.append(url)

    def _named(self, name: str) -> str:
        return self._url.set(database=name).render_as_string(hide_password=False)

    def _command(self, sql: str) -> None:
        engine = open_engine(self._url.render_as_string(hide_password=False))
        with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.execute(text(sql))
        engine.dispose()


def _empty(url: str) -> None:
    """No rows, and numbers that begin with 1 again; fails where somebody still has a lock."""
    kept = "alembic_version"
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(text("SET LOCAL lock_timeout = '5s'"))
        connection.execute(text("SET LOCAL session_replication_role = replica"))  # foreign keys do not look
        for table in connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).all():
            if table != kept:
                connection.execute(text(f'DELETE FROM "{table}"'))
        begun = text("SELECT setval(format('%I', sequencename), 1, false) FROM pg_sequences WHERE last_value > 0")
        connection.execute(begun)
    engine.dispose()
