"""What letters hold, at its edges: the question, the moves they tell, and what is said of orders."""

from __future__ import annotations

from sqlalchemy import update

from pbem.service.base import queries
from pbem.service.base.work import NewLetter
from pbem.service.letters.kinds.accounts import AccountDeleted
from pbem.service.letters.kinds.orders import Played
from pbem.service.orders import deadlines
from pbem.store.tables import Move, Submission
from pbem.views.letters import LetterView
from tests.table import Table


def last(table: Table, kind: str) -> LetterView:
    return table.read(table.letters(kind)[-1])


def numbers(letter: LetterView) -> list[int]:
    return [move.number for move in letter.moves]


def test_a_reminder_asks_what_the_question_asked(table: Table) -> None:
    view = table.start()
    assert deadlines.remind(table.office, table.game, table.later(hours=48))
    asked = last(table, "reminder").asked
    assert asked is not None
    assert asked.question == view.sheet.question(view.state)


def test_the_first_question_tells_the_deal_and_the_next_ones_begin_with_what_the_reader_brought_about(
    table: Table,
) -> None:
    table.start(game="steam-power", map="ireland")
    assert numbers(last(table, "your-turn")) == [0]
    asked = table.view().waiting_for
    table.play("cash")
    assert table.view().waiting_for == asked
    assert numbers(last(table, "your-turn")) == [1]


def test_orders_that_were_taken_back_are_not_the_readers_last(table: Table) -> None:
    table.start(game="steam-power", map="ireland")
    table.play("cash")
    with table.office.write() as session:
        queries.locked(session, table.game)
        session.execute(update(Move).where(Move.number == 1).values(taken_back_by=1))
    assert numbers(last(table, "your-turn")) == [0, 1]


def test_the_confirmation_of_orders_tells_them_and_what_waits_of_them(table: Table) -> None:
    table.start()
    table.play("issue 1")
    table.play("issue 2\nbid max 1", via="mail")
    letter = last(table, "played")
    assert numbers(letter) == [2]
    assert ["bid max 1" in str(words) for words in letter.own.kept] == [True]


def test_the_confirmation_of_orders_that_all_wait_tells_nothing_that_happened(table: Table) -> None:
    table.start()
    table.play("issue 1")
    with table.office.game(table.game, table.now) as work:
        work.session.execute(update(Submission).values(move_number=None))
        seat = work.seats[0]
        work.write(NewLetter(Played(1), "x", 1, game=work.game, seat=seat, version=work.game.version))
    assert numbers(last(table, "played")) == []


def test_orders_about_which_nothing_is_said_are_refused_without_a_sentence(table: Table) -> None:
    table.start()
    table.play("issue 99", via="mail")
    with table.office.write() as session:
        queries.locked(session, table.game)
        session.execute(update(Submission).values(sentence=None))
    own = last(table, "refused").own
    assert (own.text, own.sentence) == ("issue 99", "")


def test_who_declines_is_named(table: Table) -> None:
    table.open()
    table.answer(2, accept=False)
    assert last(table, "declined").own.name == "Chloé"


def test_the_last_letter_to_an_account_hangs_with_no_other(table: Table) -> None:
    table.open()
    with table.office.work(table.now) as work:
        work.write(NewLetter(AccountDeleted("ben@example.org", "Ben"), "the last", 2))
    envelope = last(table, "account-deleted").envelope
    assert (envelope.to, envelope.name, envelope.thread_id) == ("ben@example.org", "Ben", "")
    assert envelope.message_id.startswith("<account-deleted.")
