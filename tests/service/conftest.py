"""A post office for tests, with a clock that is moved by hand: on SQLite, and where it matters on PostgreSQL as well.

``@pytest.mark.postgresql`` is for tests whose statements no other one of them sends, or whose locks matter; what a
rule of ours decides comes out the same on both. ``--every-database`` runs all on both, as ``make soak`` does.
"""

from collections.abc import Iterator

import pytest

from tests.databases import Postgresql, Sqlite
from tests.service import locking
from tests.table import Table


@pytest.fixture(autouse=True)
def locked() -> Iterator[None]:
    """In every test here: nobody writes a game without its lock."""
    with locking.watched():
        yield


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """On which databases a test runs that has a table."""
    if "table" in metafunc.fixturenames:
        marked = metafunc.definition.get_closest_marker("postgresql") is not None
        both = marked or metafunc.config.getoption("every_database")
        metafunc.parametrize("table", ["sqlite", "postgresql"] if both else ["sqlite"], indirect=True)


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Four people who want to play, and a clock, on an empty database."""
    maker: Sqlite | Postgresql = request.getfixturevalue(request.param)
    url = maker.fresh()
    made = Table(url, tmp_path_factory.mktemp("data"), maker.opened(url))
    yield made
    made.close()
    maker.used(url)


@pytest.fixture
def dealt(table: Table) -> Table:
    """The table once everybody has accepted and the first question is asked."""
    table.start()
    return table
