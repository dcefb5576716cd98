"""A language in which every marked sentence is written in letters of double width, so that what is not marked shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

import pytest
from typing_extensions import override

from pbem.engine.text import Dated, listed
from pbem.language import Language

PART = re.compile(r"\{[^}]*\}|<[^>]*>|&\w+;")
"""What is no letter of a sentence: a place for a value, a tag, an entity."""
WIDE = {ord(letter): ord(letter) + 0xFEE0 for letter in map(chr, range(ord("A"), ord("z") + 1)) if letter.isalpha()}
ENGLISH = re.compile(r"(?<![\w’'-])[a-z]{3,}(?![\w’'])")
"""A word of small letters of ours: no name, no label, nothing of the language."""
ADDRESS = re.compile(r"https?://\S+|\S+@\S+")
SPOKEN = ("alt", "title", "aria-label", "placeholder", "data-head", "data-words", "content")
"""Attributes that are read out or shown."""
UNREAD = ("script", "style", "code", "kbd", "pre")
EMPTY = (
    "meta",
    "link",
    "img",
    "input",
    "br",
    "hr",
    "wbr",
    "source",
    "path",
    "rect",
    "circle",
    "line",
    "polygon",
    "use",
)


def wide(text: str) -> str:
    """The text in letters of double width."""
    places = PART.findall(text)
    pieces = [piece.translate(WIDE) for piece in PART.split(text)]
    return "".join(piece + place for piece, place in zip(pieces, [*places, ""], strict=True))


class Wide(Language):
    """A language that has every sentence."""

    @override
    def translate(self, one: str, many: str = "", count: int = 1) -> str:
        return wide(many if many and count != 1 else one)

    @override
    def translate_in(self, context: str, one: str) -> str:
        return wide(one)

    @override
    def listed(self, items: Sequence[str]) -> str:
        return listed(items).replace(" and ", ", ")

    @override
    def dated(self, day: Dated) -> str:
        return wide(day.english)


def speak(patch: pytest.MonkeyPatch) -> None:
    """Let every language there is be this one."""
    for name in ("translate", "translate_in", "listed", "dated"):
        patch.setattr(Language, name, getattr(Wide, name))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._unread: list[bool] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in EMPTY:
            self._unread.append(tag in UNREAD)
        if tag != "meta" or given.get("name") == "description" or (given.get("property") or "") in OPEN_GRAPH:
            self.texts += [text for name in SPOKEN if (text := given.get(name))]

    @override
    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY and self._unread:
            self._unread.pop()

    @override
    def handle_data(self, data: str) -> None:
        if not any(self._unread):
            self.texts.append(data)


OPEN_GRAPH = ("og:title", "og:description", "og:image:alt")


def texts(page: str) -> list[str]:
    """What a page shows and says, without what is typed or for programs."""
    reader = _Reader()
    reader.feed(page)
    return reader.texts


def left(texts: Sequence[str], allowed: Sequence[str] = ()) -> Iterator[str]:
    """English words that stand in texts, each with the text it stands in."""
    for text in texts:
        for word in ENGLISH.findall(ADDRESS.sub("", text)):
            if word not in allowed:
                yield f"{word} in “{' '.join(text.split())[:120]}”"
