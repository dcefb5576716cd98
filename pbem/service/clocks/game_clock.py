"""The clocks of a running game: a question starts one, an answer stops it, and what changes a calendar sets it anew.

Whoever lets a game ask somebody calls :func:`ask` after :func:`answered`; the times stand in columns of the game.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from pbem.service.base.work import GameWork
from pbem.service.clocks import robot_clock
from pbem.store.tables import Account, Game, Seat
from pbem.store.time_controls import FIRST_STEPS, NO_TIME, STEPS, WAKING, Calendar, Span, TimeControl, zone_named

CARETAKER_THINKS = timedelta(hours=1)
"""How long a caretaker leaves a question to the player, who may be back; a twelfth of shorter times."""
MINUTES = 60


class Clock(Protocol):
    """What the clock of a game runs by: its row, or the columns of it."""

    counted_from: datetime | None
    spent_seconds: int
    paused_at: datetime | None
    deadline_at: datetime | None
    remind_at: datetime | None
    reminded_at: datetime | None
    robot_at: datetime | None
    robot_seconds: int
    robot_zone: str
    version: int
    seed: bytes

    @property
    def time_control(self) -> TimeControl: ...


class SeatClock(Protocol):
    """The seat whose clock it is."""

    @property
    def reserve_seconds(self) -> int: ...
    @property
    def caretaker_since(self) -> datetime | None: ...
    @property
    def robot(self) -> str: ...


class Player(Protocol):
    """The account that holds the seat."""

    @property
    def zone(self) -> str: ...
    @property
    def quiet_from(self) -> int | None: ...
    @property
    def quiet_to(self) -> int | None: ...
    @property
    def reminders(self) -> str: ...


def calendar_of(work: GameWork, seat: Seat) -> Calendar:
    """The days and hours of the player of a seat; of one without player those of UTC."""
    account = work.player(seat)
    away = (row for row in work.absences if account is not None and row.account_id == account.id)
    return calendar(work.game, account, tuple(Span(row.first, row.last) for row in away))


def calendar(game: Clock, account: Player | None, away: tuple[Span, ...]) -> Calendar:
    """The same from rows that are at hand."""
    return Calendar(
        zone=zone_of(account),
        weekends=game.time_control.weekends,
        holidays=frozenset(game.time_control.holidays),
        absences=away,
        quiet=quiet_of(account) if account else None,
    )


def zone_of(account: Player | None) -> ZoneInfo:
    """The zone of an account."""
    return zone_named(account.zone if account else "UTC")


def today(account: Account, now: datetime) -> date:
    """The day it is for an account."""
    return now.astimezone(zone_of(account)).date()


def quiet_of(account: Player) -> tuple[time, time] | None:
    """The quiet hours of an account."""
    if account.quiet_from is None or account.quiet_to is None or account.quiet_from == account.quiet_to:
        return None
    return clock_time(account.quiet_from), clock_time(account.quiet_to)


def clock_time(minutes: int) -> time:
    """Minutes since midnight as a time of the day."""
    return time(*divmod(minutes, MINUTES))


def steps_of(account: Player | None) -> tuple[str, ...]:
    """When an account wants to be reminded."""
    return FIRST_STEPS if account is None else tuple(step for step in account.reminders.split(",") if step in STEPS)


def ask(work: GameWork, colour: str, *, told: datetime | None = None) -> None:
    """Start the clock of the seat that is asked. ``told``: when the question goes out, if that is later."""
    game = work.game
    game.to_act, game.waiting_since, game.reminded_at = colour, work.now, None
    game.counted_from, game.spent_seconds = told or work.now, 0
    set_anew(work)


def answered(work: GameWork) -> tuple[int, int] | None:
    """Stop the clock of the seat that was asked and take what the answer took from its bank.

    Says how much of its time the answer took and what the seat had in reserve before, in seconds; ``None`` when
    nobody was asked.
    """
    seat = _asked(work)
    if seat is None:
        return None
    used, before = spent(work.game, calendar_of(work, seat), work.now), seat.reserve_seconds
    if work.game.counted_from is not None and seat.caretaker_since is None and not seat.robot:
        seat.reserve_seconds = _seconds(work.game.time_control.reserve_after(timedelta(seconds=before), used))
    return _seconds(used), before


def stand(work: GameWork) -> tuple[int, int] | None:
    """How much of the time of the open question has run, and what its seat has in reserve, in seconds."""
    seat = _asked(work)
    if seat is None:
        return None
    return _seconds(spent(work.game, calendar_of(work, seat), work.now)), seat.reserve_seconds


def seconds_spent(work: GameWork) -> int:
    """How much of the time of the open question has run."""
    time = stand(work)
    return 0 if time is None else time[0]


def spent(game: Clock, calendar: Calendar, now: datetime) -> timedelta:
    """How much of the time of the open question has run."""
    before = timedelta(seconds=game.spent_seconds)
    if game.counted_from is None or game.paused_at is not None:
        return before
    return before + calendar.counted(game.counted_from, now)


def set_anew(work: GameWork) -> None:
    """Compute deadline and reminder of the open question from the calendar of who is asked."""
    seat = _asked(work)
    if seat is None:
        work.game.deadline_at = work.game.remind_at = work.game.robot_at = None
    else:
        set_times(work.game, seat, calendar_of(work, seat), steps_of(work.player(seat)))


def set_times(game: Clock, seat: SeatClock | None, calendar: Calendar, steps: tuple[str, ...]) -> None:
    """The same from what is at hand."""
    game.deadline_at = game.remind_at = game.robot_at = None
    if seat is None or game.counted_from is None or game.paused_at is not None:
        return
    if seat.robot:
        game.robot_at = robot_clock.answers_at(game, game.counted_from)
        game.deadline_at = game.robot_at + robot_clock.LATE
        return
    time_control, start, before = game.time_control, game.counted_from, timedelta(seconds=game.spent_seconds)
    if seat.caretaker_since is not None:
        game.deadline_at = start + min(CARETAKER_THINKS, time_control.turn / 12)
        return
    if not time_control.limits:
        return
    whole = time_control.allowance(timedelta(seconds=seat.reserve_seconds))
    game.deadline_at = calendar.deadline(start, whole - before)
    game.remind_at = _next_step(game, calendar, whole, steps)


def reminded(game: Game, seat: Seat, calendar: Calendar, steps: tuple[str, ...], now: datetime) -> None:
    """A reminder goes out to the seat that is asked: set the time of the next one."""
    game.reminded_at, game.remind_at = now, None
    if seat.account_id is not None:
        whole = game.time_control.allowance(timedelta(seconds=seat.reserve_seconds))
        game.remind_at = _next_step(game, calendar, whole, steps)


def _next_step(game: Clock, calendar: Calendar, whole: timedelta, steps: tuple[str, ...]) -> datetime | None:
    assert game.counted_from is not None
    assert game.deadline_at is not None
    before = timedelta(seconds=game.spent_seconds)
    due = calendar.reminders(game.counted_from, whole, before, game.deadline_at, steps)
    return next((moment for moment in due if game.reminded_at is None or moment > game.reminded_at), None)


def at_least_awake(game: Game, now: datetime) -> None:
    """A deadline that came nearer leaves at least an hour."""
    if game.deadline_at is not None:
        game.deadline_at = max(game.deadline_at, now + WAKING)


def returned(seat: Seat) -> bool:
    """The player of the seat is back: the caretaker plays no more. Returns whether one did."""
    if seat.caretaker_since is None:
        return False
    seat.caretaker_since = None
    return True


def stop(game: Game) -> None:
    """The game is over: no clock runs."""
    game.waiting_since = game.counted_from = game.deadline_at = game.remind_at = game.reminded_at = None
    game.robot_at = None
    game.paused_at = game.paused_until = None
    game.spent_seconds = 0


def _asked(work: GameWork) -> Seat | None:
    return next((seat for seat in work.seats if work.game.to_act and seat.colour == work.game.to_act), None)


def _seconds(length: timedelta) -> int:
    return int(max(length, NO_TIME).total_seconds())
