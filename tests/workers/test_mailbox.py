"""Replies and bounces from a mailbox: with a real Dovecot, from the mail that arrives to the folder it ends in."""

import contextlib
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from email.message import EmailMessage

import pytest
from imap_tools.mailbox import BaseMailBox

from pbem.service.base.urls import Addresses
from pbem.service.orders import submissions
from pbem.service.people import bounces
from pbem.transport import imap
from tests.mail import test_returned as samples
from tests.patience import PATIENCE
from tests.servers import ImapServer, Missing, dovecot
from tests.table import Table
from tests.workers.test_answers import answered, as_mail, played, question
from tests.workers.test_unsubscribing_by_mail import stops, unsubscribing
from workers import mailbox, mailin, mailroom, work


@pytest.fixture(scope="module")
def server() -> Iterator[ImapServer]:
    try:
        with dovecot() as made:
            yield made
    except Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture
def box(server: ImapServer) -> ImapServer:
    """The server with an empty mailbox."""
    with imap.connected(server.url) as inside:
        inside.delete(inside.uids())
        for folder in (mailbox.READ, mailbox.FAILED):
            if inside.folder.exists(folder):
                inside.folder.delete(folder)
    return server


@pytest.fixture
def table(box: ImapServer, fresh: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(work, "now", lambda: fresh.now)
    monkeypatch.setattr(mailbox, "LISTEN", 0.1)
    own = {"orders_address": "games@example.org", "return_path": "games@example.org", "imap_url": box.url}
    settings = replace(fresh.office.settings, **own)  # type: ignore[arg-type]
    addresses = Addresses(settings.public_url, fresh.office.tokens, settings.orders_address)
    fresh.office = replace(fresh.office, settings=settings, addresses=addresses)
    return fresh


@contextlib.contextmanager
def reading(table: Table) -> Iterator[mailroom.Mailroom]:
    with contextlib.ExitStack() as open_ones:
        mailin.take_mail_in(table.office, open_ones)
        yield mailroom.Mailroom(table.office)


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "nothing has happened"
        time.sleep(0.01)


def test_a_whole_game_is_played_by_replies_alone(table: Table, box: ImapServer) -> None:
    table.start(map="st_lucia", names=("Ana", "Ben"))
    orders = 0
    with reading(table):
        while not (asked := table.asked()).over:
            orders += 1
            row = question(table)
            assert row.version == asked.version
            box.deliver(answered(table, row, asked.default(), orders).as_bytes())
            until(lambda: len(table.submissions()) == orders)  # noqa: B023 - called at once
            submissions.play_waiting(table.office, table.game, table.now)
    assert orders > 10
    assert {one.via for one in table.submissions()} == {"mail"}
    assert len(box.mails(mailbox.READ)) == orders
    assert box.mails() == []


def test_what_was_read_before_counts_once(table: Table, box: ImapServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise SystemExit

    table.start()
    box.deliver(answered(table, question(table), "issue 2").as_bytes())
    room = mailroom.Mailroom(table.office)
    with contextlib.closing(room), imap.connected(box.url) as inside, monkeypatch.context() as patched:
        patched.setattr(mailbox.Reader, "_move", killed)
        with pytest.raises(SystemExit):
            mailbox.Reader(table.office, room).look(inside)
    assert len(box.mails()) == len(table.submissions()) == 1
    with reading(table):
        until(lambda: box.mails(mailbox.READ))
    assert len(table.submissions()) == 1


def test_mails_that_are_not_about_our_letters_stay_where_they_are_unread(table: Table, box: ImapServer) -> None:
    table.start()
    row = question(table)
    ours = answered(table, row, "issue 2")
    forged = EmailMessage()
    forged["To"] = "games+x1x2x3@example.org"
    forged.set_content("issue 3")
    for mail in (forged.as_bytes(), b"Subject: Lunch?\r\n\r\nTomorrow?\r\n", b"", b"\xff\0\r\n", ours.as_bytes()):
        box.deliver(mail)
    with reading(table):
        until(lambda: box.mails(mailbox.READ))
    assert len(box.mails()) == 4
    with imap.connected(box.url) as inside:
        assert len(inside.uids("UNSEEN")) == 4
    assert [one.text for one in table.submissions()] == ["issue 2"]


def test_a_bounce_to_its_return_path_stops_the_emails_to_its_reader(table: Table, box: ImapServer) -> None:
    table.open()
    table.send_all()
    number = next(row.id for row in table.letters("invitation") if row.account_id == 2)
    to = f"Delivered-To: games+{table.office.tokens.numbered('bounce', number)}@example.org\r\n".encode()
    box.deliver(to + samples.POSTFIX)
    with reading(table):
        until(lambda: box.mails(mailbox.READ))
    assert bounces.unreachable(table.office, 2) is not None


def test_a_mail_to_the_address_that_unsubscribes_does_so_however_large(table: Table, box: ImapServer) -> None:
    table.start()
    rows = {row.account_id: row for row in table.letters("game-started")}
    for account, size in ((2, 0), (3, mailroom.LARGEST)):
        _, asking = unsubscribing(as_mail(table.office, table, rows[account]))
        asking.set_content("x" * size)
        box.deliver(asking.as_bytes())
    with reading(table):
        until(lambda: len(box.mails(mailbox.READ)) == 2)
    assert stops(table) == [(2, table.game, ""), (3, table.game, "")]


def test_a_reply_that_is_too_large_is_answered_without_being_read(table: Table, box: ImapServer) -> None:
    table.start()
    mail = answered(table, question(table), "issue 2")
    mail.add_attachment(b"x" * mailroom.LARGEST, maintype="image", subtype="png")
    box.deliver(mail.as_bytes())
    with reading(table):
        until(lambda: box.mails(mailbox.READ))
    submissions.play_waiting(table.office, table.game, table.now)
    assert played(table) == []
    (letter,) = table.letters("refused")
    body = as_mail(table.office, table, letter).get_body(("plain",))
    assert body is not None
    assert "too much text" in body.get_content()


def test_a_mail_at_which_we_fail_is_tried_again_and_then_put_aside(
    table: Table, box: ImapServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    table.start()
    box.deliver(answered(table, question(table), "issue 2").as_bytes())
    monkeypatch.setattr(mailbox, "TRIES", 3)
    monkeypatch.setattr(mailbox, "POLL", 0.02)
    monkeypatch.setattr(mailroom.Mailroom, "deal", broken)
    with reading(table):
        until(lambda: box.mails(mailbox.FAILED))
    assert box.mails() == []
    assert caplog.text.count("could not be noted (try") == 3


def test_where_nothing_is_announced_we_ask(table: Table, box: ImapServer, monkeypatch: pytest.MonkeyPatch) -> None:
    table.start()
    row = question(table)
    monkeypatch.setattr(imap, "_look_again", _without("IDLE"))
    monkeypatch.setattr(mailbox, "POLL", 0.02)
    with reading(table):
        for number in (1, 2):
            box.deliver(answered(table, row, f"issue {number}", number).as_bytes())
            until(lambda: len(box.mails(mailbox.READ)) == number)  # noqa: B023 - called at once


def test_a_mail_that_is_announced_with_the_first_answer_to_idle_is_heard(box: ImapServer) -> None:
    with imap.connected(box.url) as inside:
        box.deliver(b"Subject: between two commands\r\n\r\n")
        with inside.idle as idle:
            assert b"EXISTS" in idle.poll(5)[0]


def test_a_server_that_cannot_move_mails_is_not_used(box: ImapServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imap, "_look_again", _without("MOVE"))
    with pytest.raises(imap.Unfit, match="cannot move emails"), imap.connected(box.url):
        pass


def _without(name: str) -> Callable[[object], None]:
    looked = imap._look_again

    def look(client: object) -> None:
        looked(client)  # type: ignore[arg-type]
        client.capabilities = tuple(word for word in client.capabilities if word != name)  # type: ignore[attr-defined]

    return look


def test_a_server_may_go_away(
    table: Table, box: ImapServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table.start()
    monkeypatch.setattr(mailbox, "AGAIN", 0.05)
    cut: list[object] = []
    began = mailbox.Reader._begin

    def cut_off_once(reader: mailbox.Reader, inside: BaseMailBox) -> None:
        began(reader, inside)
        if not cut:
            cut.append(inside)
            inside.client.sock.shutdown(socket.SHUT_RDWR)

    monkeypatch.setattr(mailbox.Reader, "_begin", cut_off_once)
    with reading(table):
        box.deliver(answered(table, question(table), "issue 2").as_bytes())
        until(lambda: box.mails(mailbox.READ))
    assert "the mailbox cannot be read" in caplog.text
    assert "let%me@in" not in caplog.text
    assert len(table.submissions()) == 1
