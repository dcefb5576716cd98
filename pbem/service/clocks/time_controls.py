"""The limits of the time controls that a host may choose."""

from datetime import date, timedelta

from pbem.engine import say
from pbem.engine.reading import shown
from pbem.service.base import BadInput, Problem
from pbem.store import public_holidays
from pbem.store.time_controls import AT_ZERO, NO_TIME, TimeControl

SHORTEST_TURN, LONGEST_TURN = timedelta(minutes=1), timedelta(days=30)
LONGEST_BANK = timedelta(days=60)
MOST_HOLIDAYS = 60


def problems(chosen: TimeControl) -> list[Problem]:
    found = []
    if not SHORTEST_TURN <= chosen.turn <= LONGEST_TURN:
        found.append(Problem("turn_time", say("The time for an answer must be between 1 minute and 30 days.")))
    if not NO_TIME <= chosen.bank <= LONGEST_BANK:
        found.append(Problem("bank", say("A bank can hold at most 60 days.")))
    if chosen.keeps and not chosen.turn <= chosen.cap <= LONGEST_BANK:
        found.append(
            Problem("bank", say("The limit for kept time must be at least the time for an answer and at most 60 days."))
        )
    if chosen.keeps and chosen.bank > chosen.cap:
        found.append(Problem("bank", say("The time at the start cannot be more than the time that can be kept.")))
    if len(chosen.holidays) > MOST_HOLIDAYS:
        found.append(Problem("holidays", say("A game can have at most {n} holidays.", n=MOST_HOLIDAYS)))
    if chosen.country and not public_holidays.known(chosen.country):
        found.append(Problem("country", say("Choose a country from the list.")))
    if chosen.at_zero not in AT_ZERO:
        found.append(Problem("at_zero", say("Choose what happens when time is over.")))
    return found


def read_holidays(text: str) -> tuple[date, ...]:
    """Days written as 2026-12-24 with spaces, commas or line ends between, in order. Raises :class:`BadInput`."""
    found = set()
    for word in text.replace(",", " ").replace(";", " ").split():
        try:
            found.add(date.fromisoformat(word))
        except ValueError as error:
            sentence = say("“{text}” is not a date. Write it like 2026-12-24.", text=shown(word))
            raise BadInput(Problem("holidays", sentence)) from error
    return tuple(sorted(found))
