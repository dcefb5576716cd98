"""What time does: a reminder at two thirds, the default order at the end; the clock finds both."""

from __future__ import annotations

from datetime import datetime

import pytest

from pbem.service import Office
from pbem.service.base import queries
from pbem.service.operator import due, server_metrics
from pbem.service.orders import deadlines, submissions
from tests.table import Table, asked_in

pytestmark = pytest.mark.postgresql  # rows that are skipped while somebody has them


def test_nothing_is_due_before_its_time(table: Table) -> None:
    table.start()
    table.later(hours=47)
    assert list(due.reminders(table.office, table.now)) == []
    assert list(due.deadlines(table.office, table.now)) == []
    assert not deadlines.remind(table.office, table.game, table.now)
    assert not deadlines.deadline(table.office, table.game, table.now)


def test_one_reminder_at_two_thirds_of_the_time(table: Table) -> None:
    view = table.start()
    table.later(hours=48)
    assert list(due.reminders(table.office, table.now)) == [table.game]
    assert deadlines.remind(table.office, table.game, table.now)
    assert not deadlines.remind(table.office, table.game, table.later(hours=1))
    assert list(due.reminders(table.office, table.now)) == []
    (row,) = table.letters("reminder")
    letter = table.read(row)
    assert (letter.seat, asked_in(letter)) == (view.waiting_for, view.sheet.question(view.state))


def test_reminders_that_are_due_together_are_written_each_once(table: Table) -> None:
    games = {table.start().id for _ in range(3)}
    answered = table.game
    table.play()
    table.later(hours=47)
    assert not any(deadlines.remind(table.office, game, table.now) for game in games)
    table.later(hours=1)
    with table.office.write() as session:
        queries.locked(session, answered).remind_at = None
    assert set(due.reminders(table.office, table.now)) == games - {answered}
    table.hints.clear()
    for _ in range(2):
        for game in games:
            deadlines.remind(table.office, game, table.now)
    assert sorted(row.game_id or "" for row in table.letters("reminder")) == sorted(games - {answered})
    assert len(table.hints) == 2


def test_every_question_has_its_own_reminder(table: Table) -> None:
    table.start()
    for _ in range(2):
        table.later(hours=48)
        assert deadlines.remind(table.office, table.game, table.now)
        table.play()
    assert [row.version for row in table.letters("reminder")] == [0, 1]


def test_at_the_end_of_the_time_the_default_is_played_and_told(table: Table) -> None:
    view = table.start()
    default = str(view.sheet.default(view.state))
    table.later(hours=72)
    assert list(due.deadlines(table.office, table.now)) == [table.game]
    assert deadlines.deadline(table.office, table.game, table.now)
    after = table.view()
    assert (after.log[1].seat, after.log[1].orders, after.log[1].cause) == (view.waiting_for, default, "deadline")
    assert after.deadline == table.now + view.turn_time
    (row,) = table.letters("default-played")
    letter = table.read(row)
    assert (letter.seat, letter.own.orders) == (view.waiting_for, default)
    assert [move.number for move in letter.moves] == [0, 1]


def test_a_deadline_worked_off_twice_plays_one_order(table: Table) -> None:
    table.start()
    table.later(hours=72)
    assert deadlines.deadline(table.office, table.game, table.now)
    assert not deadlines.deadline(table.office, table.game, table.now)
    assert table.view().version == 1


def test_orders_that_came_in_time_go_before_the_default(table: Table) -> None:
    view = table.start()
    orders = view.sheet.legal(view.state)
    assert orders is not None
    table.send(orders[-1])
    table.later(hours=73)
    assert not deadlines.deadline(table.office, table.game, table.now)
    assert [move.cause for move in table.view().log] == ["start", "player"]


def test_orders_of_a_planning_page_that_come_in_at_the_last_moment_go_before_the_default(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at what waits and the game itself; they are for no position in particular."""
    seat = table.start().waiting_for
    assert seat is not None
    table.later(hours=73)

    def play_and_receive(office: Office, game_id: str, now: datetime) -> None:
        submissions.play_waiting(office, game_id, now)
        submissions.submit(office, game_id, submissions.NewSubmission(seat, "issue 2", None, "page"), now)

    with monkeypatch.context() as patch:
        patch.setattr(deadlines, "play_waiting", play_and_receive)
        assert not deadlines.deadline(table.office, table.game, table.now)
    submissions.play_waiting(table.office, table.game, table.now)
    assert [(move.seat, move.orders) for move in table.view().log][1:] == [(seat, "issue 2")]


def test_stuck_orders_hold_the_deadline_until_we_have_looked(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    view = table.start()

    def broken(*_: object) -> None:
        raise ZeroDivisionError("an error of ours")

    with monkeypatch.context() as patch:
        patch.setattr(type(view.sheet), "parse", broken)
        table.send("pass")
        submissions.play_waiting(table.office, table.game, table.now)
    table.later(hours=80)
    assert not deadlines.deadline(table.office, table.game, table.now)
    counted = server_metrics.look(table.office, table.now)
    assert (counted.stuck, counted.overdue) == (1, 1)
