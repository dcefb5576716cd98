"""A puzzle a day from a game that ended long ago: two orders, which was better, and nobody's name."""

import pytest

from pbem.service.people import accounts
from tests.reviewed import decisions, put
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site


@pytest.fixture
def done(played: Played) -> Site:
    """A reviewed game that ended 40 days ago, of which one order is so clear that it makes a puzzle."""
    over = played("over")
    put(over, decisions(over)[:1])
    over.later(days=40)
    return over


def today(site: Site, query: str = "") -> Page:
    return site.get(f"{site.client.get('/puzzles').headers['Location']}{query}")


def test_the_puzzle_shows_both_orders_and_names_nobody(done: Site) -> None:
    page = today(done)
    assert "Which order is better?" in page.text
    assert {"Order 1", "Order 2"} <= set(page.headings)
    assert "built no track" in page.text
    assert "built 2 tiles" in page.text
    assert [seat.name for seat in done.view().seats if seat.name in page.text] == []
    assert done.game not in " ".join(page.links)
    for picture in page.pictures:
        assert done.client.get(picture["src"]).mimetype == "image/png"


def test_an_answer_is_told_right_or_wrong_with_what_both_came_to(done: Site) -> None:
    told = [today(done, f"?answer={answer}") for answer in (1, 2)]
    right = [("Right." in page.text, "The other one is better." in page.text) for page in told]
    assert sorted(right) == [(False, True), (True, False)]
    better = told[right.index((True, False))]
    assert "It is better by 11 points, between 10 and 12: robots played on 12 times" in better.text
    assert better.link(f"/archive/{done.game}/review/{decisions(done)[0].number}")


def test_what_is_no_answer_is_the_question_again(done: Site) -> None:
    for answer in ("", "0", "3", "x", "1" * 50):
        assert "Which order is better?" in today(done, f"?answer={answer}").text


def test_a_day_has_the_same_puzzle_whoever_asks_and_days_to_come_have_none(done: Site) -> None:
    day = done.now.date().isoformat()
    assert done.get(f"/puzzles/{day}").text == today(done).text
    assert today(done).link("/puzzles/")
    for other in ("2050-01-01", "2001-01-01", "x", "2026-13-40"):
        assert done.client.get(f"/puzzles/{other}").status_code == 404
        assert done.client.get(f"/puzzles/{other}/first.png").status_code == 404


def test_games_that_ended_lately_and_those_of_who_says_no_make_none(played: Played) -> None:
    over = played("over")
    put(over, decisions(over)[:1])
    assert "There is no puzzle yet" in today(over).text
    over.later(days=40)
    accounts.want(over.office, over.host, "reviewed", False)
    assert "There is no puzzle yet" in today(over).text
