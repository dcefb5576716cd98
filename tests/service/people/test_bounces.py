"""Letters that come back: when mails stop, who is told, and how they begin again."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from pbem.service.base import NewLetter, queries
from pbem.service.base.tokens import Tokens
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


def test_one_letter_that_comes_back_stops_nothing_and_two_do(dealt: Table) -> None:
    first = next_question(dealt, 2)
    back(dealt, first)
    back(dealt, first)
    assert not off(dealt, 2)
    back(dealt, next_question(dealt, 2))
    view = bounces.unreachable(dealt.office, 2)
    assert view is not None
    assert (view.since, str(view.meaning), view.answer) == (dealt.now, "There is no such mailbox.", NOBODY)


def test_the_log_of_deliveries_tells_that_a_letter_came_back(dealt: Table) -> None:
    letter = next_question(dealt, 2)
    back(dealt, letter)
    (row,) = [row for row in dealt.letters() if row.id == letter.id]
    assert (row.status, row.last_error) == ("failed", f"5.1.1 {NOBODY}")


def test_the_host_is_told_once_per_game_without_the_address(dealt: Table) -> None:
    for _ in range(3):
        back(dealt, next_question(dealt, 2))
        dealt.later(hours=1)
    (letter,) = dealt.letters("mail-returned")
    assert letter.account_id == dealt.host
    said = dealt.read(letter)
    assert (said.own.person, str(said.own.why), said.seat != "") == ("Ben", "There is no such mailbox.", True)
    assert "ben@example.org" not in repr(letter.data)


def test_a_host_whose_own_mails_come_back_gets_no_letter_about_it(dealt: Table) -> None:
    for _ in range(2):
        back(dealt, next_question(dealt, dealt.host))
    assert off(dealt, dealt.host)
    assert dealt.letters("mail-returned") == []


def test_letters_to_an_address_that_does_not_work_are_withdrawn(dealt: Table) -> None:
    for _ in range(2):
        back(dealt, next_question(dealt, 2))
    letter = next_question(dealt, 2)
    assert (letter.status, letter.last_error) == ("withdrawn", outbox.UNREACHABLE)
    assert next_question(dealt, 3).status == "sent"


def test_the_owner_switches_mail_on_and_gets_a_test_and_the_open_question(dealt: Table) -> None:
    for _ in range(2):
        back(dealt, next_question(dealt, 2))
    next_question(dealt, 2)
    assert bounces.switch_on(dealt.office, 2, dealt.later(hours=1))
    assert not off(dealt, 2)
    assert sorted(dealt.send_all()) == ["test", "your-turn"]
    assert not bounces.switch_on(dealt.office, 2, dealt.now)
    assert len(dealt.letters("test")) == 1


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
    with table.office.work(table.now) as work:
        work.write(NewLetter(payload or DeliveryTest(), key, account))  # type: ignore[arg-type]
        outbox.finish(work)
        number = work.session.scalars(select(Letter.id).where(Letter.key == key)).one()
        work.session.execute(update(Letter).where(Letter.id == number).values(status="sent", sent_at=table.now))
    return number


def come_back(table: Table, number: int, status: str = "5.2.2") -> None:
    bounces.returned(table.office, number, status, "the answer", table.now)


def returns(table: Table) -> list[Returned]:
    return table.rows(select(Returned).order_by(Returned.letter_id))


def test_letters_to_somebody_else_and_those_of_thirty_days_ago_do_not_count(dealt: Table) -> None:
    come_back(dealt, letter(dealt, "of Chloé", 3))
    come_back(dealt, letter(dealt, "first"))
    assert (off(dealt, 2), off(dealt, 3)) == (False, False)
    dealt.later(days=30)
    come_back(dealt, letter(dealt, "second"))
    assert not off(dealt)
    dealt.later(days=30, seconds=-1)
    come_back(dealt, letter(dealt, "third"))
    assert (off(dealt, 2), off(dealt, 3)) == (True, False)


def test_the_very_first_letter_of_a_server_that_comes_back_is_noted(table: Table) -> None:
    accounts.ask_login(table.office, "ana@example.org", table.now)
    (login,) = table.letters()
    come_back(table, login.id)
    assert [(row.letter_id, row.account_id) for row in returns(table)] == [(login.id, login.account_id)]


def test_what_was_cleared_counts_no_more_and_that_of_others_stays(dealt: Table) -> None:
    first = letter(dealt, "first")
    come_back(dealt, letter(dealt, "of Chloé", 3))
    come_back(dealt, first)
    come_back(dealt, letter(dealt, "second"))
    assert off(dealt)
    assert bounces.switch_on(dealt.office, 2, dealt.later(days=1))
    assert not bounces.switch_on(dealt.office, 2, dealt.now)
    assert [row.cleared_at for row in returns(dealt)] == [dealt.now, None, dealt.now]
    come_back(dealt, letter(dealt, "third"))
    assert not off(dealt)
    dealt.later(hours=1)
    come_back(dealt, first)
    assert off(dealt)
    assert (returns(dealt)[0].at, returns(dealt)[0].cleared_at) == (dealt.now, None)


def test_the_first_reason_why_letters_stopped_is_kept(dealt: Table) -> None:
    for key, status in (("first", "5.2.2"), ("second", "5.2.1"), ("third", "5.1.1")):
        come_back(dealt, letter(dealt, key), status)
        dealt.later(hours=1)
    view = bounces.unreachable(dealt.office, 2)
    assert view is not None
    assert (str(view.meaning), view.since, view.answer) == (
        "The mailbox is closed.",
        START + timedelta(hours=1),
        "the answer",
    )


@pytest.mark.parametrize("status", ["4.2.2", "4.5.0"])
def test_what_came_back_for_now_is_counted_nowhere(dealt: Table, status: str) -> None:
    come_back(dealt, letter(dealt, "first"), status)
    assert returns(dealt) == []


def test_the_last_letter_to_a_deleted_account_is_looked_after_by_nobody(dealt: Table) -> None:
    last = letter(dealt, "last", payload=AccountDeleted("ben@example.org", "Ben"))
    come_back(dealt, last)
    bounces.refused(dealt.office, last, "550 5.1.1 unknown", dealt.now)
    come_back(dealt, 999)
    bounces.refused(dealt.office, 999, "550 5.1.1 unknown", dealt.now)
    assert returns(dealt) == []


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
def test_a_refusal_at_once_stops_letters_to_the_mailbox(dealt: Table, answer: str, status: str, stops: bool) -> None:
    bounces.refused(dealt.office, letter(dealt, "first"), answer, dealt.now)
    assert ([row.status for row in returns(dealt)], off(dealt)) == ([status], stops)
    if not stops:
        bounces.refused(dealt.office, letter(dealt, "second"), answer, dealt.now)
        assert off(dealt)


def test_a_refused_invitation_is_enough_whatever_the_reason(table: Table) -> None:
    table.open()
    bounces.refused(table.office, letter(table, "invited", payload=Invitation()), "550 5.7.1 spam", table.now)
    assert off(table)


def test_a_thousand_characters_of_an_answer_are_kept_in_one_line(dealt: Table) -> None:
    bounces.refused(dealt.office, letter(dealt, "first"), "550 5.7.1\n" + "x" * 2000, dealt.now)
    bounces.returned(dealt.office, letter(dealt, "second"), "5.7.1", "y" * 2000, dealt.now)
    assert [row.answer for row in returns(dealt)] == ["550 5.7.1 " + "x" * 990, "y" * 1000]


@pytest.mark.parametrize(
    ("status", "told"), [("open", 1), ("running", 1), ("stopping", 1), ("over", 0), ("cancelled", 0)]
)
def test_the_hosts_of_open_games_are_told_with_their_own_seat(dealt: Table, status: str, told: int) -> None:
    dealt.put(update(Game).values(status=status))
    for key in ("first", "second"):
        come_back(dealt, letter(dealt, key))
    found = dealt.letters("mail-returned")
    assert [(row.account_id, row.seat_number, row.game_id) for row in found] == [(1, 0, dealt.game)] * told


def test_no_host_is_told_of_a_game_in_which_somebody_has_no_seat_or_that_has_no_host(dealt: Table) -> None:
    dealt.start()
    dealt.put(update(Game).where(Game.id == dealt.game).values(host_id=None))
    mine = dealt.start().id
    with dealt.office.write() as session:
        queries.locked(session, mine)
        session.execute(update(Seat).where(Seat.game_id == mine, Seat.account_id == 2).values(account_id=None))
    for key in ("first", "second"):
        come_back(dealt, letter(dealt, key))
    assert len(dealt.letters("mail-returned")) == 1
    assert mine not in [row.game_id for row in dealt.letters("mail-returned")]
