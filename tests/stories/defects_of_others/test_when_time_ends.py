"""choochoo: a player who does not move is out only when another presses a button; no reminder comes, no time ends.

webDiplomacy writes one letter before the end, with a fixed host in it.
"""

from datetime import timedelta

import pytest

from pbem.store.tables import Letter
from tests.table import Table
from workers import clock


@pytest.mark.parametrize("at_zero", ["default", "caretaker", "substitute"])
def test_time_that_ends_acts_by_itself_after_a_reminder(table: Table, at_zero: str) -> None:
    asked = table.start(at_zero=at_zero, turn_time=timedelta(days=3)).waiting_for
    number = next(seat.number for seat in table.view().seats if seat.seat == asked)
    _hours(table, 71)
    assert [row.kind for row in _to(table, number)][-1] == "reminder"
    assert table.view().version == 0
    _hours(table, 2)
    kinds = [row.kind for row in _to(table, number)]
    told = {"default": "default-played", "caretaker": "caretaker", "substitute": "seat-offered"}[at_zero]
    assert told in kinds
    if at_zero == "substitute":
        assert table.view().version == 0
        _hours(table, 73)
    assert table.view().version == 1
    assert table.view().log[1].seat == asked
    assert table.view().log[1].cause == ("caretaker" if at_zero == "caretaker" else "deadline")


def test_a_game_nobody_looks_at_comes_to_its_end(table: Table) -> None:
    """Nobody presses anything, and no game hangs for ever."""
    table.start(turn_time=timedelta(hours=1))
    for _ in range(400):
        if table.asked().over:
            break
        clock.tick(table.office, table.awake(hours=1, minutes=5))
    assert table.view().status == "over"
    assert {move.cause for move in table.view().log[1:]} == {"deadline"}


def _hours(table: Table, hours: int) -> None:
    for _ in range(hours):
        clock.tick(table.office, table.awake(hours=1))
        table.send_all()


def _to(table: Table, number: int) -> list[Letter]:
    return [row for row in table.letters() if row.seat_number == number]
