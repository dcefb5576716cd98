"""A thousand random requests to all pages, and some over the wire; ``make fuzz`` makes 100,000 of them."""

import pytest
from werkzeug.datastructures import Headers

from tests.fuzz import requests, wire
from tests.fuzz.answers import Answer, faults
from tests.fuzz.asking import Request
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
