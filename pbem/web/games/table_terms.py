"""How a game is open to anybody: what a host chooses from, in the form of a new game and of a table."""

from datetime import datetime, timedelta

from pbem.engine import say
from pbem.service import BadInput, Problem
from pbem.service.games import terms
from pbem.service.games.terms import Terms
from pbem.store.statuses import SeatsLeft
from pbem.web.base import forms
from pbem.web.base.context import zone

MOST_SEATS = 6
"""Seats for anybody that the form offers."""
EVENING = 18
"""The hour of the date that a new form proposes."""
YEARS = range(2000, 2200)
"""Years that can be meant; the first and the last of the calendar have no time in other zones."""
FIELDS = ("open_seats", "fill_at", "if_free", "experience", "programs", "listed")


def typed() -> dict[str, str]:
    fields = {name: forms.field(name, default="") for name in FIELDS}
    return fields | {_name(code): forms.field(_name(code), default="") for code in terms.LANGUAGES}


def first(now: datetime) -> dict[str, str]:
    """The part of open tables of a new form: a week from now, in the evening."""
    evening = (now.astimezone(zone()) + timedelta(days=7)).replace(hour=EVENING, minute=0)
    return {
        "open_seats": "0", "fill_at": written(evening), "if_free": SeatsLeft.ROBOTS.value, "experience": "any",
        "listed": "1", _name("en"): "1",
    }  # fmt: skip


def of(chosen: Terms) -> dict[str, str]:
    fields = {
        "open_seats": str(chosen.seats), "fill_at": written(chosen.fill_at), "if_free": chosen.if_free.value,
        "experience": chosen.experience, "listed": "1" if chosen.listed else "",
        "programs": "1" if chosen.programs else "",
    }  # fmt: skip
    return fields | {_name(code): "1" for code in chosen.languages}


def read(fields: dict[str, str]) -> Terms | None:
    """What was chosen, ``None`` when no seat is for anybody. Raises :class:`BadInput` for what cannot be read."""
    seats = fields["open_seats"]
    if seats in ("", "0"):
        return None
    problems = []
    if seats not in map(str, range(1, MOST_SEATS + 1)):
        problems.append(Problem("seats", say("Choose how many seats are open to anybody.")))
    if (fill_at := moment(fields["fill_at"])) is None:
        problems.append(Problem("fill_at", say("Write the date and the time like 2026-11-29T18:00.")))
    if fields["if_free"] not in list(SeatsLeft):
        problems.append(Problem("if_free", say("Choose what happens when seats are still free.")))
    if problems or fill_at is None:
        raise BadInput(*problems)
    return Terms(
        int(seats), fill_at, SeatsLeft(fields["if_free"]),
        tuple(code for code in terms.LANGUAGES if fields[_name(code)]), fields["experience"], bool(fields["programs"]),
        bool(fields["listed"]),
    )  # fmt: skip


def written(moment: datetime) -> str:
    """A time in the reader's zone, as the form has it."""
    return f"{moment.astimezone(zone()):%Y-%m-%dT%H:%M}"


def moment(text: str) -> datetime | None:
    """The time that was typed, in the reader's zone."""
    try:
        there = datetime.fromisoformat(text.strip()[:16])
    except ValueError:
        return None
    return there.replace(tzinfo=zone()) if there.year in YEARS else None


def _name(code: str) -> str:
    return f"lang.{code}"
