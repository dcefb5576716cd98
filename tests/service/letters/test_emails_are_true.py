"""What emails say is so: what follows at the end of the time, until when, and to whom."""

from __future__ import annotations

from datetime import timedelta

from pbem.mail.writing import write
from pbem.service import kinds
from pbem.service.table import deadlines
from tests.table import Table


def text_of(table: Table, kind: str) -> str:
    """The text part of the last email of a kind, in one line."""
    return " ".join(write(table.read(table.letters(kind)[-1]), "").text.split())


def test_a_question_tells_what_the_host_chose_for_the_end_of_the_time(table: Table) -> None:
    table.start(turn_time=timedelta(days=1), at_zero="caretaker")
    assert "After that a caretaker plays for you until you are back." in text_of(table, "your-turn")


def test_a_seat_is_offered_at_the_end_of_the_time_and_a_safe_order_played_when_nobody_takes_it(table: Table) -> None:
    table.start(turn_time=timedelta(days=1), at_zero="substitute")
    offered = "After that your seat is offered to a substitute, and the game waits for one as long again."
    assert offered in text_of(table, "your-turn")
    assert deadlines.deadline(table.office, table.game, table.later(days=1))
    assert deadlines.remind(table.office, table.game, table.later(hours=17))
    assert "After that no share is issued for you." in text_of(table, "reminder")


# who answers by email -----------------------------------------------------------------------------------------


def test_the_confirmation_of_an_answer_is_a_text_without_picture_that_takes_words(table: Table) -> None:
    table.start()
    table.play(via="mail")
    row = table.letters("played")[-1]
    assert not kinds.of(row).pictured
    assert table.read(row).links.reply == table.office.addresses.reply(row.id)
    assert "reply with the word undo" in text_of(table, "played")
    assert "THE BOARD IN WORDS" not in text_of(table, "played")


def test_the_next_question_takes_the_place_of_a_confirmation_that_has_not_left(table: Table) -> None:
    table.start()
    asked = table.view().waiting_for
    table.play(via="mail")
    row = table.letters("played")[-1]
    while table.view().waiting_for != asked:
        table.play()
    table.later(minutes=5)
    table.send_all()
    kept = [(letter.status, letter.last_error) for letter in table.letters("played") if letter.id == row.id]
    assert kept == [("withdrawn", "the next question tells it")]
    assert "SINCE YOUR LAST TURN - Issue shares:" in text_of(table, "your-turn")
