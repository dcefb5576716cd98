"""Tables of people: accounts, log-ins, how and where they are notified, absences, blocks, returned mail."""

from datetime import date, datetime

from sqlalchemy import Date, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.tables.base import Table


class Account(Table):
    """An email address. ``name`` is what others see.

    ``mails``: turn (a letter for every question), hours (at most one every ``mail_hours``) or digest (one a day at
    ``digest_at``). Hours of the day are minutes since midnight in ``zone``; ``reminders`` holds steps of
    ``pbem.store.time_controls`` with commas between.
    """

    __tablename__ = "accounts"
    id: Mapped[int] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(String(320), unique=True)
    name: Mapped[str] = mapped_column(String(80))
    zone: Mapped[str] = mapped_column(String(64), default="UTC")
    language: Mapped[str] = mapped_column(String(16), default="")
    """Code of the language of pages and emails; empty as long as nobody has chosen or guessed one."""
    mails: Mapped[str] = mapped_column(String(8), default="turn")
    mail_hours: Mapped[int] = mapped_column(default=6)
    digest_at: Mapped[int] = mapped_column(default=18 * 60)
    quiet_from: Mapped[int | None]
    quiet_to: Mapped[int | None]
    reminders: Mapped[str] = mapped_column(String(40), default="67")
    substitute: Mapped[bool] = mapped_column(default=False)
    """Wants a letter when a seat is free somewhere."""
    statistics: Mapped[bool] = mapped_column(default=False)
    """Lets everybody see the page with results and rating."""
    findable: Mapped[bool] = mapped_column(default=False)
    """Lets search engines find finished games, as far as all others who play in them do."""
    reviewed: Mapped[bool] = mapped_column(default=True)
    """Lets reviews of finished games list the own orders."""
    pictures: Mapped[str] = mapped_column(String(8), default="inside")
    """How the board comes: inside the email, as a link (``link``), or no HTML at all (``text``)."""
    clear_colours: Mapped[bool] = mapped_column(default=False)
    """Sees boards in the colours for colour-blind eyes."""
    hex_labels: Mapped[bool] = mapped_column(default=True)
    """Sees the labels of hexes on boards."""
    own_mail: Mapped[bool] = mapped_column(default=False)
    """Only emails from the address itself may answer its letters."""
    created_at: Mapped[datetime]
    program: Mapped[bool] = mapped_column(default=False)
    """A program plays for it, for good: its name says so, and it is rated apart."""
    barred_at: Mapped[datetime | None]
    """Since when who runs the server keeps it from logging in."""
    deleted_at: Mapped[datetime | None]
    """Since when nobody has this account; its address is none then, its name that of nobody."""


class MergedAccount(Table):
    """``id``: an account that was one of the same person as ``account_id``, and is nobody's since. Whoever uses its
    ``address`` or its number means the one that was kept.
    """

    __tablename__ = "merged_accounts"
    id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    address: Mapped[str] = mapped_column(String(320), unique=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    at: Mapped[datetime]


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


class GameNotification(Table):
    """How letters of one game reach a reader, where it differs from other games.

    ``mails``: turn digest mute, empty as in all games. ``talk``: once (an email for every post), never (in no email),
    empty with the next email.
    """

    __tablename__ = "game_notifications"
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    mails: Mapped[str] = mapped_column(String(8))
    talk: Mapped[str] = mapped_column(String(8), default="")


class Absence(Table):
    """Days, both included and by the player's own calendar, on which no clock of the player runs."""

    __tablename__ = "absences"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    first: Mapped[date] = mapped_column(Date)
    last: Mapped[date] = mapped_column(Date)
    created_at: Mapped[datetime]


class Block(Table):
    """``account_id`` wants no game with ``blocked_id``."""

    __tablename__ = "blocks"
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    blocked_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True, index=True)
    name: Mapped[str] = mapped_column(String(80))
    since: Mapped[datetime]


class Feed(Table):
    """The private feeds of an account; another ``key`` makes the addresses handed out so far void."""

    __tablename__ = "feeds"
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    key: Mapped[str] = mapped_column(String(24))
    made_at: Mapped[datetime]


class ProgramToken(Table):
    """What a program says to be let in as its account; only a hash is kept. ``used_at``: the last use, to the hour."""

    __tablename__ = "program_tokens"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class Webhook(Table):
    """An address of another service that is told of turns: of its owner's, or, with ``game_id``, of all in a game.

    ``kind``: discord slack json. ``failures``: tries in a row that failed, the first at ``failing_since``; a webhook
    with ``stopped_at`` is told nothing. ``result``: what became of the last try, in a sentence.
    """

    __tablename__ = "webhooks"
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


class PushSubscription(Table):
    """A browser on a device that is told of its owner's turns: in all games, or, with ``game_id``, in one.

    ``endpoint``, ``p256dh`` and ``auth`` as the Push API of browsers has them: where messages go, and the keys they
    are encrypted with. ``label``: browser and system of the device. ``told_at``: when a message was taken last;
    ``result``: why the last one was not, empty when it was.
    """

    __tablename__ = "push_subscriptions"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
    endpoint: Mapped[str] = mapped_column(String(500), index=True)
    p256dh: Mapped[str] = mapped_column(String(88))
    auth: Mapped[str] = mapped_column(String(24))
    label: Mapped[str] = mapped_column(String(60))
    result: Mapped[str] = mapped_column(String(300), default="")
    told_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


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
