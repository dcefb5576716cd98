"""What is due, to the second, how much at once, and how things stand."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import pytest
from sqlalchemy import update

from pbem.service.base import NewLetter, Office, queries
from pbem.service.letters.kinds.accounts import DeliveryTest
from pbem.service.operator import due, server_metrics
from pbem.service.turns import outages
from pbem.store.tables import Account, Game, Submission
from tests.table import Table

SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
Find = Callable[[Office, datetime], Sequence[str]]


def put(table: Table, game: str, **values: object) -> None:
    with table.office.write() as session:
        queries.locked(session, game)
        session.execute(update(Game).where(Game.id == game).values(**values))


@pytest.mark.parametrize(
    ("find", "column", "status"),
    [
        (due.standing_orders, "standing_order_at", "running"),
        (due.deadlines, "deadline_at", "running"),
        (due.reminders, "remind_at", "running"),
        (due.endings, "stops_at", "stopping"),
    ],
)
def test_a_game_is_due_from_its_second_on_in_its_status(table: Table, find: Find, column: str, status: str) -> None:
    games = []
    for _ in range(2):
        games.append(table.start().id)
        put(table, table.game, status=status, deadline_at=table.now + 99 * HOUR, remind_at=None)
    put(table, games[0], **{column: table.now})
    put(table, games[1], **{column: table.now - SECOND})
    assert list(find(table.office, table.now)) == [games[1], games[0]]
    assert list(find(table.office, table.now - SECOND)) == [games[1]]
    put(table, games[1], status="over")
    assert list(find(table.office, table.now)) == [games[0]]


def test_nobody_is_reminded_whose_time_is_over(table: Table) -> None:
    game = table.start().id
    put(table, game, remind_at=table.now, deadline_at=table.now)
    assert list(due.reminders(table.office, table.now)) == []
    put(table, game, deadline_at=table.now + SECOND)
    assert list(due.reminders(table.office, table.now)) == [game]


def test_games_with_orders_that_wait_are_named_once_longest_first(table: Table) -> None:
    games = [table.start().id, table.start().id]
    for game, at in ((games[0], 0), (games[0], 1), (games[1], -1)):
        table.game = game
        number = table.send(f"issue {at + 1}", source=f"{game}{at}")
        with table.office.write() as session:
            queries.locked(session, game)
            session.get_one(Submission, number).received_at = table.now + at * SECOND
    assert list(due.waiting(table.office, table.now)) == [games[1], games[0]]
    assert list(due.waiting(table.office, table.now - SECOND)) == [games[1]]
    with table.office.write() as session:
        queries.locked(session, games[1])
        session.execute(update(Submission).where(Submission.game_id == games[1]).values(status="played"))
    assert list(due.waiting(table.office, table.now)) == [games[0]]


def letters_to(table: Table, *accounts: int) -> list[int]:
    """A letter to each of these accounts, about nothing."""
    before = len(table.letters())
    with table.office.work(table.now) as work:
        for number, account in enumerate(accounts):
            work.write(NewLetter(DeliveryTest(), f"{before} {number}", account))
    return [row.id for row in table.letters()[before:]]


def unsent(table: Table, until: datetime | None = None) -> list[int]:
    return list(due.unsent(table.office, until or table.now, table.now))


def test_letters_are_due_that_wait_in_nobodys_hands_and_for_no_digest(table: Table) -> None:
    table.open()
    table.send_all()
    first, sent, held, late, mine, free = letters_to(table, 1, 1, 1, 1, 1, 1)
    table.change_letter(sent, status="sent")
    table.change_letter(held, held=True)
    table.change_letter(late, next_try_at=table.now + SECOND)
    table.change_letter(mine, claimed_until=table.now + SECOND)
    table.change_letter(free, claimed_until=table.now)
    assert unsent(table) == [first, free]
    assert unsent(table, table.now - SECOND) == []
    assert unsent(table, table.now + SECOND) == [first, free, late]


def test_the_first_letter_to_everybody_comes_before_the_second_to_anybody_and_so_with_providers(table: Table) -> None:
    table.open()
    table.send_all()
    with table.office.write() as session:
        for number, host in ((1, "a"), (2, "b"), (3, "a"), (4, "c")):
            session.execute(update(Account).where(Account.id == number).values(address=f"x{number}@{host}.example"))
    one, two, three, four, again = letters_to(table, 1, 2, 3, 4, 2)
    assert unsent(table) == [one, two, four, three, again]
    table.change_letter(four, next_try_at=table.now - SECOND)
    assert unsent(table) == [four, one, two, three, again]


def test_a_digest_is_due_from_its_very_second_on_and_once_for_an_account(table: Table) -> None:
    table.open()
    table.send_all()
    first, second, other, sent = letters_to(table, 1, 1, 2, 3)
    for number in (first, second, other, sent):
        table.change_letter(number, held=True)
    table.change_letter(other, next_try_at=table.now + SECOND)
    table.change_letter(sent, status="withdrawn")
    assert list(due.digests(table.office, table.now)) == [1]
    assert sorted(due.digests(table.office, table.now + SECOND)) == [1, 2]
    table.change_letter(first, held=False)
    table.change_letter(second, held=False)
    assert list(due.digests(table.office, table.now)) == []


@pytest.mark.postgresql
def test_what_waits_and_what_the_last_hour_was_like(dealt: Table) -> None:
    outages.beat(dealt.office, dealt.now)
    dealt.send_all()
    dealt.send(dealt.legal())
    dealt.later(seconds=90)
    dealt.play("issue 99")
    dealt.awake(minutes=1)
    found = server_metrics.look(dealt.office, dealt.now)
    assert (found.orders.number, found.letters.number, found.stuck) == (0, 2, 0)
    assert (found.beat, found.letters.seconds) == (dealt.now - dealt.now, 60)
    lately = server_metrics.lately(dealt.office, dealt.now)
    assert {status: number for status, number in lately.submissions.items() if number} == {"played": 1, "refused": 1}
    assert [wait.total_seconds() for wait in lately.waits] == [90]
    assert sum(lately.letters.values()) == len(dealt.letters())
    assert server_metrics.games(dealt.office)["running"] == 1
    dealt.awake(hours=2)
    assert sum(server_metrics.lately(dealt.office, dealt.now).letters.values()) == 0


@pytest.mark.postgresql
def test_nothing_is_counted_where_there_is_nothing(table: Table) -> None:
    found = server_metrics.look(table.office, table.now)
    assert (found.beat, found.orders, found.letters.seconds) == (None, server_metrics.Backlog(0), 0)
    assert server_metrics.lately(table.office, table.now).waits == ()
