"""How time runs for a player: which days count, how long a question may take, when a reminder is due.

Pure computing with aware times: no clock is read here and nothing is stored. A :class:`TimeControl` is what a game was
opened with, a :class:`Calendar` is one player in one game. Times that come out are in UTC.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pbem.store import public_holidays

NO_TIME = timedelta(0)
WAKING = timedelta(hours=1)
"""What a player has at least between the end of the quiet hours and the end of the time."""
SATURDAY = 5
ONE_DAY = timedelta(days=1)

STEPS = ("50", "67", "24h", "6h", "1h")
"""When a reminder can be due: at a part of the time in percent, or so many hours before its end."""
FIRST_STEPS = ("67",)


LONGEST_ZONE = 64
"""Characters of a name of the time zone database."""


def zone_named(name: str) -> ZoneInfo:
    """The time zone; UTC where the time zone database of this machine does not know it."""
    try:
        return ZoneInfo(name if len(name) <= LONGEST_ZONE else "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a region alone is a folder
        return ZoneInfo("UTC")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The clocks of a game.

    Every question may take ``turn``, and without it as long as its player likes. Without ``cap`` a player who needs
    longer uses up a ``bank`` that is never filled again; with ``cap`` the time that is left is kept: a player starts
    with ``bank`` and gets ``turn`` with every question, up to ``cap``. ``weekends`` and ``holidays`` say which days
    count, in each player's own zone. ``at_zero``: what happens when the time is over, see :data:`AT_ZERO`.
    """

    turn: timedelta
    bank: timedelta = NO_TIME
    cap: timedelta = NO_TIME
    weekends: bool = True
    holidays: tuple[date, ...] = ()
    at_zero: str = "default"
    country: str = ""
    """Whose public holidays do not count either, as :mod:`pbem.store.public_holidays` names it; empty: nobody's."""

    @classmethod
    def of_columns(cls, turn: int, bank: int, cap: int, weekends: bool, holidays: Iterable[str], at_zero: str) -> Self:
        """The one that these columns of a game hold: lengths in seconds, days as text, and the country among them."""
        days = sorted(holidays)
        country = days.pop() if days and days[-1][:2].isupper() else ""
        return cls(
            timedelta(seconds=turn),
            timedelta(seconds=bank),
            timedelta(seconds=cap),
            weekends,
            tuple(map(date.fromisoformat, days)),
            at_zero,
            country,
        )

    def __composite_values__(self) -> tuple[int, int, int, bool, list[str], str]:
        """What stands in the columns of a game."""
        turn, bank, cap = (int(max(length, NO_TIME).total_seconds()) for length in (self.turn, self.bank, self.cap))
        days = [*(day.isoformat() for day in self.holidays), *([self.country] if self.country else [])]
        return turn, bank, cap, self.weekends, days, self.at_zero

    @property
    def limits(self) -> bool:
        return self.turn > NO_TIME

    @property
    def keeps(self) -> bool:
        """Whether time that was not used is kept for later questions."""
        return self.cap > NO_TIME

    def allowance(self, reserve: timedelta) -> timedelta:
        """The time for one question, of a player with this reserve (of the bank, or kept)."""
        return min(self.cap, reserve + self.turn) if self.keeps else self.turn + reserve

    def reserve_after(self, reserve: timedelta, used: timedelta) -> timedelta:
        """What is left of the reserve after a question that took ``used``."""
        if self.keeps:
            return max(NO_TIME, self.allowance(reserve) - used)
        return max(NO_TIME, reserve - max(NO_TIME, used - self.turn))


NO_LIMIT = TimeControl(NO_TIME)
"""Of games in which nobody waits for anybody: one person plays, alone or against robots."""

AT_ZERO = ("default", "caretaker", "substitute")
"""The safest legal order for this question; a caretaker until the player is back; or the seat is offered to a
substitute, and the safest order is played when nobody comes."""


@dataclass(frozen=True, slots=True)
class Span:
    """Days that do not count, both included."""

    first: date
    last: date

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


@dataclass(frozen=True, slots=True)
class Calendar:
    """One player in one game. ``quiet``: from when until when (by the clock of ``zone``) nothing may disturb.
    ``country``: whose public holidays do not count."""

    zone: ZoneInfo
    weekends: bool = True
    holidays: frozenset[date] = frozenset()
    absences: tuple[Span, ...] = ()
    quiet: tuple[time, time] | None = None
    country: str = ""

    def counts(self, day: date) -> bool:
        if not self.weekends and day.weekday() >= SATURDAY:
            return False
        if self.country and public_holidays.is_one(self.country, day):
            return False
        return day not in self.holidays and not any(day in span for span in self.absences)

    def day(self, moment: datetime) -> date:
        return moment.astimezone(self.zone).date()

    def counted(self, start: datetime, end: datetime) -> timedelta:
        """How much time runs from ``start`` to ``end``."""
        runs = NO_TIME
        for begin, until in self._running(start):
            if begin >= end:
                return runs
            runs += min(until, end) - begin
        return runs

    def after(self, start: datetime, length: timedelta) -> datetime:
        """The moment at which ``length`` has run since ``start``; never on a day that does not count."""
        left = max(length, NO_TIME)
        for begin, until in self._running(start):
            if left < until - begin:
                return begin + left
            left -= until - begin
        raise OverflowError("there are no more days")

    def deadline(self, start: datetime, length: timedelta) -> datetime:
        """The same, moved out of the quiet hours and the hour after them."""
        moment = self.after(start, length)
        while self.quiet is not None:
            around = self._quiet_around(moment)
            woken = next((end + WAKING for start, end in around if start <= moment < end + WAKING), None)
            counting = self.after(moment, NO_TIME) if woken is None else woken
            if counting == moment:
                break
            moment = counting
        return moment

    def quiet_until(self, moment: datetime) -> datetime | None:
        """The end of the quiet hours ``moment`` is in, ``None`` outside of them."""
        return next((end for start, end in self._quiet_around(moment) if start <= moment < end), None)

    def asleep(self, start: datetime, end: datetime) -> timedelta:
        """How much of the time from ``start`` to ``end`` is in the quiet hours."""
        slept, day = NO_TIME, self.day(start) - ONE_DAY
        while self.quiet is not None and (night := self._quiet_from(day, self.quiet))[0] < end:
            slept += max(NO_TIME, min(night[1], end) - max(night[0], start))
            day += ONE_DAY
        return slept

    def reminders(
        self, start: datetime, whole: timedelta, spent: timedelta, deadline: datetime, steps: Iterable[str]
    ) -> list[datetime]:
        """When reminders are due, soonest first, of a question with ``whole`` time, ``spent`` of it before ``start``.

        None is in the quiet hours, at or after the deadline, or before the time has begun to run.
        """
        due = set()
        for step in steps:
            moment = self._step(start, whole, spent, deadline, step)
            if moment is not None and start < moment:
                due.add(self.quiet_until(moment) or moment)
        return sorted(moment for moment in due if moment < deadline)

    def _step(
        self, start: datetime, whole: timedelta, spent: timedelta, deadline: datetime, step: str
    ) -> datetime | None:
        if step.endswith("h"):
            return deadline - timedelta(hours=int(step[:-1]))
        part = whole * 2 / 3 if step == "67" else whole * int(step) / 100
        return self.after(start, part - spent) if part > spent else None

    def _running(self, start: datetime) -> Iterator[tuple[datetime, datetime]]:
        """The stretches in which time runs, from ``start`` on, for whom it does not run on some days."""
        day = self.day(start)
        while day < date.max:
            until = self._at(day + ONE_DAY, time())
            if self.counts(day) and until > start:
                yield max(start.astimezone(UTC), self._at(day, time())), until
            day += ONE_DAY

    def _quiet_around(self, moment: datetime) -> Iterator[tuple[datetime, datetime]]:
        if self.quiet is None:
            return
        here = self.day(moment)
        for begin in (here - ONE_DAY, here):
            yield self._quiet_from(begin, self.quiet)

    def _quiet_from(self, day: date, quiet: tuple[time, time]) -> tuple[datetime, datetime]:
        """The quiet hours that begin on a day."""
        first, last = quiet
        end = day if first < last else day + ONE_DAY
        return min(self._both(day, first)), max(self._both(end, last))

    def _both(self, day: date, hour: time) -> tuple[datetime, datetime]:
        """The moments an hour can mean where the change of clocks repeats or skips it; mostly the same."""
        return self._at(day, hour), self._at(day, hour, fold=1)

    def _at(self, day: date, hour: time, fold: int = 0) -> datetime:
        return datetime.combine(day, hour, self.zone).replace(fold=fold).astimezone(UTC)
