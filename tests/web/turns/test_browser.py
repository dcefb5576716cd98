"""One game turn in a real browser: a build, without JavaScript and with it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests.web.browsers import DESKTOP, PHONE, press, serving
from tests.web.conftest import Played
from tests.web.site import Site


@pytest.fixture
def served(played: Played) -> Iterator[tuple[Site, str]]:
    """A game whose seat to act builds track, and where it is served."""
    site = played("build")
    with serving(site.app) as root:
        yield site, root


def _open(chromium: Browser, script: bool, size: ViewportSize, address: str) -> tuple[Page, list[str]]:
    """A page of a new browser, and what it complains about."""
    context = chromium.new_context(
        java_script_enabled=script, viewport={"width": size["width"], "height": size["height"]}
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    return page, complaints


@pytest.mark.parametrize("script", [False, True], ids=["without-javascript", "with-javascript"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_a_build_is_played_by_pressing_hexes_and_tiles(
    chromium: Browser, served: tuple[Site, str], script: bool, size: ViewportSize
) -> None:
    site, root = served
    seat = site.view().waiting_for
    page, complaints = _open(chromium, script, size, root + site.turn())
    expect(page.locator("#list")).to_be_visible(visible=not script)
    press(page.locator("#list a[href*='hex=B1#']"))
    expect(page.get_by_role("heading", name="Hex B1: plain")).to_be_visible()
    page.locator("#tiles").get_by_role("link", name="NE-S on B1").click()
    expect(page.locator(".send")).to_contain_text("Tiles: 1 of 3")
    press(page.locator("#list a[href*='hex=D1#']"))
    page.locator("#tiles").get_by_role("link", name="N-S on D1").first.click()
    expect(page.locator("#draft")).to_contain_text("Completes Duluth–Minneapolis")
    page.get_by_role("button", name="Build this for $4").click()
    expect(page.get_by_role("heading", name="Your build is played")).to_be_visible()
    assert site.view().log[-1].orders == "build B1 NE-S; D1 N-S"
    assert site.view().log[-1].seat == seat
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"] if script else True
    assert complaints == []
    page.context.close()


def test_an_answer_that_comes_late_does_not_undo_a_later_press(chromium: Browser, served: tuple[Site, str]) -> None:
    site, root = served
    page, complaints = _open(chromium, True, DESKTOP, root + site.turn())
    press(page.locator("#list a[href*='hex=B1#']"))
    page.locator("#tiles").get_by_role("link", name="NE-S on B1").click()
    expect(page.locator(".send")).to_contain_text("Tiles: 1 of 3")
    late: list[Route] = []
    page.route(re.compile("steps=B1.*&hex=D1"), lambda route: late.append(route))
    press(page.locator("#list a[href*='hex=D1#']"))
    page.locator("#tiles").get_by_role("link", name="N-S on D1").first.click()
    expect(page.locator("#draft")).to_contain_text("Completes Duluth–Minneapolis")
    with page.expect_response(re.compile("hex=D1")) as answered:
        late[0].continue_()
    answered.value.finished()
    page.wait_for_timeout(200)
    expect(page.locator("#draft")).to_contain_text("Completes Duluth–Minneapolis")
    assert complaints == []
    page.context.close()


def test_where_no_answer_comes_the_browser_goes_to_the_page(chromium: Browser, served: tuple[Site, str]) -> None:
    site, root = served
    page, _ = _open(chromium, True, DESKTOP, root + site.turn())
    page.route(
        re.compile("hex=B1"),
        lambda route: route.continue_() if route.request.is_navigation_request() else route.abort(),
    )
    with page.expect_navigation(url=re.compile("hex=B1")):
        press(page.locator("#list a[href*='hex=B1#']"))
    expect(page.get_by_role("heading", name="Hex B1: plain")).to_be_visible()
    page.context.close()


def test_the_script_swaps_the_builder_in_place_and_back_undoes(chromium: Browser, served: tuple[Site, str]) -> None:
    site, root = served
    page, complaints = _open(chromium, True, DESKTOP, root + site.turn())
    page.evaluate("window.same = true")
    press(page.locator("#list a[href*='hex=B1#']"))
    heading = page.get_by_role("heading", name="Hex B1: plain")
    expect(heading).to_be_focused()
    page.locator("#tiles").get_by_role("link", name="NE-S on B1").click()
    expect(page.locator(".send")).to_contain_text("Tiles: 1 of 3")
    assert page.evaluate("window.same") is True
    page.go_back()
    expect(page.locator(".send")).to_contain_text("Tiles: 0 of 3")
    page.go_forward()
    expect(page.locator(".send")).to_contain_text("Tiles: 1 of 3")
    page.keyboard.press("u")
    expect(page.locator(".send")).to_contain_text("Tiles: 0 of 3")
    assert complaints == []
    page.context.close()
