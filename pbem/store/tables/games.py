"""Tables of games: seats, orders as they came and those that wait, moves."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import Date, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, composite, mapped_column

from pbem.store.clocks import Clock
from pbem.store.statuses import (
    GameStatus,
    MoveCause,
    ReviewStatus,
    SeatStatus,
    StandingOrderStatus,
    SubmissionStatus,
)  # fmt: skip
from pbem.store.tables.base import Table
from pbem.store.time_controls import TimeControl


class Game(Table):
    """A game. ``version`` is the number of its last move (0 = the deal).

    The indexes of moments that few games have (``paused_until``, ``stops_at``, ``standing_order_at``, ``robot_at``,
    ``count_at``) are of the rows that have one, those of ``ended_at`` of games that are over and not unlisted, and that
    of ``rematch_of`` of rematches: migrations 0021 and 0025 say so, and not this class, where it would have every
    process load what SQLAlchemy knows of the other database.
    """

    __tablename__ = "games"
    __table_args__ = (
        Index("ix_games_status_deadline_at", "status", "deadline_at"),
        Index("ix_games_status_remind_at", "status", "remind_at"),
        Index("ix_games_status_paused_until", "status", "paused_until"),
        Index("ix_games_status_ended_at_id", "status", "ended_at", "id"),
        Index("ix_games_status_map_ended_at_id", "status", "map", "ended_at", "id"),
        Index("ix_games_status_stops_at", "status", "stops_at"),
        Index("ix_games_status_standing_order_at", "status", "standing_order_at"),
        Index("ix_games_status_robot_at", "status", "robot_at"),
        Index("ix_games_title_id", "title", "id"),
        Index("ix_games_count_at", "count_at"),
    )
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    title: Mapped[str] = mapped_column(String(120))
    game: Mapped[str] = mapped_column(String(32))
    map: Mapped[str] = mapped_column(String(64))
    options: Mapped[dict[str, Any]]
    host_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    status: Mapped[GameStatus]
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
    time_control: Mapped[TimeControl] = composite(
        TimeControl.of_columns, "turn_seconds", "bank_seconds", "cap_seconds", "weekends", "holidays", "at_zero"
    )
    """What the six columns before it say: it is set as a whole, and they are only asked for in queries."""
    waiting_since: Mapped[datetime | None]
    counted_from: Mapped[datetime | None]
    spent_seconds: Mapped[int] = mapped_column(default=0)
    paused_at: Mapped[datetime | None]
    deadline_at: Mapped[datetime | None]
    remind_at: Mapped[datetime | None]
    reminded_at: Mapped[datetime | None]
    robot_at: Mapped[datetime | None]
    clock: Mapped[Clock] = composite(
        Clock,
        "waiting_since",
        "counted_from",
        "spent_seconds",
        "paused_at",
        "deadline_at",
        "remind_at",
        "reminded_at",
        "robot_at",
    )
    """What the eight columns before it say: set as a whole, like the time control."""
    paused_until: Mapped[datetime | None]
    opened_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    imported: Mapped[dict[str, Any] | None]
    """The record as it was given, for games that were played elsewhere."""
    grace_seconds: Mapped[int] = mapped_column(default=0)
    grace_until: Mapped[datetime | None]
    """Until when the last orders can be taken back by their sender alone; ``None`` when they cannot."""
    standing_order_at: Mapped[datetime | None]
    """When a standing order of the next player is played that waits for the end of the grace time."""
    unlisted: Mapped[bool] = mapped_column(default=False)
    """For its players and those who have the link of spectators."""
    watch_key: Mapped[str] = mapped_column(String(16), default="")
    """Part of the link of spectators; empty when there is none."""
    stops_at: Mapped[datetime | None]
    ended_early: Mapped[bool] = mapped_column(default=False)
    rematch_of: Mapped[str] = mapped_column(String(16), default="", index=True)
    planning: Mapped[bool] = mapped_column(default=False)
    """Whether one letter at the opening of a turn asks for all that can be planned."""
    robot_seconds: Mapped[int] = mapped_column(default=0)
    """How long robots wait before they answer, at the most; 0: they answer at once."""
    robot_zone: Mapped[str] = mapped_column(String(64), default="UTC")
    """Where robots that wait are awake by day."""
    lesson: Mapped[str] = mapped_column(String(16), default="")
    """Which lesson the game is, by its key in ``pbem.service.turns.lessons``; empty for every other game."""
    friendly: Mapped[bool] = mapped_column(default=False)
    """No ratings follow from it."""
    programs: Mapped[bool] = mapped_column(default=False)
    """Its host lets programs take a seat."""
    count_at: Mapped[datetime | None]
    """Since when the finished game waits to be counted for statistics and ratings; ``None`` when it has been."""


class Seat(Table):
    """A seat of a game. ``colour`` is empty before the start.

    ``holder`` counts how often the seat has changed hands: links of an earlier holder are void.
    """

    __tablename__ = "seats"
    __table_args__ = (
        UniqueConstraint("game_id", "number"),
        UniqueConstraint("game_id", "account_id"),
        Index("ix_seats_name_game_id", "name", "game_id"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    number: Mapped[int]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    colour: Mapped[str] = mapped_column(String(16), default="")
    status: Mapped[SeatStatus]
    answered_at: Mapped[datetime | None]
    reserve_seconds: Mapped[int] = mapped_column(default=0)
    """What is left of the bank, or the time kept from earlier questions."""
    caretaker_since: Mapped[datetime | None]
    """Since when a caretaker plays for the seat."""
    holder: Mapped[int] = mapped_column(default=0)
    talk_read: Mapped[int] = mapped_column(default=0)
    """The last post that its player has marked as read, or wrote."""
    robot: Mapped[str] = mapped_column(String(16), default="")
    """Which robot plays the seat, by its key in ``pbem.robot.opponents``; nobody has an account for such a seat."""


class Submission(Table):
    """Orders as they came. ``version``: the position they answer."""

    __tablename__ = "submissions"
    __table_args__ = (Index("ix_submissions_status_game_id_id", "status", "game_id", "id"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str] = mapped_column(String(16))
    version: Mapped[int | None]
    text: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(String(200), unique=True)
    via: Mapped[str] = mapped_column(String(12))
    status: Mapped[SubmissionStatus]
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
    why: Mapped[dict[str, Any] | None]
    """A robot's reason, as it is stored with its move."""


class StandingOrderRow(Table):
    """An order given before it is asked for; secret until it is played.

    ``moment`` and ``guard`` as in ``pbem.engine.standing_orders``; ``turn``: 0 for every turn. ``place``: its place
    among the orders given with it. ``words``: the moment in words. ``reason`` and ``rule``: why it is void or stuck.
    ``plays``: how often it was played, the last time as move ``move_number``.
    """

    __tablename__ = "standing_orders"
    __table_args__ = (Index("ix_standing_orders_game_id_status", "game_id", "status"),)
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
    status: Mapped[StandingOrderStatus] = mapped_column(default=StandingOrderStatus.WAITING)
    reason: Mapped[dict[str, Any] | None]
    rule: Mapped[str] = mapped_column(String(16), default="")
    plays: Mapped[int] = mapped_column(default=0)
    move_number: Mapped[int | None]
    submission_id: Mapped[int | None] = mapped_column(ForeignKey("submissions.id"), index=True)
    given_at: Mapped[datetime]
    done_at: Mapped[datetime | None]


class Move(Table):
    """An entry of the log: a played order (0 = the deal) or a note of ``pbem.store.statuses.NOTES``, and the state it
    led to.

    ``taken_back_by``: the number of the entry that took this one back. ``asked_at``, ``spent_seconds``: since when the
    answered question was open, and how much of its time the answer took; ``reserve_seconds``: what the seat had in
    reserve before. ``why``: the reason of a robot, as a sentence, with what must be over before others may read it.
    """

    __tablename__ = "moves"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(String(16))
    turn: Mapped[int]
    phase: Mapped[str] = mapped_column(String(32))
    orders: Mapped[str] = mapped_column(Text)
    cause: Mapped[MoveCause]
    chance: Mapped[list[Any]]
    events: Mapped[list[Any]]
    state: Mapped[bytes] = mapped_column(deferred=True)
    digest: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime]
    taken_back_by: Mapped[int | None]
    asked_at: Mapped[datetime | None]
    spent_seconds: Mapped[int | None]
    reserve_seconds: Mapped[int | None]
    why: Mapped[dict[str, Any] | None]


class Explanation(Table):
    """What answers to a question lead to, played on in thought because its player has asked for it.

    ``claimed_until``: whoever plays on is thought to be alive until then; ``tries``: how often that has begun in vain.
    ``found``: the answers with what came of them so far, as ``pbem.service.turns.explanations`` keeps them.
    """

    __tablename__ = "explanations"
    __table_args__ = (
        UniqueConstraint("game_id", "version", name="uq_explanations_game_id"),
        Index("ix_explanations_asked_at", "asked_at"),
        Index("ix_explanations_done_asked_at", "done", "asked_at"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    version: Mapped[int]
    asked_at: Mapped[datetime]
    claimed_until: Mapped[datetime | None]
    tries: Mapped[int] = mapped_column(default=0)
    done: Mapped[bool] = mapped_column(default=False)
    found: Mapped[dict[str, Any] | None]


class PuzzleAnswer(Table):
    """What somebody has answered to the puzzle of a day, on that day."""

    __tablename__ = "puzzle_answers"
    __table_args__ = (Index("ix_puzzle_answers_day", "day"),)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    orders: Mapped[str] = mapped_column(Text)
    solved: Mapped[bool]
    at: Mapped[datetime]


class ReviewRow(Table):
    """The review of a finished game, as far as it has come.

    Those with the lowest ``rank`` come first, and of these the one that has waited longest, ``since``.
    ``claimed_until``: whoever works on it is thought to be alive until then; ``tries``: how often that has begun in
    vain. ``part``: hundredths of the work that are done, ``spent``: milliseconds that took. ``found``: what
    ``pbem.robot.review.Reviewing`` goes on with, or nothing.
    """

    __tablename__ = "reviews"
    __table_args__ = (Index("ix_reviews_status_rank_since", "status", "rank", "since"),)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    status: Mapped[ReviewStatus] = mapped_column(default=ReviewStatus.WAITING)
    rank: Mapped[int]
    since: Mapped[datetime]
    claimed_until: Mapped[datetime | None]
    tries: Mapped[int] = mapped_column(default=0)
    part: Mapped[int] = mapped_column(default=0)
    spent: Mapped[int] = mapped_column(default=0)
    found: Mapped[dict[str, Any] | None]
