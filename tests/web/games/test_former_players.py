"""Links of a seat that has changed hands: whoever had it before sees the public page, and nothing of who has it now."""

import pytest

from pbem.service.games import departures, members, seat_changes
from pbem.service.orders import submissions
from pbem.service.people import accounts
from tests.web.conftest import Played
from tests.web.site import Site

SENTENCE = "The seat has changed hands"
PLAN = "pass"


@pytest.fixture
def site(played: Played) -> Site:
    return played("started")


def somebody_else(site: Site, number: int) -> None:
    """The player of a seat resigns, and Fay takes it."""
    departures.resign(site.office, site.game, number, site.later(minutes=5))
    offer = members.free_seats(site.office, None)[0].id
    with site.office.write() as session:
        fay = accounts.account(session, "fay@example.org", "Fay", site.now).id
    seat_changes.take(site.office, offer, fay, site.later(minutes=5))


def links(site: Site) -> tuple[str, str, int]:
    """The turn page of the seat that is asked, its page of a result, and the number of the seat."""
    view, turn = site.view(), site.turn()
    number = site.send("issue 99")
    seat = next(seat.number for seat in view.seats if seat.seat == view.waiting_for)
    return turn, f"{turn}/sent/{number}", seat


def test_neither_turn_page_nor_result_of_a_former_player_leads_on(site: Site) -> None:
    turn, result, seat = links(site)
    site.get(result)
    somebody_else(site, seat)
    version = site.view().version
    for path in (turn, result):
        assert SENTENCE in site.get(path, 403).text
    for path in (turn, f"{result}/back"):
        assert SENTENCE in site.post(path, {"orders": "pass"}, 403).text
    assert site.client.post(f"{turn.replace('/t/', '/api/v1/turn/')}", json={"orders": "pass"}).status_code == 403
    assert site.view().version == version


def test_what_the_new_player_orders_is_not_shown_to_the_former_one(site: Site) -> None:
    turn, _, seat = links(site)
    colour = site.view().seats[seat].seat
    old_plan = site.path(site.office.addresses.plan(site.game, colour, 1, 0)).partition("?")[0]
    somebody_else(site, seat)
    number = submissions.submit(site.office, site.game, submissions.NewSubmission(colour, PLAN, None, "page"), site.now)
    for path in (turn, old_plan):
        assert SENTENCE in site.get(f"{path}/sent/{number}", 403).text
        answer = site.client.get(f"{path.replace('/t/', '/api/v1/turn/')}/submissions/{number}")
        assert answer.status_code == 403
        assert answer.json is not None
        assert SENTENCE in answer.json["error"]


def test_links_of_a_seat_that_nobody_has_open_nothing(site: Site) -> None:
    turn, result, seat = links(site)
    departures.resign(site.office, site.game, seat, site.later(minutes=5))
    for path in (turn, result):
        site.get(path, 403)


def test_the_new_player_plays_and_keeps_his_own_results(site: Site) -> None:
    _, _, seat = links(site)
    somebody_else(site, seat)
    turn, result, again = links(site)
    assert again == seat
    site.get(turn)
    site.press(turn, orders=site.legal())
    site.later(minutes=5)
    for path in (turn, result):
        site.get(path)


def test_links_of_all_others_are_as_they_were(site: Site) -> None:
    turn, result, seat = links(site)
    other = next(other.number for other in site.view().seats if other.number != seat)
    site.later(minutes=1)
    site.play()
    somebody_else(site, other)
    for path in (turn, result):
        site.get(path)
