"""The watcher of these tests sees who writes a game without its lock."""

from __future__ import annotations

import pytest

from pbem.service.base import queries
from tests.table import Table

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


def test_a_game_that_is_locked_may_be_written(table: Table) -> None:
    table.open()
    with table.office.write() as session:
        queries.locked(session, table.game).title = "Another"
    assert table.view().title == "Another"
