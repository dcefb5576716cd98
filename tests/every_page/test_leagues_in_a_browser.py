"""A league in a real browser: opened by its host, joined by who was invited, followed when it has begun."""

from datetime import timedelta

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.every_page.looking import Looker, looking
from tests.web.browsers import DESKTOP, PHONE, serving
from tests.web.conftest import Played
from tests.web.site import Site
from workers import clock

SIZES: tuple[ViewportSize, ...] = (
    {"width": PHONE["width"], "height": PHONE["height"]},
    {"width": DESKTOP["width"], "height": DESKTOP["height"]},
)
pytestmark = pytest.mark.slow


def _opened_by(page: Page, root: str, site: Site) -> None:
    """The host logs in, comes to the form by links, and opens a league."""
    page.goto(root + site.path(site.office.addresses.seat(site.game, 0)))
    page.get_by_role("button", name="Stay logged in").click()
    page.goto(root)
    page.get_by_role("link", name="Leagues").first.click()
    page.get_by_role("link", name="New league").first.click()


def _filled_in(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("Winter league")
    page.get_by_label("Detroit Bankruptcy").first.check()
    page.locator("#robots").fill("2")
    page.locator("#invited").fill("ben@example.org")
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("heading", name="Winter league", level=1)).to_be_visible()


@pytest.mark.parametrize("size", SIZES, ids=("phone", "desk"))
def test_a_league_is_opened_joined_followed_by_clicks(chromium: Browser, played: Played, size: ViewportSize) -> None:
    site, faults = played("started"), []
    with serving(site.app) as root, looking(chromium, root) as host:
        host.page.set_viewport_size(size)
        _opened_by(host.page, root, site)
        faults += host.kept_out(size)
        _filled_in(host.page)
        faults += host.kept_out(size)
        address = host.page.url
        with looking(chromium, root) as guest:
            faults += _joined(guest, site, size)
        site.later(days=8)
        for _ in range(2):
            clock.tick(site.office, site.now, lambda *_: None)
        host.page.goto(address)
        expect(host.page.get_by_role("heading", name="Division 1")).to_be_visible()
        faults += host.kept_out(size)
        host.page.get_by_role("link", name="Detroit Bankruptcy").first.click()
        expect(host.page.locator("h1")).to_contain_text("Winter league")
    assert site.now > site.view().opened_at + timedelta(days=7)
    assert not faults, "\n".join(faults)


def _joined(guest: Looker, site: Site, size: ViewportSize) -> list[str]:
    """Ben follows the link of his email and takes part."""
    letter = next(one for one in site.letters("league-invitation") if site.read(one).envelope.to == "ben@example.org")
    guest.open(site.path(site.read(letter).own.link))
    faults = guest.kept_out(size)
    guest.page.get_by_role("button", name="Take part").click()
    expect(guest.page.get_by_text("You take part").first).to_be_visible()
    return [*faults, *guest.kept_out(size)]
