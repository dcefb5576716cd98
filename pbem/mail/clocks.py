"""The clocks of a game in a letter: banks, and who is away or played for."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.text import Say, Who, say
from pbem.letter import LetterView
from pbem.times import Calendar, span
from pbem.views import ClockView


def clock_lines(view: LetterView) -> tuple[Say, ...]:
    """A sentence for everything about the clocks that is not the same for all."""
    if view.game is None or view.game.time_control is None:
        return ()
    time_control, calendar = view.game.time_control, Calendar(view.envelope.zone, view.envelope.now)
    return tuple(
        line
        for clock in view.game.clocks
        for line in _lines(
            clock, calendar, has_bank=bool(time_control.bank or time_control.keeps), keeps=time_control.keeps
        )
    )


def _lines(clock: ClockView, calendar: Calendar, *, has_bank: bool, keeps: bool) -> Iterator[Say]:
    who = Who(clock.seat)
    if clock.caretaker_since is not None:
        yield say("{player}: a caretaker plays.", player=who)
    elif has_bank and not clock.bank:
        yield say("{player}: nothing is left in the bank.", player=who)
    elif has_bank and keeps:
        yield say("{player}: {span} kept.", player=who, span=span(clock.bank))
    elif has_bank:
        yield say("{player}: {span} in the bank.", player=who, span=span(clock.bank))
    if last := clock.away(calendar.now):
        yield say("{player} is away until {day}.", player=who, day=calendar.date(last))
    if following := clock.next_absence(calendar.now):
        first, end = map(calendar.date, following)
        yield say("{player} is away from {first} to {last}.", player=who, first=first, last=end)
