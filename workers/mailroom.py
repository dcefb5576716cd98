"""What is done with a mail that has come in: letters that come back, replies, and what stops letters like one.

Nothing else is taken. An address that is that of no letter of ours is refused in the conversation, and a mail that a
program has written is never answered.
"""

import asyncio
import hashlib
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from email.utils import parseaddr
from functools import partial
from typing import Literal

from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.engine import Say, replace
from pbem.mail.reader import Kind
from pbem.mail.reply import is_program
from pbem.service import BadToken, NoSuch, NotNow, Office
from pbem.service.base.rate_limits import TooMuch
from pbem.service.email_in import incoming, replies
from pbem.service.people import accounts, bounces
from pbem.transport import mail_checks
from workers import conversations, work
from workers.readers import Readers, Reading

log = logging.getLogger("workers.mailin")

LARGEST = 1024 * 1024
"""Bytes of a mail: reports may hold the whole letter, with its board."""
RECIPIENTS = 20
ORDINARY = 10
"""Milliseconds of the processor that are not counted: the first mail of a process takes five, another less than one."""
HANDS = 6
"""Mails that are dealt with at once, and letters that are looked up: each needs a connection to the database."""

Way = Literal["answered", "stopped", "checked", "returned"]
NO_MAILBOX = "550 5.1.1 there is no such mailbox"
TAKEN = "250 2.0.0 taken"
LATER = "451 4.3.0 try again later"


class Mailroom:
    """The handler of aiosmtpd, and what the reader of the mailbox brings its mails to."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.limiter = conversations.ConnectionLimiter()
        self.readers = Readers()
        self.hands = ThreadPoolExecutor(HANDS, "mailin")

    def close(self) -> None:
        self.hands.shutdown(cancel_futures=True)
        self.readers.close()

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Whether this is the return path of one of our letters, or an address to which one is answered or stopped."""
        if (way := self.way(address)) is None:
            return NO_MAILBOX
        if len(envelope.rcpt_tos) >= RECIPIENTS:
            return "452 4.5.3 too many recipients"
        kind, number = way
        if kind == "answered":
            try:
                await asyncio.get_running_loop().run_in_executor(self.hands, self.look, number)
            except NoSuch:
                return NO_MAILBOX
            except TooMuch as much:
                return refused(much)
            except Exception:
                log.exception("whether letter %s can be answered could not be seen", number)
                return LATER
        envelope.rcpt_tos.append(address)
        return TAKEN

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Read the report or the orders; what is neither is taken and forgotten."""
        content = envelope.content
        assert isinstance(content, bytes)
        from_nobody = (envelope.mail_from or "<>") == "<>" or is_program(envelope.mail_from or "")
        try:
            with self.limiter.at_work(session):
                for address in envelope.rcpt_tos:
                    act = partial(self.deal, address, content, from_nobody=from_nobody)
                    await asyncio.get_running_loop().run_in_executor(self.hands, act)
        except TooMuch as much:
            return refused(much)
        except Exception:
            log.exception("a mail that came in could not be noted")
            return LATER
        return TAKEN

    def look(self, number: int) -> None:
        """Raises ``NoSuch`` when nobody would read what comes back to a mail about a letter, and ``TooMuch``."""
        if replies.expected(self.office, number, work.now()).account is None:
            raise NoSuch(f"There is no letter {number} that can be answered.")

    def way(self, address: str) -> tuple[Way, int] | None:
        """What an address of ours is for, and the letter (or the test email) that it names."""
        settings, tokens = self.office.settings, self.office.tokens
        ways: tuple[tuple[Way, str, Callable[[str], int]], ...] = (
            ("checked", settings.orders_address, partial(tokens.read_numbered, "check")),
            ("stopped", settings.orders_address, partial(tokens.read_numbered, "stop")),
            ("answered", settings.orders_address, partial(tokens.read_numbered, "reply")),
            ("returned", settings.return_path, partial(tokens.read_numbered, "bounce")),
        )
        for way, own, read in ways:
            if (number := _number(address, own, read)) is not None:
                return way, number
        return None

    def is_ours(self, address: str) -> bool:
        return self.way(address) is not None

    def deal(self, address: str, content: bytes, *, from_nobody: bool) -> None:
        """Do what a mail says that came to this address, one of ours. Raises ``TooMuch``."""
        match self.way(address):
            case "checked", check:
                log.info("test email %s, or the reply to it, has come in", check)
                mail_checks.note(self.office.settings, check, content)
            case "stopped", number:
                self.stop(number)
            case "answered", number:
                self.play(number, address, content, from_nobody=from_nobody)
            case "returned", number:
                self.take(number, content)

    def too_large(self, address: str, header: bytes) -> None:
        """Refuse an answer that is too large to be read; SMTP refuses it while it comes. Raises ``TooMuch``."""
        match self.way(address):
            case "stopped", number:
                self.stop(number)
            case "answered", number:
                self.play(number, address, header, from_nobody=False, unread=replies.TOO_LONG)
            case _:
                log.info("a mail to a return path is too large to be read")

    def stop(self, number: int) -> None:
        """Stop letters like this one: whoever knows the address has had it, whatever the mail says and who wrote it."""
        try:
            accounts.stop_by_mail(self.office, number, work.now())
        except NoSuch:
            log.info("there is no letter %s any more to be unsubscribed from", number, extra={"letter": number})
            return
        log.info("letters like letter %s are stopped by a mail", number, extra={"letter": number})

    def take(self, number: int, content: bytes) -> None:
        """Note what the mail says about the letter."""
        back = [report for report in self.read(number, "report", content).found.reports if report.back]
        if not back:
            log.info("a mail came back to letter %s that reports no failure", number, extra={"letter": number})
            return
        worst = max(back, key=lambda report: report.status[0])
        log.info("letter %s came back: %s", number, worst.status, extra={"letter": number})
        bounces.returned(self.office, number, worst.status, worst.answer, work.now())

    def play(self, number: int, address: str, content: bytes, *, from_nobody: bool, unread: Say | None = None) -> None:
        """Do what was written above the letter. ``unread``: why nothing could be read of it."""
        reading = self.read(number, "orders", content, (parseaddr(self.office.settings.mail_from)[1], address))
        if from_nobody or reading.head.automatic:
            log.info("letter %s was answered by a program; nothing is played", number, extra={"letter": number})
            return
        mail = _mail(reading, content)
        try:
            with self.office.one_look():
                done = incoming.take(self.office, number, replace(mail, unread=unread or mail.unread), work.now())
        except (NoSuch, NotNow):
            log.info("letter %s was answered for a seat that is somebody else's", number, extra={"letter": number})
            return
        log.info("letter %s was answered: %s", number, done, extra={"letter": number})

    def read(self, number: int, kind: Kind, content: bytes, ours: tuple[str, ...] = ()) -> Reading:
        """What stands in a mail about a letter, which may have lines to be filled in.

        Raises :class:`TooMuch` for an account whose mails took too long.
        """
        expected = replies.expected(self.office, number, work.now())
        reading = self.readers.read(kind, content, ours, expected.form)
        spent = round(1000 * reading.found.seconds)
        if expected.account is not None and spent > ORDINARY:
            replies.was_read(self.office, expected.account, spent, work.now())
        if reading.found.problem == "unreadable":
            why = reading.found.why
            log.warning("a mail about letter %s cannot be read: %s", number, why, extra={"letter": number})
        return reading


def refused(much: TooMuch) -> str:
    """What the other server is told: it sends the mail again later."""
    return f"452 4.7.1 {much.sentence}"


def _mail(reading: Reading, content: bytes) -> incoming.Mail:
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
