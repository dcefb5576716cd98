"""Rights end with the seat: whoever resigned, was removed, was replaced or has no account any more is a stranger.

Everything that somebody with a seat can do, or is told, is tried before and after; ``RIGHTS`` is the list of it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest

from pbem.service import NoSuch, NotNow
from pbem.service.base import NewLetter
from pbem.service.base.tokens import SeatClaim, Tokens
from pbem.service.base.urls import Addresses
from pbem.service.email_in import replies
from pbem.service.games import account_deletion, departures, game_lists, seat_changes, votes, watching
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.letters import webhook_messages
from pbem.service.letters.kinds.orders import Caretaker
from pbem.service.people import feeds, webhooks
from pbem.service.turns import standing_orders
from pbem.web import create_app
from pbem.web.base.context import cookie_name
from tests import templates
from tests.service.letters.test_webhooks import deliver, messages
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site

ADDRESS = "https://hooks.example.org/"


@dataclass
class Person:
    """Ana, host and player of an unlisted game, who is asked; with all the addresses she has got hold of."""

    site: Site
    seat: str
    turn: str
    plan: str
    result: str
    invitation: str
    vote: str
    pictures: list[str]
    feed: list[str]
    letter: int

    def opens(self, path: str) -> bool:
        """Whether an address shows something, in a browser in which she is logged in."""
        answer = self.site.client.get(path, base_url=self.site.office.settings.public_url)
        assert answer.status_code in (200, 403, 404), (path, answer.status_code)
        return answer.status_code == 200

    def as_guest(self, path: str) -> bool:
        """The same in another browser."""
        return self.site.app.test_client().get(path).status_code == 200


@pytest.fixture
def ana(empty: Site) -> Person:
    site, office = empty, empty.office
    site.start(unlisted=True)
    site.send_all()
    while site.asked().waiting_for != site.view().seats[0].seat or site.asked().version < 2:
        site.play()
    site.send_all()
    game, colour, now = site.game, site.view().seats[0].seat, site.now
    webhooks.add(office, site.host, "json", f"{ADDRESS}own", "", now)
    webhooks.add(office, site.host, "json", f"{ADDRESS}game", game, now)
    site.send("issue 99")
    turn, plan = site.turn(), site.path(office.addresses.plan(game, colour, site.view().sheet.turn(site.view().state)))
    site.play("always auto-pass", seat=colour, version=None)
    vote = votes.ask(office, game, 1, EndingEarly(), now)
    made = feeds.renew(office, site.host, now)
    seat = site.path(office.addresses.seat(game, 0))
    result = site.result(site.submissions()[-2].id)
    pictures = [site.get(path).pictures[0]["src"] for path in (seat, turn)]
    site.log_in(0)
    letter = next(row.id for row in reversed(site.letters("your-turn")) if row.account_id == site.host)
    return Person(
        site,
        seat,
        turn,
        plan,
        result,
        site.path(office.addresses.invitation(game, 0)),
        site.path(office.addresses.vote(vote, 0, 0)),
        pictures,
        [site.path(made.atom), site.path(made.calendar)],
        letter,
    )


def hosts(person: Person) -> bool:
    """Whether she may do what only the host may."""
    site = person.site
    try:
        watching.open_link(site.office, site.game, site.host, site.now)
    except NotNow:
        return False
    return True


def may_answer_by_mail(person: Person) -> bool:
    try:
        replies.sender(person.site.office, person.letter, "", "a mail")
    except (NotNow, NoSuch):
        return False
    return True


def is_told(person: Person, where: str) -> bool:
    """Whether one of her webhooks is told of the next question that is put to her seat, or to anybody."""
    site, seat = person.site, person.site.view().seats[0].seat
    with site.office.game(site.game, site.now) as work:
        webhook_messages.turn(work, work.seat(seat), again=True)
    called = [
        call.url for row in messages(site, "waiting") if (call := webhook_messages.claim(site.office, row.id, site.now))
    ]
    site.later(seconds=1)
    return ADDRESS + where in called


def has_standing_orders(person: Person) -> bool:
    site = person.site
    return bool(standing_orders.of_seat(site.office, site.game, site.view().seats[0].seat))


def page_of(person: Person, part: str = "") -> bool:
    return person.opens(f"/games/{person.site.game}{part}")


def may_talk(person: Person) -> bool:
    site, root = person.site, person.site.office.settings.public_url
    path = f"/games/{site.game}/talk"
    answer = site.client.post(path, data={"say": "hello", "mark": "wrong"}, base_url=root)
    return "belongs to another browser" in answer.text  # only the mark is wrong


RIGHTS: dict[str, Callable[[Person], bool]] = {
    "link of the seat": lambda p: p.as_guest(p.seat),
    "people by the link of the seat": lambda p: p.as_guest(f"{p.seat}/people"),
    "turn link": lambda p: p.as_guest(p.turn),
    "turn link of the API": lambda p: p.as_guest(p.turn.replace("/t/", "/api/v1/turn/")),
    "link for planning": lambda p: p.as_guest(p.plan),
    "page of a result": lambda p: p.as_guest(p.result),
    "invitation": lambda p: p.as_guest(p.invitation),
    "vote": lambda p: p.as_guest(p.vote),
    "picture of the seat's page": lambda p: p.as_guest(p.pictures[0]),
    "picture of the turn page": lambda p: p.as_guest(p.pictures[1]),
    "page of the game": page_of,
    "people of the game": lambda p: page_of(p, "/people"),
    "record": lambda p: page_of(p, "/record.json"),
    "picture when logged in": lambda p: page_of(p, "/map.png"),
    "talk": may_talk,
    "question in the feed": lambda p: "Coal by post" in p.site.client.get(p.feed[0]).text,
    "deadline in the calendar": lambda p: "Coal by post" in p.site.client.get(p.feed[1]).text.replace("\r\n ", ""),
    "game in the own list": lambda p: bool(game_lists.lobby(p.site.office, p.site.host).your_turn),
    "orders ahead": has_standing_orders,
    "answering by mail": may_answer_by_mail,
    "own webhook": lambda p: is_told(p, "own"),
    "webhook of the game": lambda p: is_told(p, "game"),
    "webhooks for the game": lambda p: bool(webhooks.hosted(p.site.office, p.site.host)),
    "host": hosts,
}


def resigns(person: Person) -> None:
    departures.resign(person.site.office, person.site.game, 0, person.site.later(minutes=5))


def is_removed(person: Person) -> None:
    site = person.site
    with site.office.game(site.game, site.later(minutes=5)) as work:
        departures.leave(work, work.numbered(0), "removed")


def is_replaced(person: Person) -> None:
    site = person.site
    with site.office.game(site.game, site.now) as work:
        assert seat_changes.offer_seat(work, work.numbered(0))
        offer = seat_changes.open_offer(work, work.numbered(0))
        assert offer is not None
        number = offer.id
    seat_changes.take(site.office, number, site.account("Fay"), site.later(minutes=5))


def resigns_and_is_followed(person: Person) -> None:
    resigns(person)
    offer = person.site.letters("substitute-wanted")[0].data["offer"]
    seat_changes.take(person.site.office, offer, person.site.account("Fay"), person.site.later(minutes=5))


def deletes_the_account(person: Person) -> None:
    account_deletion.delete(person.site.office, person.site.host, "ana@example.org", person.site.later(minutes=5))


WAYS_OUT = [resigns, is_removed, is_replaced, resigns_and_is_followed, deletes_the_account]


def test_whoever_has_a_seat_has_every_right_of_the_list(ana: Person) -> None:
    assert {name for name, has in RIGHTS.items() if not has(ana)} == set()


@pytest.mark.parametrize("leaves", WAYS_OUT)
def test_rights_end_with_the_seat(ana: Person, leaves: Callable[[Person], None]) -> None:
    leaves(ana)
    assert {name for name, has in RIGHTS.items() if has(ana)} == set()


@pytest.mark.parametrize("leaves", WAYS_OUT)
def test_links_of_who_left_an_unlisted_game_are_of_no_game(ana: Person, leaves: Callable[[Person], None]) -> None:
    leaves(ana)
    no_game = ana.site.client.get("/games/nothing")
    for path in (ana.seat, ana.turn, ana.plan, ana.result, ana.invitation, ana.vote, *ana.pictures):
        answer = ana.site.app.test_client().get(path)
        assert (path, answer.status_code) == (path, no_game.status_code)
        assert "Coal by post" not in answer.text
        assert "changed hands" not in answer.text
    for path in (ana.turn, ana.plan):
        assert ana.site.client.post(path, data={"orders": "pass"}).status_code == 404
        assert ana.site.client.get(path.replace("/t/", "/api/v1/turn/")).status_code == 404
        assert ana.site.client.post(path.replace("/t/", "/api/v1/turn/"), json={"orders": "x"}).status_code == 404
    assert ana.site.client.post(ana.invitation, data={"answer": "accept"}).status_code == 404


@pytest.mark.parametrize("leaves", WAYS_OUT)
def test_what_waits_to_be_told_is_told_to_nobody_who_has_left(ana: Person, leaves: Callable[[Person], None]) -> None:
    site = ana.site
    with site.office.game(site.game, site.now) as work:
        webhook_messages.turn(work, work.numbered(0), again=True)
    waiting = len(messages(site, "waiting"))
    assert waiting >= 2
    leaves(ana)
    assert deliver(site) == []
    token = site.office.tokens.make(SeatClaim(site.game, 0, site.view().seats[0].holder))
    own = [row.id for row in site.letters() if row.account_id == site.host and row.seat_number == 0]
    site.send_all()
    sent = [row for row in site.letters(status="sent") if row.id in own and row.sent_at == site.now]
    assert not any(token in str((site.read(row).links, site.read(row).own)) for row in sent)


def test_a_host_who_hands_over_keeps_the_seat_and_no_right_of_a_host(ana: Person) -> None:
    site = ana.site
    seat_changes.hand_over(site.office, site.game, site.host, 1, site.now)
    assert {name for name, has in RIGHTS.items() if not has(ana)} == {
        "webhook of the game", "webhooks for the game", "host",
    }  # fmt: skip
    assert [webhook.game for webhook in webhooks.mine(site.office, site.host)] == [""]


def test_a_letter_that_waits_while_its_seat_changes_hands_is_not_sent(ana: Person) -> None:
    site = ana.site
    with site.office.game(site.game, site.now) as work:
        work.write(NewLetter(Caretaker(), "waits", site.host, game=work.game, seat=work.numbered(0)))
    is_replaced(ana)
    site.send_all()
    (row,) = [row for row in site.letters("caretaker") if row.key == "waits"]
    assert (row.status, row.last_error) == ("withdrawn", "the seat has changed hands")


def test_the_host_who_leaves_last_is_no_host_any_more(ana: Person) -> None:
    site = ana.site
    for number in (1, 2, 3, 0):
        departures.resign(site.office, site.game, number, site.later(minutes=5))
    assert site.view().status == "over"
    assert not hosts(ana)
    assert not page_of(ana)


ANOTHER = "another key of the same server"


@contextmanager
def keyed(site: Site, *old: str) -> Iterator[Site]:
    """The same server after a restart with another key; the browser has kept its cookies."""
    before = site.office, site.app, site.client
    tokens = Tokens(ANOTHER, old)
    settings = replace(site.office.settings, secret_key=ANOTHER, old_secret_keys=old)
    site.office = replace(
        site.office, settings=settings, tokens=tokens, addresses=Addresses(settings.public_url, tokens)
    )
    site.app = templates.shared(create_app(office=site.office, clock=lambda: site.now, patience=0))
    site.client = site.app.test_client()
    if kept := before[2].get_cookie(cookie_name(settings), domain="play.example.org"):
        site.client.set_cookie(cookie_name(settings), kept.value)
    yield site
    site.office, site.app, site.client = before


def links(site: Site) -> dict[str, str]:
    """Links as letters and pages hold them."""
    to, game = site.office.addresses, site.game
    feed = feeds.renew(site.office, site.host, site.now)
    return {
        "turn": site.turn(),
        "seat": site.path(to.seat(game, 1)),
        "invitation": site.path(to.invitation(game, 1)),
        "unsubscribe": site.path(to.unsubscribe(site.host, game, "your-turn")),
        "feed": site.path(feed.atom),
        "calendar": site.path(feed.calendar),
    }


def test_links_in_letters_hold_while_the_old_key_is_known(site: Site) -> None:
    written = links(site)
    with keyed(site, site.office.settings.secret_key):
        for path in written.values():
            assert site.client.get(path).status_code == 200
        assert links(site)["turn"] != written["turn"]
        page = site.press(written["turn"], send="typed", typed=site.legal())
        assert "played" in page.headings[0]


def test_without_the_old_key_every_link_is_void_and_a_new_letter_is_asked_for(site: Site) -> None:
    written = links(site)
    with keyed(site):
        assert {site.client.get(path).status_code for path in written.values()} == {404}
        assert site.client.get(site.turn()).status_code == 200
        site.client.post("/login", data={"address": "ana@example.org"})
        letter = site.read(site.letters("login")[-1])
        assert site.press(site.path(letter.own.link)).headings


@pytest.mark.parametrize("known", [True, False])
def test_who_is_logged_in_stays_so_with_any_key(site: Site, known: bool) -> None:
    site.log_in()
    old = [site.office.settings.secret_key] if known else []
    with keyed(site, *old):
        assert site.client.get("/account").status_code == 200


def test_a_form_that_was_open_can_be_sent_while_the_old_key_is_known(site: Site) -> None:
    site.log_in()
    mark = Page(site.client.get("/account", base_url="https://play.example.org").text).posts[0].hidden["mark"]
    with keyed(site, site.office.settings.secret_key):
        site.post("/account/name", {"name": "Anna", "mark": mark})
    with keyed(site):
        site.post("/account/name", {"name": "Anna", "mark": mark}, code=403)


def test_pictures_of_an_unlisted_game_are_shown_by_addresses_made_with_the_old_key(empty: Site) -> None:
    empty.start(unlisted=True)
    page = empty.get(empty.path(empty.office.addresses.seat(empty.game, 1)))
    picture = next(found["src"] for found in page.pictures if "/map.png" in found["src"])
    with keyed(empty, empty.office.settings.secret_key):
        assert empty.client.get(picture).status_code == 200
    with keyed(empty):
        assert empty.client.get(picture).status_code == 404


def test_no_die_and_no_commitment_depends_on_the_key(played: Played) -> None:
    one, other = played("started"), played("started")
    commitment = one.view().commitment
    one.play_on(60)
    with keyed(other):
        other.play_on(60)
        assert other.view().commitment == commitment
        assert other.view().state == one.view().state
