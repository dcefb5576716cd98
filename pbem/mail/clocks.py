"""The clocks of a game in a letter: banks, and who is away or played for."""

from collections.abc import Iterator
from datetime import datetime

from pbem.engine import Say, Who, say, to_reader
from pbem.language.times import Calendar, span
from pbem.store.time_controls import TimeControl
from pbem.views.games import ClockView
from pbem.views.letters import LetterView


def clock_lines(view: LetterView) -> tuple[Say, ...]:
    """A sentence for everything about the clocks that is not the same for all."""
    if view.game is None or view.game.time_control is None:
        return ()
    time_control, calendar = view.game.time_control, Calendar(view.envelope.zone, view.envelope.now)
    return tuple(
        line for clock in view.game.clocks for line in _lines(clock, calendar, view.game.deadline, time_control)
    )


def included(view: LetterView) -> Say | None:
    """What the end of the time that is told to the reader includes: the bank, or what was kept; ``None``: neither."""
    game = view.game
    if game is None or game.time_control is None or game.deadline is None:
        return None
    own = next((clock for clock in game.clocks if clock.asked and clock.seat == view.seat), None)
    if own is None or not own.bank:
        return None
    if game.time_control.keeps:
        return say("This includes the {span} that you have kept.", span=span(own.bank))
    if _bank_runs(own, view.envelope.now):
        return say("Your bank is running; this is when it ends.")
    return say("This includes your bank of {span}.", span=span(own.bank))


def _bank_runs(clock: ClockView, now: datetime) -> bool:
    return clock.asked and clock.bank_from is not None and clock.bank_from <= now


def _lines(clock: ClockView, calendar: Calendar, deadline: datetime | None, time_control: TimeControl) -> Iterator[Say]:
    who, keeps = Who(clock.seat), time_control.keeps
    has_bank = bool(time_control.bank or keeps)
    if clock.caretaker_since is not None:
        yield say("{player}: a caretaker plays.", player=who)
    elif has_bank and not clock.bank:
        yield say("{player}: nothing is left in the bank.", player=who)
    elif has_bank and keeps:
        yield say("{player}: {span} kept.", player=who, span=span(clock.bank))
    elif has_bank and deadline is not None and _bank_runs(clock, calendar.now):
        yield say(
            "{player}: {span} left in the bank, which is running.", player=who, span=span(deadline - calendar.now)
        )
    elif has_bank:
        yield say("{player}: {span} in the bank.", player=who, span=span(clock.bank))
    if last := clock.away(calendar.now):
        yield say("{player} is away until {day}.", player=who, day=calendar.limit_day(last))
    if following := clock.next_absence(calendar.now):
        first, end = map(calendar.limit_day, following)
        yield say("{player} is away from {first} to {last}.", player=who, first=first, last=end)


to_reader("{player}: a caretaker plays.", player="A caretaker plays for you.")
to_reader("{player}: nothing is left in the bank.", player="Nothing is left in your bank.")
to_reader("{player}: {span} kept.", player="You have kept {span}.")
to_reader("{player}: {span} left in the bank, which is running.", player="Your bank is running: {span} left.")
to_reader("{player}: {span} in the bank.", player="You have {span} in the bank.")
to_reader("{player} is away until {day}.", player="You are away until {day}.")
to_reader("{player} is away from {first} to {last}.", player="You are away from {first} to {last}.")
