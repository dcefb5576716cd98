"""Orders ahead of others wait while the last orders can be taken back; then they are played, and nobody lost time."""

import json
from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.engine.record import read_record, verify
from pbem.service import NotNow
from pbem.service.archive import recheck, records
from pbem.service.games import departures, ending, takeback, views, votes
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.operator import due
from pbem.service.orders import deadlines, submissions
from pbem.service.turns import progress, standing_orders
from pbem.store.tables import Move, StandingOrderRow
from pbem.views.games import StandingOrderView
from tests.table import NAMES, Table
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


def producing(table: Table, **how: object) -> str:
    """The second turn of a game, in which boxes are empty: somebody has Production, and goods are to be moved."""
    table.start(**{"map": "new_england", "names": NAMES[:2], **how})
    while table.phase() != "select_actions" or table.asked().sheet.turn(table.asked().state) < 2:
        table.play()
    holder = table.view().waiting_for
    assert table.play("action production").status == "played"
    while table.phase() != "move_goods":
        table.play()
    return holder


def order(table: Table, text: str, seat: str) -> tuple[StandingOrderView, ...]:
    """Orders that answer no question."""
    number = submissions.submit(
        table.office, table.game, submissions.NewSubmission(seat, text, None, "page"), table.now
    )
    submissions.play_waiting(table.office, table.game, table.now)
    sent = views.submission(table.office, number)
    assert sent.status == "played"
    return sent.standing_orders


def to_growth(table: Table) -> None:
    """Everybody moves goods, until somebody is asked for something else."""
    while table.phase() == "move_goods":
        table.play("pass")


def logged(table: Table) -> list[tuple[str, str, str]]:
    return [(move.seat, move.orders, move.cause) for move in table.view().log]


def bag(table: Table) -> int:
    return sum(table.view().state.bag.values())


@pytest.mark.parametrize("map_", ["new_england", "poland", "hungary"])
def test_nothing_is_drawn_and_the_log_says_so(table: Table, map_: str) -> None:
    holder = producing(table, map=map_, names=NAMES[: 2 if map_ == "new_england" else 3])
    before = bag(table)
    taken = order(table, "produce decline", holder)
    assert [given.orders for given in taken] == ["produce decline"]
    to_growth(table)
    assert table.view().sheet.turn(table.view().state) == 3
    assert logged(table)[-1] == (holder, "produce decline", "ahead")
    said = [event.say.read(table.view().voice) for event in table.view().log[-1].events]
    name = next(seat.name for seat in table.view().seats if seat.seat == holder)
    assert f"{name} drew no cubes for Production." in said
    assert before - bag(table) == (1 if map_ == "poland" else 0)  # the black cube of Warsaw


def test_without_it_cubes_are_drawn_and_their_places_asked(table: Table) -> None:
    holder = producing(table)
    before = bag(table)
    to_growth(table)
    assert (table.view().waiting_for, bag(table)) == (holder, before - 2)


@pytest.mark.postgresql
def test_it_is_secret_until_it_is_played_and_can_be_withdrawn(table: Table) -> None:
    holder = producing(table)
    order(table, "produce decline", holder)
    assert "decline" not in json.dumps(records.export(table.office, table.game))
    assert [given.orders for given in standing_orders.of_seat(table.office, table.game, holder)] == ["produce decline"]
    order(table, "cancel", holder)
    to_growth(table)
    assert table.view().waiting_for == holder
    assert table.play("produce decline").status == "refused"


def test_whoever_does_not_hold_production_orders_it_in_vain(table: Table) -> None:
    holder = producing(table)
    other = next(seat.seat for seat in table.view().seats if seat.seat != holder)
    order(table, "produce decline", other)
    to_growth(table)
    assert table.view().waiting_for == holder
    assert len(table.view().state.scratch.drawn) == 2


def test_it_may_follow_the_last_move_in_the_same_letter(table: Table) -> None:
    holder = producing(table)
    while len(table.asked().sheet.moments(table.asked().state, table.asked().waiting_for)) > 2:
        table.play("pass")
    while table.asked().waiting_for != holder:
        table.play("pass")
    assert table.play("pass\nproduce decline").status == "played"
    to_growth(table)
    assert (holder, "produce decline", "ahead") in logged(table)


def test_the_order_that_led_there_stands_as_after_dice(table: Table) -> None:
    holder = producing(table)
    order(table, "produce decline", holder)
    to_growth(table)
    for seat in table.view().seats:
        with pytest.raises(NotNow):
            takeback.take_back(table.office, table.game, seat.number, table.now)
        with pytest.raises(NotNow):
            votes.ask(table.office, table.game, seat.number, TakingBack(), table.now)


def test_a_game_in_which_it_happened_is_proved_and_comes_out_again(table: Table) -> None:
    holder = producing(table)
    order(table, "produce decline", holder)
    to_growth(table)
    led_there = table.found(Move, (table.game, table.view().version - 1))
    assert led_there.chance == [{"for": "asked-first", "order": [holder]}]
    assert recheck.check(table.office, table.game) is None
    table.play_on(1000)
    record = read_record(json.dumps(records.export(table.office, table.game)))
    assert verify(table.view().sheet, record).faults == ()
    assert recheck.check(table.office, table.game) is None
