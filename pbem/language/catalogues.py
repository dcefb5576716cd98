"""One language, and which one is being read now."""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, cached_property
from pathlib import Path

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_decimal

from pbem.engine import text
from pbem.paths import templates_folder

DOMAIN = "pbem"
SOURCE = "en"


class Language:
    """A language: ``code`` as in ``lang`` attributes ("pl"), its catalogue, its way with numbers and lists.

    Loaded once a process (:func:`language`).
    """

    def __init__(self, code: str, catalogue: gettext.NullTranslations) -> None:
        self.code = code
        self._catalogue = catalogue

    @cached_property
    def locale(self) -> Locale:
        """What Babel knows of it: British English for English, which writes the day before the month."""
        return Locale.parse("en_GB" if self.code == SOURCE else self.code)

    @property
    def name(self) -> str:
        """What it calls itself: "Polski"."""
        name: str = self.locale.languages.get(self.locale.language, self.code)
        return name[:1].upper() + name[1:]

    def translate(self, one: str, many: str = "", count: int = 1) -> str:
        """The sentence in this language, in the form that ``count`` asks for when there is ``many``."""
        if self.code == SOURCE or not one:
            return one if not many or count == 1 else many
        return self._catalogue.ngettext(one, many, count) if many else self._catalogue.gettext(one)

    def translate_in(self, context: str, one: str) -> str:
        """The same of a word that means several things; ``context`` says which."""
        return one if self.code == SOURCE else self._catalogue.pgettext(context, one)

    def word(self, word: str) -> str:
        """A word of the rulebook: a colour, an action, a phase."""
        return self.translate_in("word", word)

    def listed(self, items: Sequence[str]) -> str:
        """Items in one phrase: "Ana, Ben and Eva"."""
        if self.code == SOURCE or len(items) < 2:
            return text.listed(items)
        return format_list(list(items), locale=self.locale)

    def number(self, number: float) -> str:
        """A figure in running text: "12", "−3", "1,234.5"."""
        return format_decimal(number, locale=self.locale).replace("-", "−")


ENGLISH = Language(SOURCE, gettext.NullTranslations())

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
    return _loaded().get(code) or (_load(code) if code in languages() else ENGLISH)


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages there are, English first."""
    found = sorted(path.parent.parent.name for path in _folder().glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return (SOURCE, *(code for code in found if code != SOURCE))


@cache
def _loaded() -> dict[str, Language]:
    """The languages that somebody has read in this process: as many as there are catalogues, at the most."""
    return {SOURCE: ENGLISH}


def _load(code: str) -> Language:
    with (_folder() / code / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        made = Language(code, gettext.GNUTranslations(file))
    return _loaded().setdefault(code, made)


def _folder() -> Path:
    return templates_folder() / "messages"
