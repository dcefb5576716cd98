"""Letters at their edges: in whose queue one stands, who is told of the next, and what is withdrawn or waits again."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from pbem.service import BadInput, NotNow
from pbem.service.base import NewLetter, queries
from pbem.service.base.task_hints import send_hint
from pbem.service.base.tokens import UnsubscribeClaim
from pbem.service.letters import digests, outbox, talk
from pbem.service.letters.kinds.accounts import AccountDeleted, DeliveryTest
from pbem.service.people import accounts
from pbem.store.statuses import GameStatus
from pbem.store.tables import Account, Letter, Seat, Unreachable
from tests.table import START, Table

DAY = timedelta(days=1)


def opened(table: Table) -> Table:
    """A game that is open, with nothing left to be sent."""
    table.open()
    table.send_all()
    table.hints.clear()
    return table


def write(table: Table, *keys: str, account: int = 1, about: bool = True, **how: Any) -> list[int]:
    """Letters to an account, about the game or about none; says their numbers."""
    with table.office.game(table.game, table.now) as work:
        for key in keys:
            game = work.game if about else None
            work.write(NewLetter(DeliveryTest(), key, account, game=game, version=0, **how))
    return [row.id for row in table.letters("test") if row.key in keys]


def claim(table: Table, number: int) -> bool:
    return outbox.claim(table.office, number, table.now) is not None


def sent(table: Table, number: int) -> list[object]:
    """Send a letter; which hints follow."""
    table.hints.clear()
    outbox.sent(table.office, number, table.now)
    return list(table.hints)


IN_FRONT: Mapping[str, tuple[Mapping[str, object], bool]] = {
    "to be sent": ({}, True),
    "tried already, to be tried later": ({"attempts": 1, "next_try_at": START + DAY}, True),
    "waiting on purpose": ({"next_try_at": START + DAY}, False),
    "held for a digest": ({"held": True}, False),
    "sent": ({"status": "sent"}, False),
    "withdrawn": ({"status": "withdrawn"}, False),
    "failed": ({"status": "failed"}, False),
}


@pytest.mark.parametrize("case", IN_FRONT)
def test_a_letter_stays_behind_an_older_one_that_is_still_to_be_sent(table: Table, case: str) -> None:
    values, stays = IN_FRONT[case]
    first, second = write(opened(table), "first", "second")
    table.change_letter(first, kind="test", **values)
    assert claim(table, second) is not stays


def test_a_letter_to_another_reader_or_about_another_game_or_about_none_is_in_nobodys_way(table: Table) -> None:
    opened(table)
    write(table, "of Ben", account=2)
    write(table, "about nothing", about=False)
    (mine,) = write(table, "mine")
    first = table.game
    table.open()
    (other,) = write(table, "other game")
    assert table.game != first
    assert claim(table, other)
    assert claim(table, mine)


def test_letters_about_no_game_wait_for_none(table: Table) -> None:
    first, second = write(opened(table), "first", "second", about=False)
    assert claim(table, second)
    assert sent(table, second) == []
    assert claim(table, first)


def test_the_letter_that_stayed_behind_is_hinted_at_when_its_moment_has_come(table: Table) -> None:
    first, of_ben = *write(opened(table), "first"), *write(table, "of Ben", account=2)
    held, late, gone, second, third = write(table, "held", "late", "gone", "second", "third")
    table.change_letter(held, held=True)
    table.change_letter(late, next_try_at=table.now + timedelta(seconds=1))
    table.change_letter(gone, status="withdrawn")
    assert claim(table, first)
    assert sent(table, first) == [send_hint(second)]
    assert sent(table, second) == [send_hint(third)]
    assert sent(table, third) == []
    assert table.letter(of_ben).status == "waiting"


def test_a_letter_that_is_withdrawn_or_given_up_lets_the_next_one_go(table: Table) -> None:
    first, second, third = write(opened(table), "first", "second", "third")
    table.put(update(Letter).where(Letter.id == first).values(kind="your-turn", version=99))
    table.hints.clear()
    assert not claim(table, first)
    assert table.letter(first).status == "withdrawn"
    assert table.hints == [send_hint(second)]
    assert claim(table, second)
    table.hints.clear()
    outbox.failed(table.office, second, "550", table.now, for_good=True)
    assert table.hints == [send_hint(third)]
    assert (table.letter(second).status, table.letter(second).claimed_until) == ("failed", None)


def test_a_letter_that_waits_is_hinted_at_by_nobody(table: Table) -> None:
    opened(table)
    (late,) = write(table, "late", wait=timedelta(seconds=1))
    assert send_hint(late) not in table.hints
    assert table.letter(late).next_try_at == table.now + timedelta(seconds=1)
    (now,) = write(table, "now")
    assert table.hints == [send_hint(now)]


def test_nobody_writes_to_an_account_that_was_deleted_but_its_last_letter(table: Table) -> None:
    opened(table)
    with table.office.write() as session:
        session.get_one(Account, 2).deleted_at = table.now
    with table.office.work(table.now) as work:
        work.write(NewLetter(DeliveryTest(), "to nobody", 2))
        work.write(NewLetter(AccountDeleted("ben@example.org", "Ben"), "the last", 2))
    assert table.letters("test") == []
    (last,) = table.letters("account-deleted")
    assert claim(table, last.id)
    outbox.sent(table.office, last.id, table.now)
    assert (table.letter(last.id).data, table.letter(last.id).last_error) == ({}, "")


@pytest.mark.parametrize(
    ("game", "kind", "stopped"),
    [("", "", True), ("", "test", True), ("", "login", False), ("mine", "", True), ("mine", "test", True),
     ("other", "", False), ("other", "test", False)],
)  # fmt: skip
def test_only_what_a_reader_has_stopped_is_not_sent(table: Table, game: str, kind: str, stopped: bool) -> None:
    opened(table)
    other = table.game
    opened(table)
    names = {"": "", "mine": table.game, "other": other}
    scope = "all" if not (game or kind) else "kind" if not game else "game"
    accounts.stop_mail(table.office, UnsubscribeClaim(2, names[game], kind or "test"), scope, table.now)
    with table.office.read() as session:
        assert outbox.stopped(session, 2, table.game, "test") is stopped
        assert outbox.stopped(session, 1, table.game, "test") is False


def test_only_what_was_withdrawn_for_the_address_waits_again_when_it_works(table: Table) -> None:
    opened(table)
    lost, other, of_ben = *write(table, "lost", "other"), *write(table, "of Ben", account=2)
    for number, error in ((lost, outbox.UNREACHABLE), (other, "answered"), (of_ben, outbox.UNREACHABLE)):
        table.change_letter(number, status="withdrawn", last_error=error)
    table.later(hours=1)
    with table.office.work(table.now) as work:
        outbox.reachable_again(work, 1)
    assert [table.letter(number).status for number in (lost, other, of_ben)] == ["waiting", "withdrawn", "withdrawn"]
    assert (table.letter(lost).last_error, table.letter(lost).next_try_at) == ("", table.now)
    assert table.hints[-1] == send_hint(lost)


def test_what_is_always_sent_goes_also_to_an_address_whose_letters_come_back(table: Table) -> None:
    table.open()
    invitation = table.letters("invitation")[0]
    with table.office.write() as session:
        session.add(Unreachable(account_id=invitation.account_id, status="5.1.1", answer="", since=table.now))
    accounts.ask_login(table.office, "ben@example.org", table.now)
    assert not claim(table, invitation.id)
    assert table.letter(invitation.id).last_error == outbox.UNREACHABLE
    assert claim(table, table.letters("login")[0].id)


def test_a_letter_with_the_links_of_a_seat_is_for_its_holder_alone(table: Table) -> None:
    table.open()
    invited = {letter.seat_number: letter.id for letter in table.letters("invitation")}
    table.put(update(Seat).where(Seat.number == 1).values(account_id=None))
    assert not claim(table, invited[1])
    assert table.letter(invited[1]).last_error == "the seat has changed hands"
    assert claim(table, invited[2])


@pytest.mark.parametrize(
    ("status", "attempts", "for_good", "after"),
    [("sent", 9, False, "waiting"), ("sent", 10, False, "failed"), ("sent", 1, True, "failed"),
     ("withdrawn", 1, False, "withdrawn")],
)  # fmt: skip
def test_a_letter_that_came_back_is_tried_again_up_to_ten_times_and_one_that_was_withdrawn_is_not(
    table: Table, status: str, attempts: int, for_good: bool, after: str
) -> None:
    (number,) = write(opened(table), "mine")
    table.change_letter(number, status=status, attempts=attempts)
    with table.office.work(table.now) as work:
        outbox.came_back(work.session, work.session.get_one(Letter, number), "x" * 1001, table.now, for_good=for_good)
    assert (table.letter(number).status, len(table.letter(number).last_error)) == (after, 1000)


# digests ------------------------------------------------------------------------------------------------------


def held_questions(table: Table, number: int) -> list[int]:
    """So many games in which Ana is asked and her question is held back."""
    found = []
    for _ in range(number):
        table.start()
        table.send_all()
        (question,) = [letter.id for letter in table.letters("your-turn") if letter.game_id == table.game]
        table.change_letter(question, status="waiting", held=True, account_id=1, seat_number=None)
        found.append(question)
    return found


def test_one_question_that_was_held_back_goes_as_itself(table: Table) -> None:
    (question,) = held_questions(table, 1)
    table.hints.clear()
    assert digests.make(table.office, 1, table.later(hours=1))
    assert (table.letter(question).held, table.letter(question).next_try_at) == (False, table.now)
    assert table.hints == [send_hint(question)]


def test_of_a_digest_all_that_is_held_back_is_told_once_one_of_it_is_due(table: Table) -> None:
    due, later = held_questions(table, 2)
    table.change_letter(later, next_try_at=table.now + DAY)
    assert digests.make(table.office, 1, table.now)
    assert [table.letter(number).status for number in (due, later)] == ["withdrawn"] * 2
    assert [table.letter(number).last_error for number in (due, later)] == [digests.TOLD] * 2
    assert not digests.make(table.office, 1, table.now)
    assert len(table.letters("digest")) == 1


def test_there_is_no_digest_while_nothing_in_it_is_due(table: Table) -> None:
    (question,) = held_questions(table, 1)
    table.change_letter(question, next_try_at=table.now + timedelta(seconds=1))
    assert not digests.make(table.office, 1, table.now)
    assert not digests.make(table.office, 2, table.now)
    assert digests.make(table.office, 1, table.later(seconds=1))


def test_the_letters_that_hold_an_open_question_are_those_that_have_not_left(table: Table) -> None:
    held, sent_one, due, late = held_questions(table, 4)
    table.change_letter(sent_one, status="sent")
    table.change_letter(due, held=False, next_try_at=table.now)
    table.change_letter(late, held=False, next_try_at=table.now + timedelta(seconds=1))
    games = {letter.id: letter.game_id or "" for letter in table.rows(select(Letter))}
    for number, open_still in ((held, True), (sent_one, False), (due, False), (late, True)):
        with table.office.game(games[number], table.now) as work:
            letter = digests.held_back(work, work.session.get_one(Account, 1))
            assert (letter is not None and letter.id == number) == open_still


# talk ---------------------------------------------------------------------------------------------------------


def test_a_letter_tells_what_was_said_in_its_game_since_the_last_one_that_left_to_its_reader(table: Table) -> None:
    table.open()
    other = table.game
    table.open()
    post(table, 1, "an earlier word")
    first, of_ben = *write(table, "first"), *write(table, "of Ben", account=2)
    table.change_letter(first, status="sent", talk_up_to=1)
    table.change_letter(of_ben, status="sent", talk_up_to=99)
    post(table, 1, "a word")
    post(table, 0, "my own")
    mine, table.game = table.game, other
    post(table, 1, "in another game")
    (elsewhere,) = write(table, "elsewhere")
    table.change_letter(elsewhere, status="sent", talk_up_to=99)
    table.game = mine
    unsent, next_one = write(table, "unsent", "next")
    table.change_letter(unsent, talk_up_to=99)
    table.change_letter(next_one, talk_up_to=4)
    with table.office.read() as session:
        found = talk.since_last_letter(session, session.get_one(Letter, next_one))
    assert [said.text for said in found] == ["a word"]


def post(table: Table, number: int, text: str) -> None:
    talk.post(table.office, table.game, number, text, table.now)


def test_who_has_no_seat_any_more_and_who_was_in_a_cancelled_game_does_not_talk(table: Table) -> None:
    opened(table)
    table.put(update(Seat).where(Seat.number == 1).values(account_id=None))
    with pytest.raises(NotNow, match="cannot talk"):
        post(table, 1, "still here")
    post(table, 2, "good morning")
    with table.office.write() as session:
        queries.locked(session, table.game).status = GameStatus.CANCELLED
    with pytest.raises(NotNow, match="cannot talk"):
        post(table, 2, "good evening")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\tb  ", "a    b"),
        ("e\u0301", "é"),
        ("a\u202eb\x07", "ab"),
        ("a\u200cb", "a\u200cb"),
        ("\r\na\r\nb\n", "a\nb"),
    ],
)
def test_text_is_kept_without_what_hides_or_turns_it(text: str, kept: str) -> None:
    assert talk.spoken(text, "say", 10) == kept


def test_text_far_too_long_is_not_looked_at_and_text_that_shrinks_is_kept() -> None:
    assert talk.spoken(" " * 1000 + "x" * 10, "say", 10) == "x" * 10
    with pytest.raises(BadInput, match="10 characters"):
        talk.spoken(" " * 1001 + "x" * 10, "say", 10)
