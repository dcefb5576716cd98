"""A table, and the same with its pages, on a fresh SQLite database; the worker's clock is the table's."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.databases import Sqlite
from tests.table import Table
from tests.web.site import Site
from workers import work


@pytest.fixture
def follow_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[Table], None]:
    """Let the worker read the clock of a table."""
    return lambda table: monkeypatch.setattr(work, "now", lambda: table.now)


@pytest.fixture
def table(sqlite: Sqlite, tmp_path: Path, follow_clock: Callable[[Table], None]) -> Iterator[Table]:
    made = Table(sqlite.fresh(), tmp_path)
    follow_clock(made)
    yield made
    made.close()


@pytest.fixture
def site(sqlite: Sqlite, tmp_path: Path, follow_clock: Callable[[Table], None]) -> Iterator[Site]:
    """Pages of a game that has just started."""
    made = Site(sqlite.fresh(), tmp_path)
    follow_clock(made)
    made.start()
    yield made
    made.close()
