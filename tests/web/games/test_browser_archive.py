"""A finished game in a browser: one key goes through it, its log opens turn by turn, its dice are proved."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from pbem.cli.play import play
from pbem.engine import catalog
from pbem.engine.record import write_record
from pbem.service.archive import copies, records
from pbem.service.games import views
from tests.web.browsers import DESKTOP, serving
from tests.web.conftest import Games
from tests.web.site import Site
from workers import copies as making


@pytest.fixture(scope="module")
def site(saved: Games) -> Iterator[Site]:
    site = saved.fresh()
    yield site
    saved.close(site)


@pytest.fixture(scope="module")
def root(site: Site) -> Iterator[str]:
    with serving(site.app) as root:
        yield root


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport=DESKTOP)
    yield context.new_page()
    context.close()


def moved_to(page: Page, number: int, last: int) -> None:
    expect(page.locator("#replay figcaption")).to_contain_text(f"Order {number} of {last}:")


def test_one_key_goes_through_a_recorded_game_from_the_first_order_to_the_last(
    site: Site, root: str, page: Page, recorded_path: Callable[[str], Path]
) -> None:
    number = records.import_record(site.office, recorded_path("rust_belt-2692.json").read_bytes(), site.now)
    last = views.latest(site.office, number)
    page.route("**/board.png*", lambda route: route.fulfill(path="templates/static/start-board-still.webp"))
    page.goto(f"{root}/games/{number}?at=0")
    assert page.evaluate("steps") == list(range(last + 1)), "no position is passed over"
    for order in range(1, 9):
        page.keyboard.press("ArrowRight")
        moved_to(page, order, last)
    page.goto(f"{root}/games/{number}?at={last - 3}")
    for order in (last - 2, last - 1, last, last):
        page.keyboard.press("ArrowRight")
        moved_to(page, order, last)


def test_turns_of_the_log_open_beside_the_board_and_stay_open(
    site: Site, root: str, page: Page, recorded_path: Callable[[str], Path]
) -> None:
    number = records.import_record(site.office, recorded_path("rust_belt-2692.json").read_bytes(), site.now)
    page.route("**/board.png*", lambda route: route.fulfill(path="templates/static/start-board-still.webp"))
    page.goto(f"{root}/games/{number}?at=100")
    second = page.locator("[data-turn='2']")
    second.locator("summary").click()
    expect(second).to_contain_text("Turn 3 begins")
    page.keyboard.press("ArrowRight")
    moved_to(page, 101, views.latest(site.office, number))
    expect(page.locator("[data-turn='2']")).to_contain_text("Turn 3 begins")
    assert page.locator(".turnlog .new").count() == 1


def _changed(route: Route) -> None:
    """The record with one die changed."""
    record = route.fetch().json()
    turn = next(turn for turn in record["turns"] if any("dice" in draw for draw in turn.get("chance", ())))
    dice = next(draw["dice"] for draw in turn["chance"] if "dice" in draw)
    dice[0] = dice[0] % 6 + 1
    route.fulfill(json=record)


def test_the_browser_proves_the_dice_and_says_what_differs(site: Site, root: str, page: Page) -> None:
    record, _ = play(catalog.sheet("age-of-steam", "barbados"), 1, "a")
    number = records.import_record(site.office, json.dumps(write_record(record)), site.now)
    page.goto(f"{root}/games/{number}")
    page.get_by_role("link", name="Prove the dice in your browser").click()
    expect(page.locator("#proof [data-say]:visible")).to_contain_text("Proved.")
    rows = page.locator("#rolls tbody tr").count()
    assert page.locator("#rolls td", has_text="agrees").count() == rows > 5
    page.route("**/record.json", _changed)
    page.reload()
    expect(page.locator("#proof [data-say]:visible")).to_contain_text("has computed others for 1;")
    assert page.locator("#rolls td", has_text="differs").count() == 1


def test_the_page_says_by_itself_when_a_file_is_made(site: Site, root: str, page: Page) -> None:
    record, _ = play(catalog.sheet("age-of-steam", "barbados"), 1, "a")
    number = records.import_record(site.office, json.dumps(write_record(record)), site.now)
    page.goto(f"{root}/games/{number}/copies")
    page.locator("button[value='strip']").click()
    expect(page.locator("#copies")).to_contain_text("Waiting in line.")
    making.make(site.office, copies.waiting(site.office, site.now, site.now)[0])
    expect(page.get_by_role("link", name="PDF")).to_be_visible(timeout=20_000)


def test_without_a_script_the_page_of_the_dice_says_how_to_check_them(site: Site) -> None:
    record, _ = play(catalog.sheet("age-of-steam", "barbados"), 1, "a")
    number = records.import_record(site.office, json.dumps(write_record(record)), site.now)
    text = site.get(f"/games/{number}/dice").text
    assert f"pbem verify {number}.json" in text
    assert "sha256sum" in text
    assert record.seed.hex() in text
