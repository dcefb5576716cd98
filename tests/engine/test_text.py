"""Sentences: their values are read by a voice, their form follows a number, they are stored and read back."""

import json

import pytest
from typing_extensions import override

from pbem.engine import Place, Say, Who, Word, count_say, say, say_from_json, say_to_json
from pbem.engine.events import Event, fact, facts_of, tell, told
from pbem.engine.text import listed, nth

SENTENCES = [
    say("{player} built on {hex}.", player=Who("red"), hex=Place("K2")),
    count_say("{n} link", "{n} links", 2),
    say("{players} and {word}", players=(Who("red"), Who("blue")), word=Word("loco")),
    say("{inner}!", inner=say("{n}", n=3)),
]


def test_a_sentence_names_seats_by_colour_and_places_by_label() -> None:
    assert str(SENTENCES[0]) == "Red built on K2."


@pytest.mark.parametrize(("n", "text"), [(0, "0 links"), (1, "1 link"), (2, "2 links")])
def test_a_number_decides_the_form(n: int, text: str) -> None:
    assert str(count_say("{n} link", "{n} links", n)) == text


def test_lists_are_read_as_one_phrase() -> None:
    assert [listed(items) for items in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


def test_places_in_an_order_have_their_endings() -> None:
    assert [str(nth(n)) for n in range(1, 7)] == ["1st", "2nd", "3rd", "4th", "5th", "6th"]


@pytest.mark.parametrize("sentence", SENTENCES, ids=str)
def test_a_stored_sentence_is_read_back(sentence: Say) -> None:
    assert str(say_from_json(say_to_json(sentence))) == str(sentence)


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
