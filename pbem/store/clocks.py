"""The clock of the question that is open in a game: a value that its row holds. No clock is read here."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self

from pbem.store.time_controls import Calendar


@dataclass(frozen=True, slots=True)
class Clock:
    """Since when a question waits, what of its time has run, and when something is to happen about it.

    ``counted_from``: from when on its time runs; ``spent_seconds`` of it had run before (a pause, an outage).
    ``robot_at``: when the robot that is asked answers; while it thinks, when another is to think if nothing has come.
    """

    waiting_since: datetime | None = None
    counted_from: datetime | None = None
    spent_seconds: int = 0
    paused_at: datetime | None = None
    deadline_at: datetime | None = None
    remind_at: datetime | None = None
    reminded_at: datetime | None = None
    robot_at: datetime | None = None

    @property
    def runs_from(self) -> datetime | None:
        """From when on time runs, ``None`` while none does."""
        return self.counted_from if self.paused_at is None else None

    def spent(self, calendar: Calendar, now: datetime) -> timedelta:
        """How much of the time of the question has run."""
        before, start = timedelta(seconds=self.spent_seconds), self.runs_from
        return before if start is None else before + calendar.counted(start, now)

    def ending(self, whole: timedelta, calendar: Calendar, steps: Iterable[str]) -> Self:
        """With the deadline and the next reminder of a question that may take ``whole``."""
        assert self.counted_from is not None
        deadline = calendar.deadline(self.counted_from, whole - timedelta(seconds=self.spent_seconds))
        return replace(self, deadline_at=deadline).reminding(whole, calendar, steps)

    def reminding(self, whole: timedelta, calendar: Calendar, steps: Iterable[str]) -> Self:
        """With the first reminder that is due after the last one."""
        assert self.counted_from is not None
        assert self.deadline_at is not None
        spent = timedelta(seconds=self.spent_seconds)
        due = calendar.reminders(self.counted_from, whole, spent, self.deadline_at, steps)
        after = (moment for moment in due if self.reminded_at is None or moment > self.reminded_at)
        return replace(self, remind_at=next(after, None))
