"""Orders ahead of others wait while the last orders can be taken back; then they are played, and nobody lost time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.service import NotNow
from pbem.service.games import departures, ending, takeback
from pbem.service.operator import due
from pbem.service.orders import deadlines
from pbem.service.turns import progress, standing_orders
from pbem.store.tables import Move, StandingOrderRow
from tests.table import Table
from workers import clock

GRACE = timedelta(minutes=10)


def seats(table: Table) -> list[str]:
    """All seats, who is asked first."""
    return list(table.view().state.order)


def played(table: Table) -> list[tuple[str, str, str]]:
    with table.office.read() as session:
        moves = session.scalars(select(Move).where(Move.number > 0).order_by(Move.number))
        return [(move.seat, move.orders, move.cause) for move in moves]


def held(table: Table, **how: object) -> tuple[str, str, str]:
    """The second seat has ordered ahead, the first has just answered; the first three seats."""
    table.start(grace=GRACE, **how)
    first, second, third, _ = seats(table)
    table.play("issue 2", seat=second)
    table.send_all()
    table.play("issue 1", seat=first)
    return first, second, third


def look(table: Table) -> None:
    """The clock looks, ten minutes later."""
    table.awake(minutes=10)
    for game_id in due.standing_orders(table.office, table.now):
        assert progress.play_held(table.office, game_id, table.now)


def test_they_wait_for_its_end_and_are_played_then(table: Table) -> None:
    first, second, third = held(table)
    assert played(table) == [(first, "issue 1", "player")]
    assert table.view().waiting_for == second
    assert due.standing_orders(table.office, table.now + GRACE - timedelta(seconds=1)) == []
    assert not progress.play_held(table.office, table.game, table.now)
    look(table)
    assert played(table)[1:] == [(second, "issue 2", "ahead")]
    assert table.view().waiting_for == third
    assert due.standing_orders(table.office, table.now) == []


@pytest.mark.postgresql
def test_meanwhile_the_sender_takes_back_alone_and_the_order_waits_on(table: Table) -> None:
    first, second, _ = held(table)
    table.later(minutes=9)
    takeback.take_back(table.office, table.game, table.number(first), table.now)
    assert table.row().standing_order_at is None
    assert table.view().waiting_for == first
    assert [order.orders for order in standing_orders.of_seat(table.office, table.game, second)] == ["issue 2"]
    table.play("issue 3", seat=first)
    look(table)
    assert [orders for _, orders, cause in played(table) if cause == "ahead"] == ["issue 2"]


def test_when_they_are_played_it_is_too_late(table: Table) -> None:
    first, _, _ = held(table)
    look(table)
    with pytest.raises(NotNow, match="standing order has been played"):
        takeback.take_back(table.office, table.game, table.number(first), table.now)


@pytest.mark.postgresql
def test_orders_after_dice_do_not_wait(table: Table) -> None:
    """They stand, so that there is nothing to wait for."""
    table.start(grace=GRACE)
    while table.asked().sheet.phase(table.asked().state) != "move_goods":
        table.play()
    for seat in seats(table):
        table.play("always issue 0", seat=seat)
    while table.asked().sheet.turn(table.asked().state) == 1:
        table.play()
    assert table.row().standing_order_at is None
    assert played(table)[-1][2] == "ahead"


def test_when_the_own_orders_of_the_sender_have_followed_the_next_player_is_asked_at_once(table: Table) -> None:
    """What they have played can no longer be taken back, so there is nothing to wait for."""
    table.start(grace=GRACE)
    while table.asked().sheet.phase(table.asked().state) != "select_actions":
        table.play()
    *_, last = seats(table)
    table.play("build nothing", seat=last)
    for action in ("engineer", "locomotive", "production"):
        table.play(f"action {action}")
    table.send_all()
    table.play("action first-build")
    assert played(table)[-2:] == [(last, "action first-build", "player"), (last, "build nothing", "ahead")]
    assert table.row().grace_until is None
    assert table.view().deadline == table.now + table.view().turn_time
    assert table.send_all() == ["your-turn"]
    assert table.letters("your-turn")[-1].seat_number == table.number(table.view().waiting_for or "")


def test_who_is_asked_may_answer_in_person_meanwhile(table: Table) -> None:
    _, second, third = held(table)
    assert table.play("issue 3", seat=second).status == "played"
    assert [orders for _, orders, _ in played(table)] == ["issue 1", "issue 3"]
    assert table.view().waiting_for == third
    look_again = table.row()
    assert (look_again.standing_order_at, look_again.grace_until) == (None, table.now + GRACE)


def test_orders_that_come_in_meanwhile_wait_as_well(table: Table) -> None:
    table.start(grace=GRACE)
    first, second, third, _ = seats(table)
    table.play("issue 1", seat=first)
    assert table.row().standing_order_at is None
    table.later(minutes=4)
    table.play("always issue 0", seat=second)
    table.play("issue 2", seat=third)
    assert len(played(table)) == 1
    table.later(minutes=-4)
    look(table)
    assert [(seat, cause) for seat, _, cause in played(table)[1:]] == [(second, "ahead"), (third, "ahead")]


def test_whoever_withdraws_them_meanwhile_is_asked_by_letter(table: Table) -> None:
    _, second, _ = held(table)
    table.later(minutes=3)
    table.play("cancel", seat=second)
    assert table.row().standing_order_at is None
    table.awake(minutes=7)
    assert table.send_all() == ["your-turn"]
    assert table.view().waiting_for == second


def test_orders_that_no_longer_hold_are_asked_for_when_the_time_is_over(table: Table) -> None:
    """Withdrawn one by one on the page, or void when their moment comes."""
    _, second, _ = held(table)
    (order,) = standing_orders.of_seat(table.office, table.game, second)
    standing_orders.withdraw(table.office, table.game, second, order.id, table.now)
    look(table)
    assert table.send_all() == ["your-turn"]
    assert table.view().waiting_for == second


def test_no_clock_runs_while_they_wait(table: Table) -> None:
    _, second, _ = held(table)
    deadline = table.view().deadline
    assert deadline == table.now + GRACE + table.view().turn_time
    reserve = table.row().spent_seconds
    look(table)
    with table.office.read() as session:
        answer = session.get_one(Move, (table.game, 2))
        assert (answer.seat, answer.spent_seconds) == (second, reserve)
    assert table.view().deadline == table.now + table.view().turn_time


@pytest.mark.postgresql
def test_a_caretaker_leaves_the_grace_time_to_the_sender(table: Table) -> None:
    table.start(grace=GRACE)
    first, second, _, _ = seats(table)
    departures.resign(table.office, table.game, table.number(second), table.now)
    table.play("issue 1", seat=first)
    table.awake(minutes=9)
    assert not deadlines.deadline(table.office, table.game, table.now)
    takeback.take_back(table.office, table.game, table.number(first), table.now)


@pytest.mark.postgresql
def test_the_clock_plays_them_and_no_letter_goes_out_before(table: Table) -> None:
    _, second, third = held(table)
    table.awake(minutes=11)
    clock.tick(table.office, table.now)
    assert table.view().waiting_for == third
    asked = {letter.seat_number for letter in table.letters("your-turn")}
    assert table.number(second) not in asked
    assert table.number(third) in asked


@pytest.mark.postgresql
def test_a_vote_that_ends_the_game_stops_them_and_they_go_on_with_it(table: Table) -> None:
    _, second, third = held(table)
    with table.office.game(table.game, table.now) as work:
        ending.stop(work)
    look(table)
    assert len(played(table)) == 1
    with table.office.game(table.game, table.now) as work:
        ending.go_on(work)
    assert due.standing_orders(table.office, table.now) == [table.game]
    progress.play_held(table.office, table.game, table.now)
    assert table.view().waiting_for == third
    with table.office.read() as session:
        assert session.scalar(select(StandingOrderRow.status).where(StandingOrderRow.seat == second)) == "played"
