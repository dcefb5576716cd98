"""Replies to a digest: for the game that is meant, or for none."""

from datetime import timedelta

import pytest

from pbem.engine import replace
from pbem.mail.writing import write
from pbem.service.email_in import incoming
from pbem.service.games import views
from pbem.service.letters import digests
from pbem.service.orders import submissions
from pbem.store.statuses import Sending
from pbem.store.tables import Account, Letter
from tests.service.email_in.test_incoming import reply
from tests.table import Table


def two_games(table: Table, other: str = "Iron by wire") -> tuple[str, str, int]:
    """Two games in which the same person is asked; the games, and the account."""
    table.start()
    first, asked = table.game, table.view().waiting_for
    name = next(seat.name for seat in table.view().seats if seat.seat == asked)
    table.start_anew(title=other)
    while next(seat.name for seat in table.view().seats if seat.seat == table.view().waiting_for) != name:
        table.play()
    return first, table.game, table.account(name)


def digest_for(table: Table, account: int, *others: str) -> Letter:
    """The digest of somebody who has not got the questions yet."""
    with table.office.write() as session:
        for row in session.query(Letter).filter(Letter.account_id == account, Letter.kind == "your-turn"):
            row.status, row.held, row.next_try_at = Sending.WAITING, True, table.now
    assert digests.make(table.office, account, table.now)
    return table.letters("digest")[-1]


def text_with_reply(table: Table, row: Letter) -> str:
    """The text of an email, in one line, where emails can be answered."""
    letter = table.read(row)
    answerable = replace(letter, envelope=replace(letter.envelope, reply_to="orders@play.example.org"))
    return " ".join(write(answerable, "").text.split())


def log(table: Table, game: str) -> list[str]:
    submissions.play_waiting(table.office, game, table.now)
    return [move.orders for move in views.game(table.office, game).log if move.orders]


def test_orders_below_the_name_of_a_game_are_for_that_game_and_for_no_other(table: Table) -> None:
    first, second, account = two_games(table)
    before = log(table, first)
    done = reply(table, digest_for(table, account), "Hi,\n\niron by wire:\nissue 1\n\nCheers\nAna")
    assert done.startswith("submission")
    assert log(table, second)[-1] == "issue 1"
    assert log(table, first) == before


def test_one_reply_answers_several_games(table: Table) -> None:
    first, second, account = two_games(table)
    reply(table, digest_for(table, account), "Coal by post\nissue 2\n\n“Iron by wire”\nissue 1")
    assert (log(table, first)[-1], log(table, second)[-1]) == ("issue 2", "issue 1")


@pytest.mark.parametrize("text", ["issue 1", "issue 1\nIron by wire\nissue 2", "Iron by wire", "help"])
def test_what_could_be_for_more_than_one_game_is_played_in_none_and_the_answer_says_how(
    table: Table, text: str
) -> None:
    first, second, account = two_games(table)
    before = log(table, first), log(table, second)
    assert reply(table, digest_for(table, account), text) == incoming.NOTHING
    assert (log(table, first), log(table, second)) == before
    told = table.read(table.letters("not-taken")[-1]).own.why
    assert set(told.values["games"].split(", ")) == {"Coal by post", "Iron by wire"}


def test_two_games_of_one_name_are_not_told_apart(table: Table) -> None:
    first, second, account = two_games(table, other="Coal by post")
    before = log(table, first), log(table, second)
    assert reply(table, digest_for(table, account), "Coal by post\nissue 1") == incoming.NOTHING
    assert (log(table, first), log(table, second)) == before


def test_a_digest_of_one_game_is_answered_without_its_name_and_words_are_understood(table: Table) -> None:
    table.start()
    asked = next(seat for seat in table.view().seats if seat.seat == table.view().waiting_for)
    account = table.account(asked.name)
    with table.office.write() as session:
        session.get_one(Account, account).mails = "digest"
    row = digest_for(table, account)
    assert "You can reply to this email with your orders." in text_with_reply(table, row)
    assert reply(table, row, "status") == "status"
    assert reply(table, row, "issue 1").startswith("submission")
    assert log(table, table.game)[-1] == "issue 1"


def test_orders_for_a_question_of_the_digest_that_was_answered_are_not_played_for_the_next_one(table: Table) -> None:
    table.start(turn_time=timedelta(days=3))
    asked = table.view().waiting_for
    account = table.account(next(seat.name for seat in table.view().seats if seat.seat == asked))
    with table.office.write() as session:
        session.get_one(Account, account).mails = "digest"
    row = digest_for(table, account)
    table.play("issue 0")
    while table.view().waiting_for != asked:
        table.play()
    before = log(table, table.game)
    reply(table, row, "drop")
    assert log(table, table.game) == before
