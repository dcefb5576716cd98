"""Sentences of the game read out for one part of a letter: plain for text, with marks and cubes for HTML."""

from collections.abc import Mapping
from types import MappingProxyType

from markupsafe import Markup, escape
from typing_extensions import override

from pbem.engine import Say
from pbem.engine.text import Dated, Voice
from pbem.language import current
from pbem.language.voice import READER
from pbem.mail.marks import CUBES, cube
from pbem.mail.words import tidy

NAME = 30


class TextVoice:
    """A :class:`pbem.engine.text.Voice` for the text part of one letter: names of people made tidy."""

    def __init__(
        self, inner: Voice = READER, names: Mapping[str, str] = MappingProxyType({}), longest: int = NAME
    ) -> None:
        self.inner, self.reader, self.names, self.longest = inner, inner.reader, names, longest

    def who(self, seat: str) -> str:
        return tidy(self.names.get(seat, ""), self.longest) or seat.capitalize()

    def place(self, label: str) -> str:
        return self.inner.place(label)

    def word(self, word: str) -> str:
        return self.inner.word(word)

    def translate(self, one: str, many: str, count: int) -> str:
        return current().translate(one, many, count)

    def fixed(self, word: str) -> str:
        return self.inner.fixed(word)

    def typed(self, order: str) -> str:
        return self.inner.typed(order)

    def listed(self, items: list[str]) -> str:
        return self.inner.listed(items)

    def dated(self, day: Dated) -> str:
        return self.inner.dated(day)

    def read(self, sentence: Say) -> str:
        return sentence.read(self)

    def trusted(self, one: str, many: str = "", count: int = 1, *, context: str = "") -> str:
        """A sentence of a template, which may hold markup of its own; ``context`` of a word that has several uses."""
        return current().translate_in(context, one) if context else current().translate(one, many, count)

    def marked(self, tag: str, value: object, attributes: str = "") -> str:
        """Part of a sentence that is marked in the HTML, ``attributes`` included, and plain in the text."""
        return self.read(value) if isinstance(value, Say) else str(value)


class HtmlVoice(TextVoice):
    """The same for HTML: everything is escaped once, names keep their own direction, colours show their cube."""

    @override
    def who(self, seat: str) -> Markup:
        return Markup("<bdi>{}</bdi>").format(super().who(seat))

    @override
    def place(self, label: str) -> Markup:
        return escape(self.inner.place(label))

    @override
    def word(self, word: str) -> Markup:
        shown = escape(self.inner.word(word))
        return Markup('<span class="nb">{}&nbsp;{}</span>').format(cube(word), shown) if word in CUBES else shown

    @override
    def translate(self, one: str, many: str, count: int) -> Markup:
        return escape(current().translate(one, many, count))

    @override
    def listed(self, items: list[str]) -> Markup:
        return Markup(self.inner.listed([str(escape(item)) for item in items]))  # noqa: S704 # nosec B704

    @override
    def read(self, sentence: Say) -> Markup:
        read = sentence.read(self)
        assert isinstance(read, Markup), "sentences are escaped when they are translated"
        return read

    @override
    def trusted(self, one: str, many: str = "", count: int = 1, *, context: str = "") -> Markup:
        return Markup(TextVoice.trusted(self, one, many, count, context=context))  # noqa: S704 # nosec B704

    @override
    def marked(self, tag: str, value: object, attributes: str = "") -> Markup:
        read = self.read(value) if isinstance(value, Say) else value
        return Markup(f"<{tag}{attributes}>{{}}</{tag}>").format(read)  # nosec B704 # noqa: S704 - tags of our templates
