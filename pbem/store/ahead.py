"""The table of orders that wait for their moment."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.tables import Table


class OrderAhead(Table):
    """An order given before it is asked for; secret until it is played.

    ``moment`` and ``guard`` as in ``pbem.engine.standing_orders``; ``turn``: 0 for every turn. ``place``: its place
    among the orders given with it. ``words``: the moment in words. ``status``: waiting played void stuck
    (an error of ours) replaced cancelled ended; ``reason`` and ``rule``: why it is void or stuck. ``plays``: how
    often it was played, the last time as move ``move_number``.
    """

    __tablename__ = "orders_ahead"
    __table_args__ = (Index("ix_orders_ahead_game_id_status", "game_id", "status"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    seat: Mapped[str] = mapped_column(String(16))
    turn: Mapped[int]
    moment: Mapped[str] = mapped_column(String(40))
    place: Mapped[int] = mapped_column(default=0)
    orders: Mapped[str] = mapped_column(Text)
    lasting: Mapped[bool] = mapped_column(default=False)
    guard: Mapped[dict[str, Any]]
    words: Mapped[dict[str, Any]]
    status: Mapped[str] = mapped_column(String(12), default="waiting")
    reason: Mapped[dict[str, Any] | None]
    rule: Mapped[str] = mapped_column(String(16), default="")
    plays: Mapped[int] = mapped_column(default=0)
    move_number: Mapped[int | None]
    submission_id: Mapped[int | None] = mapped_column(ForeignKey("submissions.id"), index=True)
    given_at: Mapped[datetime]
    done_at: Mapped[datetime | None]
