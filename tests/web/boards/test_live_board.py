"""The board of a page answers on the spot: to pointers, keys and wheel, and to a choice before it is judged."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.web.browsers import DESKTOP, PHONE, press, serving
from tests.web.conftest import Games
from tests.web.site import Site


@pytest.fixture(scope="module")
def served(saved: Games) -> Iterator[tuple[Site, str]]:
    """A game whose seat to act builds track, which nobody does here."""
    site = saved.at("build")
    with serving(site.app) as root:
        yield site, root
    saved.close(site)


@pytest.fixture(scope="module", params=[DESKTOP, PHONE], ids=["desk", "phone"])
def shared(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    """One page for all tests of a width."""
    context = chromium.new_context(viewport=request.param)
    yield context.new_page()
    context.close()


@pytest.fixture
def turn(shared: Page, served: tuple[Site, str]) -> Iterator[Page]:
    """The page on which track is built, with its board alive and nothing to complain about."""
    complaints: list[str] = []

    def complain(error: object) -> None:
        complaints.append(str(error))

    shared.on("pageerror", complain)
    shared.goto("about:blank")
    site, root = served
    shared.goto(root + site.turn())
    expect(shared.locator(".zoom")).to_be_visible()
    yield shared
    shared.remove_listener("pageerror", complain)
    assert complaints == []
    assert shared.evaluate("document.documentElement.scrollWidth <= innerWidth")


def point_at(page: Page, label: str) -> None:
    """Move the pointer to the middle of a hex."""
    spot = page.locator(f".spot[data-at={label}]")
    spot.scroll_into_view_if_needed()
    box = spot.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def width(page: Page) -> float:
    found: float = page.evaluate("document.querySelector('.sheet').offsetWidth")
    return found


def test_a_hex_that_is_pointed_at_says_what_is_there(turn: Page) -> None:
    answer = turn.locator(".answer")
    point_at(turn, "F1")
    expect(answer).to_contain_text(
        re.compile(r"Minneapolis, a City on F1\. Accepts blue\. Cubes?: .*Grows on 5 of the")
    )
    point_at(turn, "B1")
    expect(answer).to_have_text("B1: plain, $2.")


@pytest.mark.parametrize("shared", [DESKTOP], ids=["desk"], indirect=True)
def test_keys_go_from_hex_to_hex_and_open_one(turn: Page) -> None:
    turn.locator(".pan").focus()
    turn.keyboard.press("ArrowRight")
    first = turn.locator(".cursor").get_attribute("data-at")
    turn.keyboard.press("ArrowDown")
    second = turn.locator(".cursor").get_attribute("data-at")
    assert first != second
    expect(turn.locator(".answer")).to_contain_text(str(second))
    for _ in range(12):
        if turn.locator(f"a.hex[data-at={turn.locator('.cursor').get_attribute('data-at')}]").count():
            break
        turn.keyboard.press("ArrowLeft")
    there = turn.locator(".cursor").get_attribute("data-at")
    turn.keyboard.press("Enter")
    expect(turn.get_by_role("heading", name=f"Hex {there}:")).to_be_visible()


@pytest.mark.parametrize("shared", [PHONE], ids=["phone"], indirect=True)
def test_the_board_zooms_by_wheel_key_and_button_and_comes_back(turn: Page) -> None:
    plain = width(turn)
    point_at(turn, "B1")
    turn.keyboard.down("Control")
    turn.mouse.wheel(0, -300)
    turn.keyboard.up("Control")
    turn.wait_for_function(f"document.querySelector('.sheet').offsetWidth > {plain * 1.2}")
    wheeled = width(turn)
    turn.get_by_role("button", name="Zoom in").click()
    assert width(turn) > wheeled * 1.3
    turn.locator(".pan").focus()
    turn.keyboard.press("0")
    assert width(turn) <= turn.evaluate("document.querySelector('.pan').clientWidth") + 1


def test_a_chosen_tile_is_seen_at_once_and_said_to_be_not_judged(turn: Page) -> None:
    press(turn.locator("#list a[href*='hex=B1#']"))
    card = turn.locator("#tiles").get_by_role("link", name="NE-S on B1")
    expect(card).to_be_visible()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    turn.route(re.compile(r"/t/.*steps="), hold)
    card.click()
    expect(turn.locator(".tentative path.core")).to_be_attached()
    expect(turn.locator(".answer")).to_contain_text("Not checked yet")
    expect(turn.locator(".send")).to_contain_text("Tiles: 0 of 3")
    held[0].continue_()
    expect(turn.locator(".send")).to_contain_text("Tiles: 1 of 3")
    expect(turn.locator(".tentative")).to_have_count(0)
    expect(turn.locator(".answer")).not_to_contain_text("Not checked yet")
    turn.unroute_all()


@pytest.mark.parametrize("shared", [DESKTOP], ids=["desk"], indirect=True)
def test_what_the_script_adds_has_names_and_nothing_hidden_takes_the_focus(turn: Page) -> None:
    for button in turn.locator(".zoom button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
        assert button.evaluate("button => button.getAttribute('aria-label') || button.textContent.length > 1")
    assert turn.locator("svg.live[aria-hidden=true]").count() == 1
    assert turn.locator("svg.live [tabindex], svg.live a").count() == 0
