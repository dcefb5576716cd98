"""In a real browser: finished games and newcomers."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from pbem.cli.play import play
from pbem.engine import catalog
from pbem.engine.record import write_record
from pbem.service.archive import copies, records
from pbem.service.games import opening, views
from pbem.service.games.terms import Terms
from pbem.store.statuses import GameStatus
from tests.web.browsers import DESKTOP, PHONE, serving
from tests.web.conftest import Games, Played
from tests.web.site import Site
from workers import copies as making

# finished games ----------------------------------------------------------------------------------------------


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


def test_turns_of_the_log_stay_open(site: Site, root: str, page: Page, recorded_path: Callable[[str], Path]) -> None:
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
    told = page.locator("#proof [data-say]:not(.off)")  # before the style is there, the others are visible as well
    expect(told).to_contain_text("Proved.")
    expect(told).to_be_visible()
    rows = page.locator("#rolls tbody tr").count()
    assert page.locator("#rolls td", has_text="agrees").count() == rows > 5
    page.route("**/record.json", _changed)
    page.reload()
    expect(told).to_contain_text("has computed others for 1;")
    assert page.locator("#rolls td", has_text="differs").count() == 1


def test_the_page_says_by_itself_when_a_file_is_made(site: Site, root: str, page: Page) -> None:
    record, _ = play(catalog.sheet("age-of-steam", "barbados"), 1, "a")
    number = records.import_record(site.office, json.dumps(write_record(record)), site.now)
    page.goto(f"{root}/games/{number}/copies")
    page.locator("button[value='a5']").click()
    expect(page.locator("#copies")).to_contain_text("Waiting in line.")
    making.make(site.office, copies.look(site.office, site.now, site.now)[0])
    expect(page.get_by_role("link", name="PDF")).to_be_visible(timeout=20_000)


def test_without_a_script_the_page_of_the_dice_says_how_to_check_them(site: Site) -> None:
    record, _ = play(catalog.sheet("age-of-steam", "barbados"), 1, "a")
    number = records.import_record(site.office, json.dumps(write_record(record)), site.now)
    text = site.get(f"/games/{number}/dice").text
    assert f"pbem verify {number}.json" in text
    assert "sha256sum" in text
    assert record.seed.hex() in text


# newcomers ---------------------------------------------------------------------------------------------------


@pytest.fixture
def busy(played: Played) -> Site:
    """A game has ended, and a table of Ana's has a free seat."""
    site = played("over")
    new = opening.NewGame(
        "Two for Galway", "steam-power", "ireland", (), open_to=Terms(1, site.now + timedelta(days=6))
    )
    opening.open_game(site.office, site.host, new, site.now)
    return site


def test_a_new_game_shows_the_options_of_its_map_without_script(chromium: Browser, played: Played) -> None:
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


def test_a_stranger_with_a_phone_watches_a_game_and_takes_a_seat(chromium: Browser, busy: Site) -> None:
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
