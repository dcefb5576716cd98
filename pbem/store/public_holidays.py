"""Public holidays of countries and of their regions, by codes such as ``DE`` and ``DE-BY``.

What the library of that name knows of each year; no clock is read. It is loaded by who asks for a country and not
before: it takes twenty megabytes.
"""

import warnings
from collections.abc import Mapping
from datetime import date
from functools import cache, lru_cache

COUNTRY = 2
"""Letters of a country; a hyphen and a region may follow."""
MOST_REGIONS = 60
"""A country with more of them is offered whole: Italy has every town with a patron saint."""
YEARS = range(1970, 2200)
"""Those that are looked for; holidays of others are not known."""
AHEAD = 2
"""In how many years the next holidays are looked for."""


@cache
def countries() -> frozenset[str]:
    return frozenset(_all())


def regions(country: str) -> Mapping[str, str]:
    """The regions of a country with holidays of their own, by their codes, each with a name; of none no regions."""
    return _regions(country) if country in countries() else {}


@cache
def _regions(country: str) -> Mapping[str, str]:
    import holidays

    codes = _all()[country]
    if not codes or len(codes) > MOST_REGIONS:
        return {}
    names = holidays.country_holidays(country).get_subdivision_aliases()
    return {code: next(iter(names.get(code, ())), code) for code in codes}


def split(code: str) -> tuple[str, str]:
    """The country of a code, and the region or ``""``."""
    return code[:COUNTRY], code[COUNTRY + 1 :]


def known(code: str) -> bool:
    country, region = split(code)
    joined = f"{country}-{region}" if region else country
    return code == joined and country in countries() and (not region or region in _all()[country])


@lru_cache(maxsize=512)
def of_year(code: str, year: int) -> frozenset[date]:
    """The public holidays of a year; of a code that is not known there are none."""
    import holidays

    if year not in YEARS or not known(code):
        return frozenset()
    country, region = split(code)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that those of a far year are not all known yet
        found = holidays.country_holidays(country, subdiv=region or None, years=year)
    return frozenset(day for day in found if day.year == year)


def is_one(code: str, day: date) -> bool:
    return day in of_year(code, day.year)


def following(code: str, day: date, count: int) -> tuple[date, ...]:
    """The next holidays, ``day`` among them if it is one; fewer where fewer are known."""
    years = range(day.year, day.year + AHEAD)
    days = sorted(one for year in years for one in of_year(code, year) if one >= day)
    return tuple(days[:count])


@cache
def _all() -> Mapping[str, list[str]]:
    import holidays

    return holidays.list_supported_countries(include_aliases=False)
