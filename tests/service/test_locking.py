"""Writing a game needs its lock (the watcher sees who writes without), and tables copied for tests are whole."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.service.base import queries
from pbem.store.tables import Game
from tests.databases import Postgresql, Sqlite
from tests.rows import everything
from tests.table import Table, memory

HOW = {"grace": timedelta(minutes=7), "title": "Played once"}
"""As no other test starts a game."""
pytestmark = pytest.mark.postgresql  # locks


def test_a_game_that_is_written_without_its_lock_is_seen(table: Table) -> None:
    table.open()
    with pytest.raises(AssertionError, match="written without its lock"), table.office.write() as session:
        queries.game(session, table.game).title = "Another"


def test_a_seat_of_another_game_than_the_locked_one_is_seen(table: Table) -> None:
    first = table.open()
    second = table.open(title="Second")

    def rename() -> None:
        with table.office.write() as session:
            queries.locked(session, first)
            queries.numbered(session, second, 1).name = "Another"

    with pytest.raises(AssertionError, match="seats of game"):
        rename()


@pytest.fixture(params=["sqlite", "postgresql"])
def maker(request: pytest.FixtureRequest) -> Sqlite | Postgresql:
    made: Sqlite | Postgresql = request.getfixturevalue(request.param)
    return made


@contextmanager
def fresh(maker: Sqlite | Postgresql, folder: Path) -> Iterator[Table]:
    """A table at which nothing has happened yet."""
    url = maker.fresh()
    table = Table(url, folder, maker.opened(url))
    yield table
    table.close()
    maker.used(url)


def told(table: Table) -> tuple[object, ...]:
    """All that a test can see of a table, and the next numbers and random bytes."""
    before = everything(table.office), tuple(table.hints), table.game, table.host, table.view()
    table.play()
    return *before, everything(table.office)


def test_a_copied_game_is_the_one_that_was_played(maker: Sqlite | Postgresql, tmp_path: Path) -> None:
    found = []
    for copies in (False, True, True):
        memory.in_use = copies
        with fresh(maker, tmp_path) as table:
            table.start(**HOW)
            table.play_on(3)
            found.append(told(table))
    assert found[0] == found[1] == found[2]


def test_nothing_is_copied_over_rows_that_are_different(sqlite: Sqlite, tmp_path: Path) -> None:
    for title in ("Played once", "Another"):
        with fresh(sqlite, tmp_path) as table:
            table.start(**HOW)
            with table.office.write() as session:
                session.execute(update(Game).values(title=title))
            assert table.play_on(3).title == title
            assert table.asked().version == 3
