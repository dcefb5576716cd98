"""Letters when something ends in the middle of a conversation: sent once, or tried again, and never half."""

import asyncio
import resource
import signal
import time
from dataclasses import replace

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy.exc import OperationalError

from pbem.service.base import NewLetter
from pbem.service.letter_views import correspondence
from pbem.service.letters import outbox as letters
from pbem.service.letters.kinds.seats import Removed
from pbem.store.tables import Letter
from pbem.transport import smtp
from pbem.transport.smtp import connection
from tests.mailserver import posting
from tests.servers import free_port
from tests.table import Table
from workers import clock, work


class Rude:
    """Takes letters; answers a goodbye with an error, and everything ``slowness`` seconds late."""

    def __init__(self, slowness: float = 0) -> None:
        self.taken = 0
        self.slowness = slowness

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        await asyncio.sleep(self.slowness)
        envelope.mail_from, envelope.mail_options = address, options
        return "250 ok"

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        await asyncio.sleep(self.slowness)
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:  # noqa: N802
        self.taken += 1
        return "250 taken"

    async def handle_QUIT(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:  # noqa: N802
        return "421 4.3.2 not in the mood"


@pytest.fixture
def table(table: Table) -> Table:
    table.open()
    return table


def again(table: Table, letter: Letter) -> Letter:
    return next(row for row in table.letters() if row.id == letter.id)


def test_a_letter_that_was_taken_is_sent_whatever_the_server_says_to_a_goodbye(table: Table) -> None:
    letter, rude = table.letters()[0], Rude()
    with posting(table, rude) as office:
        work.send(office, letter.id)
    assert again(table, letter).status == "sent"
    assert rude.taken == 1


def test_a_server_that_dawdles_does_not_hold_a_letter(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "ALTOGETHER", 0.5)
    letter, slow = table.letters()[0], Rude(slowness=0.4)
    with posting(table, slow) as office:
        began = time.monotonic()
        work.send(office, letter.id)
        assert time.monotonic() - began < 10 * connection.GOODBYE
    row = again(table, letter)
    assert (row.status, row.claimed_until) == ("waiting", None)
    assert row.next_try_at > table.now


def test_a_mail_server_that_is_away_is_left_alone_for_some_seconds_so_that_orders_are_played(table: Table) -> None:
    first, second = table.letters()[:2]
    nobody = f"smtp://127.0.0.1:{free_port()}"
    office = replace(table.office, settings=replace(table.office.settings, smtp_url=nobody))
    for letter in (first, second):
        work.send(office, letter.id)
    assert [again(table, letter).attempts for letter in (first, second)] == [1, 0]
    table.later(seconds=work.REST.total_seconds() + 1)
    work.send(office, second.id)
    assert again(table, second).attempts == 1


def test_a_database_that_is_away_sends_no_letter_twice(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    letter, receiver, noted = table.letters()[0], Rude(), letters.sent
    tries: list[int] = []

    def sent(*words: object, **more: object) -> None:
        tries.append(1)
        if len(tries) < 3:
            raise OperationalError("UPDATE letters", {}, Exception("the database system is starting up"))
        noted(*words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(letters, "sent", sent)
    monkeypatch.setattr(work, "AGAIN_AFTER", 0.01)
    with posting(table, receiver) as office:
        work.send(office, letter.id)
    assert again(table, letter).status == "sent"
    assert receiver.taken == 1


def test_a_clock_without_database_goes_on(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(work, "AGAIN_AFTER", 0.01)
    looked_at: list[str] = []

    def act(game: str) -> None:
        looked_at.append(game)
        if game == "first":
            raise OperationalError("SELECT games", {}, Exception("the database system is shutting down"))

    clock._each(["first", "second"], act)
    assert looked_at == ["first", "second"]
    (line,) = caplog.records
    assert line.getMessage().startswith("no database for first: ")
    assert line.exc_info is None


def test_a_full_disk_leaves_no_half_letter_and_the_letter_waits(table: Table) -> None:
    letter = table.letters()[0]
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.getsignal(signal.SIGXFSZ)
    outbox = table.office.settings.outbox_dir
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, before[1]))
        with pytest.raises(smtp.NotTaken, match="outbox: File too large"):
            work._compose_and_post(table.office, letter.id, correspondence.letter(table.office, letter.id, table.now))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert list(outbox.iterdir()) == []
    work.send(table.office, letter.id)
    assert [path.suffix for path in outbox.iterdir()] == [".eml"]


def test_a_letter_about_no_certain_position_keeps_its_message_id_while_the_game_goes_on(table: Table) -> None:
    for number in range(1, len(table.view().seats)):
        table.answer(number)
    with table.office.game(table.game, table.now) as work:
        work.write(NewLetter(Removed("Ben", "removed"), "removed:test", table.host, game=work.game))
    (letter,) = table.letters("removed")
    before = table.read(letter).envelope.message_id
    table.play()
    assert table.view().version > 0
    assert table.read(letter).envelope.message_id == before
