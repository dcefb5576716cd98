"""Tables of what leaves the server: letters and messages to webhooks."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from pbem.statuses import Sending
from pbem.store.tables.base import Table


class Letter(Table):
    """The outbox. ``key`` makes a letter unique."""

    __tablename__ = "letters"
    __table_args__ = (
        Index("ix_letters_status_next_try_at", "status", "next_try_at"),
        Index("ix_letters_account_id_id", "account_id", "id"),
        Index("ix_letters_account_id_status_game_id_id", "account_id", "status", "game_id", "id"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(24))
    key: Mapped[str] = mapped_column(String(200), unique=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
    seat_number: Mapped[int | None]
    version: Mapped[int | None]
    data: Mapped[dict[str, Any]]
    status: Mapped[Sending] = mapped_column(default=Sending.WAITING)
    held: Mapped[bool] = mapped_column(default=False)
    """Waits to be told together with others, in a digest."""
    attempts: Mapped[int] = mapped_column(default=0)
    next_try_at: Mapped[datetime]
    claimed_until: Mapped[datetime | None]
    message_id: Mapped[str] = mapped_column(String(200), default="")
    last_error: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
    talk_up_to: Mapped[int] = mapped_column(default=0)
    """The last post that stands in this letter."""


class WebhookMessage(Table):
    """The outbox of the hooks. ``kind``: turn reminder over test."""

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
    status: Mapped[Sending] = mapped_column(default=Sending.WAITING)
    attempts: Mapped[int] = mapped_column(default=0)
    next_try_at: Mapped[datetime]
    claimed_until: Mapped[datetime | None]
    answer: Mapped[str] = mapped_column(String(300), default="")
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
