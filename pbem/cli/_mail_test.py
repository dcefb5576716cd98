"""``pbem doctor --mail``: a test email that is answered, and what the DNS says about our mail."""

import secrets
import smtplib
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage, Message
from email.utils import format_datetime, make_msgid, parseaddr
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import dns.exception

from pbem.cli import _mail_dns
from pbem.cli._mail_dns import Dns, Ip
from pbem.cli._terminal import Failure
from pbem.service import Office
from pbem.service.operator.health import Finding
from pbem.settings.addresses import is_loopback, with_token
from pbem.settings.settings import Settings
from pbem.transport import mail_checks, smtp
from pbem.transport.smtp.connection import connect
from pbem.views.letters import Email

LOOK_EVERY = 0.5
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
TEXT = """\
This is a test email of the pbem server at {url}.

Please reply to it now, with any text: pbem doctor is waiting for your reply. Your email program may say that it goes to
{reply}; that is right.

The code of this test is {code}.
"""
TEXT_WITHOUT_REPLY = """\
This is a test email of the pbem server at {url}. You do not have to do anything.

The code of this test is {code}.
"""


@dataclass(frozen=True)
class Test:
    """One run. ``to``: who gets the email and answers; ``received``: it, as it arrived there, saved to a file."""

    office: Office
    to: str
    seconds: float
    received: Path | None
    dns: Dns
    say: Callable[[str], None]

    @property
    def settings(self) -> Settings:
        return self.office.settings

    def findings(self) -> Iterator[Finding]:
        """Everything that can be said about our mail; waits for the reply."""
        if not self.settings.smtp_url:
            yield Finding("SMTP", False, "no mail server is configured", "Set PBEM_SMTP_URL (docs/hosting.md).")
            return
        domain = self.settings.mail_host
        back_to = smtp.return_path(self.settings, "0").rpartition("@")[2]
        senders, encrypted = self._server()
        yield encrypted
        number = int((datetime.now(UTC) - EPOCH).total_seconds()) * 2
        sent = self._send(number) if encrypted.well else None
        yield from [sent] if sent else []
        yield from self._asked("SPF", lambda: [_mail_dns.spf(self.dns, back_to, senders)])
        yield from self._asked("DMARC", lambda: [_mail_dns.dmarc(self.dns, domain)])
        yield from self._asked("reverse name", lambda: list(_mail_dns.reverse(self.dns, senders)))
        for host, what in self._taken().items():
            yield from self._asked("MX", lambda host=host, what=what: [_mail_dns.mx(self.dns, host, what)])  # type: ignore[misc]
        if sent and sent.well:
            yield self._reply(number)
        header = self._header(number)
        if header is not None:
            yield from self._asked("DKIM", lambda: [_mail_dns.dkim(self.dns, header, domain)])
        else:
            yield Finding(
                "DKIM", True, "no email of ours was seen as it is received",
                "Save the test email with all its headers to a file, and run this with --received FILE.",
            )  # fmt: skip

    def _asked(self, name: str, ask: Callable[[], Sequence[Finding]]) -> Iterator[Finding]:
        try:
            yield from ask()
        except dns.exception.DNSException as error:
            yield Finding(
                name, False, f"the DNS gives no answer: {type(error).__name__}",
                "Check the name servers of this machine (/etc/resolv.conf) and of the domain, then run this again.",
            )  # fmt: skip

    def _server(self) -> tuple[list[Ip], Finding]:
        """Public addresses of the mail server, as it names itself or is reached, and whether the way to it is safe."""
        url = urlsplit(self.settings.smtp_url)
        try:
            with connect(self.settings.smtp_url) as server:
                secure = isinstance(server.sock, ssl.SSLSocket)
                name = (server.ehlo_resp or server.helo_resp or b"").split()[:1]
                peer = ip_address(server.sock.getpeername()[0]) if server.sock else None
        except ssl.SSLCertVerificationError as error:
            return [], Finding(
                "SMTP", False, f"the certificate of {url.hostname} is not valid: {error.verify_message}",
                "Renew it, or name the server in PBEM_SMTP_URL as its certificate does.",
            )  # fmt: skip
        except (smtplib.SMTPException, OSError) as error:
            return [], Finding(
                "SMTP", False, f"{type(error).__name__}: {error}", "Correct PBEM_SMTP_URL (user, password, port)."
            )
        senders = [peer] if peer is not None and peer.is_global else self._called(b"".join(name))
        if not secure and not is_loopback(url.hostname or ""):
            return senders, Finding(
                "SMTP", False, f"{url.hostname} offers no encryption: passwords and emails can be read on the way",
                "Switch STARTTLS on in the mail server, or use smtps:// in PBEM_SMTP_URL.",
            )  # fmt: skip
        return senders, Finding("SMTP", True, "the server answers" + (", encrypted" if secure else " on this machine"))

    def _called(self, name: bytes) -> list[Ip]:
        """Addresses of a mail server near us by the name it gives itself; none where the DNS does not know it."""
        try:
            return self.dns.addresses(name.decode("ascii", "replace"))
        except (dns.exception.DNSException, UnicodeError):
            return []

    def _taken(self) -> dict[str, str]:
        """Domains to which mail comes, with what comes there."""
        places = {self.settings.mail_host: "answers to our emails"}
        for address, what in ((self.settings.return_path, "bounces"), (self.settings.orders_address, "replies")):
            if address:
                places[address.rpartition("@")[2]] = what
        return places

    def _send(self, number: int) -> Finding:
        """Send the test email, and a copy of it to ourselves: it comes in as our emails come in elsewhere."""
        tokens, own = self.office.tokens, self.settings.orders_address
        reply = with_token(own, tokens.numbered("check", number)) if own else ""
        code = secrets.token_hex(4).upper()
        copies = [(self.to, code)] + ([(with_token(own, tokens.numbered("check", number + 1)), code)] if own else [])
        for to, _ in copies:
            mail = self._mail(to, reply, code)
            try:
                smtp.post(self.settings, mail, to, tokens.numbered("bounce", 0))
            except smtp.NotTaken as refused:
                return Finding(
                    "test email", False, f"the mail server does not take it for {to.partition('+')[0]}: {refused.said}",
                    "If it refuses the sender, PBEM_MAIL_FROM and PBEM_RETURN_PATH must be addresses it lets you use.",
                )  # fmt: skip
        self.say(f"A test email with the code {code} is on its way to {self.to}.")
        return Finding("test email", True, f"taken by the mail server, with the code {code}")

    def _mail(self, to: str, reply: str, code: str) -> Email:
        mail = EmailMessage()
        sender = self.settings.mail_from
        mail["From"], mail["To"], mail["Subject"] = sender, to, f"pbem test email {code}"
        mail["Date"], mail["Message-ID"] = (
            format_datetime(datetime.now(UTC)),
            make_msgid(domain=self.settings.mail_host),
        )
        mail["Auto-Submitted"] = "auto-generated"
        mail["List-Unsubscribe"] = f"<mailto:{parseaddr(sender)[1]}>"
        if reply:
            mail["Reply-To"] = reply
        text = TEXT if reply else TEXT_WITHOUT_REPLY
        mail.set_content(text.format(url=self.settings.public_url, reply=reply, code=code))
        return Email(str(mail["Message-ID"]), mail.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))

    def _reply(self, number: int) -> Finding:
        chosen = self.settings
        if not (chosen.orders_address and (chosen.mailin_port or chosen.imap_url)):
            return Finding(
                "reply", True, "replies do not come to this server",
                "To let players reply by email, see “Orders by email” and “A mailbox” in docs/hosting.md.",
            )  # fmt: skip
        self.say(f"Reply to it. Waiting up to {self.seconds / 60:.0f} minutes; the process mailin must be running.")
        end, began = time.monotonic() + self.seconds, time.monotonic()
        while mail_checks.arrived(chosen, number) is None:
            if time.monotonic() > end:
                return Finding("reply", False, "no reply has come in", self._lost(number))
            time.sleep(LOOK_EVERY)
        return Finding("reply", True, f"it came in after {time.monotonic() - began:.0f} s")

    def _lost(self, number: int) -> str:
        if mail_checks.arrived(self.settings, number + 1) is not None:
            return "A copy of it came in, so the way in works. Look for the email in your spam folder, and reply."
        if self.settings.imap_url:
            return (
                "Check that mailin runs, and that the mailbox gets emails to addresses with a plus sign (“A mailbox”)."
            )
        return "Check that mailin runs, and that your mail server passes emails for PBEM_ORDERS_ADDRESS on to it."

    def _header(self, number: int) -> Message | None:
        if self.received is None:
            raw = mail_checks.arrived(self.settings, number + 1)
            return None if raw is None else message_from_bytes(raw)
        try:
            return message_from_bytes(self.received.read_bytes())
        except OSError as error:
            raise Failure(f"{self.received} cannot be read: {error.strerror}.") from error
