"""What of a page or an email went through no catalogue: its words outside every sentence that was translated."""

import json
import re
from functools import cache
from html.parser import HTMLParser

from typing_extensions import override

from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.language import languages, orders
from pbem.web.base.voices import portraits

OPENS, CLOSES = "\u2060", "\u2061"
"""Around every piece of a translated sentence that is its own; neither takes room."""
ATTRIBUTES = ("alt", "title", "aria-label", "placeholder", "data-head", "data-words")
ATTRIBUTES_OF_FIELDS = tuple(name for name in ATTRIBUTES if name != "data-head")
"""There it is the key of what is typed, and no head of a column."""
READ_OUT = {"description", "og:title", "og:description", "og:image:alt"}
"""What is said of a page where a link to it is shown."""
VOID = frozenset({"meta", "link", "img", "source", "input", "br", "hr"})
UNSPOKEN = frozenset({"script", "style", "code", "kbd", "title", "option"})
"""Elements whose text is no sentence, or holds one of a page that is read elsewhere."""
_PLACE = re.compile(r"<[^>]*>|\{\w+\}")
_ADDRESS = re.compile(r"https?://\S+")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def marked(sentence: str) -> str:
    """The sentence with signs around all that is neither a tag nor a value."""
    if not sentence:
        return sentence
    inside = _PLACE.sub(lambda found: found[0] if found[0].startswith("<") else CLOSES + found[0] + OPENS, sentence)
    return OPENS + inside + CLOSES


def longer(sentence: str) -> str:
    """The sentence as long as others become in translation: two fifths longer, in words like its own."""
    words = _PLACE.sub(" ", sentence).split()
    room = 2 * sum(map(len, words)) // 5
    more = "".join(words)[:room] if len(words) < 3 else " ".join(words)[:room]
    glue = " " if len(words) > 2 else ""
    return f"{sentence}{glue}{more.rstrip()}" if any(map(str.isalpha, more)) else sentence


def unmarked(text: str, depth: int = 0) -> tuple[str, int]:
    """What stands outside the signs, and how deep within them the text ends."""
    out = []
    for letter in text:
        if letter == OPENS:
            depth += 1
        elif letter == CLOSES:
            depth -= 1
        elif depth <= 0:
            out.append(letter)
        else:
            out.append(" ")
    return "".join(out), depth


def _sentences(value: str) -> list[str]:
    """What an attribute says: itself, or what stands in it for a script as JSON."""
    if not value.startswith("{"):
        return [value]
    found: list[str] = []
    json.loads(value, object_hook=lambda told: found.extend(one for one in told.values() if isinstance(one, str)))
    return found


class Leftovers(HTMLParser):
    """The words of a page that are in no translated sentence, but for those that are allowed."""

    def __init__(self, html: str, allowed: frozenset[str]) -> None:
        super().__init__()
        self.found: list[str] = []
        self._allowed, self._depth = allowed, 0
        self._open: list[tuple[str, bool]] = []
        self.feed(html)
        self.close()

    def _look(self, text: str) -> None:
        words = _LETTERS.findall(_ADDRESS.sub("", _PLACE.sub(" ", text)))
        words = [word for word in words if not self._allowed & {word, word.casefold()}]
        if words:
            self.found.append(" ".join(text.split())[:160])

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag not in VOID:
            told = values.get("translate") == "no" or "code" in (values.get("class") or "").split()
            self._open.append((tag, told or tag in UNSPOKEN))
        for name in ATTRIBUTES if tag != "input" else ATTRIBUTES_OF_FIELDS:
            for sentence in _sentences(values.get(name) or ""):
                self._look(unmarked(sentence)[0])
        if tag == "meta" and {values.get("name"), values.get("property")} & READ_OUT:
            self._look(unmarked(values.get("content") or "")[0])

    @override
    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass  # what needs no end of its own

    @override
    def handle_data(self, data: str) -> None:
        text, self._depth = unmarked(data, self._depth)
        if not any(unspoken for _, unspoken in self._open):
            self._look(text)


@cache
def names(*more: str) -> frozenset[str]:
    """The words of names, which stay what they are in every language: of games, maps and places, and some more."""
    texts = [*more, *(language.name for language in languages()), *portraits()]
    for sheet in catalog.sheets():
        state = sheet.start(
            sheet.colours[: sheet.player_counts()[0]],
            SeededChance(bytes(32), "names"),
            {option.key: option.default for option in sheet.options()},
        ).state
        texts += [sheet.name, sheet.full_name, sheet.game_name, *sheet.place_names(state).values()]
        texts += [getattr(sheet, "designer", "")]
    return frozenset(word.casefold() for text in texts for word in _LETTERS.findall(text))


ORDERS = frozenset(word for text in (*orders.WORDS, *orders.NAMES) for word in _LETTERS.findall(text))
"""Words of the notation, which orders in emails and on buttons are written in: small letters alone."""
