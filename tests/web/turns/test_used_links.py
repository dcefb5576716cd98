"""A link answers its question. Used, it shows what was answered and opens no other question, whichever way it is tried.

Whoever has just answered with it goes on from that answer's page, and so does its player who is logged in.
"""

import re
from datetime import timedelta

import pytest

from pbem.engine import replace
from pbem.service.orders import submissions
from pbem.service.turns import standing_orders
from pbem.web.turns import onward
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site

TOKEN = re.compile(r"/t/([\w.=-]{20,})")
WAYS_IN = ("", "?plan", "?order=issue+1", "?build=1", "?typed=issue+1&check=1")


def answered(site: Site) -> str:
    """Play until somebody is asked twice in a row, and answer the first of these questions; the used link."""
    while True:
        asked, path, order = site.view().waiting_for, site.turn(), str(site.view().sheet.default(site.view().state))
        site.post(path, {"orders": order})
        if site.view().waiting_for == asked:
            return path


def foreign(page: Page, path: str) -> list[str]:
    """Tokens of turn pages other than that of the link."""
    own = path.rpartition("/")[2]
    return [token for token in TOKEN.findall(page.html) if token != own]


@pytest.fixture
def used(site: Site) -> str:
    """A used link of a player who is asked the next question as well."""
    return answered(site)


def number_of(site: Site) -> int:
    return site.submissions()[-1].id


@pytest.mark.parametrize("way", WAYS_IN)
def test_a_used_link_says_what_was_answered_and_opens_no_question(site: Site, used: str, way: str) -> None:
    page = site.get(used + way)
    assert page.headings[0] == "This question is over"
    assert f"with {site.view().log[-1].orders}" in page.text
    assert "the link to your seat" in page.text
    assert page.link("/login")
    assert (foreign(page, used), page.posts) == ([], [])


def test_the_result_page_leads_on_for_who_has_just_sent_and_for_an_hour(site: Site) -> None:
    used = answered(site)
    result = site.result(number_of(site))
    assert site.get(site.get_on(result)).form
    site.later(minutes=59)
    assert site.get_on(result)
    site.later(minutes=1)
    assert foreign(site.get(result), used) == []


def test_the_mark_of_a_result_is_in_the_answer_to_the_form_and_nowhere_else(site: Site) -> None:
    path = site.turn("issue 2")
    answer = site.post(path, {"orders": "issue 2"})
    assert "?on=" in answer.headers["Location"]
    again = site.post(path, {"orders": "issue 2"})
    assert "?on=" not in again.headers["Location"]
    assert "opened again" in site.get(again.headers["Location"]).text


def test_a_mark_is_good_for_no_other_result_and_cannot_be_made(site: Site, used: str) -> None:
    number = number_of(site)
    good = site.result(number).partition("?on=")[2]
    stamp, _, seal = good.partition("-")
    other = site.result(site.submissions()[0].id).partition("?on=")[2]
    later = f"{int(stamp) + 10}-{seal}"
    for mark in ("", "-", seal, f"{stamp}-", later, other, f"-{good}", "9" * 90, f"{'9' * 11}-{seal}", "é-é"):
        page = site.get(f"{used}/sent/{number}?on={mark}")
        assert foreign(page, used) == []
        assert not [form for form in page.posts if form.action.endswith("/back")]


def test_the_result_of_a_planning_page_leads_to_no_question_once_its_turn_is_over(site: Site) -> None:
    """Its link is good for that turn; the mark, which works for an hour, opens no question of the next one."""
    seat, turn = site.view().state.order[-1], site.view().sheet.turn(site.view().state)
    path = site.path(site.office.addresses.plan(site.game, seat, turn)).partition("?")[0]
    form = next(form for form in site.get(path).forms if form.id == "play")
    result = site.post(form.action, {**form.fields, "typed": "issue 0", "send": "typed"}).headers["Location"]
    assert "on=" in result
    while site.asked().waiting_for != seat:
        site.play()
    assert foreign(site.get(result), path), "while its turn lasts it leads to the question of its player"
    while site.asked().sheet.turn(site.asked().state) == turn or site.asked().waiting_for != seat:
        site.play()
    page = site.get(result)
    assert "issue 0" in page.text
    assert foreign(page, path) == []


def test_a_mark_is_over_when_the_seat_changes_hands(site: Site) -> None:
    """Even where a link itself would still open: the mark is that of who had the seat when it was made."""
    seat = site.view().seats[0]
    with site.app.test_request_context():
        mark = onward.mark(site.game, seat, 7)
    with site.app.test_request_context(f"/?on={mark}"):
        assert onward.has_just_sent(site.game, seat, 7)
        assert not onward.has_just_sent(site.game, replace(seat, holder=seat.holder + 1), 7)


def test_a_mark_of_orders_that_were_refused_leads_nowhere(site: Site) -> None:
    path = site.turn()
    refused = site.post(path, {"orders": "issue 99"}).headers["Location"]
    assert "on=" in refused
    site.post(path, {"orders": "issue 0"})
    while site.asked().waiting_for != site.view().log[1].seat:
        site.play()
    assert foreign(site.get(refused), path) == []


def test_orders_are_taken_back_from_a_used_link_by_who_has_just_sent_them_only(played: Played) -> None:
    site = played("started")
    site.start(grace=timedelta(minutes=10))
    path = site.turn()
    result = site.post(path, {"orders": "issue 2"}).headers["Location"]
    page, _, mark = result.partition("?")
    assert site.get(page).posts == []
    version = site.view().version
    assert "from your own link" in Page(site.post(f"{page}/back", {"do": "back"}, 403).text).text
    assert "from your own link" in Page(site.post(f"{page}/back", {"do": "ask"}, 403).text).text
    assert site.view().version == version
    site.post(f"{page}/back?{mark}", {"do": "back"})
    assert site.view().log[-1].cause == "taken-back"


def test_a_used_link_reads_and_changes_no_standing_orders(site: Site, used: str) -> None:
    view = site.view()
    first = number_of(site)
    second = submissions.submit(
        site.office,
        site.game,
        submissions.NewSubmission(view.waiting_for, "always auto-pass", None, "page"),
        site.later(minutes=1),
    )
    submissions.play_waiting(site.office, site.game, site.now)
    waiting = standing_orders.of_seat(site.office, site.game, view.waiting_for)
    assert waiting
    token = used.rpartition("/")[2]
    for way in WAYS_IN:
        assert "auto-pass" not in site.get(used + way).html
    site.get(f"{used}/sent/{second}", 404)
    site.get(f"{used}/sent/{first}")
    site.post(f"{used}/withdraw/{waiting[0].id}", {})
    site.post(f"{used}/steps", {}, 404)
    assert site.client.get(f"/api/v1/turn/{token}").status_code == 410
    assert site.client.post(f"/api/v1/turn/{token}/withdraw/{waiting[0].id}").status_code == 410
    assert site.client.get(f"/api/v1/turn/{token}/submissions/{second}").status_code == 404
    assert site.client.get(f"/api/v1/turn/{token}/submissions/{first}").status_code == 200
    assert standing_orders.of_seat(site.office, site.game, view.waiting_for) == waiting


def test_the_api_of_a_used_link_names_the_game_and_no_other_link(site: Site, used: str) -> None:
    token = used.rpartition("/")[2]
    over = site.client.get(f"/api/v1/turn/{token}")
    assert over.status_code == 410
    told = site.client.post(f"/api/v1/turn/{token}", json={"orders": "issue 1"}).json
    assert told is not None
    status = site.client.get(site.path(told["status"]))
    assert TOKEN.findall(over.text + status.text) == []


def test_the_player_who_is_logged_in_goes_on_from_a_used_link(site: Site, used: str) -> None:
    number = site.number_asked()
    root = site.office.settings.public_url
    for stranger in ((number + 1) % 4, number):
        site.log_in(stranger)
        for path in (used, f"{used}/sent/{number_of(site)}"):
            page = Page(site.client.get(path, base_url=root).text)
            assert bool(foreign(page, used)) == (stranger == number)


def test_a_link_for_planning_is_for_its_turn(site: Site) -> None:
    view = site.view()
    seat = view.waiting_for
    plan = site.path(site.office.addresses.plan(site.game, seat, 1)).partition("?")[0]
    result = site.post(plan, {"typed": "issue 1", "send": "typed"}).headers["Location"]
    assert "Your orders are played" in site.get(result).headings
    assert foreign(site.get(result.partition("?")[0]), plan) == []
    while site.asked().sheet.turn(site.asked().state) == 1 or site.asked().waiting_for != seat:
        site.play()
    later = submissions.submit(
        site.office,
        site.game,
        submissions.NewSubmission(seat, "issue 1\nbid max 1", None, "page"),
        site.later(minutes=1),
    )
    submissions.play_waiting(site.office, site.game, site.now)
    for way in WAYS_IN:
        page = site.get(plan + way)
        assert (foreign(page, plan), page.posts) == ([], [])
    assert foreign(site.get(result), plan) == []
    site.get(f"{plan}/sent/{later}", 404)
    api = plan.replace("/t/", "/api/v1/turn/")
    assert site.client.get(f"{api}/submissions/{later}").status_code == 404
    assert site.client.post(api, json={"orders": "issue 1"}).status_code == 410


def test_a_used_link_of_an_unlisted_game_shows_the_board_after_its_answer_and_no_later_one(empty: Site) -> None:
    empty.start(unlisted=True)
    path = empty.turn()
    empty.play("issue 2")
    board = empty.get(path).pictures[0]["src"]
    assert "at=1" in board
    assert empty.client.get(board).status_code == 200
    while empty.asked().version < 4:
        empty.play()
    page = empty.get(path)
    assert page.pictures[0]["src"] == board
    assert "Waiting for" not in page.text
    for other in (board.replace("at=1", "at=3"), board.replace("at=1", "at=0"), board.replace("at=1&", "")):
        assert empty.client.get(other).status_code == 404


def test_what_was_done_is_told_on_top_of_the_next_question_to_who_has_done_it(site: Site) -> None:
    """Others who open the address are told nothing of it, nor is the player of other orders."""
    while True:
        path, seat = site.turn(), site.asked().waiting_for
        on = site.post(path, {"orders": site.asked().default()}).headers["Location"]
        if site.asked().waiting_for == seat:
            break
    assert "done=" in on
    assert "Your orders are played." in site.get(on).text
    page, _, query = on.partition("?")
    for other in (
        "",
        "?done=1",
        f"?done={number_of(site)}",
        f"?{query.replace('on=', 'on=9')}",
        "?done=é",
        "?done=999999",
    ):
        assert "Your orders are played" not in site.get(page + other).text
    site.later(hours=1)
    assert "Your orders are played" not in site.get(on).text


def test_orders_are_taken_back_from_the_next_question(played: Played) -> None:
    site = played("started")
    site.start(grace=timedelta(minutes=10))
    while True:
        path, seat, version = site.turn(), site.asked().waiting_for, site.asked().version
        on = site.post(path, {"orders": site.asked().default()}).headers["Location"]
        if site.asked().waiting_for == seat:
            break
    (form,) = [form for form in site.get(on).forms if form.action.partition("?")[0].endswith("/back")]
    back = site.post(form.action, {"do": "back"}).headers["Location"]
    assert site.get(back).form
    assert (site.asked().waiting_for, site.asked().version) == (seat, version + 2)
    assert site.view().log[-2].taken_back
