"""One language, and which one is being read now."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from functools import cache, cached_property, partial
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

from pbem.engine import text
from pbem.settings.paths import templates_folder

if TYPE_CHECKING:
    from babel import Locale

DOMAIN = "pbem"
SOURCE = "en"
YEAR = re.compile(r"[,\s]*(?:'[^']*'\s*)?y+(?:\s*'[^']*')?\s*$")
"""The year at the end of a pattern of Babel's, with the word before it."""
LIMIT_WEEKDAYS = {"pl": ("poniedziałku", "wtorku", "środy", "czwartku", "piątku", "soboty", "niedzieli")}
"""Weekdays in the case that follows until, by, since and from where it is another: Babel does not know it."""
NO_COMMA = ("es", "pl")
"""Languages that write no comma between weekday and day there."""
_STROKES = str.maketrans("łŁøØ", "lLoO")
"""Letters that are no others with an accent, for the order of names."""
NAME = re.compile(r'^"X-Language-Name: (.+?)\\n"$', re.MULTILINE)


class Language:
    """A language: ``code`` as in ``lang`` attributes ("pl"), its catalogue, its way with dates, numbers and lists.

    The catalogue and what Babel knows of the language are loaded when they are first needed, once a process.
    """

    def __init__(self, code: str, load: Callable[[], NullTranslations] = NullTranslations) -> None:
        self.code = code
        self._load = load

    @cached_property
    def _catalogue(self) -> NullTranslations:
        return self._load()

    @cached_property
    def locale(self) -> Locale:
        """What Babel knows of it: British English for English, which writes the day before the month."""
        import babel  # pages in English need a megabyte less without it

        return babel.Locale.parse("en_GB" if self.code == SOURCE else self.code)

    @cached_property
    def name(self) -> str:
        """What it calls itself, as its catalogue says: "Polski"."""
        if self.code == SOURCE:
            return "English"
        head = (_folder() / self.code / "LC_MESSAGES" / f"{DOMAIN}.po").read_text("utf-8")[:2_000]
        found = NAME.search(head)
        return found[1] if found else self.code

    def translate(self, one: str, many: str = "", count: int = 1) -> str:
        """The sentence in this language, in the form that ``count`` asks for when there is ``many``."""
        if self.code == SOURCE or not one:
            return one if not many or count == 1 else many
        return self._catalogue.ngettext(one, many, count) if many else self._catalogue.gettext(one)

    def translate_in(self, context: str, one: str) -> str:
        """The same of a word that means several things; ``context`` says which."""
        return one if self.code == SOURCE else self._catalogue.pgettext(context, one)

    def word(self, word: str) -> str:
        return self.translate_in("word", word)

    def listed(self, items: Sequence[str]) -> str:
        if self.code == SOURCE or len(items) < 2:
            return text.listed(items)
        two, middle, end = self._between
        return two.join(items) if len(items) == 2 else middle.join(items[:-1]) + end + items[-1]

    @cached_property
    def _between(self) -> tuple[str, str, str]:
        """What stands between two items of a list, and of longer ones between the first and before the last."""
        patterns = self.locale.list_patterns["standard"]
        two, middle, end = (str(patterns[name]) for name in ("2", "middle", "end"))
        return two[3:-3], middle[3:-3], end[3:-3]

    def dated(self, day: text.Dated) -> str:
        """A day as the language writes it: "niedziela, 29 listopada"."""
        if self.code == SOURCE:
            return day.english
        from babel.dates import format_date

        there = date.fromisoformat(day.iso)
        return format_date(there, self._pattern(day.form, there), self.locale)

    def _pattern(self, form: str, there: date) -> str:
        """How Babel is to write a form of a day."""
        pattern = self._patterns[form.removesuffix(text.LIMIT)]
        if form.endswith(text.LIMIT):
            pattern = pattern.replace("EEEE,", "EEEE") if self.code in NO_COMMA else pattern
            if weekdays := LIMIT_WEEKDAYS.get(self.code):
                pattern = pattern.replace("EEEE", f"'{weekdays[there.weekday()]}'")
        return pattern

    @cached_property
    def _patterns(self) -> dict[str, str]:
        year = str(self.locale.date_formats["full"].pattern)
        day_and_month = self.locale.datetime_skeletons.get("MMMMd", self.locale.date_formats["medium"])
        return {
            "year": year,
            "day": YEAR.sub("", year),
            "date": str(day_and_month.pattern),
            "weekday": "EEEE",
            "short": "EEE",
        }

    def city(self, zone: str) -> str:
        """The city that a time zone is called after: "New York", "Nowy Jork"."""
        if self.code != SOURCE and "/" in zone:
            return self._cities.get(zone) or _city(zone)
        return _city(zone)

    @cached_property
    def _cities(self) -> Mapping[str, str]:
        """What Babel knows of cities, by the name of their zone."""
        return {zone: found["city"] for zone, found in self.locale.time_zones.items() if "city" in found}

    def country(self, code: str) -> str:
        """What the country with these two letters is called: "Germany", "Niemcy"."""
        return str(self.locale.territories.get(code, code))

    def sorting(self, name: str) -> str:
        """By what a name is put in order: accents do not matter first."""
        return f"{normalize('NFD', name.translate(_STROKES)).encode('ascii', 'ignore').decode().casefold()} {name}"

    def number(self, number: float, places: int | None = None) -> str:
        """A figure in running text: "12", "−3", "1,234.5". ``places``: exactly so many behind the point."""
        if self.code == SOURCE:
            return f"{number:,}".replace("-", "−") if places is None else f"{number:.{places}f}".replace("-", "−")
        from babel.numbers import format_decimal

        form = None if places is None else f"0.{'0' * places}"
        return format_decimal(number, form, locale=self.locale).replace("-", "−")

    def percent(self, part: float) -> str:
        """A part of 1: "40%", "−20 %"."""
        if self.code == SOURCE:
            return f"{part:.0%}".replace("-", "−")
        from babel.numbers import format_percent

        return format_percent(part, locale=self.locale).replace("-", "−")


ENGLISH = Language(SOURCE)

_current: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def current() -> Language:
    """The language of whoever is served now; English when nobody said."""
    return _current.get()


@contextmanager
def reading(code: str) -> Iterator[Language]:
    """Serve a reader of the language with this code; English when we do not have it."""
    found = language(code)
    token = _current.set(found)
    try:
        yield found
    finally:
        _current.reset(token)


def language(code: str) -> Language:
    """The language with this code, English when we do not have it."""
    return _every().get(code, ENGLISH)


def languages() -> tuple[Language, ...]:
    return tuple(_every().values())


@cache
def _every() -> dict[str, Language]:
    found = sorted(path.parent.parent.name for path in _folder().glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return {SOURCE: ENGLISH} | {code: Language(code, partial(_read, code)) for code in found if code != SOURCE}


def _read(code: str) -> NullTranslations:
    with (_folder() / code / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        return GNUTranslations(file)


def _folder() -> Path:
    return templates_folder() / "messages"


def _city(zone: str) -> str:
    return (zone.partition("/")[2] or zone).replace("_", " ")
