"""From nothing to a game on a map of one's own, in a browser without scripts."""

from playwright.sync_api import Browser, expect
from sqlalchemy import select

from pbem.store.tables import OwnMapVersion
from tests.drawn import SMALL
from tests.web.browsers import PHONE, serving
from tests.web.site import Site
from workers import trying


def test_a_map_is_drawn_tried_and_played_without_a_script(site: Site, chromium: Browser) -> None:
    page = chromium.new_context(java_script_enabled=False, viewport=PHONE).new_page()
    with serving(site.app) as root:
        page.goto(root + site.path(site.office.addresses.seat(site.game, 0)))
        page.get_by_role("button", name="Stay logged in").click()
        page.goto(f"{root}/maps")
        page.get_by_role("link", name="Draw a map of your own").click()
        page.get_by_label("Name of the map").fill("Douro")
        page.get_by_role("button", name="Draw it").click()
        expect(page.get_by_text("A map needs two Cities at least.")).to_be_visible()
        page.get_by_role("textbox", name="The map as text").fill(SMALL)
        page.get_by_role("button", name="Save", exact=True).click()
        page.get_by_role("button", name="Play it").click()
        expect(page.get_by_text("Robots are trying this map")).to_be_visible()
        trying.try_out(site.office, site.only(select(OwnMapVersion.id)))
        page.reload()
        page.get_by_role("button", name="Against 3 robots").click()
        expect(page.get_by_role("heading", name="Douro")).to_be_visible()
        assert "/games/" in page.url
    page.context.close()
