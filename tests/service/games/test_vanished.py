"""Players who have vanished: who may remove them, and when."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.service import NotNow
from pbem.service.games import departures, members, votes
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.games.proposals.removal import Removal
from pbem.service.orders import deadlines
from tests.service.actors import account_of, kinds, name_of, number_asked, resign, take, vanish
from tests.table import NAMES, Table
from workers import clock


@pytest.mark.postgresql
def test_the_host_removes_who_has_not_answered_for_a_week_and_nobody_sooner(table: Table) -> None:
    table.start()
    number = number_asked(table)
    for _ in range(2):
        with pytest.raises(NotNow, match="after 7 days without"):
            departures.remove(table.office, table.game, table.host, number, table.now)
        table.later(days=3)
        deadlines.deadline(table.office, table.game, table.now)
    number = vanish(table)
    former = account_of(table, name_of(table, number).replace("é", "e"))
    seen = members.company(table.office, table.game, None, table.host, table.now)
    assert number in seen.removable
    with pytest.raises(NotNow, match="Only the host"):
        departures.remove(table.office, table.game, account_of(table, "Gil"), number, table.now)
    departures.remove(table.office, table.game, table.host, number, table.now)
    assert table.view().seats[number].status == "vacant"
    if former != table.host:
        assert [letter.kind for letter in table.letters("removed")] == ["removed"]


@pytest.mark.postgresql
def test_the_others_vote_somebody_out_by_more_than_half(table: Table) -> None:
    table.start()
    number = vanish(table)
    others = [seat.number for seat in table.view().seats if seat.number != number]
    vote = votes.ask(table.office, table.game, others[0], Removal(number), table.now)
    with pytest.raises(NotNow, match="Only the other players"):
        votes.answer(table.office, table.game, vote, number, False, table.now)
    votes.answer(table.office, table.game, vote, others[1], True, table.now)
    assert table.view().seats[number].status == "vacant"
    assert kinds(table)[-1] in ("voted-out", "hosts")


def test_a_vote_about_somebody_who_is_back_is_dropped_when_another_leaves(table: Table) -> None:
    table.start()
    number = vanish(table)
    others = [seat.number for seat in table.view().seats if seat.number != number]
    vote = votes.ask(table.office, table.game, others[0], Removal(number), table.now)
    colour = table.view().seats[number].seat
    while table.asked().waiting_for != colour:
        table.play()
    table.play()
    for other in others[1:]:
        resign(table, other)
    assert table.view().seats[number].status == "accepted"
    with pytest.raises(NotNow, match="already been decided"):
        votes.answer(table.office, table.game, vote, others[0], True, table.now)


def test_a_vote_that_removes_somebody_lets_another_pass_that_still_can_be_thought_over(table: Table) -> None:
    """Five: one leaves, so the one who has vanished is removed, so two of three are enough to end the game."""
    table.start(names=(*NAMES, "Eva"))
    gone = vanish(table)
    a, b, _, d = (seat.number for seat in table.view().seats if seat.number != gone)
    remove = votes.ask(table.office, table.game, a, Removal(gone), table.now)
    end = votes.ask(table.office, table.game, a, EndingEarly(), table.now)
    for vote in (remove, end):
        votes.answer(table.office, table.game, vote, b, True, table.now)
    assert table.view().status == "running"
    resign(table, d)
    assert (table.view().seats[gone].status, table.view().status) == ("vacant", "stopping")
    votes.answer(table.office, table.game, end, b, False, table.now)
    assert table.view().status == "running"


def test_who_answers_again_cannot_be_removed(table: Table) -> None:
    table.start()
    number = vanish(table)
    colour = table.view().seats[number].seat
    while table.asked().waiting_for != colour:
        table.play()
    table.play()
    with pytest.raises(NotNow, match="after 7 days without"):
        departures.remove(table.office, table.game, table.host, number, table.now)


@pytest.mark.postgresql
def test_a_game_whose_players_have_all_vanished_is_closed_after_four_weeks(table: Table) -> None:
    """Doing nothing ends no game of Steam Power: defaults would be played for ever."""
    table.start(game="steam-power", map="ireland", names=NAMES[:3], turn_time=timedelta(days=2))
    first = table.now + timedelta(days=2)
    while table.view().status == "running":
        assert table.now < first + timedelta(days=40)
        clock.tick(table.office, table.awake(days=2, minutes=1))
    assert table.now >= first + timedelta(days=28)
    assert table.view().ended_early
    assert kinds(table)[-1] == "forsaken"
    assert [letter.kind for letter in table.letters("game-over")] == ["game-over"] * 3


def test_a_game_in_which_one_still_answers_is_played_on(table: Table) -> None:
    table.start(game="steam-power", map="ireland", names=NAMES[:3], turn_time=timedelta(days=2))
    faithful, until = table.view().waiting_for, table.now + timedelta(days=60)
    while table.now < until:
        if table.view().waiting_for == faithful:
            table.play()
        clock.tick(table.office, table.awake(days=2, minutes=1))
    assert table.view().status == "running"


def test_a_seat_offered_at_the_deadline_is_kept_until_somebody_comes(table: Table) -> None:
    table.start(at_zero="substitute")
    number = number_asked(table)
    colour = table.view().seats[number].seat
    table.later(days=3, minutes=1)
    clock.tick(table.office, table.now)
    assert table.view().waiting_for == colour
    assert members.free_seats(table.office, None)
    assert table.play().status == "played"
    assert members.free_seats(table.office, None) == ()


@pytest.mark.postgresql
def test_a_substitute_replaces_who_did_not_answer_in_time(table: Table) -> None:
    table.start(at_zero="substitute")
    number = number_asked(table)
    table.later(days=3, minutes=1)
    clock.tick(table.office, table.now)
    take(table)
    assert name_of(table, number) == "Fay"
    assert [table.read(letter).own.how for letter in table.letters("removed")] == ["replaced"]
    assert table.view().waiting_for == table.view().seats[number].seat
