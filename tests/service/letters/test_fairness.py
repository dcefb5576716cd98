"""What waits for one reader, game, provider or webhook holds up no other: how letters and messages are chosen."""

import time
from datetime import timedelta

import pytest

from pbem.service.base import NewLetter, queries
from pbem.service.letters import outbox, providers, queue, webhook_messages
from pbem.service.letters.kinds.accounts import DeliveryTest
from pbem.service.letters.kinds.declaration import LetterKind
from pbem.service.letters.kinds.games import Cancelled
from pbem.service.operator import due
from pbem.store.tables import Account, Letter, Webhook, WebhookMessage
from tests.table import Table

HOST = "slow.example"
TOOK, QUICK = providers.SLOW, timedelta(seconds=1)
CANCELLED = Cancelled()


@pytest.fixture
def game(table: Table) -> str:
    """A game that has begun, with nothing left to be sent."""
    table.start()
    table.send_all()
    return table.game


def readers(table: Table, number: int, host: str) -> list[int]:
    """So many more readers there."""
    with table.office.write() as session:
        made = [Account(address=f"reader{n}@{host}", name=f"R{n}", created_at=table.now) for n in range(number)]
        session.add_all(made)
        session.flush()
        return [account.id for account in made]


def write(table: Table, account: int, number: int = 1, game: str = "", payload: LetterKind = CANCELLED) -> list[int]:
    """So many letters to one reader, about a game or about none."""
    with table.office.work(table.now) as work:
        about = queries.game(work.session, game) if game else None
        for _ in range(number):
            key = f"letter:{account}:{len(work.session.identity_map)}:{time.monotonic_ns()}"
            work.write(NewLetter(payload, key, account, game=about))
    return [row.id for row in table.letters(payload.kind, "waiting") if row.account_id == account][-number:]


def unsent(table: Table) -> list[int]:
    return list(due.unsent(table.office, table.now, table.now))


def test_only_the_first_letter_of_a_queue_is_due(table: Table, game: str) -> None:
    first, second, third = write(table, 2, 3, game)
    (other,) = write(table, 3, 1, game)
    assert unsent(table) == [first, other]
    assert outbox.claim(table.office, first, table.now)
    assert unsent(table) == [other]
    outbox.failed(table.office, first, "450", table.now)
    assert unsent(table) == [other]
    table.later(minutes=1)
    assert outbox.claim(table.office, first, table.now)
    outbox.sent(table.office, first, table.now)
    assert unsent(table) == [second, other]
    assert third not in unsent(table)


def test_a_letter_that_was_not_taken_goes_to_the_end(table: Table, game: str) -> None:
    (first,), (second,) = write(table, 2), write(table, 3)
    assert outbox.claim(table.office, first, table.now)
    outbox.failed(table.office, first, "450", table.now)
    table.later(minutes=1)
    assert unsent(table) == [second, first]


def test_a_provider_that_gives_no_answer_rests_ever_longer(table: Table, game: str) -> None:
    first, second = readers(table, 2, HOST)
    (one,), (other,), (elsewhere,) = write(table, first), write(table, second), write(table, 3)
    rests = []
    for _ in range(7):
        assert outbox.claim(table.office, one, table.now)
        providers.talked(table.office, HOST, TOOK, table.now, done=False)
        outbox.failed(table.office, one, "timed out", table.now)
        assert not outbox.claim(table.office, other, table.now)
        (row,) = [row for row in table.letters() if row.id == other]
        rests.append((row.next_try_at - table.now).total_seconds())
        with table.office.write() as session:
            session.get_one(Letter, one).next_try_at = row.next_try_at
        table.now = row.next_try_at
    assert rests == [30, 30, 60, 120, 240, 300, 300]
    assert outbox.claim(table.office, elsewhere, table.now)


def test_a_provider_that_was_slow_gets_one_letter_at_a_time_until_it_is_quick(table: Table, game: str) -> None:
    numbers = [write(table, account)[0] for account in readers(table, 3, HOST)]
    providers.talked(table.office, HOST, TOOK, table.now, done=True)
    assert not outbox.claim(table.office, numbers[0], table.later(seconds=29))
    assert outbox.claim(table.office, numbers[0], table.later(seconds=1))
    assert not outbox.claim(table.office, numbers[1], table.now)
    outbox.sent(table.office, numbers[0], table.now, quick=HOST)
    assert outbox.claim(table.office, numbers[1], table.now)
    assert outbox.claim(table.office, numbers[2], table.now)


@pytest.mark.postgresql
def test_only_what_waited_for_a_provider_leaves_as_soon_as_it_is_quick(table: Table, game: str) -> None:
    """Not only when its rest would have been over, whether it waited for that or for the end of a probe."""
    probe, resting, probed, asleep = (write(table, account)[0] for account in readers(table, 4, HOST))
    providers.talked(table.office, HOST, TOOK, table.now, done=False)
    assert not outbox.claim(table.office, resting, table.now)
    with table.office.write() as session:
        session.get_one(Letter, asleep).next_try_at = table.now + timedelta(hours=8)
    table.later(seconds=30)
    assert outbox.claim(table.office, probe, table.now)
    assert not outbox.claim(table.office, probed, table.now)
    later = {row.id: row.next_try_at for row in table.letters("cancelled", "waiting")}
    assert later[probed] == table.now + providers.PROBE
    outbox.sent(table.office, probe, table.later(seconds=1), quick=HOST)
    due_at = {row.id: row.next_try_at for row in table.letters("cancelled", "waiting")}
    assert due_at[probed] == table.now
    assert due_at[asleep] == later[asleep]
    assert outbox.claim(table.office, resting, table.now)


def test_a_probe_of_what_somebody_waits_for_lets_the_others_leave_too(table: Table, game: str) -> None:
    (reader,) = readers(table, 1, HOST)
    (other,) = write(table, reader)
    rest_for_long(table)
    assert not outbox.claim(table.office, other, table.now)
    (awaited,) = write(table, reader, payload=DeliveryTest())
    assert outbox.claim(table.office, awaited, table.later(minutes=1))
    outbox.sent(table.office, awaited, table.now, quick=HOST)
    assert outbox.claim(table.office, other, table.now)


@pytest.mark.postgresql
def test_several_processes_that_meet_the_same_hanging_server_are_one(table: Table, game: str) -> None:
    (number,) = write(table, readers(table, 1, HOST)[0])
    for _ in range(4):
        providers.talked(table.office, HOST, TOOK, table.later(seconds=1), done=False)
    began = table.now - timedelta(seconds=3)
    assert not outbox.claim(table.office, number, table.now)
    assert outbox.claim(table.office, number, began + timedelta(seconds=30))


def test_a_probe_that_came_to_nothing_before_its_provider_was_asked_is_no_probe(table: Table, game: str) -> None:
    """The mail server was away: the provider need not be left alone for it."""
    one, other, third = (write(table, account)[0] for account in readers(table, 3, HOST))
    providers.talked(table.office, HOST, TOOK, table.now, done=False)
    assert outbox.claim(table.office, one, table.later(seconds=30))
    providers.not_asked(table.office, HOST, table.now)
    assert outbox.claim(table.office, other, table.now)
    providers.talked(table.office, HOST, TOOK, table.now, done=False)
    assert not outbox.claim(table.office, third, table.later(seconds=29))
    assert outbox.claim(table.office, third, table.later(seconds=1))


def rest_for_long(table: Table) -> None:
    """A provider that has not answered so often that it is left alone for five minutes, from now on."""
    for _ in range(6):
        providers.talked(table.office, HOST, TOOK, table.later(minutes=6), done=False)


def test_what_somebody_waits_for_on_a_page_waits_a_minute_for_a_provider_at_the_most(table: Table, game: str) -> None:
    (reader,) = readers(table, 1, HOST)
    (usual,), (awaited,) = write(table, reader), write(table, reader, payload=DeliveryTest())
    rest_for_long(table)
    rested = table.now
    assert not outbox.claim(table.office, usual, rested)
    assert not outbox.claim(table.office, awaited, rested + timedelta(seconds=59))
    assert outbox.claim(table.office, awaited, rested + timedelta(minutes=1))
    providers.talked(table.office, HOST, TOOK, rested + timedelta(minutes=1), done=False)
    rows = {row.id: row.next_try_at - rested for row in table.letters(status="waiting")}
    assert rows[usual] == timedelta(minutes=5)


def test_what_somebody_waits_for_is_tried_every_minute_for_twenty(table: Table, game: str) -> None:
    (number,) = write(table, 2, payload=DeliveryTest())
    written, waits = table.now, []
    while (row := table.letters("test")[0]).status == "waiting":
        assert outbox.claim(table.office, number, row.next_try_at)
        table.now = row.next_try_at
        outbox.failed(table.office, number, "451 busy", table.now)
        waits.append((table.letters("test")[0].next_try_at - table.now).total_seconds())
    early = int(timedelta(minutes=20) / timedelta(minutes=1))
    assert waits[: early + 1] == [15, *[60] * early]
    assert set(waits[early + 1 : -1]) == {4 * 3600}
    assert table.now - written > timedelta(hours=22)


def webhook(table: Table, host: str, waiting: int) -> list[int]:
    """Messages that wait for a new webhook."""
    with table.office.write() as session:
        row = Webhook(account_id=2, kind="json", url=f"https://{host}/x", created_at=table.now)
        session.add(row)
        session.flush()
        made = [
            WebhookMessage(
                webhook_id=row.id, kind="test", key=f"{host}:{n}", next_try_at=table.now, created_at=table.now
            )
            for n in range(waiting)
        ]  # fmt: skip
        session.add_all(made)
        session.flush()
        return [message.id for message in made]


def test_the_host_of_a_webhook_that_is_slow_rests(table: Table, game: str) -> None:
    (first,), (second,) = webhook(table, HOST, 1), webhook(table, HOST + ":8443", 1)
    (mail,) = write(table, readers(table, 1, HOST)[0])
    assert webhook_messages.claim(table.office, first, table.now) is not None
    webhook_messages.talked(table.office, f"https://{HOST}/x", queue.SLOW, table.now, done=False)
    assert webhook_messages.claim(table.office, second, table.now) is not None
    table.later(minutes=2)
    webhook_messages.talked(table.office, f"https://{HOST}/x", queue.SLOW, table.now, done=False)
    assert webhook_messages.claim(table.office, first, table.now) is None
    assert outbox.claim(table.office, mail, table.now)
