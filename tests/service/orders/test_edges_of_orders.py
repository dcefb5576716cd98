"""Orders at their edges: which are the same, when a worker is told of them, and what an error leaves behind."""

from __future__ import annotations

import logging

import pytest
from sqlalchemy import update

from pbem.engine.text import say
from pbem.service import NoSuch
from pbem.service.base import queries
from pbem.service.base.task_hints import Hint
from pbem.service.games import views
from pbem.service.orders import submissions
from pbem.store.statuses import GameStatus
from pbem.store.tables import Seat
from pbem.transport import broker
from tests.table import Table


def plan(table: Table, text: str, seat: str) -> int:
    """Orders for whatever is asked when they are played."""
    new = submissions.NewSubmission(seat, text, None, "page")
    return submissions.submit(table.office, table.game, new, table.now)


def sentence(table: Table, number: int) -> str:
    return str(views.submission(table.office, number).sentence)


def two_seats(table: Table) -> tuple[str, str]:
    """A seat that is not asked, and another one."""
    view = table.start()
    return tuple(seat.seat for seat in view.seats if seat.seat != view.waiting_for)[:2]  # type: ignore[return-value]


def test_a_plan_sent_twice_in_a_row_is_one_and_again_after_another_one_it_is_new(table: Table) -> None:
    seat, _ = two_seats(table)
    first = plan(table, "issue 1", seat)
    assert plan(table, "issue 1", seat) == first
    second = plan(table, "issue 2", seat)
    third = plan(table, "issue 1", seat)
    assert len({first, second, third}) == 3
    assert plan(table, "issue 1", seat) == third


def test_what_others_send_or_the_same_seat_in_another_game_makes_no_plan_new(table: Table) -> None:
    seat, other = two_seats(table)
    mine = table.game
    first = plan(table, "issue 1", seat)
    plan(table, "issue 2", other)
    table.start()
    plan(table, "issue 2", seat)
    table.game = mine
    assert plan(table, "issue 1", seat) == first


def test_there_is_a_hint_at_orders_until_they_are_played(table: Table) -> None:
    view = table.start()
    hint = Hint(broker.PLAY, table.game)
    for _ in range(2):
        table.hints.clear()
        table.send("issue 1")
        assert table.hints == [hint]
    submissions.play_waiting(table.office, table.game, table.now)
    table.hints.clear()
    table.send("issue 1", seat=view.waiting_for, version=0)
    assert table.hints == []


def test_a_mail_that_cannot_be_read_is_refused_once_and_as_a_whole(table: Table) -> None:
    view = table.start()
    new = submissions.NewSubmission(view.waiting_for, "?", 0, "mail", source="<1@example.org>")
    first = submissions.not_read(table.office, table.game, new, say("It is empty."), table.now)
    assert submissions.not_read(table.office, table.game, new, say("It is empty."), table.now) == first
    refused = views.submission(table.office, first)
    assert (refused.status, str(refused.sentence), refused.line) == ("refused", "It is empty.", 0)
    assert len(table.letters("refused")) == 1


def test_a_page_that_has_shown_orders_that_are_not_there_is_told_so(table: Table) -> None:
    table.open()
    with pytest.raises(NoSuch):
        submissions.seen(table.office, 1, table.now)


def test_where_no_game_is_nothing_is_set_aside(table: Table) -> None:
    table.start()
    table.send("issue 1")
    with pytest.raises(NoSuch):
        submissions.play_waiting(table.office, "nowhere", table.now)
    assert [row.status for row in table.submissions()] == ["waiting"]


def test_orders_for_a_game_that_is_about_to_end_are_told_so(table: Table) -> None:
    asked = table.start().waiting_for
    with table.office.write() as session:
        queries.locked(session, table.game).status = GameStatus.STOPPING
    assert "agreed to end the game" in sentence(table, table.play("issue 1", seat=asked, version=0).id)


def test_the_log_names_game_and_submission_of_what_was_played_and_of_what_is_stuck(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table.start()
    caplog.set_level(logging.INFO, "pbem.service.orders.submissions")
    played = table.play("issue 1").id

    def fails(*_: object) -> None:
        raise ZeroDivisionError("an error of ours")

    monkeypatch.setattr(submissions, "_play", fails)
    stuck = table.play("issue 1").id
    told = [(record.levelname, vars(record)["game"], vars(record)["submission"]) for record in caplog.records]
    assert told == [("INFO", table.game, played), ("ERROR", table.game, stuck)]


def test_an_answer_by_mail_is_confirmed_to_who_has_the_seat_and_is_not_asked_again(table: Table) -> None:
    table.start()
    view = table.view()
    table.play("issue 1", via="mail")
    (letter,) = table.letters("played")
    number = next(seat.number for seat in view.seats if seat.seat == view.waiting_for)
    assert (letter.seat_number, letter.version) == (number, 1)
    with table.office.write() as session:
        queries.locked(session, table.game)
        session.execute(update(Seat).values(account_id=None))
    table.play("issue 1", via="mail")
    assert len(table.letters("played")) == 1


@pytest.mark.parametrize(("others", "told"), [(0, "sent"), (2, "sent"), (3, "withdrawn")])
def test_an_answer_by_mail_is_confirmed_after_five_minutes_unless_a_question_has_told_it(
    table: Table, others: int, told: str
) -> None:
    table.start()
    table.play("issue 1", via="mail")
    for _ in range(others):  # three issue shares, and then the first one is asked again, for a bid
        table.play()
    assert "played" not in table.send_all()
    table.later(minutes=5)
    table.send_all()
    assert [letter.status for letter in table.letters("played")] == [told]


def test_who_answers_by_mail_and_is_asked_again_reads_the_new_question_and_no_confirmation(table: Table) -> None:
    table.start(game="steam-power", map="ireland")
    table.play("cash", via="mail")
    assert table.letters("played") == []
    table.play("cash", via="mail")
    assert len(table.letters("played")) == 1


def test_several_orders_in_one_are_moves_of_their_own_from_the_first_number_on(table: Table) -> None:
    table.start(game="steam-power", map="ireland")
    table.play("cash\ncash")
    (row,) = table.submissions()
    assert (row.move_number, row.moves, table.view().version) == (1, 2, 2)
    assert [(move.number, move.orders) for move in table.view().log[1:]] == [(1, "cash"), (2, "cash")]
