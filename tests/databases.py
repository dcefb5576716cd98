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
        """The URL of a new, empty database."""
        path = self._folder / f"test{next(_numbers)}.sqlite"
        shutil.copy(self._template, path)
        return f"sqlite:///{path}"


class Postgresql:
    """Copies of one migrated database on the server at ``url``."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
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
        """The URL of a new, empty database."""
        name = f"test{next(_numbers)}"
        self._command(f"CREATE DATABASE {name} TEMPLATE template_pbem")
        return self._named(name)

    def _named(self, name: str) -> str:
        return self._url.set(database=name).render_as_string(hide_password=False)

    def _command(self, sql: str) -> None:
        engine = open_engine(self._url.render_as_string(hide_password=False))
        with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.execute(text(sql))
        engine.dispose()
