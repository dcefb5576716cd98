"""Tables of the ways to be told beside letters, and of letters that came back."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.tables import Table


class Feed(Table):
    """The private feeds of an account; another ``key`` makes the addresses handed out so far void."""

    __tablename__ = "feeds"
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    key: Mapped[str] = mapped_column(String(24))
    made_at: Mapped[datetime]


class Hook(Table):
    """An address of another service that is told of turns: of its owner's, or, with ``game_id``, of all in a game.

    ``kind``: discord slack json. ``failures``: tries in a row that failed, the first at ``failing_since``; a hook
    with ``stopped_at`` is told nothing. ``result``: what became of the last try, in a sentence.
    """

    __tablename__ = "hooks"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
    kind: Mapped[str] = mapped_column(String(12))
    url: Mapped[str] = mapped_column(String(500))
    failures: Mapped[int] = mapped_column(default=0)
    failing_since: Mapped[datetime | None]
    result: Mapped[str] = mapped_column(String(300), default="")
    good: Mapped[bool] = mapped_column(default=True)
    tried_at: Mapped[datetime | None]
    stopped_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class HookMessage(Table):
    """The outbox of the hooks. ``kind``: turn reminder over test. ``status``: waiting sent withdrawn failed."""

    __tablename__ = "hook_messages"
    __table_args__ = (
        Index("ix_hook_messages_status_next_try_at", "status", "next_try_at"),
        Index("ix_hook_messages_hook_id_id", "hook_id", "id"),
        Index("ix_hook_messages_hook_id_status_next_try_at", "hook_id", "status", "next_try_at"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    hook_id: Mapped[int] = mapped_column(ForeignKey("hooks.id"))
    kind: Mapped[str] = mapped_column(String(12))
    key: Mapped[str] = mapped_column(String(200), unique=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
    seat_number: Mapped[int | None]
    version: Mapped[int | None]
    status: Mapped[str] = mapped_column(String(12), default="waiting")
    attempts: Mapped[int] = mapped_column(default=0)
    next_try_at: Mapped[datetime]
    claimed_until: Mapped[datetime | None]
    answer: Mapped[str] = mapped_column(String(300), default="")
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]


class Returned(Table):
    """A letter that came back for good. ``cleared_at``: its reader has said since that the address works."""

    __tablename__ = "returned"
    letter_id: Mapped[int] = mapped_column(ForeignKey("letters.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    status: Mapped[str] = mapped_column(String(12))
    answer: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]
    cleared_at: Mapped[datetime | None]


class Unreachable(Table):
    """An account whose address gets no letters, because they come back. ``status`` as RFC 3463 has it."""

    __tablename__ = "unreachable"
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    status: Mapped[str] = mapped_column(String(12))
    answer: Mapped[str] = mapped_column(Text)
    since: Mapped[datetime]
