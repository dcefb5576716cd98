"""A host changes the secret key: what keeps working, what does not, and what has nothing to do with it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from pbem.service.base.tokens import Tokens
from pbem.service.base.urls import Addresses
from pbem.service.people import feeds
from pbem.web import create_app
from pbem.web.base.context import cookie_name
from tests import templates
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site

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
