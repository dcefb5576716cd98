"""What every function of the service needs at hand: the database, the secrets, the addresses, the broker."""

import secrets
from base64 import b32encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.orm import Session

from pbem.service.base import queries
from pbem.service.base.task_hints import Hints
from pbem.service.base.tokens import Tokens
from pbem.service.base.urls import Addresses
from pbem.service.base.work import GameReader, GameWork, Work
from pbem.settings.settings import Settings
from pbem.store.database import Database, ReadSession

UNIQUE = 10
"""Random bytes of a Message-ID."""


@dataclass(slots=True)
class Shared:
    """What all reading has in common for a while; no ``session`` when something was written meanwhile."""

    database: Database
    session: ReadSession | None


_shared: ContextVar[Shared | None] = ContextVar("pbem_one_look", default=None)


def _end_look() -> None:
    if (shared := _shared.get()) is not None and shared.session is not None:
        shared.session.close()  # nobody holds two connections of the pool
        shared.session = None


@dataclass(frozen=True, slots=True)
class Office:
    """One per process. ``finish(work)`` makes rows of the letters of a transaction, at its end. ``entropy(n)`` gives n
    secret random bytes; only tests and the demo replace it."""

    settings: Settings
    database: Database
    hints: Hints
    tokens: Tokens
    addresses: Addresses
    finish: Callable[[Work], None]
    entropy: Callable[[int], bytes] = field(default=secrets.token_bytes)

    def message_id(self, about: str) -> str:
        """A Message-ID that no other email has, of this server or of another one on its domain."""
        return f"<{about}.{b32encode(self.entropy(UNIQUE)).decode().lower()}@{self.settings.mail_host}>"

    def secret(self, size: int) -> str:
        """What nobody can guess, of so many random bytes, for an address."""
        return urlsafe_b64encode(self.entropy(size)).decode("ascii").rstrip("=")

    @contextmanager
    def read(self) -> Iterator[ReadSession]:
        """A look at one state of the database: that of :meth:`one_look`, where it is around this one."""
        shared = self._shared()
        if shared is not None:
            yield shared
            return
        with self.database.read() as session:
            yield session

    def _shared(self) -> ReadSession | None:
        shared = _shared.get()
        return shared.session if shared is not None and shared.database is self.database else None

    @contextmanager
    def one_look(self) -> Iterator[None]:
        """All reading inside sees one state of the database, and every row is read once.

        A transaction that writes ends it: what is read after that is read anew.
        """
        with self.database.read() as session:
            queries.begin_look(session)
            token = _shared.set(Shared(self.database, session))
            try:
                yield
            finally:
                _shared.reset(token)

    @contextmanager
    def look(self, game_id: str, now: datetime) -> Iterator[GameReader]:
        """The same with a game. Raises ``NoSuch``."""
        with self.read() as session:
            yield GameReader(session, queries.game(session, game_id), now)

    @contextmanager
    def write(self) -> Iterator[Session]:
        """One transaction that causes nothing but its rows, whenever it is."""
        _end_look()
        with self.database.write() as session:
            yield session

    @contextmanager
    def work(self, now: datetime) -> Iterator[Work]:
        """One transaction at this moment, with its letters; its hints leave after its commit, and not if it fails."""
        _end_look()
        with self.database.write() as session:
            work = Work(session, now, self.message_id, self.settings.operator)
            yield work
            self.finish(work)
        self.hints.give(work.hints)

    @contextmanager
    def game(self, game_id: str, now: datetime) -> Iterator[GameWork]:
        """The same with a game, which is locked until the end. Raises ``NoSuch``."""
        with self.work(now) as work:
            yield work.lock(game_id)
