"""Incoming email: ``python -m workers.mailin`` takes bounces, replies and mails that unsubscribe from our letters.

They come by SMTP and from a mailbox (:mod:`workers.mailbox`). Nothing else is taken than letters that come back,
answers with orders, and what comes to the address that stops letters like one. An address that is that of no letter of
ours is refused in the conversation, and a mail that a program has written is never answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from email.utils import parseaddr
from functools import partial
from weakref import WeakKeyDictionary

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from typing_extensions import override

from pbem.mail.reader import Kind
from pbem.mail.reply import is_program
from pbem.runtime.start import begin
from pbem.service import BadToken, NoSuch, NotNow, Office, open_office
from pbem.service.base.rate_limits import TooMuch
from pbem.service.email_in import incoming, replies
from pbem.service.email_in.replies import Expected
from pbem.service.leagues import replies as leagues
from pbem.service.people import accounts, bounces
from pbem.transport import mail_checks
from workers import conversations, mailbox, work
from workers.readers import Readers, Reading

log = logging.getLogger("workers.mailin")  # run as a program, the module has another name

LARGEST = 1024 * 1024
"""Bytes of a mail: reports may hold the whole letter, with its board."""
RECIPIENTS = 20
WORTH = 100
"""Milliseconds."""
ACCOUNTS = 10_000
HANDS, LOOKS = 6, 2
"""Mails that are dealt with at once, and letters that are looked up beside them: each needs a connection to the
database."""

NO_MAILBOX = "550 5.1.1 there is no such mailbox"
TAKEN = "250 2.0.0 taken"
LATER = "451 4.3.0 try again later"


class Spent:
    """Processor time that reading took, by account, until it is worth a write: each ordinary mail takes a millisecond,
    and a transaction ten times as long. What is lost with the process is less than :data:`WORTH` for an account."""

    def __init__(self) -> None:
        self._milliseconds: dict[int, float] = {}
        self._lock = threading.Lock()

    def add(self, account: int, seconds: float) -> int:
        """Milliseconds that are to be written down now, with those before; mostly none."""
        with self._lock:
            spent = self._milliseconds.pop(account, 0.0) + 1000 * seconds
            if spent >= WORTH:
                return round(spent)
            if len(self._milliseconds) >= ACCOUNTS:
                self._milliseconds.clear()
            self._milliseconds[account] = spent
            return 0


class Mailroom:
    """The handler of aiosmtpd, and what the reader of the mailbox brings its mails to."""

    largest = LARGEST

    def __init__(self, office: Office) -> None:
        self.office = office
        self.limiter = conversations.ConnectionLimiter()
        self.readers = Readers()
        self.spent = Spent()
        self.hands = ThreadPoolExecutor(HANDS, "mailin")
        self.eyes = ThreadPoolExecutor(LOOKS, "mailin-look")
        self.expected: WeakKeyDictionary[Envelope, dict[str, tuple[int, Expected]]] = WeakKeyDictionary()
        """The letters that are answered at the addresses that were named for a mail, and what was seen of them then."""

    def close(self) -> None:
        """End what it has started; nothing comes in any more."""
        for threads in (self.eyes, self.hands):
            threads.shutdown(cancel_futures=True)
        self.readers.close()

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Whether this is the return path of one of our letters, or an address to which one is answered or stopped."""
        answered = self.answered(address)
        if answered is None and not self.is_ours(address):
            return NO_MAILBOX
        if len(envelope.rcpt_tos) >= RECIPIENTS:
            return "452 4.5.3 too many recipients"
        if answered is not None:
            looked = self.expected.setdefault(envelope, {})
            try:
                seen = await asyncio.get_running_loop().run_in_executor(self.eyes, self.look, answered)
            except NoSuch:
                return NO_MAILBOX
            except TooMuch as much:
                return refused(much)
            except Exception:
                log.exception("whether letter %s can be answered could not be seen", answered)
                return LATER
            looked[address] = answered, seen
        envelope.rcpt_tos.append(address)
        return TAKEN

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Read the report or the orders; what is neither is taken and forgotten."""
        with self.limiter.at_work(session):
            return await self._dealt_with(envelope)

    async def _dealt_with(self, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        from_nobody = (envelope.mail_from or "<>") == "<>" or is_program(envelope.mail_from or "")
        try:
            for address in envelope.rcpt_tos:
                expected = self.expected.get(envelope, {}).get(address)
                act = partial(self.deal, address, content, from_nobody=from_nobody, expected=expected)
                await asyncio.get_running_loop().run_in_executor(self.hands, act)
        except TooMuch as much:
            return refused(much)
        except Exception:
            log.exception("a mail that came in could not be noted")
            return LATER
        return TAKEN

    def look(self, answered: int) -> Expected:
        """What is known of a mail to this letter; raises ``NoSuch`` when nobody would read what comes back to it."""
        expected = replies.expected(self.office, answered, work.now())
        if expected.account is None:
            raise NoSuch(f"There is no letter {answered} that can be answered.")
        return expected

    def is_ours(self, address: str) -> bool:
        """Whether a letter of ours is answered, or comes back, at this address."""
        ways = self.answered, self.letter, self.stopped, self.checked
        return any(read(address) is not None for read in ways)

    def deal(
        self, address: str, content: bytes, *, from_nobody: bool, expected: tuple[int, Expected] | None = None
    ) -> None:
        """Do what a mail says that came to this address, one of ours. Raises ``TooMuch``.

        ``expected``: the letter that is answered, and what is known of it, where it was looked up before.
        """
        if expected is not None:
            self.play(address, content, from_nobody=from_nobody, expected=expected)
        elif (check := self.checked(address)) is not None:
            log.info("test email %s, or the reply to it, has come in", check)
            mail_checks.note(self.office.settings, check, content)
        elif (number := self.stopped(address)) is not None:
            self.stop(number)
        elif self.answered(address) is None:
            self.take(address, content)
        else:
            self.play(address, content, from_nobody=from_nobody, expected=expected)

    def too_large(self, address: str, header: bytes) -> None:
        """Refuse an answer that is too large to be read; SMTP refuses it while it comes. Raises ``TooMuch``."""
        if (number := self.stopped(address)) is not None:
            self.stop(number)
            return
        if (number := self.answered(address)) is None:
            log.info("a mail to a return path is too large to be read")
            return
        reading = self.read(number, "orders", header)
        if reading.head.automatic:
            log.info("letter %s was answered by a program; nothing is played", number, extra={"letter": number})
            return
        name = reading.head.message_id or hashlib.sha256(header).hexdigest()
        try:
            replies.refuse(self.office, number, replies.TOO_LONG, name, work.now())
        except (NoSuch, NotNow):
            log.info("letter %s was answered for a seat that is somebody else's", number, extra={"letter": number})

    def letter(self, address: str) -> int | None:
        """The letter whose return path an address is."""
        return _number(address, self.office.settings.return_path, self.office.tokens.read_bounce)

    def answered(self, address: str) -> int | None:
        """The letter that is answered to an address."""
        return _number(address, self.office.settings.orders_address, self.office.tokens.read_reply)

    def stopped(self, address: str) -> int | None:
        """The letter like which a mail to this address wants no more."""
        return _number(address, self.office.settings.orders_address, self.office.tokens.read_stop)

    def stop(self, number: int) -> None:
        """Stop letters like this one: whoever knows the address has had it, whatever the mail says and who wrote it."""
        try:
            accounts.stop_by_mail(self.office, number, work.now())
        except NoSuch:
            log.info("there is no letter %s any more to be unsubscribed from", number, extra={"letter": number})
            return
        log.info("letters like letter %s are stopped by a mail", number, extra={"letter": number})

    def checked(self, address: str) -> int | None:
        """The test email of the doctor that is answered to an address, or came to it."""
        return _number(address, self.office.settings.orders_address, self.office.tokens.read_check)

    def take(self, address: str, content: bytes) -> None:
        """Note what the mail says about the letter."""
        number = self.letter(address)
        assert number is not None
        back = [report for report in self.read(number, "report", content).found.reports if report.back]
        if not back:
            log.info("a mail came back to letter %s that reports no failure", number, extra={"letter": number})
            return
        worst = max(back, key=lambda report: report.status[0])
        log.info("letter %s came back: %s", number, worst.status, extra={"letter": number})
        bounces.returned(self.office, number, worst.status, worst.answer, work.now())

    def play(
        self, address: str, content: bytes, *, from_nobody: bool, expected: tuple[int, Expected] | None = None
    ) -> None:
        """Submit the orders that were written above the letter."""
        number, seen = expected or (self.answered(address), None)
        assert number is not None
        ours = parseaddr(self.office.settings.mail_from)[1], address
        reading = self.read(number, "orders", content, ours, seen)
        if from_nobody or reading.head.automatic:
            log.info("letter %s was answered by a program; nothing is played", number, extra={"letter": number})
            return
        try:
            with self.office.one_look():
                done = self._act(number, _mail(reading, content))
        except (NoSuch, NotNow):
            log.info("letter %s was answered for a seat that is somebody else's", number, extra={"letter": number})
            return
        log.info("letter %s was answered: %s", number, done, extra={"letter": number})

    def _act(self, number: int, mail: incoming.Mail) -> str:
        """Do what the mail says; returns what was done, for the log."""
        if leagues.answers(self.office, number):
            return f"takes part: {leagues.take(self.office, number, mail.text, work.now())}"
        return incoming.take(self.office, number, mail, work.now())

    def read(
        self,
        number: int,
        kind: Kind,
        content: bytes,
        ours: tuple[str, ...] = (),
        expected: Expected | None = None,
    ) -> Reading:
        """What stands in a mail about a letter, which may have lines to be filled in.

        Raises :class:`TooMuch` for an account whose mails took too long.
        """
        expected = expected or replies.expected(self.office, number, work.now())
        reading = self.readers.read(kind, content, ours, expected.form)
        if expected.account is not None and (spent := self.spent.add(expected.account, reading.found.seconds)):
            replies.was_read(self.office, expected.account, spent, work.now())
        if reading.found.problem == "unreadable":
            why = reading.found.why
            log.warning("a mail about letter %s cannot be read: %s", number, why, extra={"letter": number})
        return reading


def refused(much: TooMuch) -> str:
    """What the other server is told: it sends the mail again later."""
    return f"452 4.7.1 {much.sentence}"


def _mail(reading: Reading, content: bytes) -> incoming.Mail:
    """What the service is told of a mail."""
    head, found = reading.head, reading.found
    unread = {"too long": replies.TOO_LONG, "unreadable": replies.UNREADABLE}.get(found.problem)
    key = head.message_id or hashlib.sha256(content).hexdigest()
    return incoming.Mail(found.text, head.sender, head.message_id, key, unread)


def _number(address: str, own: str, read: Callable[[str], int]) -> int | None:
    """What the token says that stands in one of our addresses: ``own`` with ``+TOKEN`` in it."""
    local, _, host = address.rpartition("@")
    own_local, _, own_host = own.rpartition("@")
    before, plus, token = local.partition("+")
    if not (own and plus) or (before.casefold(), host.casefold()) != (own_local.casefold(), own_host.casefold()):
        return None
    try:
        return read(token)
    except BadToken:
        return None


class Listener(Controller):
    """The server on the port of the settings, with the processes that read its mails."""

    def __init__(self, office: Office, mailroom: Mailroom | None = None) -> None:
        self.mailroom = mailroom or Mailroom(office)
        super().__init__(
            self.mailroom,
            hostname=office.settings.mailin_host,
            port=office.settings.mailin_port,
            data_size_limit=LARGEST,
            ident="pbem",
            timeout=conversations.SECONDS,
            command_call_limit=conversations.CALLS,
        )

    @override
    def factory(self) -> SMTP:
        return conversations.Conversation(self.mailroom.limiter, self.mailroom, **self.SMTP_kwargs)

    @override
    def stop(self, no_assert: bool = False) -> None:
        super().stop(no_assert)
        self.mailroom.close()  # also where others bring mails to it: all ways end together


def listener(office: Office) -> Controller:
    """The server on the port of the settings, not started yet."""
    return Listener(office)


def take_mail_in(office: Office, open_ones: contextlib.ExitStack) -> None:
    """Start the ways in that the settings name; they end with ``open_ones``."""
    mailroom = Mailroom(office)
    open_ones.callback(mailroom.close)
    if office.settings.mailin_port:
        server = Listener(office, mailroom)
        server.start()
        open_ones.callback(server.stop)
        log.info("accepting email at %s:%s", office.settings.mailin_host, office.settings.mailin_port)
    if office.settings.imap_url:
        reader = mailbox.Reader(office, mailroom)
        reader.start()
        open_ones.callback(reader.stop)


def main() -> None:
    """Take mails in until SIGTERM or SIGINT; without a way in only wait for them: a Procfile may name us always."""
    settings = begin("mailin")
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    if not (settings.mailin_port or settings.imap_url):
        log.info("neither PBEM_MAILIN_PORT nor PBEM_IMAP_URL is set: no email is accepted")
        ended.wait()
        return
    with contextlib.ExitStack() as open_ones:
        take_mail_in(open_office(settings), open_ones)
        ended.wait()


if __name__ == "__main__":
    main()
