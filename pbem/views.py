"""What pages and letters are made of: plain values, filled by ``pbem.service``, read by ``pbem.web`` and ``pbem.mail``.

Nothing here reads a database or a clock. Times are aware ``datetime`` in UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.engine.events import Told
from pbem.engine.sheet import Choice, Question, Sheet, Standing, State
from pbem.engine.text import Say
from pbem.voice import GameVoice


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat of a game. ``seat`` is the colour, empty before the start. ``status``: invited, accepted, declined."""

    number: int
    seat: str
    name: str
    status: str
    host: bool = False


@dataclass(frozen=True, slots=True)
class MoveView:
    """One entry of the log: one submission that was played. ``cause``: player, deadline, start."""

    number: int
    seat: str
    turn: int
    phase: str
    orders: str
    cause: str
    events: tuple[Told, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as everybody may see it. ``status``: open, running, over, cancelled. ``version`` counts positions:
    it is the number of the last move (0 = the deal); ``state`` is ``None`` before the start."""

    id: str
    title: str
    sheet: Sheet
    options: Mapping[str, str]
    status: str
    seats: tuple[SeatView, ...]
    version: int
    state: State
    turn_time: timedelta
    opened_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    waiting_for: str
    waiting_since: datetime | None
    deadline: datetime | None
    commitment: str
    seed: str
    log: tuple[MoveView, ...]
    standings: tuple[Standing, ...] = ()
    latest: int = 0
    """Number of the last move of the game; ``version`` is less when an earlier position was asked for."""
    imported: bool = False
    """Played elsewhere: nobody here has a seat in it and the seed is not ours to show."""

    @property
    def names(self) -> dict[str, str]:
        """Players' names by seat."""
        return {seat.seat: seat.name for seat in self.seats if seat.seat}

    @property
    def voice(self) -> GameVoice:
        return GameVoice(self.sheet, self.state, self.names)


@dataclass(frozen=True, slots=True)
class ChoiceLink:
    """A choice of the question with its one-click link."""

    choice: Choice
    url: str


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses a letter names; all absolute. Empty where the letter has no such link."""

    turn: str = ""
    game: str = ""
    map: str = ""
    seat: str = ""
    accept: str = ""
    decline: str = ""
    login: str = ""
    unsubscribe: str = ""
    archive: str = ""
    record: str = ""


@dataclass(frozen=True, slots=True)
class LetterView:
    """Everything a letter says.

    ``kind``: invitation game-started your-turn reminder refused default-played game-over login cancelled
    declined. ``seat``: the reader's seat (colour), empty for letters outside a running game.
    ``since``: the log entries after the reader's last own move. ``text``, ``sentence``: the refused order and
    why, ``line`` and ``step`` (from 1, 0 = unknown or the only one) where it failed. ``expires``: until when a
    log-in link works.
    """

    id: int
    kind: str
    to: str
    name: str
    now: datetime
    links: Links
    game: GameView | None = None
    seat: str = ""
    question: Question | None = None
    choices: tuple[ChoiceLink, ...] = ()
    since: tuple[MoveView, ...] = ()
    text: str = ""
    sentence: str = ""
    line: int = 0
    step: int = 0
    host_name: str = ""
    expires: datetime | None = None
    message_id: str = ""
    thread_id: str = ""
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class AccountView:
    """Somebody who is logged in."""

    id: int
    address: str
    name: str
    zone: str


@dataclass(frozen=True, slots=True)
class SubmissionView:
    """What became of orders. ``status``: waiting played refused stuck.

    ``sentence`` and ``rule`` tell why they were refused, ``line`` and ``step`` where (from 1, 0 = no certain
    one); ``events`` what happened when they were played as move ``move``.
    """

    id: int
    game: str
    seat: str
    version: int | None
    text: str
    status: str
    sentence: Say | None = None
    rule: str = ""
    line: int = 0
    step: int = 0
    move: int | None = None
    events: tuple[Told, ...] = ()


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list. ``seat``: the reader's seat, ``None`` for others; ``turn_page``: the address of the
    reader's question, ``invitation``: of the answer to it; empty where nothing is asked of the reader."""

    id: str
    title: str
    sheet: Sheet
    status: str
    seats: tuple[SeatView, ...]
    turn: int
    phase: str
    waiting_for: str
    waiting_since: datetime | None
    deadline: datetime | None
    version: int
    opened_at: datetime
    ended_at: datetime | None
    seat: SeatView | None = None
    turn_page: str = ""
    invitation: str = ""
    standings: tuple[Standing, ...] = ()


@dataclass(frozen=True, slots=True)
class LobbyView:
    """The reader's games, each list in the order in which it is shown."""

    your_turn: tuple[GameLine, ...]
    waiting: tuple[GameLine, ...]
    invitations: tuple[GameLine, ...]
    open: tuple[GameLine, ...]
    finished: tuple[GameLine, ...]


@dataclass(frozen=True, slots=True)
class ArchivePage:
    """Finished games, latest first; ``older`` is what the next page is asked for with, empty on the last."""

    games: tuple[GameLine, ...]
    older: str = ""
