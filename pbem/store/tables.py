"""The tables. Times are aware ``datetime`` in UTC; JSON columns hold what ``json`` can hold."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from typing_extensions import override


class UtcTime(TypeDecorator[datetime]):
    """An aware time, kept in UTC by databases with and without time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    @override
    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without zone cannot be stored")
        return value.astimezone(UTC)

    @override
    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Table(DeclarativeBase):
    """Base of all tables; constraints have names, so that migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy's name
        datetime: UtcTime,
        dict[str, Any]: JSON(none_as_null=True),
        list[Any]: JSON(none_as_null=True),
    }


class Account(Table):
    """A mail address. ``name`` is what others see.

    ``mails``: turn (a letter for every question), hours (at most one every ``mail_hours``) or digest (one a day at
    ``digest_at``). Hours of the day are minutes since midnight in ``zone``; ``reminders`` holds steps of
    ``pbem.pace`` with commas between.
    """

    __tablename__ = "accounts"
    id: Mapped[int] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(String(320), unique=True)
    name: Mapped[str] = mapped_column(String(80))
    zone: Mapped[str] = mapped_column(String(64), default="UTC")
    mails: Mapped[str] = mapped_column(String(8), default="turn")
    mail_hours: Mapped[int] = mapped_column(default=6)
    digest_at: Mapped[int] = mapped_column(default=18 * 60)
    quiet_from: Mapped[int | None]
    quiet_to: Mapped[int | None]
    reminders: Mapped[str] = mapped_column(String(40), default="67")
    substitute: Mapped[bool] = mapped_column(default=False)
    """Wants a letter when a seat is free somewhere."""
    created_at: Mapped[datetime]
    deleted_at: Mapped[datetime | None]
    """Since when nobody has this account; its address is none then, its name that of nobody."""


class Login(Table):
    """A log-in link that was mailed; it works until ``expires_at`` and once."""

    __tablename__ = "logins"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class LoggedIn(Table):
    """A browser that is logged in; only a hash of its secret is kept."""

    __tablename__ = "sessions"
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class Stop(Table):
    """A reader wants no more letters: of one game, of one kind, or (both empty) at all."""

    __tablename__ = "stops"
    __table_args__ = (UniqueConstraint("account_id", "game_id", "kind"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    game_id: Mapped[str] = mapped_column(String(16), default="")
    kind: Mapped[str] = mapped_column(String(24), default="")
    since: Mapped[datetime]


class Game(Table):
    """A game. ``status``: open running stopping over cancelled.

    ``version`` is the number of its last move (0 = the deal). A game that is ``stopping`` was ended by vote and is
    over at ``stops_at``, unless somebody takes the vote back before.
    """

    __tablename__ = "games"
    __table_args__ = (
        Index("ix_games_status_deadline_at", "status", "deadline_at"),
        Index("ix_games_status_remind_at", "status", "remind_at"),
        Index("ix_games_status_paused_until", "status", "paused_until"),
        Index("ix_games_status_ended_at_id", "status", "ended_at", "id"),
        Index("ix_games_status_map_ended_at_id", "status", "map", "ended_at", "id"),
        Index("ix_games_status_stops_at", "status", "stops_at"),
        Index("ix_games_status_ahead_at", "status", "ahead_at"),
    )
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    title: Mapped[str] = mapped_column(String(120))
    game: Mapped[str] = mapped_column(String(32))
    map: Mapped[str] = mapped_column(String(64))
    options: Mapped[dict[str, Any]]
    host_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    status: Mapped[str] = mapped_column(String(12))
    seed: Mapped[bytes]
    commitment: Mapped[str] = mapped_column(String(64))
    version: Mapped[int] = mapped_column(default=0)
    state: Mapped[bytes] = mapped_column(default=b"")
    phase: Mapped[str] = mapped_column(String(32), default="")
    turn: Mapped[int] = mapped_column(default=0)
    to_act: Mapped[str] = mapped_column(String(16), default="")
    turn_seconds: Mapped[int]
    bank_seconds: Mapped[int] = mapped_column(default=0)
    cap_seconds: Mapped[int] = mapped_column(default=0)
    weekends: Mapped[bool] = mapped_column(default=True)
    holidays: Mapped[list[Any]] = mapped_column(default=list)
    at_zero: Mapped[str] = mapped_column(String(12), default="default")
    waiting_since: Mapped[datetime | None]
    counted_from: Mapped[datetime | None]
    """From when on the time of the question runs; ``spent_seconds`` of it had run before (a pause, an outage)."""
    spent_seconds: Mapped[int] = mapped_column(default=0)
    paused_at: Mapped[datetime | None]
    paused_until: Mapped[datetime | None]
    deadline_at: Mapped[datetime | None]
    remind_at: Mapped[datetime | None]
    reminded_at: Mapped[datetime | None]
    opened_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    imported: Mapped[dict[str, Any] | None]
    """The record as it was given, for games that were played elsewhere."""
    grace_seconds: Mapped[int] = mapped_column(default=0)
    grace_until: Mapped[datetime | None]
    """Until when the last orders can be taken back by their sender alone; ``None`` when they cannot."""
    ahead_at: Mapped[datetime | None]
    """When an order ahead of the next player is played: one that waits for the end of the grace time."""
    unlisted: Mapped[bool] = mapped_column(default=False)
    """For its players and those who have the link of spectators."""
    watch_key: Mapped[str] = mapped_column(String(16), default="")
    """Part of the link of spectators; empty when there is none."""
    stops_at: Mapped[datetime | None]
    ended_early: Mapped[bool] = mapped_column(default=False)
    rematch_of: Mapped[str] = mapped_column(String(16), default="", index=True)
    planning: Mapped[bool] = mapped_column(default=False)
    """Whether one letter at the opening of a turn asks for all that can be planned."""


class Seat(Table):
    """A seat of a game. ``colour`` is empty before the start. ``status``: invited accepted declined vacant.

    ``holder`` counts how often the seat has changed hands: links of an earlier holder are void.
    """

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("game_id", "number"), UniqueConstraint("game_id", "account_id"))
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    number: Mapped[int]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    colour: Mapped[str] = mapped_column(String(16), default="")
    status: Mapped[str] = mapped_column(String(12))
    answered_at: Mapped[datetime | None]
    reserve_seconds: Mapped[int] = mapped_column(default=0)
    """What is left of the bank, or the time kept from earlier questions."""
    caretaker_since: Mapped[datetime | None]
    """Since when a caretaker plays for the seat."""
    holder: Mapped[int] = mapped_column(default=0)


class Submission(Table):
    """Orders as they came. ``status``: waiting played refused stuck taken-back. Stuck: an error of ours set them aside.

    ``version``: the position they answer.
    """

    __tablename__ = "submissions"
    __table_args__ = (Index("ix_submissions_status_game_id_id", "status", "game_id", "id"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str] = mapped_column(String(16))
    version: Mapped[int | None]
    text: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(String(200), unique=True)
    via: Mapped[str] = mapped_column(String(12))
    status: Mapped[str] = mapped_column(String(12))
    sentence: Mapped[dict[str, Any] | None]
    rule: Mapped[str] = mapped_column(String(16), default="")
    line: Mapped[int] = mapped_column(default=0)
    step: Mapped[int] = mapped_column(default=0)
    move_number: Mapped[int | None]
    moves: Mapped[int] = mapped_column(default=1)
    """How many moves it made from ``move_number`` on: each order is a move of its own."""
    received_at: Mapped[datetime]
    done_at: Mapped[datetime | None]
    seen_at: Mapped[datetime | None]
    """When the page that sent it showed the outcome."""


NOTES = ("taken-back", "seat")
"""Causes of entries of the log that are no orders: records leave them out."""


class Move(Table):
    """One played submission (0 = the deal) and the state it led to. ``cause``: start player deadline record.

    Two causes are no orders: ``taken-back`` (the state is that before the orders it took back) and ``seat`` (the seat
    that is asked has changed hands, the state stays). ``taken_back_by``: the number of the entry that took this one
    back. ``asked_at``, ``spent_seconds``: since when the answered question was open, and how much of its time the
    answer took; ``reserve_seconds``: what the seat had in reserve before.
    """

    __tablename__ = "moves"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(String(16))
    turn: Mapped[int]
    phase: Mapped[str] = mapped_column(String(32))
    orders: Mapped[str] = mapped_column(Text)
    cause: Mapped[str] = mapped_column(String(12))
    chance: Mapped[list[Any]]
    events: Mapped[list[Any]]
    state: Mapped[bytes] = mapped_column(deferred=True)
    digest: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime]
    taken_back_by: Mapped[int | None]
    asked_at: Mapped[datetime | None]
    spent_seconds: Mapped[int | None]
    reserve_seconds: Mapped[int | None]


class Letter(Table):
    """The outbox. ``key`` makes a letter unique. ``status``: waiting sent withdrawn failed."""

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
    status: Mapped[str] = mapped_column(String(12), default="waiting")
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
