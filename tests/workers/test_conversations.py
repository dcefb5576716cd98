"""Slow, silent and endless clients of the receiver of emails: others get in all the same."""

import smtplib
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from pbem.service.people import bounces
from tests.fuzz.mails import NASTY, html, in_charset
from tests.mail import test_returned as samples
from tests.patience import PATIENCE
from tests.servers import free_port
from tests.table import Table
from workers import conversations, mailin

POSTFIX = samples.POSTFIX.replace(b"\n", b"\r\n")
MOST = 10


@pytest.fixture
def table(fresh: Table) -> Table:
    settings = replace(fresh.office.settings, return_path="bounce@play.example.org", mailin_port=free_port())
    fresh.office = replace(fresh.office, settings=settings)
    fresh.open()
    fresh.send_all()
    return fresh


@pytest.fixture
def server(table: Table) -> Iterator[mailin.Listener]:
    made = mailin.Listener(table.office)
    made.mailroom.limiter.most = MOST
    made.start()
    yield made
    made.stop()


@pytest.fixture
def clients() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def client(table: Table, clients: ExitStack) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", table.office.settings.mailin_port), timeout=PATIENCE)
    return clients.enter_context(made)


def path(table: Table, account: int) -> str:
    number = next(row.id for row in table.letters("invitation") if row.account_id == account)
    return f"bounce+{table.office.tokens.numbered('bounce', number)}@play.example.org"


def deliver(table: Table, account: int = 2, raw: bytes = POSTFIX) -> None:
    """One report, as a mail server brings it."""
    with smtplib.SMTP("127.0.0.1", table.office.settings.mailin_port, timeout=PATIENCE) as wire:
        wire.sendmail("", [path(table, account)], raw)


def eventually(what: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until
        time.sleep(0.02)


def ended(one: socket.socket) -> bool:
    """Whether the server has hung up, after whatever it said."""
    try:
        while one.recv(65536):
            continue
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return True


def endless(one: socket.socket) -> None:
    """Four megabytes without the end of a line."""
    for _ in range(64):
        one.sendall(b"x" * 65536)
        time.sleep(0.02)


SLOW = {
    "silent": b"",
    "half a command": b"EHL",
    "half a mail": b"EHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<%s>\r\nDATA\r\nSubject: x\r\n",
    "nothing read": b"NOOP\r\n" * 40,
}


@pytest.mark.parametrize("start", SLOW.values(), ids=SLOW)
def test_who_is_slow_keeps_nobody_out(table: Table, server: mailin.Listener, clients: ExitStack, start: bytes) -> None:
    slow = [client(table, clients) for _ in range(3 * MOST)]
    for one in slow:
        try:
            one.sendall(start.replace(b"%s", path(table, 3).encode()))
        except ConnectionError:
            continue  # it was sent away before it had said anything
    deliver(table)
    assert bounces.unreachable(table.office, 2) is not None
    assert len(server.mailroom.limiter.open) <= MOST
    assert ended(slow[0])


def test_no_conversation_lasts_for_ever(table: Table, server: mailin.Listener, clients: ExitStack) -> None:
    server.mailroom.limiter.longest = 0.3
    one = client(table, clients)
    one.sendall(b"EHLO x\r\n")
    assert ended(one)
    eventually(lambda: not server.mailroom.limiter.open)


def test_a_line_without_an_end_is_not_kept(table: Table, server: mailin.Listener, clients: ExitStack) -> None:
    one = client(table, clients)
    one.sendall(f"EHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<{path(table, 2)}>\r\nDATA\r\n".encode())
    with pytest.raises(ConnectionError):
        endless(one)
    deliver(table)


def test_a_flood_of_commands_is_ended(table: Table, server: mailin.Listener, clients: ExitStack) -> None:
    one = client(table, clients)
    one.sendall(b"EHLO x\r\n" + b"NOOP\r\n" * (conversations.CALLS["*"] + 5))
    said = b""
    while piece := one.recv(65536):
        said += piece
    assert b"421" in said
    deliver(table)


def test_many_mails_come_in_one_conversation(table: Table, server: mailin.Listener) -> None:
    with smtplib.SMTP("127.0.0.1", table.office.settings.mailin_port, timeout=PATIENCE) as wire:
        for _ in range(60):
            wire.sendmail("", [path(table, 3)], samples.VACATION)


def test_what_others_have_broken_on_is_taken_over_the_wire(table: Table, server: mailin.Listener) -> None:
    mails = [
        html(b"<![" * 200),
        in_charset("idna"),
        *(NASTY[name]() for name in ("mails in mails", "NUL", "many parts")),
    ]
    for raw in mails:
        deliver(table, 3, raw)
    with pytest.raises(smtplib.SMTPDataError) as caught:
        deliver(table, 3, NASTY["one long header"]())
    assert caught.value.smtp_code == 500
    assert bounces.unreachable(table.office, 3) is None
