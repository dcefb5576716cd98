"""A puzzle a day from a game that ended long ago: answered as the game asked it, with nobody's name."""

import json
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.cli.play import play
from pbem.engine import catalog
from pbem.engine.record import write_record
from pbem.robot.review.comparisons import FIRST_PAIRS
from pbem.robot.review.options import asks
from pbem.service.archive import records
from pbem.service.people import accounts
from pbem.service.statistics import puzzles
from pbem.store.tables import PuzzleAnswer
from tests.reviewed import compared, decisions, put
from tests.web.addresses import BASE
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site

TODAY = date(2026, 11, 24)


@pytest.fixture
def done(played: Played) -> Site:
    """A reviewed game that ended 40 days ago, of which one order is so clear that it makes a puzzle."""
    over = played("over")
    put(over, decisions(over)[:2])
    over.later(days=40)
    return over


def address(site: Site) -> str:
    return site.client.get("/puzzles", base_url=BASE).headers["Location"]


def today(site: Site, query: str = "") -> Page:
    return Page(site.client.get(f"{address(site)}{query}", base_url=BASE).text)


def answer(site: Site, order: str) -> Page:
    """Answer by the form of the page, and read what it leads to."""
    form = next(form for form in today(site).posts if "/puzzles/" in form.action)
    sent = site.client.post(form.action, data={**form.hidden, "orders": order}, base_url=BASE)
    assert sent.status_code == 303
    return Page(site.client.get(sent.headers["Location"], base_url=BASE).text)


def kept(site: Site) -> list[tuple[str, bool]]:
    with site.office.read() as session:
        return [(row.orders, row.solved) for row in session.query(PuzzleAnswer)]


def test_the_puzzle_asks_what_the_game_asked_and_names_nobody(done: Site) -> None:
    page = today(done)
    assert "what would you order?" in page.text
    offered = {value for form in page.posts for name, value in form.buttons if name == "orders"}
    assert {"issue 0", "issue 1", "issue 2", "issue 3"} <= offered
    html = done.client.get(address(done)).text
    assert [seat.name for seat in done.view().seats if seat.name in html] == []
    assert done.game not in html
    for picture in page.pictures:
        assert done.client.get(picture["src"]).status_code == 200


def test_an_answer_is_told_with_what_robots_expect_of_every_option(done: Site) -> None:
    right, wrong = answer(done, "issue 2"), answer(done, "issue 0")
    assert "Solved. Your answer:" in right.text
    assert "Not solved. Your answer:" in wrong.text
    assert "The best order beat the one played by 4 points, between 3 and 5: robots played on 12 times" in right.text
    assert right.link(f"/archive/{done.game}/review/{decisions(done)[1].number}")
    assert kept(done) == []  # nobody is logged in
    for picture in right.pictures:
        assert done.client.get(picture["src"]).status_code == 200


@pytest.fixture
def measured(played: Played) -> Site:
    """Robots have played on after two options more: one may be as good as the best order, the other is worse."""
    over = played("over")
    one = decisions(over)[1]
    one.others = {"issue 1": [4.0, 3.0] * (FIRST_PAIRS // 2), "issue 3": [-3.0, -4.0] * (FIRST_PAIRS // 2)}
    put(over, [one])
    over.later(days=40)
    return over


def test_an_option_solves_if_playing_on_has_not_shown_it_to_be_worse(measured: Site) -> None:
    near, worse = answer(measured, "issue 1"), answer(measured, "issue 3")
    assert "Solved. Your answer:" in near.text
    assert "It may be as good as the best order." in near.text
    assert "Not solved. Your answer:" in worse.text
    assert "± 1" in worse.text


def test_a_decision_of_which_another_option_is_better_still_makes_no_puzzle(measured: Site) -> None:
    one = decisions(measured)[1]
    one.others = {"issue 3": [9.0, 10.0] * (FIRST_PAIRS // 2)}
    assert not asks(one)
    one.others = {"issue 3": [-9.0, -10.0] * (FIRST_PAIRS // 2)}
    assert asks(one)


def test_every_second_day_asks_more_than_what_brings_most_at_once(played: Played) -> None:
    over = played("over")
    obvious, other = decisions(over)[1], compared(over, "issue_shares", "issue 3", 5.0, place=2)
    obvious.at_once = True
    put(over, [obvious, other])
    days = [TODAY + timedelta(days=40 + day) for day in range(20)]
    asked = {day: puzzle.one.number for day in days if (puzzle := puzzles.of_day(over.office, day))}
    assert [asked[day] for day in days if day.toordinal() % 2 == 0] == [other.number] * 10
    assert {asked[day] for day in days if day.toordinal() % 2} == {obvious.number, other.number}


def test_one_that_brings_most_at_once_is_better_than_none(played: Played) -> None:
    over = played("over")
    obvious = decisions(over)[1]
    obvious.at_once = True
    put(over, [obvious])
    assert all(puzzles.of_day(over.office, TODAY + timedelta(days=40 + day)) for day in range(2))


def test_the_answer_is_shown_to_who_asks_for_it_and_nothing_is_kept(done: Site) -> None:
    done.log_in()
    assert today(done).link(f"{address(done)}/answer")
    page = Page(done.client.get(f"{address(done)}/answer", base_url=BASE).text)
    assert "The best order beat the one played" in page.text
    assert "olved." not in page.text
    assert kept(done) == []


def test_a_delivery_is_chosen_on_the_board_or_from_the_list(empty: Site) -> None:
    record, _ = play(catalog.sheet("age-of-steam", "rust_belt"), 3, "a")
    empty.game = records.import_record(empty.office, json.dumps(write_record(record)), empty.now)
    moves = [move for move in empty.view().log if move.phase == "move_goods" and move.counts]
    first = next(place for place, move in enumerate(moves) if move.turn == 4 and move.orders.startswith("move"))
    put(empty, [compared(empty, "move_goods", "loco", 5.0, place=first)])
    empty.later(days=40)
    page = today(empty)
    form = next(form for form in page.posts if "/puzzles/" in form.action)
    assert len(form.offered["orders"]) > 1
    assert {"loco", "pass"} <= set(form.offered["instead"])
    for place in (*(picture["src"] for picture in page.pictures), *page.links):
        if place.startswith("/puzzles"):
            assert empty.client.get(place).status_code == 200
    told = answer(empty, form.offered["orders"][0])
    assert {"Best", "Played"} <= set(told.headings)
    for picture in told.pictures:
        assert empty.client.get(picture["src"]).status_code == 200


def test_the_first_answer_of_who_is_logged_in_counts_and_looking_changes_nothing(done: Site) -> None:
    done.log_in()
    today(done, "?answer=issue+0")
    assert kept(done) == []
    assert "0 days in a row" in today(done).text
    page = answer(done, "issue 2")
    assert "1 day in a row" in page.text
    assert "1 person has answered." in page.text
    answer(done, "issue 0")
    assert kept(done) == [("issue 2", True)]
    done.later(days=1)
    assert "1 day in a row" in today(done).text


def test_another_answer_that_leads_to_the_same_is_the_same(done: Site) -> None:
    done.log_in()
    assert "Solved." in answer(done, " ISSUE  2 ").text
    assert kept(done) == [("issue 2", True)]


def test_what_cannot_be_ordered_is_said_and_asked_again(done: Site) -> None:
    for order in ("issue 99", "x" * 3000, "build nothing", ""):
        text = done.client.post(address(done), data={"orders": order}, base_url=BASE).text
        assert "what would you order?" in text or "orders" in text
    for query in ("?answer=issue+99", "?answer=x"):
        assert "what would you order?" in today(done, query).text
    assert kept(done) == []


def test_a_form_without_the_mark_of_the_browser_keeps_nothing(done: Site) -> None:
    done.log_in()
    assert done.client.post(address(done), data={"orders": "issue 2"}, base_url=BASE).status_code == 400
    assert kept(done) == []


def test_a_day_has_the_same_puzzle_whoever_asks_and_days_to_come_have_none(done: Site) -> None:
    day = done.now.date()
    done.log_in()
    earlier = (day - timedelta(days=1)).isoformat()
    assert "Only the puzzle of today counts." in Page(done.client.get(f"/puzzles/{earlier}", base_url=BASE).text).text
    for other in ("2050-01-01", "2001-01-01", "x", "2026-13-40"):
        for rest in ("", "/better.png", "/map.png", "/map.svg", "/board.png", "/answer"):
            assert done.client.get(f"/puzzles/{other}{rest}").status_code == 404
        assert done.client.post(f"/puzzles/{other}", data={"orders": "issue 2"}).status_code in (400, 404)


def test_a_mistake_of_a_review_is_asked_on_its_own_and_nothing_is_kept(played: Played) -> None:
    over = played("over")
    build, shares = decisions(over)[:2]
    put(over, [build, shares])
    over.log_in()
    review = f"/archive/{over.game}/review"
    assert Page(over.client.get(f"{review}/{shares.number}", base_url=BASE).text).link(
        f"{review}/{shares.number}/puzzle"
    )
    assert "puzzle" not in over.client.get(f"{review}/{build.number}", base_url=BASE).text
    page = Page(over.client.get(f"{review}/{shares.number}/puzzle", base_url=BASE).text)
    form = next(form for form in page.posts if form.action.endswith("/puzzle"))
    sent = over.client.post(form.action, data={**form.hidden, "orders": "issue 2"}, base_url=BASE)
    told = Page(over.client.get(sent.headers["Location"], base_url=BASE).text)
    assert "Solved. Your answer:" in told.text
    shown = Page(over.client.get(f"{review}/{shares.number}/puzzle/answer", base_url=BASE).text)
    for picture in (*page.pictures, *told.pictures, *shown.pictures):
        assert over.client.get(picture["src"]).status_code == 200
    assert kept(over) == []
    for number in (build.number, 9_999):
        assert over.client.get(f"{review}/{number}/puzzle").status_code == 404
    accounts.want(over.office, over.host, "reviewed", False)
    mine = shares.player == over.view().seats[0].seat
    assert over.client.get(f"{review}/{shares.number}/puzzle").status_code == (404 if mine else 200)


def test_games_that_ended_lately_and_those_of_who_says_no_make_none(played: Played) -> None:
    over = played("over")
    put(over, decisions(over)[1:2])
    assert "There is no puzzle yet" in today(over).text
    over.later(days=40)
    accounts.want(over.office, over.host, "reviewed", False)
    assert "There is no puzzle yet" in today(over).text


def test_builds_make_none_since_nobody_finds_just_the_same(played: Played) -> None:
    over = played("over")
    put(over, decisions(over)[:1])
    over.later(days=40)
    assert "There is no puzzle yet" in today(over).text


def ago(*days: int) -> dict[date, bool]:
    return dict.fromkeys((TODAY - timedelta(days=day) for day in days), True)


@pytest.mark.parametrize(
    ("solved", "streak"),
    [
        ({}, 0),
        (ago(0), 1),
        (ago(1, 2, 3), 3),
        (ago(0, 1, 3, 4), 4),
        (ago(0, 2, 4), 2),
        (ago(0, 2, *range(3, 9), 10), 9),
        ({**ago(0, 2), TODAY - timedelta(days=1): False}, 1),
        ({**ago(1, 2), TODAY: False}, 0),
    ],
)
def test_a_streak_forgives_a_missed_day_a_week_and_no_wrong_answer(solved: dict[date, bool], streak: int) -> None:
    assert puzzles.streak(solved, TODAY) == streak


@given(st.dictionaries(st.integers(0, 400), st.booleans()))
def test_a_streak_is_no_longer_than_the_days_that_were_solved(found: dict[int, bool]) -> None:
    solved = {TODAY - timedelta(days=day): right for day, right in found.items()}
    assert 0 <= puzzles.streak(solved, TODAY) <= sum(solved.values())
