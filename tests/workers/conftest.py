"""A table on a database that was used before: an engine that knows its statements already is half of a short test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import Sqlite
from tests.table import Table


@pytest.fixture
def fresh(sqlite: Sqlite, tmp_path: Path) -> Iterator[Table]:
    """Nobody plays yet."""
    url = sqlite.fresh()
    made = Table(url, tmp_path, sqlite.opened(url))
    yield made
    made.close()
    sqlite.used(url)
