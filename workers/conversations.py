"""The SMTP conversations of ``workers.mailin``: how many there may be, for how long, and with how many commands.

aiosmtpd ends a conversation in which no command came for :data:`SECONDS`. It does not count conversations, and keeps a
line that never ends in memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiosmtpd.smtp import SMTP, Session
from typing_extensions import override

SECONDS = 60.0
"""Without a command, and for one mail."""
MOST = 100
"""Conversations at once."""
LONGEST = 300.0
"""Seconds of a conversation, however busy: as long as Postfix uses one again."""
LARGEST_LINE = 1024 * 1024
"""Bytes without the end of a line; those between 1,000 and this are answered with 500 by aiosmtpd."""
CALLS = {"MAIL": 1000, "RCPT": 20_000, "DATA": 1000, "RSET": 1000, "*": 50}
"""How often a command may be given in one conversation."""
TOO_MANY = b"421 4.7.0 too many connections, try again later\r\n"


class ConnectionLimiter:
    def __init__(self, most: int = MOST, longest: float = LONGEST) -> None:
        self.most, self.longest = most, longest
        self.open: dict[Conversation, float] = {}
        """When the last line came."""
        self._at_work: set[int] = set()

    @contextmanager
    def at_work(self, session: Session) -> Iterator[None]:
        """While we deal with its mail a conversation is not idle."""
        self._at_work.add(id(session))
        try:
            yield
        finally:
            self._at_work.discard(id(session))

    def is_idle(self, one: Conversation) -> bool:
        """Whether it is the client we are waiting for."""
        return id(one.session) not in self._at_work

    def make_room(self) -> None:
        """When there are too many, end the one that has been silent the longest: who is slow keeps nobody out."""
        idle = [one for one in self.open if self.is_idle(one)]
        if len(self.open) > self.most and idle:
            min(idle, key=self.open.__getitem__).end(TOO_MANY)


class Conversation(SMTP):
    def __init__(self, limiter: ConnectionLimiter, handler: object, **settings: Any) -> None:
        super().__init__(handler, **settings)
        self._limiter = limiter
        self._line = 0
        self._last: asyncio.TimerHandle | None = None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._limiter.open[self] = self.loop.time()
        self._last = self.loop.call_later(self._limiter.longest, self._too_long)
        self._limiter.make_room()

    @override
    def connection_lost(self, error: Exception | None) -> None:
        self._limiter.open.pop(self, None)
        if self._last is not None:
            self._last.cancel()
        super().connection_lost(error)

    @override
    def data_received(self, data: bytes) -> None:
        self._line = len(data) - data.rfind(b"\n") - 1 if b"\n" in data else self._line + len(data)
        if self._line > LARGEST_LINE:
            self.end(b"500 5.5.2 line too long\r\n")
            return
        if b"\n" in data and self in self._limiter.open:
            self._limiter.open[self] = self.loop.time()
        super().data_received(data)

    def end(self, answer: bytes = b"") -> None:
        """End it at once, with what can be said without waiting for the client to read it."""
        self._limiter.open.pop(self, None)
        transport = self.transport
        if isinstance(transport, asyncio.Transport):
            if answer and not transport.get_write_buffer_size():
                transport.write(answer)
                transport.close()
            else:
                transport.abort()

    def _too_long(self) -> None:
        if self._limiter.is_idle(self):
            self.end()
        else:
            self._last = self.loop.call_later(1, self._too_long)
