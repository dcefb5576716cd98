"""Letters that nobody takes hold up no others: neither those of another reader or provider, nor deadlines."""

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.service.base import NewLetter, Office, queries
from pbem.service.letters import providers
from pbem.service.letters.kinds.games import Cancelled
from pbem.store.tables import Account
from pbem.transport.smtp import connection
from tests.mailserver import posting
from tests.patience import PATIENCE
from tests.service.letters.test_fairness import game, readers
from tests.table import Table
from workers import clock, work

__all__ = ["game"]

FULL = "full.example"


class Full:
    """Takes letters, but for one provider it answers 450, ``slowness`` seconds late."""

    def __init__(self) -> None:
        self.slowness = 0.0
        self.refused: dict[str, list[float]] = {}

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if address.endswith(FULL):
            began = time.monotonic()
            while time.monotonic() - began < self.slowness:  # which may change meanwhile
                await asyncio.sleep(0.01)
            self.refused.setdefault(address, []).append(time.monotonic())
            return "450 4.2.2 the mailbox is full"
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:  # noqa: N802
        return "250 taken"


@pytest.fixture
def full(table: Table) -> Iterator[tuple[Full, Office]]:
    receiver = Full()
    with posting(table, receiver) as office:
        yield receiver, office


def write(table: Table, account: int, number: int) -> list[int]:
    """So many letters about the game to one reader."""
    with table.office.work(table.now) as work:
        game = queries.game(work.session, table.game)
        for n in range(number):
            key = f"many:{account}:{n}:{table.now}"
            work.write(NewLetter(Cancelled(), key, account, game=game))
    return [row.id for row in table.letters("cancelled") if row.account_id == account][-number:]


def move(table: Table, account: int, address: str) -> None:
    with table.office.write() as session:
        session.get_one(Account, account).address = address


def until_sent(table: Table, office: Office, account: int, most: timedelta) -> timedelta:
    """How long the clock alone takes until every letter to this reader has left."""
    began = table.now
    while any(row.account_id == account for row in table.letters(status="waiting")):
        assert table.now - began < most
        clock.tick(office, table.awake(seconds=clock.EVERY))
    return table.now - began


def test_260_letters_to_a_full_mailbox_hold_up_nobody(table: Table, game: str, full: tuple[Full, Office]) -> None:
    move(table, 2, f"ben@{FULL}")
    write(table, 2, 260)
    write(table, 3, 1)
    assert until_sent(table, full[1], 3, timedelta(minutes=1)) <= timedelta(seconds=clock.EVERY)
    assert [len(tries) for tries in full[0].refused.values()] == [1]


def test_a_provider_for_which_the_server_takes_long_takes_one_conversation_of_a_workers_time(
    table: Table, game: str, full: tuple[Full, Office], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(providers, "SLOW", timedelta(seconds=0.5))
    full[0].slowness = 0.6
    numbers = [write(table, account, 1) for account in readers(table, 20, FULL)]
    one = write(table, 3, 1)
    for (number,) in [*numbers, one]:
        work.send(full[1], number)
    assert [row.status for row in table.letters() if row.id == one[0]] == ["sent"]
    assert len(full[0].refused) == 1


def test_a_server_that_hangs_for_one_provider_is_there_for_the_others(
    table: Table, game: str, full: tuple[Full, Office], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(providers, "SLOW", timedelta(seconds=0.5))
    monkeypatch.setattr(connection, "SECONDS", 0.6)
    full[0].slowness = 5
    (first,), (second,) = (write(table, account, 1) for account in readers(table, 2, FULL))
    (other,) = write(table, readers(table, 1, f"also.{FULL}")[0], 1)
    (one,) = write(table, 3, 1)
    for number in (first, second, one):
        work.send(full[1], number)
    tried = {row.id: (row.status, row.attempts) for row in table.letters()}
    assert [tried[number] for number in (first, second, one)] == [("waiting", 1), ("waiting", 0), ("sent", 1)]
    table.later(minutes=1)
    (last,) = write(table, 3, 1)
    for number in (first, other, last):  # when it hangs for the next provider too, it is away
        work.send(full[1], number)
    assert {row.id: row.attempts for row in table.letters()}[last] == 0


@pytest.fixture
def slow_postman(table: Table, full: tuple[Full, Office]) -> Iterator[clock.DeliveryThread]:
    full[0].slowness = PATIENCE
    postman = clock.DeliveryThread(full[1])
    postman.start()
    yield postman
    full[0].slowness = 0
    postman.end()


def test_a_slow_mail_server_keeps_the_clock_from_no_deadline(
    table: Table, game: str, full: tuple[Full, Office], slow_postman: clock.DeliveryThread
) -> None:
    for account in readers(table, 10, FULL):
        write(table, account, 1)
    clock.tick(full[1], table.awake(hours=72), slow_postman.look)
    assert table.view().version == 1
    assert not full[0].refused, "the clock has waited for the answer"
    full[0].slowness = 0
    until = time.monotonic() + PATIENCE
    while not full[0].refused and time.monotonic() < until:
        time.sleep(0.05)
    assert full[0].refused


def test_the_clock_ends_after_the_letter_in_hand(
    table: Table, game: str, full: tuple[Full, Office], slow_postman: clock.DeliveryThread
) -> None:
    numbers = [write(table, account, 1)[0] for account in readers(table, 5, FULL)]
    slow_postman.look(full[1], table.later(minutes=1))
    until = time.monotonic() + PATIENCE
    while not any(row.claimed_until for row in table.letters()) and time.monotonic() < until:
        time.sleep(0.02)
    full[0].slowness = 1.0
    slow_postman.end()
    assert sorted(row.attempts for row in table.letters() if row.id in numbers) == [0, 0, 0, 0, 1]
    assert not any(row.claimed_until for row in table.letters())


def test_the_process_of_the_clock_sends_through_its_postman(monkeypatch: pytest.MonkeyPatch, table: Table) -> None:
    handlers: list[Callable[[int, object], None]] = []
    sent: list[object] = []

    def tick(_: Office, send: Callable[[Office, datetime], object] = clock.send_due) -> None:
        sent.append(getattr(send, "__func__", None))
        handlers[0](0, None)

    monkeypatch.setattr(signal, "signal", lambda _, act: handlers.append(act))
    monkeypatch.setattr(clock, "listen_in", lambda _: table.office.settings)
    monkeypatch.setattr(clock, "up_to_date", lambda _: True)
    monkeypatch.setattr(clock, "_tick_and_beat", tick)
    clock.main()
    assert sent == [clock.DeliveryThread.look]
    assert not [thread for thread in threading.enumerate() if thread.name == "postman"]
