"""A post office for tests: on both databases, with a clock that is moved by hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import servers
from tests.databases import Postgresql, Sqlite
from tests.service import locking
from tests.service.table import Table


@pytest.fixture(scope="session")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Sqlite:
    return Sqlite(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgresql]:
    try:
        with servers.postgresql() as url:
            yield Postgresql(url)
    except servers.Missing as missing:
        pytest.skip(f"no PostgreSQL: {missing}")


@pytest.fixture(autouse=True)
def locked() -> Iterator[None]:
    """In every test here: nobody writes a game without its lock."""
    with locking.watched():
        yield


@pytest.fixture(params=["sqlite", "postgresql"])
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Four people who want to play, and a clock, on an empty database of each kind."""
    maker: Sqlite | Postgresql = request.getfixturevalue(request.param)
    url = maker.fresh()
    made = Table(url, tmp_path_factory.mktemp("data"), maker.opened(url))
    yield made
    made.close()
    maker.used(url)
