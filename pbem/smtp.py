"""Handing a mail over: to the SMTP server, or to the outbox directory while none is set."""

from __future__ import annotations

import os
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import parseaddr
from urllib.parse import unquote, urlsplit

from pbem.settings import Settings

SECONDS = 30
ADDRESS_REFUSED = (550, 551, 553)
"""Answers after which trying again is no use: there is no such mailbox."""


class NotTaken(Exception):
    """The server did not take the letter. ``for_good``: it never will."""

    def __init__(self, why: str, *, for_good: bool = False) -> None:
        super().__init__(why)
        self.for_good = for_good


def post(settings: Settings, message: EmailMessage, to: str, token: str = "") -> None:
    """Hand the mail over; with a token it comes back to an address of its own. Raises :class:`NotTaken`."""
    if settings.smtp_url:
        _by_smtp(settings, message, to, return_path(settings, token))
    else:
        _into_outbox(settings, message)


def return_path(settings: Settings, token: str) -> str:
    """Where a mail comes back to that cannot be delivered: ``bounce+TOKEN@HOST``, or the sender."""
    if not (settings.return_path and token):
        return parseaddr(settings.mail_from)[1]
    local, _, host = settings.return_path.rpartition("@")
    return f"{local}+{token}@{host}"


def _by_smtp(settings: Settings, message: EmailMessage, to: str, sender: str) -> None:
    try:
        with connect(settings.smtp_url) as server:
            server.send_message(message, sender, [to])
    except smtplib.SMTPRecipientsRefused as refused:
        code, answer = next(iter(refused.recipients.values()))
        raise NotTaken(f"{code} {answer.decode('utf-8', 'replace')}", for_good=code in ADDRESS_REFUSED) from refused
    except (smtplib.SMTPException, OSError) as error:
        raise NotTaken(f"{type(error).__name__}: {error}") from error


def connect(smtp_url: str) -> smtplib.SMTP:
    """A connection that is encrypted when the server can and logged in when the URL names a user."""
    url = urlsplit(smtp_url)
    host = url.hostname or ""
    if url.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            host, url.port or 465, timeout=SECONDS, context=ssl.create_default_context()
        )
    else:
        server = smtplib.SMTP(host, url.port or 587, timeout=SECONDS)
        server.ehlo()
        if server.has_extn("starttls"):
            server.starttls(context=ssl.create_default_context())
            server.ehlo()
    if url.username:
        server.login(unquote(url.username), unquote(url.password or ""))
    return server


def _into_outbox(settings: Settings, message: EmailMessage) -> None:
    """One file per letter, named by its Message-ID, so that a letter sent twice is one file."""
    folder = settings.outbox_dir
    folder.mkdir(parents=True, exist_ok=True)
    name = "".join(c if c.isalnum() or c in ".-" else "_" for c in str(message["Message-ID"]).strip("<>"))
    draft = folder / f".{name}.{os.getpid()}"
    draft.write_bytes(bytes(message))
    draft.replace(folder / f"{name}.eml")
