"""Taking back at its edges: the last second, which orders, what the page offers, and what the others are told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pbem.service import NotNow
from pbem.service.base.office import Office
from pbem.service.games import members, takeback, votes
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.letters.kinds.orders import TakenBack
from pbem.views.people import BackView
from tests.table import Table

GRACE = timedelta(minutes=10)


def seat_of(table: Table, colour: str) -> int:
    return next(seat.number for seat in table.view().seats if seat.seat == colour)


def played(table: Table, text: str = "issue 2") -> int:
    """A game with a grace time in which somebody has just sent orders; returns the seat number of the sender."""
    table.start(grace=GRACE)
    table.send_all()
    number = seat_of(table, table.view().waiting_for)
    table.play(text)
    return number


def offered(table: Table, number: int) -> BackView | None:
    """What the page offers to a seat."""
    return members.company(table.office, table.game, number, None, table.now).back


def test_the_last_second_of_the_grace_time_is_in_it_and_its_end_is_not(table: Table) -> None:
    number = played(table)
    until = table.now + GRACE
    table.later(minutes=10, seconds=-1)
    assert offered(table, number) == BackView(1, "issue 2", until)
    table.later(seconds=1)
    assert offered(table, number) == BackView(1, "issue 2", None)
    with pytest.raises(NotNow, match="all others have to agree"):
        takeback.take_back(table.office, table.game, number, table.now)


def test_in_its_last_second_orders_are_taken_back(table: Table) -> None:
    number = played(table)
    assert takeback.take_back(table.office, table.game, number, table.later(minutes=10, seconds=-1)) == 2


def test_nothing_is_offered_to_whom_the_last_orders_are_not_and_nothing_once_they_are_gone(table: Table) -> None:
    number = played(table)
    assert offered(table, seat_of(table, table.view().waiting_for)) is None
    takeback.take_back(table.office, table.game, number, table.now)
    assert offered(table, number) is None


def _ask(office: Office, game: str, number: int, now: datetime, *, only: int) -> None:
    votes.ask(office, game, number, TakingBack(only), now)


@pytest.mark.parametrize("way", [takeback.take_back, _ask])
def test_who_names_orders_takes_back_those_and_no_others(table: Table, way: Callable[..., object]) -> None:
    number = played(table)
    for only in (0, 2):
        with pytest.raises(NotNow, match="moved on"):
            way(table.office, table.game, number, table.now, only=only)
    way(table.office, table.game, number, table.now, only=1)


def test_orders_of_ones_own_that_wait_do_not_keep_one_from_taking_back(table: Table) -> None:
    number = played(table)
    table.send("issue 1", seat=table.view().seats[number].seat, version=1)
    assert takeback.take_back(table.office, table.game, number, table.now) == 2


def test_who_was_told_of_the_withdrawn_question_is_told_by_whom_and_when(table: Table) -> None:
    number = played(table)
    table.later(minutes=10)
    assert table.send_all() == ["your-turn"]
    told = table.now
    asked = seat_of(table, table.view().waiting_for)
    vote = votes.ask(table.office, table.game, number, TakingBack(), table.later(minutes=5))
    assert vote is not None
    for other in {0, 1, 2, 3} - {number}:
        votes.answer(table.office, table.game, vote, other, True, table.now)
    (row,) = table.letters("taken-back")
    letter = table.read(row)
    assert (row.seat_number, letter.own) == (asked, TakenBack(table.view().seats[number].name, told))
    assert [row.version for row in table.letters("your-turn", "waiting")] == [2]


def test_a_sentence_holds_two_hundred_characters_of_orders() -> None:
    assert takeback.short("a\nb") == "a; b"
    assert takeback.short("x" * 200) == "x" * 200
    assert takeback.short("x" * 201) == "x" * 199 + "…"
