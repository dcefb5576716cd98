"""Incoming email: ``python -m workers.mailin`` takes bounces, replies and mails that unsubscribe from our letters.

They come by SMTP and from a mailbox (:mod:`workers.mailbox`), and go to :mod:`workers.mailroom`.
"""

import contextlib
import logging
import signal
import threading

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP
from typing_extensions import override

from pbem.runtime.start import begin
from pbem.service import Office, open_office
from workers import conversations, mailbox
from workers.mailroom import LARGEST, Mailroom

log = logging.getLogger("workers.mailin")  # run as a program, the module has another name


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
