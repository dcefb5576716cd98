"""The pace of a game: what a host chooses from, and how it is said."""

from __future__ import annotations

from datetime import timedelta

from pbem.pace import NO_TIME, Pace
from pbem.service import paces
from pbem.web import forms
from pbem.web.times import counted, span

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
PACES: dict[str, tuple[str, Pace]] = {
    "12h": ("Brisk", Pace(12 * HOUR, bank=2 * DAY)),
    "3d": ("Calm", Pace(3 * DAY, bank=7 * DAY)),
    "7d": ("Slow", Pace(7 * DAY, bank=14 * DAY)),
    "kept": ("Kept time", Pace(DAY, bank=5 * DAY, cap=10 * DAY)),
}
"""What most games choose, by the value of the form."""
OWN = "own"
"""The value of the form for a pace of one's own."""
AT_ZERO = {
    "default": "play the safest legal order",
    "caretaker": "let a caretaker play until the player is back",
    "substitute": "look for a substitute, and play the safest order until one is found",
}
WHEN_OVER = {
    "default": "When a player’s time is over, the safest legal order is played.",
    "caretaker": "When a player’s time is over, a caretaker plays until the player is back.",
    "substitute": "When a player’s time is over, the seat is offered to a substitute.",
}
FIELDS = ("turn_time", "hours", "bank", "cap", "free_weekends", "holidays", "at_zero")


def typed() -> dict[str, str]:
    """The pace part of the form as it was filled in."""
    return {name: forms.field(name, longest=2000, default="") for name in FIELDS}


def first() -> dict[str, str]:
    """The pace part of a new form."""
    return dict.fromkeys(FIELDS, "") | {"turn_time": "3d", "at_zero": "default", "hours": "24", "bank": "48"}


def read(fields: dict[str, str]) -> Pace:
    """The pace that was chosen; what is no number is a time that the service refuses. Raises :class:`BadInput`."""
    if fields["turn_time"] == OWN:
        base = Pace(_hours(fields["hours"]), _hours(fields["bank"] or "0"), _hours(fields["cap"] or "0"))
    else:
        base = PACES[fields["turn_time"]][1] if fields["turn_time"] in PACES else Pace(NO_TIME)
    holidays = paces.read_holidays(fields["holidays"])
    return Pace(base.turn, base.bank, base.cap, not fields["free_weekends"], holidays, fields["at_zero"] or "default")


def words(pace: Pace) -> str:
    """A pace in whole sentences."""
    return " ".join([_clock(pace), *_free(pace), WHEN_OVER[pace.at_zero]])


def short(pace: Pace) -> str:
    """The clock alone, for a list to choose from."""
    return _clock(pace)


def _clock(pace: Pace) -> str:
    if pace.keeps:
        start, more, most = span(pace.bank), span(pace.turn), span(pace.cap)
        return f"{start} at the start, {more} more with every question, up to {most}."
    bank = f", then a bank of {span(pace.bank)} for the whole game" if pace.bank else ""
    return f"{span(pace.turn)} for an answer{bank}."


def _free(pace: Pace) -> list[str]:
    free = [] if pace.weekends else ["Saturdays and Sundays do not count, by each player’s own clock."]
    if pace.holidays:
        free.append(f"{counted(len(pace.holidays), 'holiday')} of the game, too: {', '.join(map(str, pace.holidays))}.")
    return free


def _hours(text: str) -> timedelta:
    return int(text) * HOUR if text.isascii() and text.isdigit() and len(text) < 6 else -HOUR
