"""Orders given ahead of time: taken in, kept secret, played at their moment, void, replaced, withdrawn."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from pbem.engine.record import read_record, verify
from pbem.service.archive import records
from pbem.service.turns import standing_orders
from pbem.store.tables import Game, Move, StandingOrderRow
from tests.table import NAMES, Table


def own(table: Table, seat: str) -> list[str]:
    return [order.orders for order in standing_orders.of_seat(table.office, table.game, seat)]


def moves(table: Table) -> list[Move]:
    with table.office.read() as session:
        return list(session.scalars(select(Move).where(Move.number > 0).order_by(Move.number)))


def all_orders(table: Table) -> list[StandingOrderRow]:
    with table.office.read() as session:
        return list(session.scalars(select(StandingOrderRow).order_by(StandingOrderRow.id)))


def test_a_standing_order_is_played_when_the_seat_comes_up(table: Table) -> None:
    view = table.start()
    second, third = table.rest()[:2]
    given = table.play("issue 2", seat=second)
    assert (given.status, given.move, given.events) == ("played", None, ())
    assert [(order.orders, str(order.words), order.turn) for order in given.standing_orders] == [
        ("issue 2", "issue_shares", 1)
    ]
    assert table.view().version == 0
    table.play("issue 1", seat=view.waiting_for)
    assert [(move.seat, move.orders, move.cause) for move in moves(table)] == [
        (view.waiting_for, "issue 1", "player"),
        (second, "issue 2", "ahead"),
    ]
    assert table.view().waiting_for == third
    assert own(table, second) == []
    assert [row.status for row in all_orders(table)] == ["played"]


def test_only_who_is_asked_at_the_end_gets_a_letter(table: Table) -> None:
    table.start()
    table.send_all()
    second, third = table.rest()[:2]
    table.play("issue 2", seat=second)
    table.play("issue 1")
    asked = table.letters("your-turn", "waiting")
    seats = {seat.number: seat.seat for seat in table.view().seats}
    assert [seats[row.seat_number] for row in asked if row.seat_number is not None] == [third]
    letter = table.read(asked[0])
    assert [move.cause for move in letter.moves][-2:] == ["player", "ahead"]


def test_a_planning_order_is_three_orders_each_on_its_own(table: Table) -> None:
    table.start()
    second = table.rest()[0]
    ranking = "action locomotive > engineer > first-build > first-move"
    table.play(f"issue 1\nbid max 0\n{ranking}", seat=second)
    assert own(table, second) == ["issue 1", "bid max 0", ranking]
    while table.phase() != "build_track":
        table.play()
    causes = {(move.phase, move.cause) for move in moves(table) if move.seat == second}
    assert causes == {("issue_shares", "ahead"), ("turn_order", "ahead"), ("select_actions", "ahead")}


def test_the_first_line_answers_and_the_others_wait(table: Table) -> None:
    view = table.start()
    played = table.play("issue 1\naction engineer", seat=view.waiting_for)
    assert (played.status, played.move, played.moves) == ("played", 1, 1)
    assert [order.orders for order in played.standing_orders] == ["action engineer"]


@pytest.mark.postgresql
def test_a_line_that_cannot_wait_refuses_the_whole_submission(table: Table) -> None:
    view = table.start()
    refused = table.play("issue 1\naction engineer\nbid 3", seat=view.waiting_for)
    assert (refused.status, refused.line) == ("refused", 3)
    assert table.view().version == 0
    assert all_orders(table) == []


def test_cancel_withdraws_everything_that_waits(table: Table) -> None:
    table.start()
    second = table.rest()[0]
    table.play("issue 2\nalways bid max 0", seat=second)
    answer = table.play("cancel", seat=second)
    assert answer.status == "played"
    assert own(table, second) == []
    table.play("issue 0")
    assert table.view().waiting_for == second


def test_a_limit_given_when_asked_bids_at_once_and_goes_on(table: Table) -> None:
    table.start()
    for _ in range(4):
        table.play("issue 0")
    asked = table.view().waiting_for
    answer = table.play("bid 2 max 4 then ask")
    assert [(move.orders, move.cause) for move in moves(table)[-1:]] == [("bid 2", "player")]
    assert [order.status for order in answer.standing_orders] == ["waiting"]
    table.play("bid 3")
    table.play("drop")
    table.play("drop")
    assert moves(table)[-1].orders == "bid 4"
    table.play("bid 5")
    view = table.view()
    assert view.waiting_for == asked
    (row,) = all_orders(table)
    assert (row.status, row.rule) == ("void", "P2")
    letter = table.read(table.letters("your-turn")[-1])
    assert letter.own.void is not None
    assert "above your limit of $4" in letter.own.void.sentence


@pytest.mark.postgresql
def test_a_void_order_tells_its_owner_why_and_asks(table: Table) -> None:
    table.start()
    second, third, fourth = table.rest()
    for seat in (second, third, fourth):
        table.play("issue 0\nbid max 0", seat=seat)
    table.play("action locomotive", seat=second)
    table.play("issue 0")
    while table.phase() == "turn_order":
        table.play("drop")
    while table.asked().waiting_for != second:
        free = table.view().sheet.legal(table.view().state) or ()
        wanted = "action locomotive"
        table.play(wanted if wanted in free else free[0])
    assert next(row for row in all_orders(table) if row.orders == "action locomotive").status == "void"
    letter = table.read(table.letters("your-turn")[-1])
    assert letter.seat == second
    assert letter.own.void is not None
    assert letter.own.void.orders == "action locomotive"
    assert "cannot be taken" in letter.own.void.sentence


def test_a_standing_order_dies_with_its_turn_and_a_standing_one_does_not(table: Table) -> None:
    table.start()
    second = table.rest()[0]
    table.play("always issue 0\nproduce any>L1 any>L2", seat=second)
    while table.asked().sheet.turn(table.asked().state) == 1:
        table.play()
    assert [row.status for row in all_orders(table)] == ["waiting", "ended"]
    while table.asked().sheet.turn(table.asked().state) == 2:
        table.play()
    issued = [(move.turn, move.cause) for move in moves(table) if move.seat == second and move.phase == "issue_shares"]
    assert issued == [(1, "ahead"), (2, "ahead")]


@pytest.mark.postgresql
def test_nothing_shows_an_order_before_it_is_played(table: Table) -> None:
    table.start()
    table.send_all()
    second = table.rest()[0]
    table.play("issue 2\nbid max 7\naction urbanization", seat=second)
    view = table.view()
    shown = repr(view.log) + repr(view.sheet.position(view.state)) + repr(view)
    assert "bid max 7" not in shown
    assert "urbanization" not in repr(view.log)
    assert "bid max 7" not in repr(records.export(table.office, table.game))
    for row in table.letters():
        assert "bid max 7" not in repr(table.read(row))


def test_a_record_marks_what_was_ordered_ahead_and_proves_the_game(table: Table) -> None:
    table.start()
    for seat in table.rest():
        table.play("always issue 0\nalways bid max 0", seat=seat)
    table.play_on(1000)
    record = records.export(table.office, table.game)
    autos = [entry for entry in record["turns"] if entry.get("auto")]
    assert {entry["phase"] for entry in autos} >= {"issue_shares"}
    view = table.view()
    assert verify(view.sheet, read_record(json.dumps(record))).faults == ()


def test_standing_orders_of_others_for_a_game_that_is_over_are_refused(table: Table) -> None:
    table.start()
    seat = table.rest()[0]
    table.play("always issue 0", seat=seat)
    table.play_on(1000)
    with table.office.read() as session:
        assert session.get_one(Game, table.game).status == "over"
    assert own(table, seat) == []
    assert table.play("always issue 0", seat=seat).status == "refused"


@pytest.mark.postgresql
def test_a_turn_of_steam_power_waits_with_alternatives(table: Table) -> None:
    """P9."""
    view = table.start(game="steam-power", map="ireland", names=NAMES[:3])
    first, second = (seat.seat for seat in view.seats if seat.seat != view.waiting_for)
    given = table.play("draw | cash\ncash", seat=first)
    assert given.status == "played", given.sentence
    assert len(own(table, first)) == 2
    table.play("cash\ncash", seat=view.waiting_for)
    assert [(move.seat, move.cause) for move in moves(table)][-2:] == [(first, "ahead")] * 2
    assert table.view().waiting_for in (second, view.waiting_for)
    assert own(table, first) == []


def test_orders_for_the_next_turn_wait_however_much_of_this_turn_goes_by(table: Table) -> None:
    table.start()
    view = table.view()
    while view.sheet.phase(view.state) != "build_track":
        table.play()
        view = table.view()
    later = table.rest()[0]
    table.play("issue 2", seat=later)
    (order,) = standing_orders.of_seat(table.office, table.game, later)
    assert order.turn == 2
    table.play()
    assert own(table, later) == ["issue 2"]
