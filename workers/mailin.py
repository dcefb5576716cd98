"""Mails that come back: ``python -m workers.mailin`` takes them by SMTP and hands each to the letter it is about.

It takes nothing else. An address that no letter of ours was sent from is refused in the conversation; nothing is ever
answered by mail.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import threading

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.mail.returned import reports
from pbem.runtime.start import begin
from pbem.service import BadToken, Office, bounces
from workers import work

log = logging.getLogger("workers.mailin")  # run as a program, the module has another name

LARGEST = 1024 * 1024
"""Bytes of a mail: reports may hold the whole letter, with its board."""
SECONDS = 60.0
RECIPIENTS = 20

NO_MAILBOX = "550 5.1.1 there is no such mailbox"
TAKEN = "250 2.0.0 taken"
LATER = "451 4.3.0 try again later"


class Mailroom:
    """The handler of aiosmtpd."""

    def __init__(self, office: Office) -> None:
        self.office = office

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Whether this is the return path of one of our letters."""
        if self.letter(address) is None:
            return NO_MAILBOX
        if len(envelope.rcpt_tos) >= RECIPIENTS:
            return "452 4.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        return TAKEN

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Read the report; what is none is taken and forgotten."""
        content = envelope.content
        assert isinstance(content, bytes)
        try:
            for address in envelope.rcpt_tos:
                await asyncio.to_thread(self.take, address, content)
        except Exception:
            log.exception("a returned mail could not be noted")
            return LATER
        return TAKEN

    def letter(self, address: str) -> int | None:
        """The letter whose return path an address is."""
        local, _, host = address.rpartition("@")
        own, _, own_host = self.office.settings.return_path.rpartition("@")
        before, plus, token = local.partition("+")
        if not plus or (before.casefold(), host.casefold()) != (own.casefold(), own_host.casefold()):
            return None
        try:
            return self.office.tokens.read_bounce(token)
        except BadToken:
            return None

    def take(self, address: str, content: bytes) -> None:
        """Note what the mail says about the letter."""
        number = self.letter(address)
        assert number is not None
        back = [report for report in reports(content) if report.back]
        if not back:
            log.info("a mail came back to letter %s that reports no failure", number, extra={"letter": number})
            return
        worst = max(back, key=lambda report: report.status[0])
        log.info("letter %s came back: %s", number, worst.status, extra={"letter": number})
        bounces.returned(self.office, number, worst.status, worst.answer, work.now())


def listener(office: Office) -> Controller:
    """The server on the port of the settings, not started yet."""
    settings = office.settings
    return Controller(
        Mailroom(office),
        hostname=settings.mailin_host,
        port=settings.mailin_port,
        data_size_limit=LARGEST,
        ident="pbem",
        timeout=SECONDS,
    )


def main() -> None:
    """Listen until SIGTERM or SIGINT; without a port only wait for them, so that a Procfile may name us always."""
    settings = begin("mailin")
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    if not settings.mailin_port:
        log.info("PBEM_MAILIN_PORT is not set: mails that come back are not taken")
        ended.wait()
        return
    server = listener(Office.open(settings))
    server.start()
    log.info("mails that come back are taken at %s:%s", settings.mailin_host, settings.mailin_port)
    try:
        ended.wait()
    finally:
        server.stop()


if __name__ == "__main__":
    main()
