"""Somebody who knows nothing of the site, with a phone: finds a finished game, and a seat at a table, by clicks."""

from datetime import timedelta

import pytest
from playwright.sync_api import Browser, expect

from pbem.engine import catalog
from pbem.service.games import opening
from pbem.service.games.terms import Terms
from pbem.store.statuses import GameStatus
from tests.web.browsers import PHONE, serving
from tests.web.conftest import Played
from tests.web.site import Site


@pytest.fixture
def busy(played: Played) -> Site:
    """A game has ended, and a table of Ana's has a free seat."""
    site = played("over")
    new = opening.NewGame(
        "Two for Galway", "steam-power", "ireland", (), open_to=Terms(1, site.now + timedelta(days=6))
    )
    opening.open_game(site.office, site.host, new, site.now)
    return site


def test_a_new_game_shows_the_options_of_the_map_that_is_chosen_also_without_script(
    chromium: Browser, played: Played
) -> None:
    site = played("started")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    with serving(site.app) as root:
        page.goto(root + site.path(site.office.addresses.seat(site.game, 0)))
        page.get_by_role("button", name="Stay logged in").click()
        page.goto(f"{root}/new")
        for sheet in catalog.sheets():
            page.locator(f"[name=map][value='{sheet.game}/{sheet.slug}']").check()
            shown = page.locator(".option select:visible").all()
            assert [one.get_attribute("name") for one in shown] == [f"options.{one.key}" for one in sheet.options()]
    context.close()


def test_a_stranger_with_a_phone_watches_a_finished_game_and_takes_a_seat_by_clicks(
    chromium: Browser, busy: Site
) -> None:
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    with serving(busy.app) as root:
        page.goto(root)
        page.get_by_role("link", name="Archive", exact=True).first.tap()
        page.get_by_role("link", name=busy.view().title).first.tap()
        expect(page.get_by_role("heading", name="Final table")).to_be_visible()
        page.get_by_role("link", name="pbem", exact=True).tap()
        page.get_by_role("link", name="Join a table").tap()
        page.get_by_role("link", name="Take the last seat").tap()
        page.get_by_label("Your name").fill("Zoe")
        page.get_by_label("Your email address").fill("zoe@example.org")
        page.get_by_role("button", name="Send me the link to my seat").tap()
        expect(page.get_by_text("Check your email")).to_be_visible()
        letter = busy.letters("seat-at-table")[-1]
        game = letter.data["game"]
        page.goto(root + busy.path(busy.office.addresses.sit(game, letter.account_id, letter.data["key"])))
        page.get_by_role("button", name="Take the seat").tap()
        expect(page.get_by_role("heading", name="Two for Galway").first).to_be_visible()
        busy.game = game
        assert busy.view().status == GameStatus.RUNNING
        assert "Zoe" in [seat.name for seat in busy.view().seats]
    context.close()
    assert not complaints


def test_the_link_of_a_table_is_copied_with_one_press(chromium: Browser, played: Played) -> None:
    site = played("started")
    new = opening.NewGame(
        "Two for Galway", "steam-power", "ireland", (), open_to=Terms(1, site.now + timedelta(days=6))
    )
    opening.open_game(site.office, site.host, new, site.now)
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    with serving(site.app) as root:
        page.goto(root + site.path(site.office.addresses.seat(site.game, 0)))
        page.get_by_role("button", name="Stay logged in").click()
        page.goto(f"{root}/tables")
        page.get_by_role("button", name="Copy").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        link = page.get_by_label("Link to pass on").input_value()
        assert "/j/" in link
        assert page.evaluate("navigator.clipboard.readText()") == link
    context.close()
