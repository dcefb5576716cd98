"""One game turn in a real browser: a build, without JavaScript and with it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests.web.addresses import Known
from tests.web.browsers import DESKTOP, PHONE, serving
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
    page.locator("#list a[href*='hex=B1#']").click()
    expect(page.get_by_role("heading", name="Hex B1: plain")).to_be_visible()
    page.locator("#tiles").get_by_role("link", name="NE-S on B1").click()
    expect(page.locator("#draft")).to_contain_text("1 of 3")
    page.locator("#list a[href*='hex=D1#']").click()
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
    page.locator("#list a[href*='hex=B1#']").click()
    page.locator("#tiles").get_by_role("link", name="NE-S on B1").click()
    expect(page.locator("#draft")).to_contain_text("1 of 3")
    late: list[Route] = []
    page.route(re.compile("steps=B1.*&hex=D1"), lambda route: late.append(route))
    page.locator("#list a[href*='hex=D1#']").click()
    page.locator("#tiles").get_by_role("link", name="N-S on D1").first.click()
    expect(page.locator("#draft")).to_contain_text("Completes Duluth–Minneapolis")
    with page.expect_response(re.compile("hex=D1")) as answered:
        late[0].continue_()
    answered.value.finished()
    page.wait_for_timeout(200)
    expect(page.locator("#draft")).to_contain_text("Completes Duluth–Minneapolis")
    assert complaints == []
    page.context.close()


def test_the_script_swaps_the_builder_in_place_and_back_undoes(chromium: Browser, served: tuple[Site, str]) -> None:
    site, root = served
    page, complaints = _open(chromium, True, DESKTOP, root + site.turn())
    page.evaluate("window.same = true")
    page.locator("#list a[href*='hex=B1#']").click()
    heading = page.get_by_role("heading", name="Hex B1: plain")
    expect(heading).to_be_focused()
    page.locator("#tiles").get_by_role("link", name="NE-S on B1").click()
    expect(page.locator("#draft")).to_contain_text("1 of 3")
    assert page.evaluate("window.same") is True
    page.go_back()
    expect(page.locator("#draft")).to_contain_text("0 of 3")
    page.go_forward()
    expect(page.locator("#draft")).to_contain_text("1 of 3")
    page.keyboard.press("u")
    expect(page.locator("#draft")).to_contain_text("0 of 3")
    assert complaints == []
    page.context.close()


def test_no_page_wants_what_its_content_policy_forbids(chromium: Browser, played: Played) -> None:
    known = Known(played("started"))
    context = chromium.new_context()
    context.add_init_script("addEventListener('securitypolicyviolation', e => console.error(e.violatedDirective))")
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(f"{page.url} {message.text}"))
    page.on("pageerror", lambda error: complaints.append(f"{page.url} {error}"))
    with serving(known.site.app) as root:
        page.goto(root + known.site.path(known.site.office.addresses.seat(known.site.game, 0)))
        page.get_by_role("button", name="Stay logged in").click()
        opened = 0
        for rule, path in known.paths("GET"):
            if rule.endswith(
                (".png", ".svg", ".json", ".ics", ".atom", ".xml", "source>", "/source", "<path:filename>")
            ):
                continue
            answer = page.goto(root + path)
            assert answer is not None
            opened += answer.status == 200
        assert opened > 20
    # what is no longer there, and what only the host of an open table may open
    assert [complaint for complaint in complaints if "404" not in complaint and "403" not in complaint] == []
    context.close()


def test_a_finished_game_is_watched_from_the_first_order_to_the_last_with_one_key(
    chromium: Browser, played: Played
) -> None:
    site = played("over")
    last = site.view().version
    with serving(site.app) as root:
        page, complaints = _open(chromium, True, PHONE, f"{root}/games/{site.game}?at=0")
        page.clock.install()
        page.keyboard.press("Space")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        for number in range(1, 6):
            page.clock.run_for(1300)
            expect(page.locator("#replay figcaption")).to_contain_text(f"Order {number} of {last}")
            expect(page.locator("#replay .board img")).to_have_attribute("src", re.compile(f"at={number}$"))
            expect(page).to_have_url(re.compile(f"at={number}$"))
        page.keyboard.press("Space")
        for key, number in (("End", last), ("ArrowLeft", last - 1), ("Home", 0), ("ArrowRight", 1)):
            page.keyboard.press(key)
            page.clock.run_for(300)
            expect(page).to_have_url(re.compile(f"at={number}$"))
        page.locator("#at").fill(str(last))
        page.clock.run_for(300)
        expect(page.locator("#replay figcaption")).to_contain_text(f"Order {last} of {last}")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert complaints == []
        page.context.close()


def test_two_browsers_meet_at_an_open_table(chromium: Browser, empty: Site) -> None:
    """Nobody tells the other an address: one opens a table, the other finds it, and the game begins."""
    with serving(empty.app) as root:
        host, guest = (chromium.new_page(viewport={"width": 390, "height": 844}) for _ in range(2))
        host.goto(f"{root}/login")
        host.get_by_label("Your email address").fill("ana@example.org")
        host.get_by_role("button", name="Send me the link").click()
        host.goto(root + empty.path(empty.office.addresses.login(empty.letters("login")[-1].data["login"])))
        host.get_by_role("button", name="Log in").click()
        host.get_by_role("link", name="Tables", exact=True).click()
        host.get_by_role("link", name="New table").first.click()
        host.get_by_label("St. Lucia").check()
        host.get_by_label("Name of the game").fill("Two for the island")
        host.get_by_label("Seats for anybody").select_option("1")
        host.get_by_role("button", name="Open the game").click()
        if host.get_by_text("Nothing is sent yet.").count():  # the map has options of its own
            host.get_by_role("button", name="Open the game").click()
        expect(host.get_by_role("heading", name="Two for the island: 1 seat left")).to_be_visible()
        guest.goto(root)
        guest.get_by_role("link", name="Tables", exact=True).click()
        guest.get_by_role("link", name="Join Two for the island").click()
        guest.get_by_label("Your name").fill("Zoe")
        guest.get_by_label("Your email address").fill("zoe@example.org")
        guest.get_by_role("button", name="Send me the link to my seat").click()
        expect(guest.get_by_text("Check your email.")).to_be_visible()
        letter = empty.letters("seat-at-table")[-1]
        guest.goto(root + empty.path(empty.office.addresses.sit(letter.data["game"], letter.account_id, "")))
        guest.get_by_role("button", name="Take the seat").click()
        for page in (host, guest):
            page.goto(f"{root}/")
            page.get_by_role("link", name="Two for the island").first.click()
            expect(page.get_by_role("heading", name="Two for the island")).to_be_visible()
            expect(page.get_by_text("Zoe").locator("visible=true").first).to_be_visible()
            page.close()
