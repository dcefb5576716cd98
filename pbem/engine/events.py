"""What happened, one kind of value for each. Log, mail and page are made of events."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from pbem.engine.text import Place, Say, Who, Word, say_from_json, say_to_json
from pbem.engine.values import Value

SPOKEN: Mapping[str, Callable[[str], object]] = {
    **dict.fromkeys(("anchor", "city", "hex", "hexes", "town", "zone"), Place),
    **dict.fromkeys(("action", "colour", "cubes"), Word),
    **dict.fromkeys(("company", "victim"), Who),
}
"""As what the fields of these names stand in sentences; others stand as they are."""


class Event(Value):
    """Base of all events; ``sums_up``: the kind of earlier ones that it tells in one sentence.

    ``sentence``: what it tells, with fields by their names; ``{player}`` is the seat, or the company that has acted.
    """

    sentence: ClassVar[Say]
    sums_up: ClassVar[str] = ""
    consequence: ClassVar[bool] = False
    """Whether it is what came of an order, and news to whoever has given that; else it is what was ordered."""

    def follows(self) -> bool:
        return self.consequence

    def seen_by(self) -> tuple[str, ...] | None:
        """The only seats that may read of it; ``None``: everybody."""
        return None

    def text(self) -> Say:
        """What it tells; events with more than one sentence choose one here."""
        return self.said(self.sentence)

    def said(self, sentence: Say) -> Say:
        return Say(sentence.one, {name: self._spoken(name) for name in re.findall(r"{(\w+)}", sentence.one)})

    def _spoken(self, name: str) -> object:
        if name == "player":
            return Who(getattr(self, "seat", "") or getattr(self, "company", ""))
        value, kind = getattr(self, name), SPOKEN.get(name)
        if kind is None:
            return value
        return tuple(map(kind, value)) if isinstance(value, tuple) else kind(value)


class Told(Value):
    """An event as it is stored: its kind, its fields and its sentence, readable by every later version."""

    kind: str
    fields: Mapping[str, object]
    say: Say
    sums_up: str = ""
    only: tuple[str, ...] | None = None
    follows: bool = False

    def open_to(self, seat: str | None) -> bool:
        """Whether this seat may read of it (``None``: somebody without a seat)."""
        return self.only is None or seat in self.only

    def ordered_by(self, seat: str) -> bool:
        """Whether it is what this seat has ordered, in an order of its own."""
        return not self.follows and seat in (self.fields.get("seat"), self.fields.get("company"))


def tell(event: Event) -> dict[str, object]:
    """The stored form of an event (see :class:`Told`), made of what JSON can hold."""
    text = say_to_json(event.text())
    stored: dict[str, object] = {"kind": type(event).__name__, "fields": _fields(event), "text": text}
    if event.sums_up:
        stored["sums_up"] = event.sums_up
    if (only := event.seen_by()) is not None:
        stored["only"] = list(only)
    if event.follows():
        stored["follows"] = True
    return stored


def told(stored: Mapping[str, object]) -> Told:
    fields, text = stored["fields"], stored["text"]
    if not isinstance(fields, Mapping) or not isinstance(text, Mapping):
        raise TypeError("a stored event needs fields and a text")
    only = stored.get("only")
    return Told(
        str(stored["kind"]),
        fields,
        say_from_json(text),
        str(stored.get("sums_up", "")),
        tuple(map(str, only)) if isinstance(only, list) else None,
        stored.get("follows") is True,
    )


Fact = tuple[str, Mapping[str, Any]]


def fact(event: Event | Told) -> Fact:
    """An event as kind and fields, whether it has just happened or was read from the store."""
    if isinstance(event, Told):
        return event.kind, event.fields
    return type(event).__name__, _fields(event)


def _fields(event: Event) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


def facts_of(facts: Iterable[Fact], kind: type[Event]) -> list[Mapping[str, Any]]:
    return [told for name, told in facts if name == kind.__name__]
