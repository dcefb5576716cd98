"""Where a finished game turned: the pages of a review, while it is worked on and when it is done."""

import json
import time
from dataclasses import replace

import pytest

from bench.calibration import pace
from pbem.cli.play import play
from pbem.engine import catalog
from pbem.engine.record import write_record
from pbem.service.archive import records
from pbem.service.statistics import counting, reviews
from pbem.store.statuses import ReviewStatus
from pbem.store.tables import ReviewRow
from tests.reviewed import BUILD, compared, course, decisions, put
from tests.web.addresses import BASE
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site

HEAVIEST, SLOWEST_MS, RUNS = 60_000, 60.0, 3
"""Bytes of HTML, and milliseconds of the processor on the machine of the benchmarks, of which the best run counts."""


@pytest.fixture
def over(played: Played) -> Site:
    return played("over")


@pytest.fixture
def done(over: Site) -> Site:
    put(over, decisions(over))
    return over


def path(site: Site, rest: object = "") -> str:
    return f"/archive/{site.game}/review{f'/{rest}' if rest else ''}"


def own(site: Site, where: str) -> Page:
    """A page as whoever is logged in reads it."""
    return Page(site.client.get(where, base_url=BASE).text)


def test_the_page_of_a_finished_game_leads_to_its_review(done: Site) -> None:
    assert path(done) in done.get(f"/games/{done.game}").links


def test_a_review_that_waits_says_so_and_is_loaded_again(over: Site) -> None:
    counting.count(over.office, over.game, over.now)
    answer = over.client.get(path(over))
    assert "waits for its turn" in answer.text
    assert answer.headers["Refresh"] == "30"


def test_one_that_is_worked_on_tells_how_far_it_is_and_what_is_known_already(over: Site) -> None:
    put(over, decisions(over)[:1], ReviewStatus.WORKING, part=20)
    page = over.get(path(over))
    assert "20% of the review is done. It takes about 6 minutes more." in page.text
    assert page.link(f"/review/{decisions(over)[0].number}")


def test_a_long_review_stays_light(over: Site) -> None:
    builds = [compared(over, "build_track", BUILD, 11.0 - place, place=place) for place in range(6)]
    shares = [compared(over, "issue_shares", "issue 2", 9.0 - place, place=place) for place in range(12)]
    put(over, [*builds, *shares], went=course(over))
    for page in (path(over), path(over, builds[0].number)):
        took = []
        for _ in range(RUNS):
            began = time.process_time()
            html = over.client.get(page, base_url=BASE).text
            took.append(1000 * (time.process_time() - began))
        assert len(html.encode()) <= HEAVIEST
        assert min(took) <= SLOWEST_MS * max(1.0, pace())


def test_every_clear_order_is_listed_with_what_it_cost_or_brought(done: Site) -> None:
    answer, page = done.client.get(path(done)), done.get(path(done))
    assert "Refresh" not in answer.headers
    assert len(answer.text) < 40_000
    mistake, small, best, unclear = decisions(done)
    for one, points in ((mistake, "−11 ± 1"), (small, "−4 ± 1"), (best, "+8 ± 1")):
        assert page.link(f"/review/{one.number}")
        assert points in page.text
    assert "1 order looked doubtful" in page.text
    assert path(done, unclear.number) not in page.links


def test_figures_follow_what_playing_on_has_shown_since(done: Site) -> None:
    assert "−11 ± 1" in done.get(path(done)).text
    put(done, [compared(done, "build_track", BUILD, 7.0)])
    page = done.get(path(done)).text
    assert "−7 ± 1" in page
    assert "−11 ± 1" not in page


def test_chances_are_drawn_and_everybodys_points_add_up_where_they_are_known(over: Site) -> None:
    put(over, decisions(over), went=course(over))
    page, names = over.get(path(over)), {seat.seat: seat.name for seat in over.view().seats}
    mistake, _, best, _ = decisions(over)
    assert {"Chances to win", "Luck and decisions"} <= set(page.headings)
    # in their phase one lost 12 points and one won 6: 3 less each, beside which they are 9 less and 9 more
    assert f"{names[mistake.player]} 40 0 +3 −9 −3 31" in page.text
    assert f"{names[best.player]} 40 0 0 +9 −3 46" in page.text
    assert "start 25% 25% 25% 25%" in page.text


def test_it_turned_at_decisions_that_playing_on_has_confirmed(over: Site) -> None:
    mistake, _, best, _ = decisions(over)
    names = {seat.seat: seat.name for seat in over.view().seats}
    put(over, decisions(over), went=course(over))
    page = over.get(path(over))
    assert "Where it turned" in page.headings
    assert f"Turn 1, Order {mistake.number}" in page.text
    assert f"{names[mistake.player]} −20%" in page.text
    assert f"{names[best.player]} +15%" in page.text
    put(over, decisions(over)[1:2], went=course(over))
    assert "No single order that playing on has confirmed" in over.get(path(over)).text


def test_where_they_are_not_known_the_page_says_so(done: Site) -> None:
    page = done.get(path(done))
    assert "There is no chart of the chances to win" in page.text
    assert "Luck and decisions" not in page.headings


def test_an_order_stands_beside_the_better_one_with_both_boards(done: Site) -> None:
    page = done.get(path(done, decisions(done)[0].number))
    assert {"Played", "Better", "What came of both", "Try it yourself"} <= set(page.headings)
    assert "A large mistake. It cost about 11 points, between 10 and 12, in 12 pairs of continuations." in page.text
    assert "In 6 of 12 continuations the company goes bankrupt, after the other order in 0." in page.text
    pictures = [picture["src"] for picture in page.pictures if "/review/" in picture["src"]]
    assert [name.rpartition("/")[2] for name in pictures] == ["played.png", "better.png"]
    drawn = [done.client.get(name) for name in pictures]
    assert [answer.mimetype for answer in drawn] == ["image/png"] * 2
    assert drawn[0].data != drawn[1].data
    assert page.link("/try")


def test_an_order_that_changes_nothing_on_the_board_has_no_picture(done: Site) -> None:
    page = done.get(path(done, decisions(done)[1].number))
    assert [picture for picture in page.pictures if "/review/" in picture["src"]] == []


def test_the_best_move_stands_beside_the_order_of_the_robot(done: Site) -> None:
    page = done.get(path(done, decisions(done)[2].number))
    assert "The robot’s order" in page.headings
    assert "It brought about 8 points more than the robot’s order" in page.text


def test_pages_of_orders_lead_to_those_before_and_after(done: Site) -> None:
    first, second, third = sorted(one.number for one in decisions(done) if one.clear)
    page = done.get(path(done, second))
    assert page.link(f"/review/{first}")
    assert page.link(f"/review/{third}")


def test_whoever_is_logged_in_plays_on_from_an_order_in_a_copy(done: Site) -> None:
    mistake, asked = decisions(done)[0], done.view().version
    assert "Play on from here" not in done.get(path(done, mistake.number)).text
    done.log_in()
    form = next(form for form in own(done, path(done, mistake.number)).posts if "/review/" in form.action)
    sent = done.client.post(form.action, data=form.hidden, base_url=BASE)
    assert sent.status_code == 303
    page = own(done, sent.headers["Location"])
    assert "build" in page.text
    assert done.view().version == asked


def test_nobody_plays_on_from_what_is_in_no_review(done: Site) -> None:
    done.log_in()
    mark = own(done, "/account").forms[-1].hidden["mark"]
    for place in (path(done, 3), path(done, "0"), path(done, 99_999), "/archive/nowhere/review/3"):
        assert done.client.post(place, data={"mark": mark}, base_url=BASE).status_code == 404
    over = done.game
    done.open()  # nothing has been dealt
    assert done.client.post(path(done, 3), data={"mark": mark}, base_url=BASE).status_code == 404
    assert done.game != over


def test_orders_that_are_not_in_the_review_have_no_page(done: Site) -> None:
    for rest in (decisions(done)[3].number, 3, "3/played.png", 99_999, "99999999999999999999", "x"):
        assert done.client.get(path(done, rest)).status_code == 404


def test_a_running_game_has_no_review(played: Played) -> None:
    started = played("started")
    for rest in ("", "3", "3/played.png"):
        assert started.client.get(path(started, rest)).status_code == 404


def test_who_keeps_own_orders_out_is_named_and_nothing_of_theirs_is_shown(done: Site) -> None:
    mistake = decisions(done)[0]
    seat = next(seat for seat in done.view().seats if seat.seat == mistake.player)
    done.log_in(seat.number)
    form = next(form for form in own(done, "/account").forms if form.id == "reviewed")
    assert done.client.post(form.action, data=form.hidden, base_url=BASE).status_code == 303
    page = done.get(path(done))
    assert f"{seat.name} has chosen not to have orders listed" in page.text
    for rest in (mistake.number, f"{mistake.number}/played.png", f"{mistake.number}/better.png"):
        assert done.client.get(path(done, rest)).status_code == 404


def test_whoever_is_logged_in_has_an_old_game_reviewed_before_others(over: Site) -> None:
    counting.count(over.office, over.game, over.now)
    with over.office.write() as session:
        session.get_one(ReviewRow, over.game).rank = 2
    assert "Review this game" not in over.get(path(over)).text
    over.log_in()
    page = own(over, path(over))
    assert "Review this game" in page.text
    form = next(form for form in page.posts if form.action == path(over))
    assert over.client.post(form.action, data=form.hidden, base_url=BASE).status_code == 303
    known = reviews.of_game(over.office, over.game)
    assert known is not None
    assert known.asked
    assert "Review this game" not in own(over, path(over)).text


def test_who_is_logged_in_sees_own_mistakes_by_kind_and_game_by_game(done: Site) -> None:
    mistake = decisions(done)[0]
    assert done.client.get("/account/mistakes").status_code == 302
    done.log_in(next(seat.number for seat in done.view().seats if seat.seat == mistake.player))
    page = own(done, "/account/mistakes")
    assert "1 game has been reviewed" in page.text
    assert "Build track 1 11 0" in page.text
    assert "All 1 11 1" in page.text  # of the three others one has lost 4 points
    assert path(done) in page.links
    assert path(done, mistake.number) in page.links


def test_what_comes_up_most_is_what_has_cost_most_by_kind(over: Site) -> None:
    mistake, _, late, _ = decisions(over)
    both = [mistake, replace(late, player=mistake.player, pairs=mistake.pairs)]
    put(over, both)
    over.log_in(next(seat.number for seat in over.view().seats if seat.seat == mistake.player))
    page = own(over, "/account/mistakes")
    assert "No track built, where some was worth its price. 2 of 2 mistakes in this phase." in page.text
    assert "the costliest −22" in page.text
    put(over, both[:1])
    assert "No kind of mistake has come up twice." in own(over, "/account/mistakes").text


def test_steam_power_is_told_of_in_rounds(empty: Site) -> None:
    record, _ = play(catalog.sheet("steam-power", "northern_italy"), 2, "a")
    empty.game = records.import_record(empty.office, json.dumps(write_record(record)), empty.now)
    first = compared(empty, "actions", "cash", 5.0, place=1)
    put(empty, [first])
    for place in (path(empty), path(empty, first.number)):
        text = empty.get(place).text
        assert "Round 1" in text
        assert "In the first rounds robots differ most from people" in text
        assert "turn" not in text.replace("Where the game turned", "").lower()


def test_before_the_first_review_there_are_no_mistakes(over: Site) -> None:
    over.log_in()
    assert "None of your games has been reviewed yet" in own(over, "/account/mistakes").text
