"""The server was away, or its clock was set: every time that runs moves by the gap, once, and the players are told."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlsplit

import pytest

from pbem.service.base import queries
from pbem.service.base.tokens import VoteClaim
from pbem.service.games import pauses, votes
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.operator import due
from pbem.service.people import absences
from pbem.service.turns import outages
from tests.table import Table
from workers import clock


def running(table: Table, **changes: object) -> None:
    """A game whose first question has been told, and a clock that looks."""
    table.start(**changes)
    table.send_all()
    assert outages.beat(table.office, table.now) is None


def test_the_first_look_of_a_clock_moves_nothing(table: Table) -> None:
    table.start()
    before = table.row().deadline_at
    assert outages.beat(table.office, table.later(days=2)) is None
    assert table.row().deadline_at == before


@pytest.mark.postgresql
def test_after_an_outage_of_two_days_deadlines_and_reminders_are_two_days_later(table: Table) -> None:
    running(table)
    outages.beat(table.office, table.later(minutes=5))
    deadline, remind = table.row().deadline_at, table.row().remind_at
    assert deadline is not None
    assert remind is not None
    gap = outages.beat(table.office, table.later(days=2))
    assert gap is not None
    assert gap.length == timedelta(days=2)
    assert table.row().deadline_at == deadline + timedelta(days=2)
    assert table.row().remind_at == remind + timedelta(days=2)
    assert list(due.reminders(table.office, table.now)) == []


def test_the_clock_moves_deadlines_before_it_looks_at_them(table: Table) -> None:
    running(table)
    clock.tick(table.office, table.later(days=4), send=lambda *_: None)
    after = table.row()
    assert after.version == 0
    assert after.deadline_at is not None
    assert after.deadline_at > table.now


@pytest.mark.postgresql
def test_an_outage_moves_the_clocks_once(table: Table) -> None:
    running(table)
    outages.beat(table.office, table.later(days=2))
    deadline = table.row().deadline_at
    for _ in range(3):
        assert outages.beat(table.office, table.now) is None
    assert table.row().deadline_at == deadline
    assert len(table.letters("clocks-moved")) == 4


@pytest.mark.postgresql
def test_every_player_is_told_once_however_many_games(table: Table) -> None:
    running(table)
    table.start()
    outages.beat(table.office, table.later(days=2))
    moved = table.letters("clocks-moved")
    assert len({row.account_id for row in moved}) == len(moved) == 4
    view = table.read(moved[0])
    assert len(view.own.games) == 2
    assert (view.own.since, view.own.until) == (table.now - timedelta(days=2), table.now)


@pytest.mark.postgresql
def test_a_clock_set_back_moves_deadlines_back(table: Table) -> None:
    running(table)
    outages.beat(table.office, table.later(minutes=1))
    deadline = table.row().deadline_at
    assert deadline is not None
    gap = outages.beat(table.office, table.later(days=-2))
    assert gap is not None
    assert table.row().deadline_at == deadline - timedelta(days=2)
    since = table.row().waiting_since
    assert since is not None
    assert since <= table.now


def test_a_clock_set_forward_and_back_again_ends_where_it_began(table: Table) -> None:
    running(table)
    deadline = table.row().deadline_at
    outages.beat(table.office, table.later(days=30))
    outages.beat(table.office, table.later(days=-30))
    assert table.row().deadline_at == deadline


def test_the_bank_is_not_charged_for_an_outage(table: Table) -> None:
    running(table, turn_time=timedelta(days=1), bank=timedelta(days=2))
    first = table.row().to_act
    outages.beat(table.office, table.later(days=5))
    table.later(hours=1)
    table.play()
    with table.office.read() as session:
        assert queries.seat(session, table.game, first).reserve_seconds == 2 * 86400


# pauses -------------------------------------------------------------------------------------------------------


def agree(table: Table, vote: int) -> None:
    for seat in table.view().seats:
        if seat.number != 0:
            votes.answer_by_link(table.office, VoteClaim(vote, seat.number, 0), True, table.now)


def test_the_links_of_a_vote_are_those_of_its_reader(table: Table) -> None:
    running(table)
    vote = votes.ask(table.office, table.game, 0, Pausing(), table.now)
    letters = table.letters("pause-asked")
    assert [letter.seat_number for letter in letters] == [1, 2, 3]
    for letter in letters:
        own = table.read(letter).own
        for link in (own.agree, own.refuse):
            claim = table.office.tokens.read(VoteClaim, urlsplit(link).path.rsplit("/")[-1])
            assert claim == VoteClaim(vote, letter.seat_number or 0, 0)


@pytest.mark.postgresql
def test_a_pause_begins_when_all_others_have_agreed(table: Table) -> None:
    running(table)
    vote = votes.ask(table.office, table.game, 0, Pausing(), table.later(hours=10))
    assert len(table.letters("pause-asked")) == 3
    assert table.row().paused_at is None
    agree(table, vote)
    assert table.row().paused_at == table.now
    assert table.row().deadline_at is None
    assert len(table.letters("paused")) == 4


@pytest.mark.postgresql
def test_no_clock_runs_in_a_pause_and_the_rest_of_the_time_is_there_after_it(table: Table) -> None:
    running(table)
    assert [clock.asked for clock in table.view().clocks if clock.bank_from is not None] == [True]
    agree(table, votes.ask(table.office, table.game, 0, Pausing(), table.later(hours=10)))
    assert [clock.bank_from for clock in table.view().clocks] == [None] * 4
    outages.beat(table.office, table.awake(days=20))
    assert list(due.deadlines(table.office, table.now)) == []
    pauses.end(table.office, table.game, 2, table.now)
    assert table.row().deadline_at == table.now + timedelta(hours=62)
    assert len(table.letters("resumed")) == 4


@pytest.mark.postgresql
def test_a_pause_until_a_day_ends_by_itself(table: Table) -> None:
    running(table)
    until = table.now.date() + timedelta(days=10)
    agree(table, votes.ask(table.office, table.game, 0, Pausing(until), table.now))
    table.later(days=9)
    assert list(due.pauses(table.office, table.now)) == []
    table.later(days=1)
    assert list(due.pauses(table.office, table.now)) == [table.game]
    assert pauses.finish(table.office, table.game, table.now)
    assert not pauses.finish(table.office, table.game, table.now)
    assert table.row().deadline_at == table.now + timedelta(days=3)


def test_orders_in_a_pause_are_played_and_no_clock_starts(table: Table) -> None:
    running(table)
    agree(table, votes.ask(table.office, table.game, 0, Pausing(), table.now))
    assert table.play().status == "played"
    assert table.row().deadline_at is None
    outages.beat(table.office, table.awake(days=3))
    pauses.end(table.office, table.game, 0, table.now)
    assert table.row().deadline_at == table.now + timedelta(days=3)


@pytest.mark.postgresql
def test_an_absence_in_a_pause_moves_nothing(table: Table) -> None:
    running(table)
    agree(table, votes.ask(table.office, table.game, 0, Pausing(), table.now))
    day = table.now.date() + timedelta(days=1)
    absences.add(table.office, table.host, day, day, table.now)
    assert table.row().deadline_at is None
