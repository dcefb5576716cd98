"""Turn pages: they show, their one form plays, and nothing plays twice."""

import re
import threading
import time
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from pbem.robot import thinking
from pbem.service.base.tokens import TurnClaim
from pbem.service.orders import robots, submissions
from pbem.service.statistics import counting
from pbem.web.base import context
from pbem.web.turns import turn
from tests.table import NAMES
from tests.web.browsers import serving
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site


def test_the_page_of_a_question_says_what_is_asked_and_until_when(site: Site) -> None:
    page = site.get(site.turn())
    assert page.headings[0] == "Issue shares"
    assert "You have $10 and 2 shares" in page.text
    assert "Monday 23 November, 18:00" in page.text
    assert ("orders", "issue 2") in page.form.buttons


def test_a_link_with_an_order_opens_a_page_that_sends_it_by_its_hidden_fields(site: Site) -> None:
    page = site.get(site.turn("issue 2"))
    assert page.headings[0] == "Issue 2 shares?"
    assert page.form.hidden == {"orders": "issue 2"}
    answer = site.press(site.turn("issue 2"))
    assert answer.headings[0] == "Your orders are played"
    assert site.view().log[-1].orders == "issue 2"


def test_a_link_with_an_order_that_is_not_legal_says_why_and_has_no_form(site: Site) -> None:
    page = site.get(site.turn("issue 99"))
    assert "This cannot be played" in page.text
    assert page.posts == []


def test_a_button_of_the_list_is_a_whole_answer(site: Site) -> None:
    assert site.press(site.turn(), orders="issue 1").headings[0] == "Your orders are played"


def test_typed_orders_can_be_checked_without_being_sent(site: Site) -> None:
    page = site.get(site.turn() + "?typed=shares+2&check=1")
    assert "This is legal: issue 2" in page.text
    assert page.form.fields["typed"] == "shares 2"
    assert "99" in site.get(site.turn() + "?typed=issue+99&check=1").text


def test_another_order_for_an_answered_question_is_refused_and_changes_nothing(site: Site) -> None:
    path = site.turn()
    site.post(path, {"orders": "issue 2"})
    answer = site.get(site.post(path, {"orders": "issue 3"}).headers["Location"])
    assert answer.headings[0] == "Your orders are not played"
    assert "issue 2" in answer.text
    assert site.view().version == 1


def test_refused_orders_come_back_with_the_reason_and_a_form_to_change_them(site: Site) -> None:
    path = site.turn()
    answer = site.press(path, send="typed", typed="issue 99")
    assert answer.headings[0] == "Your orders are not played"
    assert answer.form.fields["typed"] == "issue 99"
    assert answer.form.action == path
    assert site.view().version == 0


def test_the_page_has_shown_the_outcome_so_no_letter_is_needed(site: Site) -> None:
    site.press(site.turn(), send="typed", typed="issue 99")
    assert site.submissions()[0].seen_at is not None


def test_a_page_tells_since_the_last_turn_what_others_did_and_not_the_own_order_as_emails_do(site: Site) -> None:
    seat = site.view().waiting_for
    site.play("issue 2")
    while site.view().waiting_for != seat:
        site.play(str(site.view().sheet.default(site.view().state)))
    view = site.view()
    own = next(move for move in view.log if move.seat == seat and move.orders == "issue 2")
    told = str(own.events[0].say.read(view.voice))
    (_, _, since) = site.get(site.turn()).text.partition("Since your last turn")
    assert "issued no shares" in since
    assert told not in since
    number = next(other.number for other in view.seats if other.seat == seat)
    (_, _, since) = site.get(site.path(site.office.addresses.seat(site.game, number))).text.partition("Since your last")
    assert "issued no shares" in since
    assert told not in since


def test_orders_that_wait_say_so_and_the_page_looks_again(site: Site) -> None:
    site.working = False
    answer = site.press(site.turn("issue 2"))
    assert answer.headings[0] == "We have your orders"
    assert "data-quick" in answer.html


def test_the_next_question_for_the_same_player_follows_at_once(site: Site) -> None:
    while True:
        asked, path = site.view().waiting_for, site.turn()
        order = str(site.view().sheet.default(site.view().state))
        answer = site.press(path, send="typed", typed=order)
        if site.view().waiting_for == asked:
            break
    assert "Your orders are played." in answer.text
    question = site.view().sheet.question(site.view().state)
    assert str(question.act) == answer.headings[0]
    assert answer.form
    assert site.view().log[-1].orders == order, "told on top, nothing was played twice"


def test_an_answered_question_opens_a_page_that_leads_on(site: Site) -> None:
    path = site.turn("issue 3")
    site.play("issue 2")
    page = site.get(path)
    assert page.headings[0] == "This question is over"
    assert "issue 3" in page.text
    assert "You answered it on Friday 20 November, 18:00 with issue 2" in page.text
    assert page.posts == []
    assert site.get(page.link("/games/")).headings[0] == "Coal by post"


def test_the_result_of_another_seat_is_not_shown(site: Site) -> None:
    first = site.post(site.turn(), {"orders": "issue 2"}).headers["Location"]
    number = first.rpartition("/")[2]
    assert site.get(f"{site.turn()}/sent/{number}", 404)
    assert site.get(f"{site.turn()}/sent/{10**30}", 404)


def test_a_turn_of_a_finished_game_shows_that_it_is_over(played: Played) -> None:
    site = played("over")
    token = site.office.tokens.make(TurnClaim(site.game, site.view().seats[0].seat, 0))
    assert "The game is over" in site.get(f"/t/{token}").text
    answer = site.get(site.post(f"/t/{token}", {"orders": "issue 9"}).headers["Location"])
    assert answer.headings[0] == "Your orders are not played"


def test_the_last_order_leads_to_the_whole_game_and_to_its_review(empty: Site) -> None:
    site = empty
    site.start(names=NAMES[:2], map="st_lucia")
    orders = site.play_on(1000).version
    site.start(names=NAMES[:2], map="st_lucia")
    site.play_on(orders - 2)
    while site.view().status == "running":
        answer = site.post(site.turn(), {"orders": site.asked().default()})
    page = site.get(answer.headers["Location"])
    assert page.link(f"/games/{site.game}")
    review = site.get(page.link(f"/archive/{site.game}/review"))
    assert "The review waits for its turn." in review.text
    counting.count(site.office, site.game, site.now)
    assert "The review waits for its turn." in site.get(f"/archive/{site.game}/review").text


def test_every_cube_is_put_on_a_box_by_a_link(played: Played) -> None:
    site = played("boxes")
    question = site.view().sheet.question(site.view().state)
    orders = [choice.order for choice in question.choices]
    first = orders[-1].split()[1]
    page = site.get(site.turn())
    assert "orders" not in page.form.hidden
    links = [parse_qs(urlsplit(link).query).get("put", []) for link in page.links]
    assert {order.split()[1] for order in orders} <= {puts[0] for puts in links if len(puts) == 1}
    half = site.get(f"{site.turn()}?put={first}")
    assert "orders" not in half.form.hidden
    whole = site.get(f"{site.turn()}?put={first}&put={orders[-1].split()[2]}")
    assert whole.form.hidden == {"orders": orders[-1]}
    assert "Your orders are played." in site.press(site.turn(), orders=orders[-1]).text
    assert site.view().log[-1].orders == orders[-1]


def test_the_topmost_empty_boxes_are_one_link(played: Played) -> None:
    site = played("boxes")
    link = next(link for link in site.get(site.turn()).links if link.count("put=") == 2)
    order = site.get(site.turn() + link).form.hidden["orders"]
    assert order == str(site.view().sheet.default(site.view().state))


@pytest.mark.parametrize("put", ["black>Z9/9", "", "x" * 4000, "red", ">"])
def test_boxes_that_cannot_be_chosen_are_left_out(played: Played, put: str) -> None:
    site = played("boxes")
    assert site.get(f"{site.turn()}?put={put}").text == site.get(site.turn()).text


def test_figures_that_decide_a_question_stand_beside_it(played: Played) -> None:
    site = played("started")
    while site.asked().sheet.phase(site.asked().state) != "turn_order":
        site.play()
    site.play("bid 1")
    page = site.get(site.turn())
    assert {"The auction so far", "What each place costs now"} <= set(page.headings)
    assert "highest bid" in page.text
    assert "At the end of this turn" in played("deliver").get(played("deliver").turn()).headings


def test_the_rules_stand_beside_every_question(played: Played) -> None:
    """Those of the map on the page, the fitting parts of the guide and of the rulings a tap away."""
    for form, phase in (("started", "issue_shares"), ("build", "build_track"), ("deliver", "move_goods")):
        site = played(form)
        page = site.get(site.turn())
        assert all(str(text) in page.text for text in site.asked().sheet.rule_texts())
        assert page.link(f"/how-to-play/age-of-steam#{phase}")
        assert page.link(f"/rulings/age-of-steam#{phase}")
        assert page.link("/maps/rust_belt")


def test_what_was_played_says_by_name_what_it_was_and_what_it_brought(played: Played) -> None:
    site = played("build")
    cash = next(
        row.cells["cash"] for row in site.view().sheet.rows(site.view().state) if row.seat == site.view().waiting_for
    )
    assert isinstance(cash, int)
    page = site.press(site.turn(), orders="build B1 NE-S; D1 N-S")
    assert page.headings[0] == "Your build is played"
    assert f"Cash ${cash} before, ${cash - 4} now" in page.text
    assert "Points −15 before, −13 now" in page.text
    assert "Income" not in page.text, "it is as it was"


def test_the_way_to_the_next_question_is_named_by_what_is_to_be_done(played: Played) -> None:
    site = played("deliver")
    site.log_in(site.number_asked())
    before = site.office.tokens.make(TurnClaim(site.game, site.view().waiting_for, 0))
    page = Page(site.client.get(f"/t/{before}", base_url=site.office.settings.public_url).text)
    assert "It is your turn. Turn 1 of" in page.text
    assert "Choose a delivery" in page.text
    assert "Answer now" not in page.text


# other games of the reader -----------------------------------------------------------------------------------


BASE = "https://play.example.org"


@pytest.fixture
def two(empty: Site) -> Site:
    """Ana is asked in a game alone on Barbados, and is logged in; the game of four comes after it."""
    empty.open(("Ana",), map="barbados", title="Alone")
    empty.log_in(0)
    empty.start_anew(map="rust_belt")
    return empty


def _answered(site: Site) -> str:
    """Ana answers in the game of four; returns the page of what became of it."""
    while site.view().seats[0].seat != site.asked().waiting_for:
        site.play()
    return site.result(site.play().id)


def test_the_page_after_an_answer_leads_to_the_other_game_of_who_is_logged_in(two: Site) -> None:
    text = two.client.get(_answered(two), base_url=BASE).text
    assert "It is also your turn in" in text
    assert "Alone" in text


def test_a_reader_who_is_not_logged_in_is_told_of_no_other_game(two: Site) -> None:
    assert "It is also your turn in" not in two.app.test_client().get(_answered(two), base_url=BASE).text


def test_the_game_whose_question_is_still_open_is_not_offered_as_another_one(two: Site) -> None:
    """Ana only plans ahead and is still asked here; what else waits for her is the other game alone."""
    while two.view().seats[0].seat != two.asked().waiting_for:
        two.play()
    number = two.send("always auto-pass")
    page = two.client.get(f"{two.turn()}/sent/{number}", base_url=BASE).text
    assert '<h2 id="elsewhere">Alone</h2>' in page


# waiting for robots -------------------------------------------------------------------------------------------------


SOON = 1.5
"""Seconds after which a page that waits has gone on, on a busy machine; robots answer at once here."""

HASTE = 40
"""How much robots think: how well they play is not what is asked here."""


@pytest.fixture
def against_rufus(empty: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    hasty = {key: replace(one, budget=HASTE) for key, one in thinking.CHARACTERS.items()}
    monkeypatch.setattr(thinking, "CHARACTERS", hasty)
    empty.open(("Ana",), map="st_lucia", robots=("rufus",))
    return empty


def let_robots_answer(site: Site) -> None:
    while site.view().robot_asked:
        robots.think(site.office, site.game, site.now)
        submissions.play_waiting(site.office, site.game, site.now)


def answer(site: Site, patience: float, pause: float) -> str:
    """Where the form leads after an answer; robots begin to think after a pause."""
    kept = site.app.extensions[context.EXTENSION]
    site.app.extensions[context.EXTENSION] = replace(kept, patience=patience)
    ended = threading.Event()

    def think() -> None:
        while not ended.is_set():
            time.sleep(pause)
            let_robots_answer(site)

    thread = threading.Thread(target=think)
    thread.start()
    try:
        return str(site.client.post(site.turn(), data={"orders": site.legal()}).headers["Location"])
    finally:
        ended.set()
        thread.join()
        site.app.extensions[context.EXTENSION] = kept


def test_an_answer_waits_for_those_of_robots_and_leads_to_the_next_question(
    against_rufus: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "ROBOTS_ANSWER", 60)  # a busy machine thinks for seconds
    for _ in range(4):
        where = answer(against_rufus, patience=60, pause=0.2)
        assert where.startswith("/t/")
        assert "?done=" in where
        let_robots_answer(against_rufus)


def test_it_does_not_wait_longer_than_a_moment(against_rufus: Site) -> None:
    site = against_rufus
    let_robots_answer(site)
    site.app.extensions[context.EXTENSION] = replace(site.app.extensions[context.EXTENSION], patience=60)
    where = ""
    while "/sent/" not in where:  # no robot answers here
        where = site.client.post(site.turn(), data={"orders": site.legal()}).headers["Location"]
    assert "is thinking" in site.client.get(where).text


def test_a_page_that_waits_goes_on_by_itself(chromium: Browser, against_rufus: Site) -> None:
    site = against_rufus
    let_robots_answer(site)
    number = 0
    while not site.view().robot_asked:
        number = site.play().id
    browser = chromium.new_context()
    page = browser.new_page()
    with serving(site.app) as root:
        page.goto(root + site.result(number))
        expect(page.get_by_text("is thinking")).to_be_visible()
        let_robots_answer(site)
        expect(page).to_have_title(re.compile("^Your turn: "), timeout=SOON * 1000)
        assert "?done=" in page.url
    browser.close()
