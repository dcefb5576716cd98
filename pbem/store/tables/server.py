"""Tables of the server itself: the heartbeat of its clock, what has been used of limits, files that are made, what its
operator tells and does."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.statuses import JobKind
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


class Copy(Table):
    """A file of a finished game. ``kind``: a :class:`CopyKind`, and behind a dash its form, such as the language of
    what stands in it. ``done`` of ``total`` pictures are drawn, ``size`` is 0 until it is there.

    ``claimed_until``: whoever makes it is thought to be alive until then; ``tries``: how often it was begun.
    """

    __tablename__ = "copies"
    __table_args__ = (
        UniqueConstraint("game_id", "kind", name="uq_copies_game_id"),
        Index("ix_copies_size_asked_at", "size", "asked_at"),
        Index("ix_copies_expires_at", "expires_at"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    kind: Mapped[str] = mapped_column(String(12))
    asked_at: Mapped[datetime]
    claimed_until: Mapped[datetime | None]
    tries: Mapped[int]
    done: Mapped[int]
    total: Mapped[int]
    size: Mapped[int]
    expires_at: Mapped[datetime | None]


class ServerNotice(Table):
    """At most one row: what stands at the head of every page."""

    __tablename__ = "server_notices"
    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    since: Mapped[datetime]


class OperatorAction(Table):
    """What the operator did on the page of the server. ``about``: the number of an account or of a submission, or 0."""

    __tablename__ = "operator_actions"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    operator_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    what: Mapped[str] = mapped_column(String(24))
    about: Mapped[int]


class ServerJob(Table):
    """Something that the clock does with a command because the operator asked for it.

    ``given``: what the command is given (ids of games, the head of an email). ``alive_until``: the clock that does it
    is thought to be alive until then. ``good`` is ``None`` until it is done; ``says``: the end of what it printed.
    """

    __tablename__ = "server_jobs"
    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[JobKind]
    operator_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    given: Mapped[str] = mapped_column(Text)
    asked_at: Mapped[datetime]
    alive_until: Mapped[datetime | None]
    done_at: Mapped[datetime | None]
    good: Mapped[bool | None]
    says: Mapped[str] = mapped_column(Text)
