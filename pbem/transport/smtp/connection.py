"""Connections to the mail server: encrypted, logged in, and kept for a moment, because letters come in groups.

A connection that has been kept may be of no use any more: the server has closed it, or takes no more letters by it.
That is found out before anything of the next letter has been handed over, and the letter goes by a new one.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import smtplib
import ssl
import threading
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from typing_extensions import override

SECONDS = 20
"""How long the server has for each answer, and all together for a letter: whoever sends it has it for two minutes."""
ALTOGETHER = 60
AT_HAND = 5
"""How long a server has for its first answer on a connection that was kept, before a new one is made."""
GOODBYE = 2
IDLE = 5.0
"""Seconds for which a connection waits for another letter; servers end idle ones after minutes, and count open ones."""
MOST = 50
"""Letters that go by one connection; servers that count have a hundred in mind."""
PLAIN = re.compile(r"[A-Za-z0-9.+=_-]+@[A-Za-z0-9.-]+")
"""An address that is not taken apart and put together again, which takes longer than to send it."""
CLOSING = 421
"""What a server answers that is about to close the connection."""


class Stale(Exception):
    """The kept connection is of no use any more, and the server has been given nothing of the letter."""


class Post(smtplib.SMTP):
    """A conversation in which no letter takes longer than it may be in somebody's hands. ``letters``: how many went."""

    def __init__(self, host: str, port: int, **more: Any) -> None:
        self.letters = 0
        self._answer, self._until = float(SECONDS), time.monotonic() + ALTOGETHER
        super().__init__(host, port, timeout=SECONDS, **more)

    def begin(self, until: float, answer: float | None = None) -> None:
        """A letter comes, to be handed over ``until`` then (monotonic); each answer may take ``answer`` seconds."""
        self._answer, self._until = SECONDS if answer is None else answer, until

    @override
    def getreply(self) -> tuple[int, bytes]:
        if self.sock is not None:
            self.sock.settimeout(max(0.1, min(self._answer, self._until - time.monotonic())))
        return super().getreply()


class SecurePost(Post, smtplib.SMTP_SSL):
    """The same, encrypted from the first word on."""


def connect(smtp_url: str) -> Post:
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
    server.ehlo_or_helo_if_needed()
    if url.scheme != "smtps" and server.has_extn("starttls"):
        server.starttls(context=ssl.create_default_context())
        server.ehlo()
    if url.username:
        server.login(unquote(url.username), unquote(url.password or ""))


def send(server: Post, content: bytes, sender: str, to: str, until: float, *, kept: bool = False) -> None:
    """Hand a letter over. Raises what :mod:`smtplib` raises, and of a ``kept`` connection :class:`Stale`."""
    server.begin(until, AT_HAND if kept else None)
    try:
        _announce(server, sender, len(content), until, kept=kept)
        _address(server, to)
        _open(server)
    except smtplib.SMTPServerDisconnected as gone:
        if kept and not _silent(gone):
            raise Stale from gone
        raise
    except (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused) as refused:
        if kept and _code(refused) == CLOSING:
            raise Stale from refused
        raise
    _hand_over(server, content)
    server.letters += 1


def _announce(server: Post, sender: str, size: int, until: float, *, kept: bool) -> None:
    """Name the sender: the first word about a letter, by which it shows whether a kept connection can be used."""
    try:
        code, answer = server.docmd(
            "MAIL", f"FROM:{_angled(sender)}{f' size={size}' if server.has_extn('size') else ''}"
        )
    except smtplib.SMTPServerDisconnected as gone:
        if kept:
            raise Stale from gone
        raise
    if code != 250:
        if kept:  # whatever it is, it may be the connection: enough letters, open for too long
            raise Stale
        raise smtplib.SMTPSenderRefused(code, answer, sender)
    server.begin(until)


def _address(server: Post, to: str) -> None:
    code, answer = server.docmd("RCPT", f"TO:{_angled(to)}")
    if code not in (250, 251):
        raise smtplib.SMTPRecipientsRefused({to: (code, answer)})


def _angled(address: str) -> str:
    """An address as it stands in a command."""
    return f"<{address}>" if PLAIN.fullmatch(address) else smtplib.quoteaddr(address)


def _open(server: Post) -> None:
    code, answer = server.docmd("DATA")
    if code != 354:
        raise smtplib.SMTPDataError(code, answer)


def _hand_over(server: Post, content: bytes) -> None:
    """From here on nobody knows whether the server has the letter until it says so."""
    end = b".\r\n" if content.endswith(b"\r\n") else b"\r\n.\r\n"
    server.send(content.replace(b"\r\n.", b"\r\n..") + end)
    code, answer = server.getreply()
    if code != 250:
        raise smtplib.SMTPDataError(code, answer)


def _silent(gone: smtplib.SMTPServerDisconnected) -> bool:
    """Whether the server has not closed the connection, but said nothing for too long."""
    return isinstance(gone.__context__, TimeoutError)


def _code(refused: smtplib.SMTPResponseException | smtplib.SMTPRecipientsRefused) -> int:
    if isinstance(refused, smtplib.SMTPResponseException):
        return int(refused.smtp_code)
    return int(next(iter(refused.recipients.values()))[0])


def hang_up(server: smtplib.SMTP) -> None:
    """Close the connection. What the server answers changes nothing: it has taken the letter by then or it has not."""
    with contextlib.suppress(smtplib.SMTPException, OSError):
        if isinstance(server, Post):
            server.begin(time.monotonic() + GOODBYE, GOODBYE)
        server.quit()
    server.close()


@dataclass(frozen=True, slots=True)
class Waiting:
    """A connection that waits for a letter, since when (on the monotonic clock), and whose URL it is."""

    server: Post
    since: float
    url: str


class ConnectionPool:
    """The connections of this process that wait for another letter; safe for threads, and empty after a fork."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew: what was kept is somebody else's."""
        self._lock, self._waiting = threading.Lock(), list[Waiting]()
        self._timer: threading.Timer | None = None

    def take(self, url: str) -> Post | None:
        """A connection for this URL, the one used last; it is nobody else's then."""
        with self._lock:
            found = next((one for one in reversed(self._waiting) if one.url == url), None)
            if found is None:
                return None
            self._waiting.remove(found)
            return found.server

    def keep(self, url: str, server: Post) -> None:
        """Let a connection wait by which a letter has gone, or close it when that were enough of them."""
        if server.letters >= MOST:
            hang_up(server)
            return
        with self._lock:
            self._waiting.append(Waiting(server, time.monotonic(), url))
            self._look_later(IDLE)

    def hang_up(self, idle: float = 0.0) -> None:
        """Close what has waited so many seconds."""
        with self._lock:
            until = time.monotonic() - idle
            gone = [one for one in self._waiting if one.since <= until]
            self._waiting = [one for one in self._waiting if one.since > until]
            if self._timer is not None and not self._waiting:
                self._timer.cancel()
                self._timer = None
        for one in gone:
            hang_up(one.server)

    def _look_later(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = threading.Timer(seconds, self._look)
            self._timer.daemon = True
            self._timer.start()

    def _look(self) -> None:
        with self._lock:
            self._timer = None
        self.hang_up(IDLE)
        with self._lock:
            if self._waiting:
                self._look_later(self._waiting[0].since + IDLE - time.monotonic())


kept = ConnectionPool()
os.register_at_fork(after_in_child=kept.forget)
atexit.register(kept.hang_up)
