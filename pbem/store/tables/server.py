"""Tables of the server itself: the heartbeat of its clock, and what has been used of limits."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.tables.base import Table


class Heartbeat(Table):
    """One row: when the clock last looked. A gap tells that the server was away or its time was set."""

    __tablename__ = "heartbeats"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]


class Allowance(Table):
    """How much of a limit somebody has used, counted from the first use on until ``until``.

    ``key``: a seal of the limit and of whom it is for, so that the table holds no address of anybody.
    """

    __tablename__ = "allowances"
    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    used: Mapped[int]
    until: Mapped[datetime] = mapped_column(index=True)
