"""Days as people write them in an email: 2026-12-24, 24 Dec, December 24 2026, 24 de dez, tomorrow, Friday.

What could be two days, like 3/4, is none.
"""

import re
from datetime import date, timedelta

MONTHS = (
    ("january", "janeiro", "enero", "stycznia", "januar"),
    ("february", "fevereiro", "febrero", "lutego", "februar"),
    ("march", "marco", "marzo", "marca", "marz"),
    ("april", "abril", "kwietnia"),
    ("may", "maio", "mayo", "maja", "mai"),
    ("june", "junho", "junio", "czerwca", "juni"),
    ("july", "julho", "julio", "lipca", "juli"),
    ("august", "agosto", "sierpnia"),
    ("september", "setembro", "septiembre", "wrzesnia"),
    ("october", "outubro", "octubre", "pazdziernika", "oktober"),
    ("november", "novembro", "noviembre", "listopada"),
    ("december", "dezembro", "diciembre", "grudnia", "dezember"),
)
"""Without accents; their beginnings will do, and no three letters begin two of them."""
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
NEAR = {"today": 0, "hoje": 0, "hoy": 0, "dzis": 0, "tomorrow": 1, "amanha": 1, "manana": 1, "jutro": 1}
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DAY_FIRST = re.compile(
    r"(?:the |el |dia )?(\d{1,2})(?:st|nd|rd|th)?\.? (?:of |de |from )?([a-z]{3,12})\.?,?(?: (\d{4}))?"
)
"""``from`` is the Portuguese ``de``, read as in "away from"."""
_MONTH_FIRST = re.compile(r"([a-z]{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,?(?: (\d{4}))?")
_WEEKDAY = re.compile(r"(?:on )?(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?")


def read(text: str, today: date) -> date | None:
    """The day, ``None`` for anything else. Without a year it is the next such day, ``today`` included."""
    text = " ".join(text.lower().split()).strip(" .!,")
    if text in NEAR:
        return today + timedelta(days=NEAR[text])
    if (found := _ISO.fullmatch(text)) is not None:
        return _day(int(found[1]), int(found[2]), int(found[3]))
    if (found := _WEEKDAY.fullmatch(text)) is not None:
        return today + timedelta(days=(WEEKDAYS.index(found[1][:3]) - today.weekday()) % 7)
    if (found := _DAY_FIRST.fullmatch(text)) is not None:
        return _named(found[2], found[1], found[3], today)
    if (found := _MONTH_FIRST.fullmatch(text)) is not None:
        return _named(found[1], found[2], found[3], today)
    return None


def _named(month: str, day: str, year: str | None, today: date) -> date | None:
    number = next((at for at, names in enumerate(MONTHS, 1) if any(name.startswith(month) for name in names)), 0)
    if not number:
        return None
    if year is not None:
        return _day(int(year), number, int(day))
    found = _day(today.year, number, int(day))
    return found if found is not None and found >= today else _day(today.year + 1, number, int(day))


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
