"""Events are stored as kind, fields and sentence, and read back by every version."""

import json
from dataclasses import dataclass

import pytest
from typing_extensions import override

from pbem.engine.events import Event, fact, facts_of, tell, told
from pbem.engine.text import Say, Who, say


@dataclass(frozen=True)
class Drawn(Event):
    sums_up = "Begun"
    seat: str
    cards: int

    @override
    def seen_by(self) -> tuple[str, ...]:
        return (self.seat,)

    @override
    def text(self) -> Say:
        return say("{player} drew {n}.", player=Who(self.seat), n=self.cards)


def test_an_event_is_read_back_as_it_was_stored() -> None:
    back = told(json.loads(json.dumps(tell(Drawn("red", 2)))))
    assert (back.kind, back.fields, str(back.say), back.sums_up) == (
        "Drawn", {"seat": "red", "cards": 2}, "Red drew 2.", "Begun",
    )  # fmt: skip
    assert fact(back) == fact(Drawn("red", 2))


def test_only_those_who_may_see_an_event_read_of_it() -> None:
    back = told(tell(Drawn("red", 2)))
    assert (back.open_to("red"), back.open_to("blue"), back.open_to(None)) == (True, False, False)


def test_facts_are_found_by_their_kind() -> None:
    assert facts_of([fact(Drawn("red", 2)), ("Other", {})], Drawn) == [{"seat": "red", "cards": 2}]


def test_what_is_no_event_is_not_read() -> None:
    with pytest.raises(TypeError):
        told({"kind": "Drawn", "fields": [], "text": {}})
