"""Times and lengths of time on pages: as letters say them, in the zone of the reader, UTC for guests."""

from datetime import UTC, date, datetime, timedelta

from markupsafe import Markup

from pbem.engine import Say
from pbem.language import times
from pbem.language.voice import spoken
from pbem.web.base.context import now, zone


def _calendar() -> times.Calendar:
    return times.Calendar(zone().key, now())


def day(time: datetime) -> str:
    return spoken(_calendar().day(time))


def date_words(there: date) -> str:
    return spoken(_calendar().date(there))


def moment(time: datetime) -> str:
    return spoken(_calendar().when(time))


def limit_date(there: date) -> str:
    return spoken(_calendar().limit_day(there))


def limit_said(time: datetime) -> Say:
    """A moment behind until, by or since, as part of a sentence."""
    return _calendar().limit(time)


def whose() -> str:
    return spoken(_calendar().named())


def public_holidays(code: str) -> str:
    return spoken(times.not_counting(code, _calendar()))


def stamp(time: datetime) -> str:
    """The form machines read: "2026-11-29T20:00Z"."""
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def time_tag(time: datetime) -> Markup:
    return _tag(time, moment(time))


def limit_tag(time: datetime) -> Markup:
    return _tag(time, spoken(limit_said(time)))


def _tag(time: datetime, words: str) -> Markup:
    return Markup('<time datetime="{}">{}</time>').format(stamp(time), words)


def span(length: timedelta) -> str:
    return spoken(times.span(length))
