"""Emails that answer our letters: what is done with them depends on the letter, on the word, and on who sent it."""

from datetime import date, timedelta
from typing import Any

import pytest

from pbem.engine import Who
from pbem.engine.position_text import Fixed
from pbem.mail.writing import write
from pbem.rails.board_text import BOARD
from pbem.service.email_in import days, incoming
from pbem.service.games import votes
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.letters import talk
from pbem.service.orders import submissions
from pbem.service.people import absences, accounts
from pbem.store.statuses import MoveCause, SeatStatus
from pbem.store.tables import Account, Letter
from tests.service.actors import not_asked, resign
from tests.table import Table

sent = iter(range(10**6))


def reply(table: Table, row: Letter, text: str, sender: str | None = None) -> str:
    """An email that answers a letter, from its reader or from elsewhere."""
    with table.office.read() as session:
        own = session.get_one(Account, row.account_id).address
    number = next(sent)
    mail = incoming.Mail(text, own if sender is None else sender, f"<{number}@example.net>", str(number))
    return incoming.take(table.office, row.id, mail, table.now)


def asked(table: Table, kind: str = "your-turn") -> Letter:
    table.send_all()
    return table.letters(kind)[-1]


def told(table: Table, kind: str) -> Any:
    """What the last letter of a kind says of its own."""
    return table.read(table.letters(kind)[-1]).own


def letter_to(table: Table, kind: str, number: int) -> Letter:
    table.send_all()
    return next(row for row in table.letters(kind) if row.seat_number == number and row.game_id == table.game)


# Invitations


@pytest.mark.parametrize(
    "text",
    ["yes", "Yes, gladly!", "I accept", "ok\n\nChloé", "sim", "yes please", "Hello,\n\nyes\n\nBest regards\nBen"],
)
def test_an_invitation_is_accepted_by_a_reply_that_says_yes(table: Table, text: str) -> None:
    table.open()
    row = letter_to(table, "invitation", 2)
    assert reply(table, row, text) == "accepted"
    assert table.view().seats[2].status == SeatStatus.ACCEPTED
    assert told(table, "done").what == "accepted"


def test_the_last_yes_starts_the_game_and_the_game_itself_is_the_answer(table: Table) -> None:
    table.open()
    for number in (1, 2, 3):
        reply(table, letter_to(table, "invitation", number), "yes")
    assert table.view().started_at is not None
    assert len(table.letters("done")) == 2


def test_an_invitation_is_declined_by_no_and_what_says_neither_is_asked_again(table: Table) -> None:
    table.open()
    row = letter_to(table, "invitation", 1)
    reply(table, row, "What is this?")
    assert table.view().seats[1].status == SeatStatus.INVITED
    again = table.letters("not-taken")[-1]
    assert "neither yes nor no" in told(table, "not-taken").why.one
    assert reply(table, again, "No, thanks") == "declined"
    assert table.view().seats[1].status == SeatStatus.DECLINED


def test_an_invitation_that_was_given_to_somebody_else_is_answered_in_one_line(table: Table) -> None:
    table.open()
    row = letter_to(table, "invitation", 1)
    eva = table.account("Eva")
    with table.office.game(table.game, table.now) as work:
        work.numbered(1).account_id = eva
    reply(table, row, "yes")
    assert table.view().seats[1].status == SeatStatus.INVITED
    assert "no longer valid" in told(table, "not-taken").why.one


def test_a_free_seat_is_taken_by_a_reply_that_says_yes(table: Table) -> None:
    table.start()
    fay = table.account("Fay")
    with table.office.write() as session:
        session.get_one(Account, fay).substitute = True
    number = not_asked(table)
    resign(table, number)
    table.send_all()
    row = next(row for row in table.letters("substitute-wanted") if row.account_id == fay)
    assert reply(table, row, "Who are you?") == incoming.NOTHING
    assert reply(table, row, "yes") == "seat taken"
    with table.office.look(table.game, table.now) as look:
        assert look.numbered(number).account_id == fay
    table.later(hours=2)
    assert reply(table, row, "yes") == "seat taken"


# Letters that ask nothing


def test_a_reply_to_a_letter_that_asks_nothing_is_answered_with_one_line_once_an_hour(table: Table) -> None:
    table.start()
    row = letter_to(table, "game-started", 1)
    for text in ("Thank you!", "Hello?", "I am away until Monday."):
        reply(table, row, text)
    assert len(table.letters("not-taken")) == 1
    assert "are not read" in told(table, "not-taken").why.one
    table.later(hours=1, seconds=1)
    reply(table, row, "Hello?")
    assert len(table.letters("not-taken")) == 2


def test_orders_in_reply_to_a_letter_that_asks_nothing_are_neither_played_nor_told_to_the_others(table: Table) -> None:
    table.start()
    talk.post(table.office, table.game, 1, "Good luck!", table.now)
    row = letter_to(table, "game-started", table.number_asked())
    reply(table, row, "issue 2")
    assert table.submissions() == []
    assert [post.text for post in talk.said(table.office, table.game)] == ["Good luck!"]
    assert "no orders were played" in told(table, "not-taken").why.one


def test_a_letter_that_asks_nothing_and_carries_talk_is_answered_into_the_talk(table: Table) -> None:
    table.start()
    talk.post(table.office, table.game, 1, "Good luck!", table.now)
    row = letter_to(table, "game-started", 2)
    assert reply(table, row, "Thanks, and to you!\nMay Ben lose.") == "said"
    assert talk.said(table.office, table.game)[-1].text == "Thanks, and to you!\nMay Ben lose."
    assert table.letters("not-taken") == []


def test_beside_a_question_only_what_stands_under_say_is_talk(table: Table) -> None:
    table.start()
    talk.post(table.office, table.game, 1, "Good luck!", table.now)
    row = asked(table)
    assert row.talk_up_to
    reply(table, row, "issue 2\n\nsay To you, too!")
    reply(table, row, "say Once more")
    assert [one.text for one in table.submissions()] == ["issue 2"]
    assert [post.text for post in talk.said(table.office, table.game)][1:] == ["To you, too!", "Once more"]


def test_what_holds_nothing_like_orders_is_answered_once_an_hour_and_told_later_in_one_letter(table: Table) -> None:
    table.start()
    row = asked(table)
    for text in ("I am back on Monday.", "Please write to my colleague.", ""):
        reply(table, row, text)
        submissions.play_waiting(table.office, table.game, table.now)
        table.send_all()
    assert (len(table.letters("refused", "sent")), len(table.letters("refused", "waiting"))) == (1, 1)
    table.later(hours=1)
    assert "refused" in table.send_all()
    assert told(table, "refused").more == 1


def test_who_mistypes_an_order_is_told_at_once_each_time(table: Table) -> None:
    table.start()
    row = asked(table)
    for text in ("isue 2", "issue many", "Issue 99", "hello\nissue 2\nbye now and then"):
        reply(table, row, text)
        submissions.play_waiting(table.office, table.game, table.now)
        table.send_all()
        table.later(minutes=1)
    assert len(table.letters("refused", "sent")) == 3  # more in a row than these are told on the next day


# Words that change something


def test_an_absence_is_announced_and_ended_by_email(table: Table) -> None:
    table.start()
    row = asked(table)
    reply(table, row, "away from 24 Dec to 2 Jan")
    (absence,) = absences.of(table.office, row.account_id, table.now)
    assert (absence.first, absence.last) == (date(2026, 12, 24), date(2027, 1, 2))
    assert told(table, "done").what == "away"
    reply(table, row, "back")
    assert absences.of(table.office, row.account_id, table.now) == ()
    reply(table, row, "away from soon to later")
    assert "not a date" in told(table, "not-taken").why.one


def test_the_notice_of_somebody_on_holiday_is_no_absence(table: Table) -> None:
    table.start()
    row = asked(table)
    for text in ("Away until Monday", "I am away from 24 Dec to 2 Jan", "away\nI come back on Monday"):
        reply(table, row, text)
    assert absences.of(table.office, row.account_id, table.now) == ()


def test_who_resigns_is_asked_back_and_leaves_with_yes(table: Table) -> None:
    table.start()
    row = asked(table)
    reply(table, row, "resign")
    assert table.view().seats[row.seat_number or 0].status == SeatStatus.ACCEPTED
    question = table.letters("asked-back")[-1]
    assert told(table, "asked-back").what == "resign"
    reply(table, question, "no")
    assert told(table, "done").what == "kept"
    assert reply(table, question, "Yes.") == "confirmed"
    assert table.view().seats[row.seat_number or 0].status == SeatStatus.VACANT
    assert told(table, "done").what == "resigned"
    assert reply(table, question, "yes") == "nothing could be done with it"


def test_a_question_back_is_answered_for_two_weeks(table: Table) -> None:
    table.start()
    row = asked(table)
    reply(table, row, "resign")
    table.later(days=14)
    reply(table, table.letters("asked-back")[-1], "yes")
    assert table.view().seats[row.seat_number or 0].status == SeatStatus.ACCEPTED


def test_a_pause_is_asked_for_agreed_to_and_ended_by_email(table: Table) -> None:
    table.start()
    row = asked(table)
    reply(table, row, "Pause until 5 December")
    assert told(table, "done").what == "asked"
    others = [
        letter_to(table, "pause-asked", seat.number) for seat in table.view().seats if seat.number != row.seat_number
    ]
    for other in others:
        assert reply(table, other, "agree") == "voted yes"
    assert table.view().paused_at
    reply(table, row, "resume")
    assert not table.view().paused_at
    reply(table, row, "resume")
    assert "not paused" in told(table, "not-taken").why.one


def test_a_vote_is_answered_from_another_email_when_it_is_confirmed(table: Table) -> None:
    table.start()
    row = asked(table)
    reply(table, row, "agree")
    assert "No vote" in told(table, "not-taken").why.one
    vote = votes.ask(table.office, table.game, not_asked(table), EndingEarly(), table.now)
    reply(table, row, "I agree")
    question = table.letters("asked-back")[-1]
    assert told(table, "asked-back").vote.id == vote
    reply(table, question, "yes")
    seat = table.view().seats[row.seat_number or 0].seat
    assert Who(seat) in told(table, "done").vote.agreed


def test_undo_asks_the_others_where_they_have_to_agree_and_only_when_it_is_meant(table: Table) -> None:
    table.start()
    row = asked(table)
    reply(table, row, "issue 2")
    submissions.play_waiting(table.office, table.game, table.now)
    reply(table, row, "undo")
    assert table.letters("consent-asked") == []
    reply(table, table.letters("asked-back")[-1], "yes")
    asking = table.letters("consent-asked")
    assert len(asking) == 3
    for other in asking:
        reply(table, other, "yes")
    assert table.view().log[-1].cause == MoveCause.TAKEN_BACK


def test_words_from_elsewhere_are_asked_back_at_the_reader_s_own_address(table: Table) -> None:
    table.start()
    row = asked(table)
    reply(table, row, "away from 24 Dec to 2 Jan", sender="someone@example.com")
    assert absences.of(table.office, row.account_id, table.now) == ()
    question = table.letters("asked-back")[-1]
    assert question.account_id == row.account_id
    assert told(table, "asked-back").sender == "someone@example.com"
    reply(table, question, "yes")
    assert len(absences.of(table.office, row.account_id, table.now)) == 1


def test_a_change_of_mind_says_what_was_played_and_how_it_is_taken_back(table: Table) -> None:
    table.start(grace=timedelta(minutes=10))
    row = asked(table)
    for text in ("issue 2", "issue 4"):
        reply(table, row, text)
        submissions.play_waiting(table.office, table.game, table.now)
    said = told(table, "refused")
    assert (said.answered, said.back.orders, said.stands) == ("issue 2", "issue 2", None)
    assert said.back.until == table.now + timedelta(minutes=10)
    assert "undo" in said.words
    table.later(minutes=11)
    assert told(table, "refused").back.until is None
    reply(table, row, "undo")
    assert told(table, "asked-back").what == "undo"
    table.play()
    gone_on = told(table, "refused")
    assert (gone_on.answered, gone_on.back) == ("issue 2", None)
    assert "moved on" in gone_on.stands.one


def test_what_cannot_be_played_names_orders_like_it_and_the_words_of_the_moment(table: Table) -> None:
    table.start()
    row = asked(table)
    reply(table, row, "issue 99")
    submissions.play_waiting(table.office, table.game, table.now)
    said = told(table, "refused")
    assert said.similar[0].startswith("issue ")
    assert set(said.words) >= {"help", "try", "resign", "pause"}
    assert not set(said.words) & {"undo", "cancel", "yes", "back", "resume"}
    reply(table, row, "dance 2")
    submissions.play_waiting(table.office, table.game, table.now)
    sentence = told(table, "refused").sentence
    assert sentence.endswith("An order starts with one of these words: issue and cancel.")


# Standing orders


def test_cancel_is_answered_also_while_its_sender_is_asked(table: Table) -> None:
    table.start()
    row, colour = asked(table), table.view().waiting_for
    waits = submissions.NewSubmission(colour, "bid max 4", None, "page")
    submissions.submit(table.office, table.game, waits, table.now)
    submissions.play_waiting(table.office, table.game, table.now)
    assert table.letters("played") == []
    for cancelled in (("bid max 4",), ()):
        reply(table, row, "cancel")
        submissions.play_waiting(table.office, table.game, table.now)
        assert told(table, "played").cancelled == cancelled
        table.later(minutes=1)


def test_no_three_letters_begin_the_names_of_two_months() -> None:
    beginnings = [{name[:3] for name in names} for names in days.MONTHS]
    assert sum(map(len, beginnings)) == len(set().union(*beginnings))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-12-24", date(2026, 12, 24)), ("24 Dec", date(2026, 12, 24)), ("dec 24th, 2027", date(2027, 12, 24)),
        ("2 January", date(2027, 1, 2)), ("tomorrow", date(2026, 11, 21)), ("Monday", date(2026, 11, 23)),
        ("Friday.", date(2026, 11, 20)), ("24th of december", date(2026, 12, 24)), ("3/4", None), ("soon", None),
        ("31 Feb", None), ("5 mars", None), ("2026-13-01", None), ("9999-12-31", date(9999, 12, 31)),
        ("24 de dezembro", date(2026, 12, 24)), ("2 stycznia", date(2027, 1, 2)), ("24 dic", date(2026, 12, 24)),
        ("5 paz", date(2027, 10, 5)), ("jutro", date(2026, 11, 21)),
        ("el 5 de diciembre", date(2026, 12, 5)), ("5 from dezembro", date(2026, 12, 5)),
    ],
)  # fmt: skip
def test_days_are_read_as_people_write_them_and_what_could_be_two_is_none(text: str, day: date | None) -> None:
    assert days.read(text, date(2026, 11, 20)) == day


# Other addresses


def test_an_answer_from_another_address_is_played_and_the_owner_told_once_for_each(table: Table) -> None:
    table.start()
    row = asked(table)
    with table.office.read() as session:
        own = session.get_one(Account, row.account_id).address.replace("@", "+games@")
    for sender in ("friend@example.com", "friend@example.com", own, "other@example.com"):
        reply(table, row, "try issue 1", sender=sender)
    assert [table.read(one).own.sender for one in table.letters("from-elsewhere")] == [
        "friend@example.com", "other@example.com"
    ]  # fmt: skip
    reply(table, row, "issue 2", sender="friend@example.com")
    submissions.play_waiting(table.office, table.game, table.now)
    assert table.view().log[-1].orders == "issue 2"
    assert {one.account_id for one in table.letters("from-elsewhere")} == {row.account_id}


def test_who_has_closed_answers_from_elsewhere_is_told_of_them_and_nothing_is_done(table: Table) -> None:
    table.start()
    row = asked(table)
    reply(table, row, "say Hello", sender="friend@example.com")
    notice = table.letters("from-elsewhere")[-1]
    reply(table, notice, "close", sender="friend@example.com")
    assert not accounts.wants(table.office, row.account_id, "own_mail")
    assert reply(table, notice, "Close.") == "closed to others"
    assert told(table, "done").what == "closed"
    table.later(hours=2)
    assert reply(table, row, "issue 2", sender="friend@example.com") == incoming.NOTHING
    assert table.submissions() == []
    assert str(told(table, "not-taken").why).startswith("We ignored an email from friend@example.com: ")
    reply(table, row, "issue 2")
    assert [one.text for one in table.submissions()] == ["issue 2"]


def test_places_are_explained_in_one_email_and_nothing_is_played(table: Table) -> None:
    table.start()
    row = asked(table)
    assert reply(table, row, "map\ndescribe K12\nlink Chicago to Toledo\nreach Detroit\n\nThanks\nAna") == "explained"
    board, place, *others = (one.sections[0].head[0] for one in told(table, "explained").explanations)
    assert (board, place) == (Fixed(BOARD), "Toledo K12")
    assert [str(head).partition(" ")[0] for head in others] == ["L7", "No"]
    assert table.view().version == 0
    assert reply(table, table.letters("explained")[-1], "2").startswith("submission")


@pytest.mark.parametrize(("text", "kind"), [("more", "told"), ("describe Chicago\nMore.\nmap", "explained")])
def test_more_lists_all_answers_and_their_numbers_can_be_sent(table: Table, text: str, kind: str) -> None:
    table.start()
    reply(table, asked(table), text)
    row = table.letters(kind)[-1]
    letter = table.read(row)
    assert letter.asked is not None
    assert len(letter.asked.answers) == len(letter.asked.question.choices)
    last = letter.asked.answers[-1].order
    written = write(letter, "")
    for part in (written.text, written.html):
        assert f"{len(letter.asked.answers)}. " in part
    reply(table, row, str(len(letter.asked.answers)))
    submissions.play_waiting(table.office, table.game, table.now)
    assert table.view().log[1].orders == last
