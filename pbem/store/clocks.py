"""Tables of clocks and of how letters reach their readers."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import Date, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.tables import Table


class Heartbeat(Table):
    """One row: when the clock last looked. A gap tells that the server was away or its time was set."""

    __tablename__ = "heartbeats"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]


class Absence(Table):
    """Days, both included and by the player's own calendar, on which no clock of the player runs."""

    __tablename__ = "absences"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    first: Mapped[date] = mapped_column(Date)
    last: Mapped[date] = mapped_column(Date)
    created_at: Mapped[datetime]


class Habit(Table):
    """How letters of one game reach a reader, where it differs from the account. ``mails``: turn digest mute."""

    __tablename__ = "habits"
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    mails: Mapped[str] = mapped_column(String(8))
