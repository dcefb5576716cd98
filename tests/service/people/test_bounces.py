"""Letters that come back: when mails stop, who is told, and how they begin again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from pbem.service.base import queries
from pbem.service.base.tokens import Tokens
from pbem.service.base.work import NewLetter
from pbem.service.letters import outbox
from pbem.service.letters.kinds.accounts import AccountDeleted, DeliveryTest
from pbem.service.letters.kinds.games import Invitation
from pbem.service.people import accounts, bounces
from pbem.store.tables import Game, Letter, Returned, Seat
from tests.table import START, Table

NOBODY = "550 5.1.1 <ben@example.org>: Recipient address rejected: User unknown"


def sent(table: Table, kind: str, account: int) -> Letter:
    """The last letter of a kind to an account, sent."""
    table.send_all()
    return [row for row in table.letters(kind) if row.account_id == account][-1]


def next_question(table: Table, account: int) -> Letter:
    """Play on until the account is asked again and its letter is out."""
    for _ in range(60):
        table.play()
        view = table.view()
        asked = next(seat.number for seat in view.seats if seat.seat == view.waiting_for) + 1
        if asked == account:
            return sent(table, "your-turn", account)
    raise AssertionError("never asked")


def back(table: Table, letter: Letter, status: str = "5.1.1", answer: str = NOBODY) -> None:
    bounces.returned(table.office, letter.id, status, answer, table.now)


def off(table: Table, account: int = 2) -> bool:
    return bounces.unreachable(table.office, account) is not None


def test_one_letter_that_comes_back_stops_nothing_and_two_do(table: Table) -> None:
    table.start()
    first = next_question(table, 2)
    back(table, first)
    back(table, first)
    assert not off(table, 2)
    back(table, next_question(table, 2))
    view = bounces.unreachable(table.office, 2)
    assert view is not None
    assert (view.since, str(view.meaning), view.answer) == (table.now, "There is no such mailbox.", NOBODY)


def test_the_log_of_deliveries_tells_that_a_letter_came_back(table: Table) -> None:
    table.start()
    letter = next_question(table, 2)
    back(table, letter)
    (row,) = [row for row in table.letters() if row.id == letter.id]
    assert (row.status, row.last_error) == ("failed", f"5.1.1 {NOBODY}")


def test_the_host_is_told_once_per_game_without_the_address(table: Table) -> None:
    table.start()
    for _ in range(3):
        back(table, next_question(table, 2))
        table.later(hours=1)
    (letter,) = table.letters("mail-returned")
    assert letter.account_id == table.host
    said = table.read(letter)
    assert (said.own.person, str(said.own.why), said.seat != "") == ("Ben", "There is no such mailbox.", True)
    assert "ben@example.org" not in repr(letter.data)


def test_a_host_whose_own_mails_come_back_gets_no_letter_about_it(table: Table) -> None:
    table.start()
    for _ in range(2):
        back(table, next_question(table, table.host))
    assert off(table, table.host)
    assert table.letters("mail-returned") == []


def test_letters_to_an_address_that_does_not_work_are_withdrawn(table: Table) -> None:
    table.start()
    for _ in range(2):
        back(table, next_question(table, 2))
    letter = next_question(table, 2)
    assert (letter.status, letter.last_error) == ("withdrawn", outbox.UNREACHABLE)
    assert next_question(table, 3).status == "sent"


def test_the_owner_switches_mail_on_and_gets_a_test_and_the_open_question(table: Table) -> None:
    table.start()
    for _ in range(2):
        back(table, next_question(table, 2))
    next_question(table, 2)
    assert bounces.switch_on(table.office, 2, table.later(hours=1))
    assert not off(table, 2)
    assert sorted(table.send_all()) == ["test", "your-turn"]
    assert not bounces.switch_on(table.office, 2, table.now)
    assert len(table.letters("test")) == 1


@pytest.mark.postgresql
def test_an_invitation_that_comes_back_is_told_at_once(table: Table) -> None:
    table.open()
    back(table, sent(table, "invitation", 3))
    assert off(table, 3)
    (letter,) = table.letters("mail-returned")
    assert table.read(letter).own.person == "Chloé"


def test_a_return_path_survives_capitals() -> None:
    token = Tokens("a key that only tests know").numbered("bounce", 1234)
    assert len(f"bounce+{token}") <= 64
    assert Tokens("a key that only tests know").read_numbered("bounce", token.upper()) == 1234


def letter(table: Table, key: str, account: int = 2, payload: object = None) -> int:
    """A letter that was sent."""
    with table.office.work(table.now) as work:
        work.write(NewLetter(payload or DeliveryTest(), key, account))  # type: ignore[arg-type]
        outbox.finish(work)
        number = work.session.scalars(select(Letter.id).where(Letter.key == key)).one()
        work.session.execute(update(Letter).where(Letter.id == number).values(status="sent", sent_at=table.now))
    return number


def come_back(table: Table, number: int, status: str = "5.2.2") -> None:
    bounces.returned(table.office, number, status, "the answer", table.now)


def returns(table: Table) -> list[Returned]:
    with table.office.read() as session:
        return list(session.scalars(select(Returned).order_by(Returned.letter_id)))


def test_letters_to_somebody_else_and_those_of_thirty_days_ago_do_not_count(table: Table) -> None:
    table.start()
    come_back(table, letter(table, "of Chloé", 3))
    come_back(table, letter(table, "first"))
    assert (off(table, 2), off(table, 3)) == (False, False)
    table.later(days=30)
    come_back(table, letter(table, "second"))
    assert not off(table)
    table.later(days=30, seconds=-1)
    come_back(table, letter(table, "third"))
    assert (off(table, 2), off(table, 3)) == (True, False)


def test_the_very_first_letter_of_a_server_that_comes_back_is_noted(table: Table) -> None:
    accounts.ask_login(table.office, "ana@example.org", table.now)
    (login,) = table.letters()
    come_back(table, login.id)
    assert [(row.letter_id, row.account_id) for row in returns(table)] == [(login.id, login.account_id)]


def test_what_was_cleared_counts_no_more_and_that_of_others_stays(table: Table) -> None:
    table.start()
    first = letter(table, "first")
    come_back(table, letter(table, "of Chloé", 3))
    come_back(table, first)
    come_back(table, letter(table, "second"))
    assert off(table)
    assert bounces.switch_on(table.office, 2, table.later(days=1))
    assert not bounces.switch_on(table.office, 2, table.now)
    assert [row.cleared_at for row in returns(table)] == [table.now, None, table.now]
    come_back(table, letter(table, "third"))
    assert not off(table)
    table.later(hours=1)
    come_back(table, first)
    assert off(table)
    assert (returns(table)[0].at, returns(table)[0].cleared_at) == (table.now, None)


def test_the_first_reason_why_letters_stopped_is_kept(table: Table) -> None:
    table.start()
    for key, status in (("first", "5.2.2"), ("second", "5.2.1"), ("third", "5.1.1")):
        come_back(table, letter(table, key), status)
        table.later(hours=1)
    view = bounces.unreachable(table.office, 2)
    assert view is not None
    assert (str(view.meaning), view.since, view.answer) == (
        "The mailbox is closed.",
        START + timedelta(hours=1),
        "the answer",
    )


@pytest.mark.parametrize("status", ["4.2.2", "4.5.0"])
def test_what_came_back_for_now_is_counted_nowhere(table: Table, status: str) -> None:
    table.start()
    come_back(table, letter(table, "first"), status)
    assert returns(table) == []


def test_the_last_letter_to_a_deleted_account_is_looked_after_by_nobody(table: Table) -> None:
    table.start()
    last = letter(table, "last", payload=AccountDeleted("ben@example.org", "Ben"))
    come_back(table, last)
    bounces.refused(table.office, last, "550 5.1.1 unknown", table.now)
    come_back(table, 999)
    bounces.refused(table.office, 999, "550 5.1.1 unknown", table.now)
    assert returns(table) == []


@pytest.mark.parametrize(
    ("answer", "status", "stops"),
    [
        ("550 5.1.1 unknown", "5.1.1", True),
        ("550 5.2.1 closed", "5.2.1", True),
        ("550 5.1.10 null", "5.1.10", True),
        ("550 5.7.1 spam", "5.7.1", False),
        ("550 no such user", "5.0.0", True),
        ("550 4.7.1 strange", "5.0.0", False),
        ("550 15.1.1 or 5.1.1111", "5.0.0", True),
    ],
)
def test_a_refusal_at_once_stops_letters_when_it_is_about_the_mailbox_or_names_no_reason(
    table: Table, answer: str, status: str, stops: bool
) -> None:
    table.start()
    bounces.refused(table.office, letter(table, "first"), answer, table.now)
    assert ([row.status for row in returns(table)], off(table)) == ([status], stops)
    if not stops:
        bounces.refused(table.office, letter(table, "second"), answer, table.now)
        assert off(table)


def test_a_refused_invitation_is_enough_whatever_the_reason(table: Table) -> None:
    table.open()
    bounces.refused(table.office, letter(table, "invited", payload=Invitation()), "550 5.7.1 spam", table.now)
    assert off(table)


def test_a_thousand_characters_of_an_answer_are_kept_in_one_line(table: Table) -> None:
    table.start()
    bounces.refused(table.office, letter(table, "first"), "550 5.7.1\n" + "x" * 2000, table.now)
    bounces.returned(table.office, letter(table, "second"), "5.7.1", "y" * 2000, table.now)
    assert [row.answer for row in returns(table)] == ["550 5.7.1 " + "x" * 990, "y" * 1000]


@pytest.mark.parametrize(
    ("status", "told"), [("open", 1), ("running", 1), ("stopping", 1), ("over", 0), ("cancelled", 0)]
)
def test_the_hosts_of_games_that_are_not_over_are_told_with_their_own_seat(
    table: Table, status: str, told: int
) -> None:
    table.start()
    table.put(update(Game).values(status=status))
    for key in ("first", "second"):
        come_back(table, letter(table, key))
    found = table.letters("mail-returned")
    assert [(row.account_id, row.seat_number, row.game_id) for row in found] == [(1, 0, table.game)] * told


def test_no_host_is_told_of_a_game_in_which_somebody_has_no_seat_or_that_has_no_host(table: Table) -> None:
    table.start()
    table.start()
    table.put(update(Game).where(Game.id == table.game).values(host_id=None))
    mine = table.start().id
    with table.office.write() as session:
        queries.locked(session, mine)
        session.execute(update(Seat).where(Seat.game_id == mine, Seat.account_id == 2).values(account_id=None))
    for key in ("first", "second"):
        come_back(table, letter(table, key))
    assert len(table.letters("mail-returned")) == 1
    assert mine not in [row.game_id for row in table.letters("mail-returned")]
