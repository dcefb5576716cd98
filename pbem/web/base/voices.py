"""Sentences of a game read out for a page: names with their marks, colours with their cubes, everything escaped."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

from flask import url_for
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from pbem.engine import Refusal, Say, Seat, Value
from pbem.engine.text import Dated, Voice
from pbem.language import current
from pbem.language.voice import READER
from pbem.settings.paths import templates_folder

STRANGER = "stranger"
"""Whose face stands for robots that have none of their own: those of a later version."""


@cache
def portraits() -> Mapping[str, bytes]:
    return {path.stem: path.read_bytes() for path in sorted((templates_folder() / "robots").glob("*.png"))}


LETTERS = {
    "red": "R", "blue": "B", "purple": "P", "yellow": "Y", "black": "K", "white": "W", "orange": "O", "gray": "G",
}  # fmt: skip
"""The letter on a cube of each colour; no two share one."""


ADDRESS = re.compile(r"(https?://[^\s<>\"'\u201c\u201d]{1,500}[^\s<>\"'.,;:!?)\u201c\u201d])")
"""An address of the web in talk, without the stop behind it."""


class PageVoice(Value):
    """A voice whose sentences are safe to put into a page."""

    inner: Voice

    @property
    def reader(self) -> str:
        return self.inner.reader

    def translate(self, one: str, many: str, count: int) -> Markup:
        return escape(current().translate(one, many, count))

    def trusted(self, one: str, many: str = "", count: int = 1, *, context: str = "") -> Markup:
        """A sentence of a template, which may hold markup of its own."""
        language = current()
        found = language.translate_in(context, one) if context else language.translate(one, many, count)
        return Markup(found)  # noqa: S704 # nosec B704

    def read(self, sentence: Say) -> Markup:
        return escape(sentence.read(self))

    def who(self, seat: str) -> Markup:
        return who(seat, self.inner.who(seat))

    def place(self, label: str) -> Markup:
        return escape(self.inner.place(label))

    def word(self, word: str) -> Markup:
        spoken = escape(self.inner.word(word))
        return Markup("{} {}").format(cube(word), spoken) if word in LETTERS else spoken

    def fixed(self, word: str) -> str:
        return self.inner.fixed(word)

    def typed(self, order: str) -> Markup:
        return escape(self.inner.typed(order))

    def dated(self, day: Dated) -> str:
        return self.inner.dated(day)

    def listed(self, items: list[str]) -> Markup:
        return Markup(self.inner.listed([str(escape(item)) for item in items]))  # nosec B704 # noqa: S704 - each item is escaped


def who(seat: Seat, name: str, out: bool = False) -> Markup:
    """A player: the name, and before it the mark of the seat, which ``marks.css`` draws."""
    frame = '<b class="who {}{}">{}</b>'
    return Markup(frame).format(seat, " out" if out else "", name)  # nosec B704 # noqa: S704 - values are escaped by format


def portrait(robot: str, side: int = 32) -> Markup:
    """What the robot in a seat looks like, ``side`` px wide; nothing for people."""
    if not robot:
        return Markup()
    address = url_for("pictures.portrait", robot=robot if robot in portraits() else STRANGER)
    frame = '<img class="robot" src="{}" alt="" width="{}" height="{}">'
    return Markup(frame).format(address, side, side)  # nosec B704 # noqa: S704 - values are escaped by format


def said(text: str, links: bool = False) -> Markup:
    """What somebody said, with its line breaks; with ``links`` addresses of the web lead there."""
    pieces = ADDRESS.split(text) if links else [text]
    spoken = [_linked(piece) if number % 2 else escape(piece) for number, piece in enumerate(pieces)]
    return Markup("<br>").join(Markup("").join(spoken).split("\n"))


def _linked(address: str) -> Markup:
    frame = '<a href="{}" rel="nofollow noopener noreferrer ugc">{}</a>'
    return Markup(frame).format(address, address)  # nosec B704 # noqa: S704 - values are escaped by format


def cube(colour: str) -> Markup:
    """A cube of a colour, or an empty box for ``""``; its word must stand beside it."""
    frame = Markup('<span class="cube {}" aria-hidden="true">{}</span>')
    return frame.format(colour or "none", LETTERS.get(colour, ""))


@pass_context
def capital(context: Context, text: str | Say) -> str:
    """The filter ``capital``: the text with its first letter large; safe text stays safe, a sentence is read out."""
    read_out = text.read(_voice(context)) if isinstance(text, Say) else text
    return read_out if read_out.startswith("<") else read_out[:1].upper() + read_out[1:]


@pass_context
def printed(context: Context, value: object) -> object:
    """What a page prints of a value: a sentence is read out, without markup, so that it may stand in attributes."""
    return value.read(_voice(context)) if isinstance(value, Say) else value


@pass_context
def read(context: Context, sentence: Say) -> str:
    """The filter ``say``: the sentence as markup in the voice of the page's game."""
    return page_voice(context).read(sentence)


@pass_context
def plain(context: Context, sentence: Say) -> str:
    """The filter ``plain``: the sentence without markup, for attributes and titles."""
    return sentence.read(_voice(context))


@pass_context
def word(context: Context, spoken: str) -> str:
    return _voice(context).word(spoken)


def listed(items: Iterable[str]) -> Markup:
    """The filter ``listed``: items in one phrase, "Ana, Ben and Eva"; those that are markup stay it."""
    return Markup(current().listed([str(escape(item)) for item in items]))  # nosec B704 # noqa: S704 - each is escaped


def percent(part: float) -> str:
    return current().percent(part)


@pass_context
def refusal(context: Context, refused: Refusal) -> str:
    return refused.sentence(_voice(context))


def page_voice(context: Context) -> PageVoice:
    """The voice of the page's game, or that of pages without one, for its markup."""
    return PageVoice(_voice(context))


def _voice(context: Context) -> Voice:
    voice: Voice = context.get("voice") or READER
    return voice
