"""Sentences for people, kept apart from the language they are read in.

A rule answers with a :class:`Say`: one whole English sentence with named places. The sentence is also the
key of the message catalogues, so a translation never has to glue pieces together. Seats and hexes stay
seats and hexes until a :class:`Voice` reads the sentence out, because only the reader's side knows that
pink is called Ana and that K12 is "Toledo (D)".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from typing_extensions import override

from pbem.engine import values


class Who(values.Value, frozen=True):
    """A seat inside a sentence."""

    seat: str


class Place(values.Value, frozen=True):
    """A place of the board inside a sentence, by its label."""

    label: str


class Word(values.Value, frozen=True):
    """A word of the rulebook that has its own entry in the catalogues: a colour, an action, a phase."""

    word: str


class Dated(values.Value, frozen=True):
    """A day inside a sentence. ``iso``: "2026-11-29"; ``form``: ``weekday``, ``date`` (day and month), ``day`` (both)
    or ``year`` (with the year); ``english``: how English says it, "Sunday 29 November"."""

    iso: str
    form: str
    english: str


# int, str, Who, Place, Word, Dated or Say, or a tuple of these, which is read out as a list
Value = object


class Say(values.Value, frozen=True):
    """One sentence: ``one`` (and ``many`` where a number decides the form) with ``{named}`` places."""

    one: str
    values: Mapping[str, Value] = values.field(default_factory=dict)
    many: str = ""
    count: int = 1

    @override
    def __str__(self) -> str:
        return self.read(PLAIN)

    def read(self, voice: Voice) -> str:
        """The sentence in the voice's language with the voice's names."""
        template = voice.translate(self.one, self.many, self.count)
        if not self.values and "{" not in template and "}" not in template:
            return template
        return template.format_map({name: _spoken(value, voice) for name, value in self.values.items()})


class Voice(Protocol):
    """Who reads: a language and the names of seats and places."""

    def translate(self, one: str, many: str, count: int) -> str: ...
    def who(self, seat: str) -> str: ...
    def place(self, label: str) -> str: ...
    def word(self, word: str) -> str: ...
    def listed(self, items: list[str]) -> str: ...
    def dated(self, day: Dated) -> str: ...


def listed(items: Sequence[str]) -> str:
    """Items in one English phrase: "Ana, Ben and Eva"."""
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else "".join(items)


def nth(place: int) -> Say:
    """A place in an order: "1st"."""
    ends = {1: say("{n}st", n=place), 2: say("{n}nd", n=place), 3: say("{n}rd", n=place)}
    return ends.get(place, say("{n}th", n=place))


def together(*sentences: Say) -> Say:
    """Whole sentences one after the other."""
    first, *rest = sentences or (say(""),)
    return say("{first} {rest}", first=first, rest=together(*rest)) if rest else first


class PlainVoice:
    """English, seats by their colour, places by their label: what ``str(say)`` uses."""

    def translate(self, one: str, many: str, count: int) -> str:
        return one if not many or count == 1 else many

    def who(self, seat: str) -> str:
        return seat.capitalize()

    def place(self, label: str) -> str:
        return label

    def word(self, word: str) -> str:
        return word

    def listed(self, items: list[str]) -> str:
        return listed(items)

    def dated(self, day: Dated) -> str:
        return day.english


PLAIN: Voice = PlainVoice()


def say(one: str, /, **values: Value) -> Say:
    """A sentence without a number that decides its form."""
    return Say(one, values)


def count_say(one: str, many: str, n: int, /, **values: Value) -> Say:
    """A sentence whose form depends on ``n``; ``{n}`` stands for it."""
    return Say(one, {"n": n, **values}, many, n)


def _spoken(value: Value, voice: Voice) -> str:  # an email asks this a thousand times: ``match`` takes thrice as long
    if type(value) is str:
        return value
    if isinstance(value, Place):
        return voice.place(value.label)
    if isinstance(value, Word):
        return voice.word(value.word)
    if isinstance(value, Who):
        return voice.who(value.seat)
    if isinstance(value, Say):
        return value.read(voice)
    if isinstance(value, int):
        return str(value).replace("-", "−")
    if isinstance(value, tuple):
        return voice.listed([_spoken(item, voice) for item in value])
    if isinstance(value, Dated):
        return voice.dated(value)
    return str(value)


def say_to_json(sentence: Say) -> dict[str, object]:
    """The form in which a sentence is stored with a move."""
    stored: dict[str, object] = {"say": sentence.one}
    if sentence.values:
        stored["with"] = {name: _value_to_json(value) for name, value in sentence.values.items()}
    if sentence.many:
        stored |= {"many": sentence.many, "count": sentence.count}
    return stored


def say_from_json(stored: Mapping[str, object]) -> Say:
    """Read back what :func:`say_to_json` wrote; raises ``KeyError`` or ``TypeError`` for anything else."""
    values = stored.get("with", {})
    if not isinstance(values, Mapping):
        raise TypeError("the values of a stored sentence are not a mapping")
    return Say(
        str(stored["say"]),
        {name: _value_from_json(value) for name, value in values.items()},
        str(stored.get("many", "")),
        int(str(stored.get("count", 1))),
    )


def _value_to_json(value: Value) -> object:
    match value:
        case Who(seat):
            return {"who": seat}
        case Place(label):
            return {"place": label}
        case Word(word):
            return {"word": word}
        case Dated():
            return {"day": value.iso, "form": value.form, "english": value.english}
        case Say():
            return say_to_json(value)
        case tuple():
            return [_value_to_json(item) for item in value]
    return value


def _value_from_json(value: object) -> Value:
    match value:
        case {"who": str(seat)}:
            return Who(seat)
        case {"place": str(label)}:
            return Place(label)
        case {"word": str(word)}:
            return Word(word)
        case {"day": str(iso), "form": str(form), "english": str(english)}:
            return Dated(iso, form, english)
        case dict() if "say" in value:
            return say_from_json(value)
        case list():
            return tuple(_value_from_json(item) for item in value)
    return value
