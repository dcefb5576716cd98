"""The clocks of a running game: a question starts one, an answer stops it, and what changes a calendar sets it anew.

Whoever lets a game ask somebody calls :func:`ask` after :func:`answered`; its times stand in the row of the game.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine import Value
from pbem.service.base import GameWork
from pbem.service.clocks import robot_clock
from pbem.store.clocks import Clock
from pbem.store.tables import Absence, Account, Game, Seat
from pbem.store.time_controls import FIRST_STEPS, STEPS, WAKING, Calendar, Span, zone_named

CARETAKER_THINKS = timedelta(hours=1)
"""How long a caretaker leaves a question to the player, who may be back; a twelfth of shorter times."""
MINUTES = 60


def calendar_of(work: GameWork, seat: Seat) -> Calendar:
    """The days and hours of the player of a seat; of one without player those of UTC."""
    return calendar(work.game, work.player(seat), work.players.away(seat.account_id))


def calendar(game: Game, account: Account | None, away: tuple[Span, ...]) -> Calendar:
    """The same from rows that are at hand."""
    return Calendar(
        zone=zone_of(account),
        weekends=game.time_control.weekends,
        holidays=frozenset(game.time_control.holidays),
        absences=away,
        quiet=quiet_of(account) if account else None,
        country=game.time_control.country,
    )


def zone_of(account: Account | None) -> ZoneInfo:
    return zone_named(account.zone if account else "UTC")


def today(account: Account, now: datetime) -> date:
    return now.astimezone(zone_of(account)).date()


def quiet_of(account: Account) -> tuple[time, time] | None:
    if account.quiet_from is None or account.quiet_to is None or account.quiet_from == account.quiet_to:
        return None
    return clock_time(account.quiet_from), clock_time(account.quiet_to)


def clock_time(minutes: int) -> time:
    return time(*divmod(minutes, MINUTES))


def steps_of(account: Account | None) -> tuple[str, ...]:
    return FIRST_STEPS if account is None else tuple(step for step in account.reminders.split(",") if step in STEPS)


class AskedSeat(Value):
    """``seat`` is ``None`` where nobody is asked, ``account`` where nobody holds the seat."""

    seat: Seat | None
    account: Account | None
    calendar: Calendar

    @property
    def steps(self) -> tuple[str, ...]:
        return steps_of(self.account)


def asked_in(session: Session, games: Sequence[Game]) -> Mapping[str, AskedSeat]:
    there = select(Seat).join(Game).where(Game.id.in_([game.id for game in games]), Seat.colour == Game.to_act)
    seats = {seat.game_id: seat for seat in session.scalars(there) if seat.colour}
    numbers = sorted({seat.account_id for seat in seats.values() if seat.account_id is not None})
    accounts = {row.id: row for row in session.scalars(select(Account).where(Account.id.in_(numbers)))}
    away: dict[int, tuple[Span, ...]] = defaultdict(tuple)
    for row in session.scalars(select(Absence).where(Absence.account_id.in_(numbers)).order_by(Absence.first)):
        away[row.account_id] += (Span(row.first, row.last),)
    found = {}
    for game in games:
        seat = seats.get(game.id)
        account = accounts.get(seat.account_id or 0) if seat else None
        found[game.id] = AskedSeat(seat, account, calendar(game, account, away[account.id] if account else ()))
    return found


def ask(work: GameWork, colour: str, *, told: datetime | None = None) -> None:
    """Start the clock of the seat that is asked. ``told``: when the question goes out, if that is later."""
    game = work.game
    game.to_act = colour
    game.clock = replace(
        game.clock, waiting_since=work.now, reminded_at=None, counted_from=told or work.now, spent_seconds=0
    )
    set_anew(work)


def answered(work: GameWork) -> tuple[int, int] | None:
    """Stop the clock of the seat that was asked and take what the answer took from its bank.

    Says how much of its time the answer took and what the seat had in reserve before, in seconds; ``None`` when
    nobody was asked.
    """
    seat = _asked(work)
    if seat is None:
        return None
    used, before = work.game.clock.spent(calendar_of(work, seat), work.now), seat.reserve_seconds
    if work.game.counted_from is not None and seat.caretaker_since is None and not seat.robot:
        left = work.game.time_control.reserve_after(timedelta(seconds=before), used)
        seat.reserve_seconds = int(left.total_seconds())
    return int(used.total_seconds()), before


def seconds_spent(work: GameWork) -> int:
    seat = _asked(work)
    return 0 if seat is None else int(work.game.clock.spent(calendar_of(work, seat), work.now).total_seconds())


def run(work: GameWork, spent_seconds: int = 0) -> None:
    work.game.clock = replace(work.game.clock, counted_from=work.now, spent_seconds=spent_seconds)
    set_anew(work)


def set_anew(work: GameWork) -> None:
    """Compute deadline and reminder of the open question from the calendar of who is asked."""
    seat = _asked(work)
    if seat is None:
        work.game.clock = replace(work.game.clock, deadline_at=None, remind_at=None, robot_at=None)
    else:
        work.game.clock = ending(work.game, seat, calendar_of(work, seat), steps_of(work.player(seat)))


def ending(game: Game, seat: Seat | None, calendar: Calendar, steps: tuple[str, ...]) -> Clock:
    """The clock of a game, with when its open question ends that this seat is asked."""
    clock, time_control = replace(game.clock, deadline_at=None, remind_at=None, robot_at=None), game.time_control
    start = clock.runs_from
    if seat is None or start is None:
        return clock
    if seat.robot:
        answers_at = robot_clock.answers_at(game, start)
        return replace(clock, robot_at=answers_at, deadline_at=answers_at + robot_clock.LATE)
    if seat.caretaker_since is not None:
        return replace(clock, deadline_at=start + min(CARETAKER_THINKS, time_control.turn / 12))
    return clock.ending(_whole(game, seat), calendar, steps) if time_control.limits else clock


def reminded(game: Game, seat: Seat, calendar: Calendar, steps: tuple[str, ...], now: datetime) -> None:
    """A reminder goes out to the seat that is asked: set the time of the next one."""
    game.clock = replace(game.clock, reminded_at=now, remind_at=None)
    if seat.account_id is not None:
        game.clock = game.clock.reminding(_whole(game, seat), calendar, steps)


def _whole(game: Game, seat: Seat) -> timedelta:
    return game.time_control.allowance(timedelta(seconds=seat.reserve_seconds))


def at_least_awake(game: Game, now: datetime) -> None:
    """A deadline that came nearer leaves at least an hour."""
    if game.deadline_at is not None:
        game.clock = replace(game.clock, deadline_at=max(game.deadline_at, now + WAKING))


def returned(seat: Seat) -> bool:
    """The player of the seat is back: the caretaker plays no more. Returns whether one did."""
    if seat.caretaker_since is None:
        return False
    seat.caretaker_since = None
    return True


def stop(game: Game) -> None:
    game.clock, game.paused_until = Clock(), None


def _asked(work: GameWork) -> Seat | None:
    return next((seat for seat in work.seats if work.game.to_act and seat.colour == work.game.to_act), None)
