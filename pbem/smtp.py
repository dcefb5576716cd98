"""Handing an email over: to the SMTP server, or to the outbox directory if none is set."""

from __future__ import annotations

import contextlib
import os
import re
import smtplib
import ssl
import time
from email.message import EmailMessage
from email.utils import parseaddr
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from typing_extensions import override

from pbem.disk import names_to_disk
from pbem.settings import Settings, with_token

SECONDS = 20
"""How long the server has for each answer, and all together for a letter: whoever sends it has it for two minutes."""
ALTOGETHER = 60
GOODBYE = 2
GONE = (smtplib.SMTPConnectError, smtplib.SMTPServerDisconnected)
ADDRESS_REFUSED = (550, 551, 553)
"""Answers after which trying again is no use: there is no such mailbox."""


class NotTaken(Exception):
    """The server did not take the letter. ``for_good``: it never will; ``said``: why, without whom it was for.

    ``away``: there was nobody to say yes or no. ``to``: the address; ``took``: how many seconds were spent on it.
    """

    def __init__(
        self, why: str, to: str = "", *, for_good: bool = False, away: bool = False, took: float = 0.0
    ) -> None:
        super().__init__(why)
        self.for_good, self.away, self.to, self.took = for_good, away, to, took
        local, _, _ = to.partition("@")
        self.said = re.sub(rf"\b{re.escape(local)}\b", "…", why, flags=re.IGNORECASE) if local else why


def post(settings: Settings, message: EmailMessage, to: str, token: str = "") -> float:
    """Hand the mail over; with a token it comes back to an address of its own. Raises :class:`NotTaken`.

    Returns how many seconds the server took for it, beside what it takes for every mail: connection and log-in.
    """
    if settings.smtp_url:
        return _by_smtp(settings, message, to, return_path(settings, token))
    try:
        _into_outbox(settings, message)
    except OSError as error:  # the disk is full, or the folder is not ours
        raise NotTaken(f"{settings.outbox_dir}: {error.strerror}", away=True) from error
    return 0.0


def return_path(settings: Settings, token: str) -> str:
    """Where a mail comes back to that cannot be delivered: ``bounce+TOKEN@HOST``, or the sender."""
    if not (settings.return_path and token):
        return parseaddr(settings.mail_from)[1]
    return with_token(settings.return_path, token)


def _by_smtp(settings: Settings, message: EmailMessage, to: str, sender: str) -> float:
    try:
        server = connect(settings.smtp_url)
    except (smtplib.SMTPException, OSError) as error:
        raise _not_taken(error, to) from error
    began = time.monotonic()
    try:
        server.send_message(message, sender, [to])
    except (smtplib.SMTPException, OSError) as error:
        raise _not_taken(error, to, time.monotonic() - began) from error
    else:
        return time.monotonic() - began
    finally:
        _hang_up(server)


def _not_taken(error: smtplib.SMTPException | OSError, to: str, took: float = 0.0) -> NotTaken:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, answer = next(iter(error.recipients.values()))
        said = f"{code} {answer.decode('utf-8', 'replace')}"
        return NotTaken(said, to, for_good=code in ADDRESS_REFUSED, took=took)
    away = isinstance(error, GONE) or not isinstance(error, smtplib.SMTPException)
    return NotTaken(f"{type(error).__name__}: {error}", to, away=away, took=took)


def _hang_up(server: smtplib.SMTP) -> None:
    """Close the connection. What the server answers changes nothing: it has taken the letter by then or it has not."""
    with contextlib.suppress(smtplib.SMTPException, OSError):
        if server.sock is not None:
            server.sock.settimeout(GOODBYE)
        server.quit()
    server.close()


class Post(smtplib.SMTP):
    """A conversation that does not last longer than a letter may be in somebody's hands."""

    def __init__(self, host: str, port: int, **more: Any) -> None:
        self._until = time.monotonic() + ALTOGETHER
        super().__init__(host, port, timeout=SECONDS, **more)

    @override
    def getreply(self) -> tuple[int, bytes]:
        if self.sock is not None:
            self.sock.settimeout(max(0.1, min(SECONDS, self._until - time.monotonic())))
        return super().getreply()


class SecurePost(Post, smtplib.SMTP_SSL):
    """The same, encrypted from the first word on."""


def connect(smtp_url: str) -> smtplib.SMTP:
    """A connection that is encrypted when the server can and logged in when the URL names a user."""
    url = urlsplit(smtp_url)
    host = url.hostname or ""
    if url.scheme == "smtps":
        server: Post = SecurePost(host, url.port or 465, context=ssl.create_default_context())
    else:
        server = Post(host, url.port or 587)
    try:
        _greet(server, url)
    except BaseException:
        server.close()
        raise
    return server


def _greet(server: smtplib.SMTP, url: SplitResult) -> None:
    if url.scheme != "smtps":
        server.ehlo()
        if server.has_extn("starttls"):
            server.starttls(context=ssl.create_default_context())
            server.ehlo()
    if url.username:
        server.login(unquote(url.username), unquote(url.password or ""))


def _into_outbox(settings: Settings, message: EmailMessage) -> None:
    """One file per letter, named by its Message-ID, so that a letter sent twice is one file."""
    folder = settings.outbox_dir
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        names_to_disk(folder.parent)
    name = "".join(c if c.isalnum() or c in ".-" else "_" for c in str(message["Message-ID"]).strip("<>"))
    draft = folder / f".{name}.{os.getpid()}"
    try:
        with draft.open("wb") as file:
            file.write(bytes(message))
            file.flush()
            os.fsync(file.fileno())  # who says that a letter was sent has it on the disk, whatever happens then
        draft.replace(folder / f"{name}.eml")
        names_to_disk(folder)
    finally:
        draft.unlink(missing_ok=True)
