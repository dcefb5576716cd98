"""Times and lengths of time as pages say them: in the zone of the reader, UTC for guests; the foot of pages tells."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from markupsafe import Markup

from pbem.web.desk import zone

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day(time: datetime) -> str:
    """ "Sunday 29 Nov 2026"."""
    return date_words(time.astimezone(zone()).date())


def date_words(there: date) -> str:
    """The same of a day."""
    return f"{DAYS[there.weekday()]} {there.day} {MONTHS[there.month - 1]} {there.year}"


def moment(time: datetime) -> str:
    """ "Sunday 29 Nov, 20:00"."""
    there = time.astimezone(zone())
    return f"{DAYS[there.weekday()]} {there.day} {MONTHS[there.month - 1]}, {there:%H:%M}"


def whose() -> str:
    """Whose times a page shows, for its foot."""
    city = zone().key.rpartition("/")[2].replace("_", " ")
    return "All times are UTC." if city == "UTC" else f"Times are for {city}."


def stamp(time: datetime) -> str:
    """The form machines read: "2026-11-29T20:00Z"."""
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def time_tag(time: datetime) -> Markup:
    """The moment as a ``time`` element."""
    return Markup('<time datetime="{}">{}</time>').format(stamp(time), moment(time))


def span(length: timedelta) -> str:
    """A length in its largest fitting unit: "3 days", "5 hours", "1 minute"."""
    minutes = max(1, int(length.total_seconds() // 60))
    for size, unit in ((1440, "day"), (60, "hour")):
        if minutes >= 2 * size or minutes == size:
            return counted(minutes // size, unit)
    return counted(minutes, "minute")


def counted(n: int, noun: str, nouns: str = "") -> str:
    """ "1 day", "2 days"; ``nouns`` where the plural is not with an s."""
    return f"{n} {noun}" if n == 1 else f"{n} {nouns or noun + 's'}"
