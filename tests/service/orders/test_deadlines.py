"""What time does, and orders at their edges: what is due, which are the same, and what an error leaves behind."""

import logging
from datetime import datetime

import pytest
from sqlalchemy import update

from pbem.engine import say
from pbem.service import NoSuch, Office
from pbem.service.base import queries
from pbem.service.base.task_hints import Hint
from pbem.service.games import views
from pbem.service.operator import due
from pbem.service.orders import deadlines, submissions
from pbem.store.statuses import GameStatus
from pbem.store.tables import Seat
from pbem.transport import broker
from tests.table import Table, asked_in

pytestmark = pytest.mark.postgresql  # rows that are skipped while somebody has them


def test_nothing_is_due_before_its_time(dealt: Table) -> None:
    dealt.later(hours=47)
    assert list(due.reminders(dealt.office, dealt.now)) == []
    assert list(due.deadlines(dealt.office, dealt.now)) == []
    assert not deadlines.remind(dealt.office, dealt.game, dealt.now)
    assert not deadlines.deadline(dealt.office, dealt.game, dealt.now)


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


def test_every_question_has_its_own_reminder(dealt: Table) -> None:
    for _ in range(2):
        dealt.later(hours=48)
        assert deadlines.remind(dealt.office, dealt.game, dealt.now)
        dealt.play()
    assert [row.version for row in dealt.letters("reminder")] == [0, 1]


def test_at_the_end_of_the_time_the_default_is_played_and_told(table: Table) -> None:
    view = table.start()
    default = str(view.sheet.default(view.state))
    table.later(hours=72)
    assert list(due.deadlines(table.office, table.now)) == [table.game]
    assert deadlines.deadline(table.office, table.game, table.now)
    assert not deadlines.deadline(table.office, table.game, table.now), "worked off twice it plays one order"
    after = table.view()
    assert (after.log[1].seat, after.log[1].orders, after.log[1].cause) == (view.waiting_for, default, "deadline")
    assert after.deadline == table.now + view.turn_time
    (row,) = table.letters("default-played")
    letter = table.read(row)
    assert (letter.seat, letter.own.orders) == (view.waiting_for, default)
    assert [move.number for move in letter.moves] == [0, 1]


def test_orders_that_came_in_time_go_before_the_default(table: Table) -> None:
    view = table.start()
    orders = view.sheet.legal(view.state)
    assert orders is not None
    table.send(orders[-1])
    table.later(hours=73)
    assert not deadlines.deadline(table.office, table.game, table.now)
    assert [move.cause for move in table.view().log] == ["start", "player"]


def test_orders_of_a_plan_go_before_the_default_to_the_last(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_where_no_game_is_nothing_is_set_aside(dealt: Table) -> None:
    dealt.send("issue 1")
    with pytest.raises(NoSuch):
        submissions.play_waiting(dealt.office, "nowhere", dealt.now)
    assert [row.status for row in dealt.submissions()] == ["waiting"]


def test_orders_for_a_game_that_is_about_to_end_are_told_so(table: Table) -> None:
    asked = table.start().waiting_for
    with table.office.write() as session:
        queries.locked(session, table.game).status = GameStatus.STOPPING
    assert "agreed to end the game" in sentence(table, table.play("issue 1", seat=asked, version=0).id)


def test_the_log_names_game_and_submission_of_what_was_played_and_of_what_is_stuck(
    dealt: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "pbem.service.orders.submissions")
    played = dealt.play("issue 1").id

    def fails(*_: object) -> None:
        raise ZeroDivisionError("an error of ours")

    monkeypatch.setattr(submissions, "_play", fails)
    stuck = dealt.play("issue 1").id
    told = [(record.levelname, vars(record)["game"], vars(record)["submission"]) for record in caplog.records]
    assert told == [("INFO", dealt.game, played), ("ERROR", dealt.game, stuck)]


def test_an_answer_by_mail_is_confirmed_to_who_has_the_seat_and_is_not_asked_again(dealt: Table) -> None:
    view = dealt.view()
    dealt.play("issue 1", via="mail")
    (letter,) = dealt.letters("played")
    number = next(seat.number for seat in view.seats if seat.seat == view.waiting_for)
    assert (letter.seat_number, letter.version) == (number, 1)
    dealt.put(update(Seat).values(account_id=None))
    dealt.play("issue 1", via="mail")
    assert len(dealt.letters("played")) == 1


@pytest.mark.parametrize(("others", "told"), [(0, "sent"), (2, "sent"), (3, "withdrawn")])
def test_an_answer_by_mail_is_confirmed_unless_a_question_has_told_it(dealt: Table, others: int, told: str) -> None:
    dealt.play("issue 1", via="mail")
    for _ in range(others):  # three issue shares, and then the first one is asked again, for a bid
        dealt.play()
    assert "played" not in dealt.send_all()
    dealt.later(minutes=5)
    dealt.send_all()
    assert [letter.status for letter in dealt.letters("played")] == [told]


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
