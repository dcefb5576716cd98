"""The page of a game on which somebody else is asked, in a real browser: it looks by itself for what has happened."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from pbem.service.base.tokens import SeatClaim
from tests.web.browsers import serving
from tests.web.site import Site

LONG = 31_000
"""Milliseconds after which a page has looked."""


@pytest.fixture
def ana(chromium: Browser, site: Site) -> Iterator[Page]:
    """Ana's browser, on the page of the game; Ben is asked."""
    context = chromium.new_context()
    page = context.new_page()
    page.clock.install()
    with serving(site.app) as root:
        page.goto(root + site.path(site.office.addresses.seat(site.game, 0)))
        page.get_by_role("button", name="Stay logged in").click()
        yield page
        context.close()


def play_until_ana_is_asked(site: Site) -> None:
    while next(seat.name for seat in site.view().seats if seat.seat == site.asked().waiting_for) != "Ana":
        site.play()


def test_it_is_loaded_anew_when_it_is_the_readers_turn(ana: Page, site: Site) -> None:
    expect(ana.get_by_text("Waiting for Ben")).to_be_visible()
    before = site.view().version
    ana.clock.run_for(LONG)
    expect(ana.get_by_role("link", name="Answer now")).to_have_count(0)
    assert site.view().version == before, "to look changes nothing"
    play_until_ana_is_asked(site)
    ana.clock.run_for(LONG)
    expect(ana.get_by_role("link", name="Answer now")).to_be_visible()
    assert ana.locator("[data-stand]").count() == 0, "who is asked does not wait"


def test_it_disturbs_nobody_who_types(ana: Page, site: Site) -> None:
    ana.get_by_label("Say something").click()
    ana.keyboard.type("Good luck, al")
    play_until_ana_is_asked(site)
    ana.clock.run_for(LONG)
    told = ana.get_by_text("The game has moved on.")
    expect(told).to_be_visible()
    ana.keyboard.type("l!")
    ana.clock.run_for(LONG)
    expect(ana.get_by_label("Say something")).to_have_value("Good luck, all!")
    ana.get_by_role("link", name="Show it now").click()
    expect(ana.get_by_role("link", name="Answer now")).to_be_visible()


def test_spectators_and_who_follows_a_private_link_are_told_too(site: Site) -> None:
    page = site.get(f"/s/{site.office.tokens.make(SeatClaim(site.game, 0))}")
    at = page.html.partition('data-at="')[2].partition('"')[0]
    assert page.html.partition('data-stand="')[2].partition('"')[0] == site.client.get(at).text
    site.play()
    assert site.client.get(at).text not in page.html


def test_without_script_there_is_a_link(chromium: Browser, site: Site) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    with serving(site.app) as root:
        page.goto(root + site.path(site.office.addresses.seat(site.game, 0)))
        play_until_ana_is_asked(site)
        page.get_by_role("link", name="Look again").click()
        expect(page.get_by_role("link", name="Answer now")).to_be_visible()
    context.close()
