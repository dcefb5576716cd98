"""Times as a reader's calendar has them: absolute in the reader's zone, relative only beside that; public holidays."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

from pbem.engine import Say, count_say, say
from pbem.engine.text import LIMIT, Dated
from pbem.language import current
from pbem.store import public_holidays
from pbem.store.time_controls import zone_named

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
LAST_MINUTE = "23:59"


@dataclass(frozen=True)
class Calendar:
    """Speaks of times in ``zone`` (a name of the time zone database) as seen at ``now``."""

    zone: str
    now: datetime

    @cached_property
    def place(self) -> ZoneInfo:
        """The zone; UTC when the name is not known here."""
        return zone_named(self.zone)

    @property
    def city(self) -> str:
        """The city the zone is called after, in the language that is read; "UTC"."""
        return current().city(self.place.key).rpartition("/")[2]

    def named(self) -> Say:
        """Whose times these are, for the foot of a letter or page."""
        return say("Times are in UTC.") if self.city == "UTC" else say("Times are for {city}.", city=self.city)

    def when(self, time: datetime) -> Say:
        """ "Sunday 29 November, 20:00"; what ends with a day is told to end in its last minute: "23:59"."""
        there, clock = self._on(time)
        return say("{day}, {time}", day=self.date(there.date()), time=clock)

    def limit(self, time: datetime) -> Say:
        """The same behind until, by, since, from or of, where some languages want another case."""
        there, clock = self._on(time)
        return say("{day}, {time}", day=self.limit_day(there.date()), time=clock)

    def _on(self, time: datetime) -> tuple[datetime, str]:
        """A moment of the day, and its hour: whoever reads "Thursday 00:00" may think of the wrong night."""
        there = time.astimezone(self.place)
        if there.hour == there.minute == 0:
            return there - timedelta(minutes=1), LAST_MINUTE
        return there, self.clock(time)

    def day(self, time: datetime) -> Say:
        """ "Sunday 29 November", with the year when it is not within half a year."""
        return self.date(time.astimezone(self.place).date())

    def limit_day(self, there: date) -> Say:
        """A day in the reader's calendar behind until, by, since, from or of."""
        return self._date(there, LIMIT)

    def _date(self, there: date, how: str) -> Say:
        near = abs(there - self.now.astimezone(self.place).date()) < timedelta(days=180)
        english = f"{DAYS[there.weekday()]} {there.day} {MONTHS[there.month - 1]}"
        form, english = ("day", english) if near else ("year", f"{english} {there.year}")
        return say("{day}", day=Dated(str(there), form + how, english))

    def brief_day(self, there: date) -> Say:
        """For a subject: "6 December"."""
        return say("{day}", day=Dated(str(there), "date", f"{there.day} {MONTHS[there.month - 1]}"))

    def date(self, there: date) -> Say:
        """The same as a sentence begins with it or says it alone."""
        return self._date(there, "")

    def short(self, time: datetime) -> Say:
        """For a subject: "Sun 20:00" within six days, else "6 December"."""
        there, clock = self._on(time)
        if timedelta(0) <= time - self.now < timedelta(days=6):
            # TRANSLATORS: In a subject, which is short, behind “by”: {weekday} is abbreviated, “Sun 20:00”.
            return say(
                "{weekday} {time}", weekday=Dated(str(there.date()), "short", DAYS[there.weekday()][:3]), time=clock
            )
        return self.brief_day(there.date())

    def clock(self, time: datetime) -> str:
        return f"{time.astimezone(self.place):%H:%M}"

    def ahead(self, time: datetime) -> Say:
        return say("{span} from now", span=span(time - self.now))

    def left(self, time: datetime) -> Say:
        unit, n = _measured(time - self.now)
        if unit == "day":
            return count_say("{n} day left", "{n} days left", n)
        if unit == "hour":
            return count_say("{n} hour left", "{n} hours left", n)
        return count_say("{n} minute left", "{n} minutes left", n)


def span(length: timedelta) -> Say:
    """A length of time in the one unit that says most: days from two on, else hours, else minutes (at least one)."""
    unit, n = _measured(length)
    if unit == "day":
        return count_say("{n} day", "{n} days", n)
    if unit == "hour":
        return count_say("{n} hour", "{n} hours", n)
    return count_say("{n} minute", "{n} minutes", n)


def _measured(length: timedelta) -> tuple[str, int]:
    minutes = max(1, round(length.total_seconds() / 60))
    if minutes >= 36 * 60 or minutes == 24 * 60:
        return "day", round(minutes / 1440)
    if minutes >= 90 or minutes == 60:
        return "hour", round(minutes / 60)
    return "minute", minutes


NEXT = 3
"""How many of the next holidays are named."""


def countries() -> tuple[tuple[str, str], ...]:
    """Every country with public holidays, by code and name, in the order in which the language sorts their names."""
    named = ((code, current().country(code)) for code in public_holidays.countries())
    return tuple(sorted(named, key=lambda country: current().sorting(country[1])))


def country_name(code: str) -> str:
    """What a country is called, with its region: "Germany", "Germany (Bayern)"."""
    country, region = public_holidays.split(code)
    name = current().country(country)
    return f"{name} ({public_holidays.regions(country).get(region, region)})" if region else name


def not_counting(code: str, calendar: Calendar) -> Say:
    """That public holidays do not count, whose they are, and which come next."""
    today = calendar.now.astimezone(calendar.place).date()
    days = tuple(calendar.date(day) for day in public_holidays.following(code, today, NEXT))
    if not days:
        return say("Public holidays do not count: {country}.", country=country_name(code))
    return say(
        "Public holidays do not count: {country}. The next ones: {days}.",
        country=country_name(code),
        days=days,
    )
