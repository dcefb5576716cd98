"""Letters that come back: when mails stop, who is told, and how they begin again."""

from __future__ import annotations

import pytest

from pbem.service.base.tokens import Tokens
from pbem.service.letters import outbox
from pbem.service.people import bounces
from pbem.store.tables import Letter
from tests.table import Table

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


def off(table: Table, account: int) -> bool:
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
