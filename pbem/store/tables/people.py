"""Tables of what people do to a game beside their orders: the audit log, votes, seats that are free, talk, notes.

Also the tables that anybody can join.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.statuses import SeatsLeft, VoteStatus
from pbem.store.tables.base import Table


class AuditEntry(Table):
    """The audit log: who did what to a game, and when. ``kind`` and ``data`` as in ``pbem.service.turns.audit_log``.

    ``seat_number`` and ``name``: the seat and what its player was called then; the host without a seat and the
    clock have no number.
    """

    __tablename__ = "audit_log"
    __table_args__ = (
        Index("ix_audit_log_game_id_id", "game_id", "id"),
        Index("ix_audit_log_account_id_kind", "account_id", "kind"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"))
    seat_number: Mapped[int | None]
    name: Mapped[str] = mapped_column(String(80), default="")
    kind: Mapped[str] = mapped_column(String(24))
    data: Mapped[dict[str, Any]]
    at: Mapped[datetime]


class Vote(Table):
    """Something that needs others to agree. ``proposal``: what the declaration of its kind stores (see
    ``pbem.service.games.proposals``). ``version``: the position it was asked in.
    """

    __tablename__ = "votes"
    __table_args__ = (Index("ix_votes_game_id_status", "game_id", "status"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    kind: Mapped[str] = mapped_column(String(12))
    asked_by: Mapped[int]
    version: Mapped[int]
    proposal: Mapped[dict[str, Any]]
    status: Mapped[VoteStatus] = mapped_column(default=VoteStatus.OPEN)
    asked_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]


class Ballot(Table):
    """How a seat has voted; whoever asks agrees."""

    __tablename__ = "ballots"
    vote_id: Mapped[int] = mapped_column(ForeignKey("votes.id"), primary_key=True)
    seat_number: Mapped[int] = mapped_column(primary_key=True)
    agrees: Mapped[bool]
    at: Mapped[datetime]


class Offer(Table):
    """A seat that a substitute may take. Until ``waits_until`` the game waits for one."""

    __tablename__ = "offers"
    __table_args__ = (Index("ix_offers_closed_at_since", "closed_at", "since"), Index("ix_offers_game_id", "game_id"))
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    seat_number: Mapped[int]
    since: Mapped[datetime]
    waits_until: Mapped[datetime]
    closed_at: Mapped[datetime | None]
    taken_by: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"))


class OpenTable(Table):
    """A game that has not started and that anybody can join; there is no such row once it starts or is called off.

    ``listed``: in the public list. ``link_key``: part of the link that lets people in; empty when there is none.
    ``languages``: codes with commas between. ``experience``: what is expected, a key of
    ``pbem.service.games.terms.EXPERIENCE``. ``if_free``: what happens at ``fill_at`` when seats are still free.
    """

    __tablename__ = "open_tables"
    __table_args__ = (Index("ix_open_tables_fill_at", "fill_at"),)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    listed: Mapped[bool]
    link_key: Mapped[str] = mapped_column(String(16))
    languages: Mapped[str] = mapped_column(String(80))
    experience: Mapped[str] = mapped_column(String(12))
    fill_at: Mapped[datetime]
    if_free: Mapped[SeatsLeft]


class Note(Table):
    """What somebody wrote down about a game for nobody else."""

    __tablename__ = "notes"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    changed_at: Mapped[datetime]


class Post(Table):
    """Something a player said in a game; ``name`` and ``colour`` as they were then.

    ``source``: the email it came by.
    """

    __tablename__ = "posts"
    __table_args__ = (Index("ix_posts_game_id_id", "game_id", "id"), Index("ix_posts_source", "source", unique=True))
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    colour: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(80))
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]
    source: Mapped[str | None] = mapped_column(String(200))


class Remark(Table):
    """What somebody wrote about the position of a finished game after order ``number``; with an empty text a bookmark.
    Everybody who may see the game reads it when it is ``shared``, else its author alone."""

    __tablename__ = "remarks"
    __table_args__ = (
        Index("ix_remarks_game_id_number", "game_id", "number"),
        Index("ix_remarks_account_id", "account_id"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    number: Mapped[int]
    shared: Mapped[bool]
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]
