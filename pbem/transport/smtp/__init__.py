"""Handing an email over: to the SMTP server, or to the outbox directory if none is set."""

import contextlib
import os
import re
import smtplib
import time
from email.utils import parseaddr

from pbem.settings.addresses import with_token
from pbem.settings.paths import names_to_disk
from pbem.settings.settings import Settings
from pbem.transport.smtp import connection
from pbem.transport.smtp.connection import Post, Stale, connect, hang_up, kept, send
from pbem.views.letters import Email

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


def post(settings: Settings, email: Email, to: str, token: str = "") -> float:
    """Hand the mail over; with a token it comes back to an address of its own. Raises :class:`NotTaken`.

    Returns how many seconds the server took for it, beside what it takes for every mail: connection and log-in.
    """
    if settings.smtp_url:
        return _by_smtp(settings, email.content, to, return_path(settings, token))
    try:
        _into_outbox(settings, email)
    except OSError as error:  # the disk is full, or the folder is not ours
        raise NotTaken(f"{settings.outbox_dir}: {error.strerror}", away=True) from error
    return 0.0


def return_path(settings: Settings, token: str) -> str:
    """Where a mail comes back to that cannot be delivered: ``bounce+TOKEN@HOST``, or the sender."""
    if not (settings.return_path and token):
        return parseaddr(settings.mail_from)[1]
    return with_token(settings.return_path, token)


def _by_smtp(settings: Settings, content: bytes, to: str, sender: str) -> float:
    """Over a connection that is at hand, or else over a new one."""
    until = time.monotonic() + connection.ALTOGETHER
    if (server := kept.take(settings.smtp_url)) is not None:
        with contextlib.suppress(Stale):
            return _over(server, settings.smtp_url, content, to, sender, until, known=True)
    try:
        server = connect(settings.smtp_url)
    except (smtplib.SMTPException, OSError) as error:
        raise _not_taken(error, to) from error
    return _over(server, settings.smtp_url, content, to, sender, until)


def _over(server: Post, url: str, content: bytes, to: str, sender: str, until: float, *, known: bool = False) -> float:
    """Only a connection over which a letter has just been taken is kept."""
    began = time.monotonic()
    try:
        send(server, content, sender, to, until, kept=known)
    except (smtplib.SMTPException, OSError) as error:
        took = time.monotonic() - began
        hang_up(server)
        raise _not_taken(error, to, took) from error
    except BaseException:
        hang_up(server)
        raise
    took = time.monotonic() - began
    kept.keep(url, server)
    return took


def _not_taken(error: smtplib.SMTPException | OSError, to: str, took: float = 0.0) -> NotTaken:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, answer = next(iter(error.recipients.values()))
        said = f"{code} {answer.decode('utf-8', 'replace')}"
        return NotTaken(said, to, for_good=code in ADDRESS_REFUSED, took=took)
    away = isinstance(error, GONE) or not isinstance(error, smtplib.SMTPException)
    return NotTaken(f"{type(error).__name__}: {error}", to, away=away, took=took)


def _into_outbox(settings: Settings, email: Email) -> None:
    """One file per letter, named by its Message-ID, so that a letter sent twice is one file."""
    folder = settings.outbox_dir
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        names_to_disk(folder.parent)
    name = "".join(c if c.isalnum() or c in ".-" else "_" for c in email.message_id.strip("<>"))
    draft = folder / f".{name}.{os.getpid()}"
    try:
        with draft.open("wb") as file:
            file.write(email.content)
            file.flush()
            os.fsync(file.fileno())  # who says that a letter was sent has it on the disk, whatever happens then
        draft.replace(folder / f"{name}.eml")
        names_to_disk(folder)
    finally:
        draft.unlink(missing_ok=True)
