"""What pages and letters are made of: plain values, filled by ``pbem.service``, read by ``pbem.web`` and ``pbem.mail``.

Nothing here reads a database or a clock. Times are aware ``datetime`` in UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.engine import Refusal, Say, Sheet, State, Value, replace
from pbem.engine.events import Told
from pbem.engine.sheet import Standing
from pbem.language.voice import GameVoice, TableVoice
from pbem.store.statuses import NOTES, GameStatus, MoveCause, SeatStatus, StandingOrderStatus, SubmissionStatus
from pbem.store.time_controls import TimeControl
from pbem.views.position import Position, position_for


class SeatView(Value):
    """A seat of a game. ``seat`` is the colour, empty before the start.

    ``holder``: how often the seat has changed hands.
    """

    number: int
    seat: str
    name: str
    status: SeatStatus
    host: bool = False
    holder: int = 0
    robot: str = ""
    """Which robot plays the seat; empty for people."""
    talk_read: int = 0
    """The last post of the talk that its player has marked as read, or wrote."""
    program: bool = False
    """A program of somebody plays."""


class ClockView(Value):
    """The clock of a seat. ``time``: what a question gives without the bank; ``bank``: what is left of it, or kept.

    ``bank_from``: when the open question begins to use the bank; ``absences``: first and last days on which it
    stands still; ``zone``: whose days they are.
    """

    seat: str
    time: timedelta
    bank: timedelta
    bank_from: datetime | None = None
    asked: bool = False
    absences: tuple[tuple[date, date], ...] = ()
    zone: str = "UTC"
    caretaker_since: datetime | None = None

    def away(self, now: datetime) -> date | None:
        day = now.astimezone(ZoneInfo(self.zone)).date()
        return next((last for first, last in self.absences if first <= day <= last), None)

    def next_absence(self, now: datetime) -> tuple[date, date] | None:
        day = now.astimezone(ZoneInfo(self.zone)).date()
        return next(((first, last) for first, last in self.absences if day < first), None)


class MoveView(Value):
    """One entry of the log: one submission that was played, or a note. ``taken_back``: the orders no longer count."""

    number: int
    seat: str
    turn: int
    phase: str
    orders: str
    cause: MoveCause
    events: tuple[Told, ...]
    at: datetime
    taken_back: bool = False
    why: Say | None = None
    """The reason of a robot."""
    by_mail: bool = False
    """The last orders of whom the log was read for, which came by email."""
    others: MoveView | None = None
    """The entry as others than the player of its seat may read it, where that is less."""

    @property
    def counts(self) -> bool:
        return not self.taken_back and self.cause not in NOTES

    def seen_by(self, viewer: str) -> MoveView:
        if self.others is not None and viewer != self.seat:
            return self.others.seen_by(viewer)
        if all(event.open_to(viewer or None) for event in self.events):
            return self
        return replace(self, events=tuple(event for event in self.events if event.open_to(viewer or None)))

    def parted(self, seat: str) -> tuple[MoveView, MoveView]:
        """Orders of a seat as what was ordered, and what came of it."""
        ordered = tuple(event for event in self.events if event.ordered_by(seat))
        came = tuple(event for event in self.events if not event.ordered_by(seat))
        return replace(self, events=ordered), replace(self, events=came)


class Trial(Value):
    """What makes a game a trial: orders that are only tried, for whichever seat is asked, from a position on.

    ``start``: the number of the order after which it begins. ``viewer``: the seat for whose eyes it is, ``""`` where
    nothing is hidden from anybody. ``seed``: of its own dice and draws. ``orders``: those tried, one entry each as they
    would stand in the log. ``drew``: the first of them that came with dice or a draw, from 1, 0 = none.
    """

    start: int
    viewer: str
    seed: str
    orders: tuple[str, ...] = ()
    drew: int = 0


class GameFacts(Value, kw_only=True):
    """What everybody may know of a game. ``version`` counts positions: it is the number of the last move (0 = the
    deal)."""

    id: str
    title: str
    sheet: Sheet
    options: Mapping[str, str]
    status: GameStatus
    seats: tuple[SeatView, ...]
    version: int
    turn_time: timedelta
    opened_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    waiting_for: str = ""
    waiting_since: datetime | None = None
    deadline: datetime | None = None
    commitment: str
    seed: str
    log: tuple[MoveView, ...]
    standings: tuple[Standing, ...] = ()
    latest: int = 0
    """Number of the last move of the game; ``version`` is less when an earlier position was asked for."""
    imported: bool = False
    """Played elsewhere: nobody here has a seat in it and the seed is not ours to show."""
    time_control: TimeControl | None = None
    clocks: tuple[ClockView, ...] = ()
    paused_at: datetime | None = None
    paused_until: datetime | None = None
    """``None`` while a pause lasts until somebody ends it."""
    robot_pause: timedelta = timedelta(0)
    """How long robots wait before they answer, at the most."""
    grace: timedelta = timedelta(0)
    """How long orders can be taken back and the next player is not told."""
    grace_until: datetime | None = None
    unlisted: bool = False
    friendly: bool = False
    """No ratings follow from it."""
    programs: bool = False
    """Its host lets programs take a seat."""
    lesson: str = ""
    """Which lesson it is, whose emails explain every decision; empty for every other game."""
    ended_early: bool = False
    stops_at: datetime | None = None
    trial: Trial | None = None
    """The position is only tried, and in no database."""
    seat_offered: bool = False
    """The time of whoever is asked was over before, and the game waits for a substitute."""

    @property
    def may_be_rated(self) -> bool:
        """Whether ratings of people follow from it, if it ends with its last turn."""
        apart = self.friendly or self.unlisted or self.lesson or any(seat.program for seat in self.seats)
        return not apart and len(self.seats) > 1

    @property
    def tried(self) -> tuple[MoveView, ...]:
        return () if self.trial is None else self.log[len(self.log) - len(self.trial.orders) :]

    @property
    def opening(self) -> int:
        """The last order of a lesson's opening, in which robots ordered for who learns as well; 0 without one."""
        people = {seat.seat for seat in self.seats if self.lesson and not seat.robot}
        own = [move for move in self.log if move.seat in people]
        if not own or own[0].cause != MoveCause.ROBOT:
            return 0
        first = next((move.number for move in own if move.cause != MoveCause.ROBOT), None)
        return self.log[-1].number if first is None else first - 1

    def has_ordered(self, seat: str) -> bool:
        return any(move.seat == seat and move.cause == MoveCause.PLAYER for move in self.log)

    @property
    def names(self) -> dict[str, str]:
        return {seat.seat: seat.name for seat in self.seats if seat.seat}

    @property
    def robot_asked(self) -> bool:
        return any(seat.robot for seat in self.seats if self.waiting_for and seat.seat == self.waiting_for)


class GameView(GameFacts, kw_only=True):
    """A game as our own code reads it: ``state`` holds every secret and is ``None`` before the start.

    Templates are given what :meth:`seen_by` makes of it.
    """

    state: State
    plays_at: datetime | None = None
    """When standing orders of whoever is asked are looked at: for nobody else's eyes. ``None`` when none wait."""

    @property
    def voice(self) -> GameVoice:
        return self.voice_to("")

    def voice_to(self, seat: str) -> GameVoice:
        """What reads sentences of the game out to the player of a seat."""
        return GameVoice(self.sheet, self.state, self.names, seat)

    def seen_by(self, viewer: str = "") -> TableView:
        """The game as the player of a seat may see it, or a guest."""
        facts = {name: getattr(self, name) for name in GameFacts.__struct_fields__}
        facts["log"] = tuple(move.seen_by(viewer) for move in self.log)
        if self.state is None:
            return TableView(**facts, viewer=viewer)
        return TableView(**facts, viewer=viewer, position=position_for(self.sheet, self.state, viewer, self.standings))


class Attempt(Value):
    """Typed orders that were tried one after the other, each for whoever is asked.

    ``game``: the trial as far as it came, ``before``: the state before its last order. ``refusal``: why the next one
    could not be tried, in ``line`` (from 1, 0 = the only one), ``None`` when all were.
    """

    game: GameView
    before: State = None
    refusal: Refusal | None = None
    line: int = 0


class TableView(GameFacts, kw_only=True):
    """A game as one viewer may see it, for templates: a seat (colour), ``""`` for guests.

    ``position`` is ``None`` before the start. No hidden thing can be reached from here.
    """

    viewer: str
    position: Position | None = None

    @property
    def voice(self) -> TableVoice:
        return self._voice_to(self.viewer)

    @property
    def position_voice(self) -> TableVoice:
        """Reads the position out, which has the same text for everybody: nobody is "you" in it."""
        return self._voice_to("")

    def _voice_to(self, seat: str) -> TableVoice:
        return TableVoice(self.sheet, self.position.places if self.position else {}, self.names, seat)


class VoidView(Value):
    orders: str
    sentence: str


class StandingOrderView(Value):
    """A standing order, for its owner. ``words``: its moment; ``turn``: 0 = every turn until cancelled.

    ``reason`` and ``rule`` tell why it is void or stuck.
    """

    id: int
    orders: str
    words: Say
    turn: int
    status: StandingOrderStatus
    given_at: datetime
    reason: Say | None = None
    rule: str = ""
    moment: str = ""

    @property
    def refusal(self) -> Refusal | None:
        return Refusal(self.reason, self.rule) if self.reason is not None else None


class SubmissionView(Value):
    """What became of orders. ``sentence`` and ``rule`` tell why they were refused, ``line`` and ``step`` where (from 1,
    0 = no certain one).

    ``events``: what happened when they were played as move ``move`` and the ``moves`` from it on. ``standing_orders``:
    what of it waits for a later moment; orders that all wait are ``played`` without a move. ``turn``: of the game, when
    they came. ``clashes``: what they leave nothing to do of their owner's orders that wait, a sentence each.
    """

    id: int
    game: str
    seat: str
    version: int | None
    text: str
    status: SubmissionStatus
    sentence: Say | None = None
    rule: str = ""
    line: int = 0
    step: int = 0
    move: int | None = None
    events: tuple[Told, ...] = ()
    moves: int = 1
    standing_orders: tuple[StandingOrderView, ...] = ()
    turn: int = 0
    clashes: tuple[Say, ...] = ()


class GameLine(Value):
    """A game in a list. ``seat``: the reader's seat, ``None`` for others; ``turn_page``: the address of the
    reader's question, ``invitation``: of the answer to it; empty where nothing is asked of the reader."""

    id: str
    title: str
    sheet: Sheet
    status: GameStatus
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
    ended_early: bool = False
    paused: bool = False
    imported: bool = False
    """Played elsewhere: when it was played is not known. Only the archive asks for it."""
    plays_at: datetime | None = None
    """When standing orders of the reader, who is asked, are looked at; until then there is nothing to do."""
    ahead: int = 0
    """How many standing orders of the reader wait. Only the lobby asks for it."""
    unread: int = 0
    """How many posts of others the reader has neither had by email nor marked as read. Only the lobby asks for it."""
    turn_time: timedelta = timedelta(0)
    weekends: bool = True
    """Whether clocks run on Saturdays and Sundays."""
    started_at: datetime | None = None


class LobbyView(Value):
    your_turn: tuple[GameLine, ...]
    waiting: tuple[GameLine, ...]
    invitations: tuple[GameLine, ...]
    open: tuple[GameLine, ...]
    finished: tuple[GameLine, ...]


class ArchivePage(Value):
    """Finished games, latest first; ``older`` is what the next page is asked for with, empty on the last.

    ``found``: how many there are that are wanted, ``in_all``: how many in the archive; counted to a limit, and one more
    than that stands for more. ``None`` where it would take too long to count them.
    """

    games: tuple[GameLine, ...]
    older: str = ""
    found: int | None = 0
    in_all: int = 0
