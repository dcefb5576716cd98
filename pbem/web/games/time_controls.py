"""The time control of a game: what a host chooses from."""

from datetime import timedelta

from pbem.service.clocks import time_controls
from pbem.store import public_holidays
from pbem.store.time_controls import NO_TIME, TimeControl
from pbem.web.base import forms, times

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
TIME_CONTROLS: dict[str, TimeControl] = {
    "12h": TimeControl(12 * HOUR, bank=2 * DAY),
    "3d": TimeControl(3 * DAY, bank=7 * DAY),
    "7d": TimeControl(7 * DAY, bank=14 * DAY),
    "kept": TimeControl(DAY, bank=5 * DAY, cap=10 * DAY),
}
"""What most games choose, by the value of the form; what they are called is in ``time_control.html``."""
OWN = "own"
FIELDS = ("turn_time", "hours", "bank", "cap", "free_weekends", "holidays", "at_zero", "country", "region")


def typed() -> dict[str, str]:
    return {name: forms.field(name, longest=2000, default="") for name in FIELDS}


def first() -> dict[str, str]:
    return dict.fromkeys(FIELDS, "") | {"turn_time": "3d", "at_zero": "default", "hours": "24", "bank": "48"}


def read(fields: dict[str, str]) -> TimeControl:
    """What was chosen; what is no number is a time that the service refuses. Raises :class:`BadInput`."""
    if fields["turn_time"] == OWN:
        base = TimeControl(_hours(fields["hours"]), _hours(fields["bank"] or "0"), _hours(fields["cap"] or "0"))
    else:
        base = TIME_CONTROLS[fields["turn_time"]] if fields["turn_time"] in TIME_CONTROLS else TimeControl(NO_TIME)
    holidays = time_controls.read_holidays(fields["holidays"])
    return TimeControl(
        base.turn, base.bank, base.cap, not fields["free_weekends"], holidays, fields["at_zero"] or "default",
        country_of(fields),
    )  # fmt: skip


def country_of(fields: dict[str, str]) -> str:
    """The country that was chosen, with its region; without one that is of another country."""
    country, region = fields["country"], fields["region"]
    return f"{country}-{region}" if region in public_holidays.regions(country) else country


def days_off(fields: dict[str, str]) -> str:
    """Which days the choice of a country means next; empty without one."""
    code = country_of(fields)
    return times.public_holidays(code) if code and public_holidays.known(code) else ""


def _hours(text: str) -> timedelta:
    return int(text) * HOUR if text.isascii() and text.isdigit() and len(text) < 6 else -HOUR
