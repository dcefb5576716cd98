"""A thousand random requests to all pages, and some over the wire; ``make fuzz`` makes 100,000 of them."""

from random import Random

import pytest
from werkzeug.datastructures import Headers

from tests.fuzz import requests, wire
from tests.fuzz.answers import Answer, faults
from tests.fuzz.asking import Request
from tests.fuzz.mutate import mutated
from tests.fuzz.world import Made
from tests.web.reading import Page

ROOT = "https://play.example.org"


@pytest.mark.parametrize("number", range(2))
def test_whatever_is_asked_there_is_an_answer_without_a_fault(made: Made, number: int) -> None:
    tally = requests.run(*made, seed=0, numbers=range(number, number + 1), count=500)
    assert tally.requests == 500
    assert len(tally.endpoints) > 50
    assert tally.faults == []


def test_whatever_comes_over_the_wire_the_server_answers_and_lives_on(made: Made) -> None:
    tally = wire.run(*made, seed=0, count=150)
    assert tally.requests == 151
    assert tally.faults == []


def test_the_same_seed_makes_the_same_requests(made: Made) -> None:
    once, again = (requests.run(*made, seed=5, numbers=range(1, 2), count=40) for _ in range(2))
    assert (once.statuses, once.endpoints) == (again.statuses, again.endpoints)


# the fuzzing finds what is wrong ------------------------------------------------------------------------------


def answer(status: int, body: str = "", kind: str = "text/html", **headers: str) -> Answer:
    carried = {"Content-Security-Policy": "x", "X-Content-Type-Options": "x", "Referrer-Policy": "x"}
    return Answer(status, Headers({"Content-Type": kind, **carried, **headers}), body.encode())


def found(given: Answer, target: str = "/") -> list[str]:
    page = Page(given.body.decode(), lenient=True) if given.kind == "text/html" else None
    return list(faults(Request("GET", target), given, page, ROOT))


SORRY = "<p>The link may have been cut in two.</p>"


def test_a_right_answer_has_no_fault() -> None:
    assert found(answer(200, "<p>Games</p>")) == []
    assert found(answer(404, SORRY)) == []
    assert found(answer(303, Location="/games/x")) == []
    assert found(answer(503, "no"), "/readyz") == []


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (answer(500, SORRY), "status 500"),
        (answer(404, "<p>no</p>"), "404 without a sentence: 'no'"),
        (answer(404, '{"error": "nothing here"}', "application/json"), "404 without a sentence: 'nothing here'"),
        (answer(400, "<p>The browser (or proxy) sent a request that this server could not understand.</p>"),
         "400 in words of the library"),
        (answer(400, f"{SORRY}Traceback (most recent call last)"), "says 'Traceback (most recent'"),
        (answer(303, Location="//evil.example/"), "leads to //evil.example/"),
        (answer(303, Location="https://evil.example/"), "leads to https://evil.example/"),
        (answer(200, "<p>"), "<p> is not closed"),
        (answer(200, '<p onclick="x">y</p>'), "<p onclick>"),
        (answer(200, "<script>x</script>"), "words inside <script>"),
        (Answer(200, Headers(), b""), "without Content-Security-Policy"),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_found(wrong: Answer, fault: str) -> None:
    assert fault in found(wrong)


def test_a_form_is_read_with_every_value_it_offers() -> None:
    page = Page(
        '<form method="post" action="/x"><select name="a"><option value="1"></option><option value="2" selected>'
        '</option></select><input name="b" value="3"><textarea name="c">\nfour</textarea><button name="d" value="5">'
        "</button></form>"
    )
    assert page.forms[0].offered == {"a": ["2", "1"], "b": ["3"], "c": ["four", ""], "d": ["5"]}


def test_what_is_spoiled_is_seldom_what_it_was() -> None:
    luck = Random(1)
    assert sum(mutated("build S10 SW-NE; R11 SW-NE", luck) != "build S10 SW-NE; R11 SW-NE" for _ in range(200)) > 150
