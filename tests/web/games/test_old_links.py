"""Links that were good once: of seats that have changed hands, and to unlisted games."""

from datetime import timedelta

import pytest

from pbem.service.games import departures, invitations, members, open_tables, seat_changes, terms, watching
from pbem.service.orders import submissions
from pbem.service.people import feeds
from tests.web.conftest import Played
from tests.web.site import Site

# a seat that has changed hands -------------------------------------------------------------------------------


SENTENCE = "The seat has changed hands"
PLAN = "pass"


@pytest.fixture
def site(played: Played) -> Site:
    return played("started")


def somebody_else(site: Site, number: int) -> None:
    """The player of a seat resigns, and Fay takes it."""
    departures.resign(site.office, site.game, number, site.later(minutes=5))
    offer = members.free_seats(site.office, None)[0].id
    fay = site.account("Fay")
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


# unlisted games ----------------------------------------------------------------------------------------------


TITLE = "Coal by post"


def _offer(site: Site, address: str) -> str:
    """The link of a letter that asks somebody to take the seat of a player who has resigned."""
    departures.resign(site.office, site.game, 1, site.later(minutes=5))
    seat_changes.ask_somebody(site.office, site.game, site.host, 1, address, site.now)
    letter = next(row for row in site.letters("substitute-wanted") if site.read(row).envelope.to == address)
    return site.path(site.office.addresses.offer(letter.data["offer"], letter.account_id))


@pytest.mark.parametrize("unlisted", [True, False])
def test_who_is_asked_to_take_a_seat_sees_the_game_until_somebody_else_has_it(empty: Site, unlisted: bool) -> None:
    empty.start_anew(unlisted=unlisted)
    path = _offer(empty, "gil@example.org")
    assert TITLE in empty.get(path).text
    (offer,) = {row.data["offer"] for row in empty.letters("substitute-wanted")}
    seat_changes.take(empty.office, offer, empty.account("Fay"), empty.now)
    late = empty.client.get(f"{path}?taken={empty.game}")
    assert late.status_code == (404 if unlisted else 200)
    assert "This seat is no longer free" in late.text or not unlisted
    assert (TITLE in late.text) is not unlisted
    assert empty.client.post(path).status_code == (404 if unlisted else 409)


def test_who_declined_does_not_see_the_game(empty: Site) -> None:
    empty.open(unlisted=True)
    path = f"/games/{empty.game}"
    ben = empty.account("Ben")
    assert watching.may_look(empty.office, empty.game, ben)
    empty.answer(1, accept=False)
    assert not watching.may_look(empty.office, empty.game, ben)
    invitation = empty.path(empty.office.addresses.invitation(empty.game, 1))
    assert "You can change your answer until the game starts." in empty.get(invitation).text
    invitations.invite(empty.office, empty.game, empty.host, 1, "fay@example.org", empty.now)
    assert empty.client.get(invitation).status_code == 404
    assert empty.client.post(invitation, data={"answer": "accept"}).status_code == 404
    assert empty.client.get(path).status_code == 404


def test_a_withdrawn_invitation_to_a_listed_game_says_so(empty: Site) -> None:
    empty.open()
    invitation = empty.path(empty.office.addresses.invitation(empty.game, 1))
    invitations.withdraw(empty.office, empty.game, empty.host, 1, empty.now)
    answer = empty.client.post(invitation, data={"answer": "accept"})
    assert answer.status_code == 409
    assert "no longer valid" in answer.text


def test_the_feed_of_somebody_invited_in_the_place_of_another_has_a_link_that_works(empty: Site) -> None:
    empty.open(unlisted=True)
    invitations.invite(empty.office, empty.game, empty.host, 1, "fay@example.org", empty.now)
    fay = empty.account("Fay")
    made = feeds.renew(empty.office, fay, empty.now)
    page = empty.client.get(empty.path(made.atom)).text
    invitation = empty.office.addresses.invitation(empty.game, 1, holder=empty.view().seats[1].holder)
    assert invitation in page
    assert TITLE in empty.get(empty.path(invitation)).text


def test_a_link_to_a_seat_shows_no_table_that_its_reader_cannot_join_any_more(empty: Site) -> None:
    until = empty.now + timedelta(days=1)
    empty.open(players=(), unlisted=True, open_to=terms.Terms(3, until, listed=False))
    with empty.office.read() as session:
        table = terms.of(session, empty.game)
        assert table is not None
        key = table.link_key
    gil = empty.account("Gil")
    path = empty.path(empty.office.addresses.sit(empty.game, gil, key))
    assert TITLE in empty.get(path).text
    open_tables.revoke_link(empty.office, empty.game, empty.host, empty.now)
    assert TITLE not in empty.get(path).text
