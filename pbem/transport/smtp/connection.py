"""Connections to the mail server: encrypted, logged in, and kept for a moment, because letters come in groups.

A connection that has been kept may be of no use any more: the server has closed it, or takes no more letters by it.
That is found out before anything of the next letter has been handed over, and the letter goes by a new one.
"""

import atexit
import contextlib
import os
import smtplib
import ssl
import threading
import time
from typing import Any
from urllib.parse import unquote, urlsplit

from typing_extensions import override

from pbem.engine import Value

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
CLOSING = 421
"""What a server answers that is about to close the connection."""
GO_ON = 354
"""What it answers when the text of the letter is to follow: from then on nobody knows whether it has it."""


class Stale(Exception):
    """The kept connection is of no use any more, and the server has been given nothing of the letter."""


class Post(smtplib.SMTP):
    """A conversation in which no letter takes longer than it may be in somebody's hands. ``letters``: how many went;
    ``answered``: whether the server has said anything about this one; ``taking``: whether it has begun to take it."""

    def __init__(self, host: str, port: int, **more: Any) -> None:
        self.letters = 0
        self.begin(time.monotonic() + ALTOGETHER, SECONDS)
        super().__init__(host, port, timeout=SECONDS, **more)

    def begin(self, until: float, first: float) -> None:
        """A letter comes, to be handed over ``until`` then (monotonic), the first answer within so many seconds."""
        self.answered = self.taking = False
        self._answer, self._until = first, until

    @override
    def getreply(self) -> tuple[int, bytes]:
        if self.sock is not None:
            self.sock.settimeout(max(0.1, min(self._answer, self._until - time.monotonic())))
        code, said = super().getreply()
        self.answered, self.taking, self._answer = True, self.taking or code == GO_ON, SECONDS
        return code, said


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
        server.ehlo_or_helo_if_needed()
        if url.scheme != "smtps" and server.has_extn("starttls"):
            server.starttls(context=ssl.create_default_context())
            server.ehlo()
        if url.username:
            server.login(unquote(url.username), unquote(url.password or ""))
    except BaseException:
        server.close()
        raise
    return server


def send(server: Post, content: bytes, sender: str, to: str, until: float, *, kept: bool = False) -> None:
    """Hand a letter over. Raises what :mod:`smtplib` raises, and of a ``kept`` connection :class:`Stale`."""
    server.begin(until, AT_HAND if kept else SECONDS)
    try:
        server.sendmail(sender, [to], content)
    except smtplib.SMTPException as error:
        if kept and not server.taking and _of_no_use(server, error):
            raise Stale from error
        raise
    server.letters += 1


def _of_no_use(server: Post, error: smtplib.SMTPException) -> bool:
    """Whether it is about the connection and not about the letter. A sender that was taken before is refused because
    enough letters have gone by it, or it was open for too long."""
    match error:
        case smtplib.SMTPServerDisconnected():
            return not server.answered or not isinstance(error.__context__, TimeoutError)
        case smtplib.SMTPRecipientsRefused():
            return any(code == CLOSING for code, _ in error.recipients.values())
        case smtplib.SMTPResponseException():
            return isinstance(error, smtplib.SMTPSenderRefused) or error.smtp_code == CLOSING
    return False


def hang_up(server: Post) -> None:
    """Close the connection. What the server answers changes nothing: it has taken the letter by then or it has not."""
    with contextlib.suppress(smtplib.SMTPException, OSError):
        server.begin(time.monotonic() + GOODBYE, GOODBYE)
        server.quit()
    server.close()


class Waiting(Value):
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
