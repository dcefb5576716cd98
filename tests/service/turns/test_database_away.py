"""Orders are set aside for errors of ours only: when the database fails, they wait until it is back."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import DataError, InvalidatePoolError, OperationalError, TimeoutError

from pbem.service.orders import submissions
from pbem.service.turns import entries
from tests.table import Table

pytestmark = pytest.mark.postgresql  # what a database says that is away


@pytest.mark.parametrize(
    "error", [TimeoutError("no connection is free"), InvalidatePoolError(), OperationalError("", {}, Exception("gone"))]
)
def test_orders_wait_when_the_database_fails_in_the_middle_of_a_move(
    table: Table, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    table.start()
    number = table.send(table.legal())
    with monkeypatch.context() as patch:
        patch.setattr(entries, "add", _raising(error))
        with pytest.raises(type(error)):
            submissions.play_waiting(table.office, table.game, table.now)
    assert [row.status for row in table.submissions() if row.id == number] == ["waiting"]
    submissions.play_waiting(table.office, table.game, table.now)
    assert [row.status for row in table.submissions() if row.id == number] == ["played"]


def test_orders_that_the_database_cannot_hold_do_not_block_their_game_for_ever(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.start()
    table.send(table.legal())
    monkeypatch.setattr(entries, "add", _raising(DataError("", {}, Exception("value too long"))))
    assert submissions.play_waiting(table.office, table.game, table.now) == 1
    assert table.submissions()[-1].status == "stuck"


def _raising(error: Exception) -> object:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail
