"""Sentences of the game read out for one part of a letter: plain for text, with marks and cubes for HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from markupsafe import Markup, escape
from typing_extensions import override

from pbem.engine.text import Dated, Say, Voice
from pbem.language import current
from pbem.language.markup import Sentence, safe
from pbem.language.voice import READER
from pbem.mail.marks import CUBES, cube
from pbem.mail.words import tidy

NAME = 30
"""Longest name of a player in a letter."""


class _Known(dict[str, str]):
    """Names as they are said in one letter, which says most of them many times."""

    __slots__ = ("_said",)

    def __init__(self, said: Callable[[str], str]) -> None:
        super().__init__()
        self._said = said

    def __missing__(self, name: str) -> str:
        found = self[name] = self._said(name)
        return found


class TextVoice:
    """A :class:`pbem.engine.text.Voice` for the text part of one letter: names of people made tidy."""

    __slots__ = ("inner", "place", "reader", "who", "word")
    reader: str
    who: Callable[[str], str]
    place: Callable[[str], str]
    word: Callable[[str], str]

    def __init__(
        self, inner: Voice = READER, names: Mapping[str, str] = MappingProxyType({}), longest: int = NAME
    ) -> None:
        self.inner, self.reader = inner, inner.reader
        self.who = _Known(self._who(names, longest)).__getitem__
        self.place = _Known(self._place(inner)).__getitem__
        self.word = _Known(self._word(inner)).__getitem__

    # none of these may lead back to the voice, or Python would have to look for it when the letter is written

    @staticmethod
    def _who(names: Mapping[str, str], longest: int) -> Callable[[str], str]:
        return lambda seat: tidy(names.get(seat, ""), longest) or seat.capitalize()

    @staticmethod
    def _place(inner: Voice) -> Callable[[str], str]:
        return inner.place

    @staticmethod
    def _word(inner: Voice) -> Callable[[str], str]:
        return inner.word

    def translate(self, one: str, many: str, count: int) -> str:
        return current().translate(one, many, count)

    def typed(self, order: str) -> str:
        return self.inner.typed(order)

    def listed(self, items: list[str]) -> str:
        return self.inner.listed(items)

    def dated(self, day: Dated) -> str:
        return self.inner.dated(day)

    def read(self, sentence: Say) -> str:
        return sentence.read(self)

    def paragraph(self, head: Say, items: Sequence[Say]) -> str:
        """ "Head. One; two; three.\""""
        return f"{self.read(head)}. {'; '.join(self.read(item) for item in items)}."

    def trusted(self, one: str, many: str = "", count: int = 1, *, context: str = "") -> str:
        """A sentence of a template, which may hold markup of its own; ``context`` of a word that has several uses."""
        return current().translate_in(context, one) if context else current().translate(one, many, count)

    def marked(self, tag: str, value: object, attributes: str = "") -> str:
        """Part of a sentence that is marked in the HTML, ``attributes`` included, and plain in the text."""
        return self.read(value) if isinstance(value, Say) else str(value)


class HtmlVoice(TextVoice):
    """The same for HTML: everything is escaped once, names keep their own direction, colours show their cube."""

    __slots__ = ()

    @staticmethod
    @override
    def _who(names: Mapping[str, str], longest: int) -> Callable[[str], str]:
        plain = TextVoice._who(names, longest)
        return lambda seat: _isolated(plain(seat))

    @staticmethod
    @override
    def _place(inner: Voice) -> Callable[[str], str]:
        return lambda label: escape(inner.place(label))

    @staticmethod
    @override
    def _word(inner: Voice) -> Callable[[str], str]:
        return lambda word: _with_its_cube(word, inner.word(word))

    @override
    def translate(self, one: str, many: str, count: int) -> Markup:
        return Sentence(escape(current().translate(one, many, count)))  # nosec B704

    @override
    def listed(self, items: list[str]) -> Markup:
        return safe(self.inner.listed([str(item if type(item) is Markup else escape(item)) for item in items]))

    @override
    def read(self, sentence: Say) -> Markup:
        read = sentence.read(self)
        assert isinstance(read, Markup), "sentences are escaped when they are translated"
        return read

    @override
    def paragraph(self, head: Say, items: Sequence[Say]) -> Markup:
        listed = Markup("; ").join(self.read(item) for item in items)
        return Markup("<strong>{}.</strong> {}.").format(self.read(head), listed)

    @override
    def trusted(self, one: str, many: str = "", count: int = 1, *, context: str = "") -> Markup:
        return Sentence(TextVoice.trusted(self, one, many, count, context=context))  # nosec B704

    @override
    def marked(self, tag: str, value: object, attributes: str = "") -> Markup:
        read = self.read(value) if isinstance(value, Say) else value
        return Markup(f"<{tag}{attributes}>{{}}</{tag}>").format(read)  # nosec B704 # noqa: S704 - tags of our templates


def _isolated(name: str) -> Markup:
    """A name that keeps its own direction."""
    return Markup("<bdi>{}</bdi>").format(name)


def _with_its_cube(word: str, spoken: str) -> Markup:
    shown = escape(spoken)
    return Markup('<span class="nb">{}&nbsp;{}</span>').format(cube(word), shown) if word in CUBES else shown
