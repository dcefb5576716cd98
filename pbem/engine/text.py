"""Sentences for people, kept apart from the language they are read in.

A rule answers with a :class:`Say`: one whole English sentence with named places. The sentence is also the
key of the message catalogues, so a translation never has to glue pieces together. Seats and hexes stay
seats and hexes until a :class:`Voice` reads the sentence out, because only the reader's side knows that
pink is called Ana and that K12 is "Toledo (D)".

Whoever has the seat reads of it as "you": beside a sentence that names a player stands what it is to that player
(:func:`to_reader`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from typing_extensions import override

from pbem.engine import values


class Who(values.Value):
    seat: str


class Place(values.Value):
    """A place of the board inside a sentence, by its label."""

    label: str


class Word(values.Value):
    """A word of the rulebook that has its own entry in the catalogues: a colour, an action, a phase."""

    word: str


LIMIT = " limit"
"""What is added to ``day`` or ``year`` where the day stands behind until, by, since, from or of."""


class Typed(values.Value):
    """Something to be typed inside a sentence, as the notation has it: an order, or how one is written."""

    order: str


class Dated(values.Value):
    """A day inside a sentence. ``iso``: "2026-11-29"; ``form``: ``weekday``, ``date`` (day and month), ``day`` (both)
    or ``year`` (with the year); ``english``: how English says it, "Sunday 29 November"."""

    iso: str
    form: str
    english: str


# int, str, Who, Place, Word, Typed, Dated or Say, or a tuple of these, which is read out as a list
Value = object


class Say(values.Value):
    """One sentence: ``one`` (and ``many`` where a number decides the form) with ``{named}`` places."""

    one: str
    values: Mapping[str, Value] = values.field(default_factory=dict)
    many: str = ""
    count: int = 1

    @override
    def __str__(self) -> str:
        return self.read(PLAIN)

    def read(self, voice: Voice) -> str:
        """The sentence in the voice's language with the voice's names; to the voice's reader as "you"."""
        forms = _TO_READER.get(self.one)
        if forms is not None and (form := _form(forms, self.values, voice.reader)) is not None:
            return form.said(self, voice.reader).read(voice)
        template = voice.translate(self.one, self.many, self.count)
        if not self.values and "{" not in template and "}" not in template:
            return template
        return template.format_map({name: _spoken(value, voice) for name, value in self.values.items()})


class _Form(values.Value):
    """How a sentence is said to the player in its place ``name``."""

    name: str
    one: str
    many: str

    def said(self, sentence: Say, reader: str) -> Say:
        players = sentence.values[self.name]
        others = tuple(item for item in players if not _is(item, reader)) if isinstance(players, tuple) else players
        return Say(self.one, {**sentence.values, self.name: others}, self.many, sentence.count)


_TO_READER: dict[str, tuple[_Form, ...]] = {}
"""By the sentence that names players; filled while modules are imported."""


def to_reader(one: str, /, **forms: str | tuple[str, str]) -> None:
    """How a sentence is said to a player whom it names, by the place of the name: ``player="You bid ${amount}."``; two
    forms where a number decides. A form for a list of players has the others in that place."""
    made = ((name, (form, "") if isinstance(form, str) else form) for name, form in forms.items())
    _TO_READER[one] = tuple(_Form(name, *form) for name, form in made)


def forms_to_reader() -> Mapping[str, frozenset[str]]:
    """The places of all sentences that say "you" where the reader is named."""
    return {one: frozenset(form.name for form in forms) for one, forms in _TO_READER.items()}


def _form(forms: tuple[_Form, ...], named: Mapping[str, Value], reader: str) -> _Form | None:
    return next((form for form in forms if _names(named.get(form.name), reader)), None) if reader else None


def _names(value: Value, reader: str) -> bool:
    """Whether a value is this player, or a list with this player."""
    return any(_is(item, reader) for item in value) if isinstance(value, tuple) else _is(value, reader)


def _is(value: Value, reader: str) -> bool:
    return isinstance(value, Who) and value.seat == reader != ""


class Voice(Protocol):
    """Who reads: a language and the names of seats and places. ``reader``: the seat that is "you", ``""`` for none."""

    @property
    def reader(self) -> str: ...
    def translate(self, one: str, many: str, count: int) -> str: ...
    def who(self, seat: str) -> str: ...
    def place(self, label: str) -> str: ...
    def word(self, word: str) -> str: ...
    def fixed(self, word: str) -> str: ...
    def typed(self, order: str) -> str: ...
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
    first, *rest = sentences or (say(""),)
    return say("{first} {rest}", first=first, rest=together(*rest)) if rest else first


class PlainVoice:
    """English, seats by their colour, places by their label: what ``str(say)`` uses."""

    reader = ""

    def translate(self, one: str, many: str, count: int) -> str:
        return one if not many or count == 1 else many

    def who(self, seat: str) -> str:
        return seat.capitalize()

    def place(self, label: str) -> str:
        return label

    def word(self, word: str) -> str:
        return word

    def fixed(self, word: str) -> str:
        return word

    def typed(self, order: str) -> str:
        return order

    def listed(self, items: list[str]) -> str:
        return listed(items)

    def dated(self, day: Dated) -> str:
        return day.english


PLAIN: Voice = PlainVoice()
YOU = "you"
"""The reader in a list of players, or as the head of a line."""


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
        reader = voice.reader
        return voice.listed([voice.word(YOU) if _is(item, reader) else _spoken(item, voice) for item in value])
    if isinstance(value, Typed):
        return voice.typed(value.order)
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
        case Typed(order):
            return {"typed": order}
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
        case {"typed": str(order)}:
            return Typed(order)
        case {"day": str(iso), "form": str(form), "english": str(english)}:
            return Dated(iso, form, english)
        case dict() if "say" in value:
            return say_from_json(value)
        case list():
            return tuple(_value_from_json(item) for item in value)
    return value
