"""Countries by their names, and their public holidays in a sentence."""

from pbem.engine.text import Say, say
from pbem.language import current
from pbem.language.times import Calendar
from pbem.store import public_holidays

NEXT = 3
"""How many of the next holidays are named."""


def offered() -> tuple[tuple[str, str], ...]:
    """Every country with public holidays, by code and name, in the order in which the language sorts their names."""
    named = ((code, current().country(code)) for code in public_holidays.countries())
    return tuple(sorted(named, key=lambda country: current().sorting(country[1])))


def named(code: str) -> str:
    """What a country is called, with its region: "Germany", "Germany (Bayern)"."""
    country, region = public_holidays.split(code)
    name = current().country(country)
    return f"{name} ({public_holidays.regions(country).get(region, region)})" if region else name


def not_counting(code: str, calendar: Calendar) -> Say:
    """That public holidays do not count, whose they are, and which come next."""
    today = calendar.now.astimezone(calendar.place).date()
    days = tuple(calendar.date(day) for day in public_holidays.following(code, today, NEXT))
    if not days:
        return say("Public holidays do not count: {country}.", country=named(code))
    return say(
        "Public holidays do not count: {country}. The next ones: {days}.",
        country=named(code),
        days=days,
    )
