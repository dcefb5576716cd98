"""Lines of text: folded and put together again, numbers beside their words, paragraphs that end where they should."""

import pytest

from pbem.engine import Word
from pbem.engine.position_text import (
    Misread,
    Paragraph,
    Reading,
    as_text,
    called,
    counted,
    folded,
    number,
    paragraphs_of,
)
from pbem.engine.text import PLAIN

LONG = "Ana, gray: Engineer, cash 10, income 14, shares 7, engine 4, bill 11, points 34"
DONE = "Ana, green: points 21, done " + " ".join(map(str, range(1, 60)))


@pytest.mark.parametrize("line", ["a", LONG, DONE, "x" * 100, f"{'word ' * 30}end", "cubes 12 " * 20 + "red"])
def test_a_folded_line_is_put_together_again(line: str) -> None:
    line = line.strip()
    (paragraph,) = paragraphs_of(as_text([Paragraph("Head", (line, "other"))]))
    assert paragraph == Paragraph("Head", (line, "other"))
    assert all(len(row) <= 72 or " " not in row.strip() for row in folded(line).split("\n"))


def test_a_number_stays_with_its_word() -> None:
    rows = folded("light 1 empty, " * 12 + "end").split("\n")
    assert not [row for row in rows if row.strip()[0].isdigit()]


def test_lines_end_a_paragraph_only_where_nothing_stands_between() -> None:
    paragraphs = list(paragraphs_of("One:\r\na\r\nb\r\n \r\nTwo:\r\nc\r\n  d\r\n\r\nThree: 3\r\n"))
    assert paragraphs == [Paragraph("One", ("a", "b")), Paragraph("Two", ("c d",)), Paragraph("Three: 3")]


@pytest.mark.parametrize("name", ["Smith, John", "a: b", "x;y", "red", "none", "nobody", " Ana", "Ana  B"])
def test_a_name_that_could_be_something_else_is_replaced_by_the_colour(name: str) -> None:
    assert called(PLAIN, {"blue": name, "green": "Ben"}) == {"blue": "blue", "green": "Ben"}


def test_two_players_of_one_name_go_by_their_colours() -> None:
    assert called(PLAIN, {"blue": "Ana", "green": "Ana", "red": "Ana B"}) == {
        "blue": "blue", "green": "green", "red": "Ana B",
    }  # fmt: skip


def test_a_pile_is_counted_by_colour() -> None:
    assert counted(("red", "blue", "red")) == (Word("red"), " 2", ", ", Word("blue"))
    assert Reading(PLAIN, ()).cubes("red 2, blue", ("blue", "red")) == ("red", "red", "blue")


@pytest.mark.parametrize("text", ["", "x", "1.5", "9999999"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(Misread):
        number(text)
