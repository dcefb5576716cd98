"""``produce decline`` given ahead: nothing is drawn, the log and the record say it, and the game is proved."""

from __future__ import annotations

import json

import pytest

from pbem.engine.record import read_record, verify
from pbem.service import NotNow
from pbem.service.archive import recheck, records
from pbem.service.games import takeback, views, votes
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.orders import submissions
from pbem.service.turns import standing_orders
from pbem.store.tables import Move
from pbem.views.games import StandingOrderView
from tests.table import NAMES, Table


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
    with table.office.read() as session:
        led_there = session.get_one(Move, (table.game, table.view().version - 1))
    assert led_there.chance == [{"for": "asked-first", "order": [holder]}]
    assert recheck.check(table.office, table.game) is None
    table.play_on(1000)
    record = read_record(json.dumps(records.export(table.office, table.game)))
    assert verify(table.view().sheet, record).faults == ()
    assert recheck.check(table.office, table.game) is None
