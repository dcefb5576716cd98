"""Orders as people write them in emails: greeted and signed, copied from our own emails, or in the words of a button.

Only what :meth:`Sheet.parse` refuses comes here, and only what leaves nothing but orders is taken: a line that says
anything else keeps the whole email from being played.
"""

import difflib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from pbem.engine import BadMove, Choice, Move, Seat, Sheet, State, say
from pbem.language import orders as spoken_orders
from pbem.language import reading
from pbem.language.voice import GameVoice
from pbem.robot import answers
from pbem.robot.walks import NOTHING
from pbem.service.turns.closings import ends_a_letter, greets, is_ornament, plain_letters, without_courtesies, words_of

LONGEST = 120
"""Characters of a line that may be an order in the words of a choice."""
MOST_LINES = 64
"""Lines of an email that are looked at for orders."""

LIKE = 0.75
"""How much a word has in common with one that is meant, at least (of 1)."""

_BULLET = re.compile(r"^(?:[-*•‣–·]|\(?\d{1,2}[.)])\s+(?=\S)")
_OURS = re.compile(r"^\[([^\[\]]+)\](?:\s*<?https?://\S+)?$")
_LINK = re.compile(r"\s*<?https?://\S+$")
_QUOTES = ('""', "''", "“”", "„“", "„”", "«»", "»«", "‘’", "‚‘", "``")
_BLANKS = re.compile(r"(?:\s*>\s*_)+(?=\s*$)")
_UNFILLED = re.compile(r"(?:[^\W\d_]+ ){0,3}_")
_SAID = re.compile(r"(?<!\w)[-−–+]\d+|\w+|[?¿？]")
_NUMBER = re.compile(r"(\d{1,4})\.?")
_LINKS = re.compile(r"build +(\d{1,4}(?: *; *\d{1,4})*)", re.IGNORECASE)


@dataclass(frozen=True)
class PlainReader:
    """Reads the lines of an email about one position, in English and in the language that is read when it is made.

    ``names``: the players' names by their seats. ``numbered``: the email answers one that numbers the answers to what
    is asked in this position.
    """

    sheet: Sheet
    state: State
    names: Mapping[Seat, str]
    numbered: bool = True

    def parse(self, text: str) -> tuple[Move, ...]:
        """The orders. Raises :class:`BadMove` as :meth:`Sheet.parse` does."""
        lines = [_filled(line) for line in text.splitlines()]
        try:
            return spoken_orders.parse(self.sheet, self.state, "\n".join(lines), self.names)
        except BadMove:
            plain = self._plain(lines)
        if plain is None and self.numbered and (number := _NUMBER.fullmatch(text.strip())):
            raise BadMove(say("The question has no answer with the number {n}.", n=int(number[1])))
        if plain is None:  # what cannot be read is not the greeting
            return spoken_orders.parse(self.sheet, self.state, "\n".join(_below_greeting(lines)), self.names)
        return self.sheet.parse(self.state, plain, self.names)

    def is_literal(self, text: str) -> bool:
        """Whether orders that can be read stand there as we print them, so that nothing of them had to be guessed."""
        lines = (unicodedata.normalize("NFKC", _filled(line)).strip() for line in text.splitlines())
        orders = [line for line in lines if line and self._order(line) is not None]
        return all(self._as_printed(line) is not None for line in orders)

    def holds_orders(self, text: str) -> bool:
        """Whether any line of it is an order, legal or not."""
        lines = (unicodedata.normalize("NFKC", line).strip() for line in text.splitlines()[:MOST_LINES])
        return any(line and self._order(line) is not None for line in lines)

    def resembles_orders(self, text: str) -> bool:
        """Whether any line of it is an order, or begins with a word like those that are asked for now."""
        if self.holds_orders(text):
            return True
        if self.sheet.over(self.state):
            return False
        asked = self.sheet.question(self.state)
        orders = (*(choice.order for choice in asked.choices), asked.example)
        words = spoken_orders.spelled({order.partition(" ")[0] for order in orders} - {""})
        said = (reading for line in text.splitlines()[:MOST_LINES] for reading in self._readings(line[:LONGEST]))
        firsts = {words_of(line).partition(" ")[0] for line in said} - {""}
        return any(difflib.get_close_matches(first, words, n=1, cutoff=LIKE) for first in firsts)

    @cached_property
    def _kept(self) -> tuple[spoken_orders.FixedNames, ...]:
        return spoken_orders.kept_in(self.sheet, self.state, self.names)

    def _readings(self, line: str) -> tuple[str, ...]:
        """A line as it stands, and in the notation where it is of the language that is read."""
        return (line, *(spoken_orders.in_english(line, kept) for kept in self._kept))

    def _variants(self, line: str) -> list[str]:
        """The same without bullet, link, quotes and full stop, as our emails print orders."""
        return list(dict.fromkeys(reading for bare in _bare(line) for reading in self._readings(bare)))

    def _plain(self, lines: Sequence[str]) -> str | None:
        """The same in the notation, each order on the line where it was written, ``None`` when something else is."""
        lines = [_without_ornament(line) for line in lines]
        orders = [self._order(line) for line in lines]
        found = [number for number, order in enumerate(orders) if order is not None]
        if not found:
            return None
        first, last = found[0], found[-1]
        if len(found) < sum(map(bool, lines[first : last + 1])):
            return None
        names = {words_of(name) for name in self.names.values()}
        if not (greets([line for line in lines[:first] if line]) and ends_a_letter(lines[last + 1 :], names)):
            return None
        return "\n".join(order or "" for order in orders)

    def _order(self, line: str) -> str | None:
        return (self._as_printed(line) or self._inwords_of(line)) if line else None

    def _as_printed(self, line: str) -> str | None:
        """The same for a line in the notation, or as our emails print it; not for the words of a choice."""
        return next((candidate for candidate in self._variants(line) if self._can_be_read(candidate)), None)

    def _can_be_read(self, line: str) -> bool:
        try:
            self.sheet.parse(self.state, line, self.names)
        except BadMove:
            return False
        return True

    def _inwords_of(self, line: str) -> str | None:
        """The order of the answer whose number or words were written, or the build of several by their numbers."""
        if self.sheet.over(self.state) or len(line) > LONGEST:
            return None
        variants = self._variants(line)
        if self.numbered and (number := _NUMBER.fullmatch(line)):
            return self._answer(int(number[1]))
        if self.numbered and (links := next(filter(None, map(_LINKS.fullmatch, variants)), None)):
            return self._build([int(number) for number in links[1].split(";")])
        said = {_said(candidate) for candidate in variants}
        choices = self.sheet.question(self.state).choices
        meant = [choice.order for choice in choices if said & self._words_for(choice)]
        return meant[0] if len(meant) == 1 else None

    def _answer(self, number: int) -> str | None:
        found = answers.every(self.sheet, self.state, self.sheet.question(self.state))
        return next((choice.order for choice in islice(found, max(number - 1, 0), number)), None)

    def _build(self, numbers: Sequence[int]) -> str | None:
        """One build of the links with these numbers, in this order."""
        orders = [self._answer(number) for number in numbers]
        steps = [order.removeprefix("build ") for order in orders if order and order.startswith("build ")]
        return f"build {'; '.join(steps)}" if len(steps) == len(numbers) and NOTHING not in orders else None

    def _words_for(self, choice: Choice) -> set[str]:
        """The words of a choice, with and without its keyword, in both languages and with all spellings of orders."""
        voice = GameVoice(self.sheet, self.state, self.names)
        with reading(""):
            titles = {choice.title.read(voice)}
        titles.update(self._readings(choice.title.read(voice)))
        return {_said(text) for title in titles for text in (title, f"{choice.keyword} {title}")}


def _without_ornament(line: str) -> str:
    text = unicodedata.normalize("NFKC", line).strip()
    return "" if is_ornament(text) else text


def _filled(line: str) -> str:
    """A line of a form without the places that were left blank, empty when nothing was filled in."""
    if "_" not in line:
        return line
    rest = _BLANKS.sub("", line)
    return "" if _UNFILLED.fullmatch(rest.strip()) else rest


def _bare(line: str) -> list[str]:
    bare = _BULLET.sub("", line)
    if ours := _OURS.match(bare.rstrip("> .")):
        return [ours[1].strip()]
    bare = _LINK.sub("", bare).strip()
    for pair in _QUOTES:
        if len(bare) > 2 and bare.startswith(pair[0]) and bare.rstrip(".").endswith(pair[1]):
            bare = bare.rstrip(".")[1:-1].strip()
    polite = without_courtesies(bare)
    return list(dict.fromkeys((line, bare, bare.rstrip(".!,"), polite, polite.rstrip(".!,"))))


def _said(text: str) -> str:
    """Words to be compared, and what asks or takes away."""
    return " ".join(_SAID.findall(plain_letters(text)))


def _below_greeting(lines: list[str]) -> list[str]:
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if first < len(lines) - 1 and greets([lines[first].strip()]):
        return [*lines[:first], "", *lines[first + 1 :]]
    return lines
