"""A mail server within a test, which outlives the connections that the code under test keeps to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from typing_extensions import override

from pbem.service import Office
from pbem.transport.smtp.connection import kept
from tests.servers import free_port
from tests.table import Table


class MailServer(Controller):
    """On a free port of the loopback interface; takes letters within a ``with``."""

    def __init__(self, handler: object, **more: Any) -> None:
        super().__init__(handler, hostname="127.0.0.1", port=free_port(), **more)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @override
    def stop(self, no_assert: bool = False) -> None:
        kept.hang_up()
        super().stop(no_assert)


class Receiver:
    """Takes letters, but none to addresses that begin with ``nobody``; the first ``busy`` are to come later."""

    def __init__(self, nobody: str = "nobody") -> None:
        self.letters: list[EmailMessage] = []
        self.paths: list[str] = []
        """The senders that their envelopes named."""
        self.busy, self._nobody = 0, nobody

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if address.startswith(self._nobody):
            return "550 5.1.1 there is no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 taken"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.busy:
            self.busy -= 1
            return "451 4.3.0 come again later"
        assert isinstance(envelope.content, bytes)
        self.letters.append(message_from_bytes(envelope.content, _class=EmailMessage, policy=policy.default))
        self.paths.append(str(envelope.mail_from))
        return "250 taken"


@contextmanager
def posting(table: Table, receiver: object) -> Iterator[Office]:
    """The office of a table with its letters sent to this receiver."""
    with MailServer(receiver) as server:
        yield replace(table.office, settings=replace(table.office.settings, smtp_url=server.url))
