"""Tables of what leaves the server: letters and messages to webhooks and devices."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.statuses import Sending
from pbem.store.tables.base import Table


class Outgoing:
    """The columns of what leaves the server. ``key``: there is never a second row with the same one."""

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(200), unique=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
    seat_number: Mapped[int | None]
    version: Mapped[int | None]
    status: Mapped[Sending] = mapped_column(default=Sending.WAITING)
    attempts: Mapped[int] = mapped_column(default=0)
    next_try_at: Mapped[datetime]
    claimed_until: Mapped[datetime | None]
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]


class Letter(Outgoing, Table):
    __tablename__ = "letters"
    __table_args__ = (
        Index("ix_letters_status_next_try_at", "status", "next_try_at"),
        Index("ix_letters_account_id_id", "account_id", "id"),
        Index("ix_letters_account_id_status_game_id_id", "account_id", "status", "game_id", "id"),
    )
    kind: Mapped[str] = mapped_column(String(24))
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    data: Mapped[dict[str, Any]]
    held: Mapped[bool] = mapped_column(default=False)
    """Waits to be told together with others, in a digest."""
    message_id: Mapped[str] = mapped_column(String(200), default="")
    last_error: Mapped[str] = mapped_column(Text, default="")
    talk_up_to: Mapped[int] = mapped_column(default=0)
    """The last post that stands in this letter."""


class WebhookMessage(Outgoing, Table):
    """The outbox of the webhooks. ``kind``: turn reminder over test."""

    __tablename__ = "webhook_messages"
    __table_args__ = (
        Index("ix_webhook_messages_status_next_try_at", "status", "next_try_at"),
        Index("ix_webhook_messages_webhook_id_id", "webhook_id", "id"),
        Index("ix_webhook_messages_webhook_id_status_next_try_at", "webhook_id", "status", "next_try_at"),
    )
    webhook_id: Mapped[int] = mapped_column(ForeignKey("webhooks.id"))
    kind: Mapped[str] = mapped_column(String(12))
    answer: Mapped[str] = mapped_column(String(300), default="")


class PushMessage(Outgoing, Table):
    """The outbox of what devices are told. ``kind``: turn reminder answered test."""

    __tablename__ = "push_messages"
    __table_args__ = (
        Index("ix_push_messages_status_next_try_at", "status", "next_try_at"),
        Index("ix_push_messages_subscription_id_game_id", "subscription_id", "game_id"),
    )
    subscription_id: Mapped[int] = mapped_column(ForeignKey("push_subscriptions.id"))
    kind: Mapped[str] = mapped_column(String(12))
    answer: Mapped[str] = mapped_column(String(300), default="")
