"""In a real browser, from the disk and without a network: game files."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pbem.cli.play import play
from pbem.engine import Sheet, catalog
from pbem.engine.record import write_record
from pbem.service.archive import game_files, records
from pbem.service.base.seals import seal
from pbem.service.games import views
from pbem.web import game_file
from tests.web.browsers import DESKTOP, PHONE
from tests.web.conftest import Games
from tests.web.site import Site

LARGEST = 600_000
"""Bytes of a file."""
QUICK = ("barbados", "new_england", "northern_england_solo")


@pytest.fixture(scope="module")
def site(saved: Games) -> Iterator[Site]:
    site = saved.fresh()
    yield site
    saved.close(site)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport=DESKTOP, offline=True)
    yield context.new_page()
    context.close()


def _saved(site: Site, sheet: Sheet, folder: Path) -> tuple[str, Path]:
    """The id of a game of the most players on a sheet, and its file."""
    record, _ = play(sheet, sheet.player_counts()[-1], "a")
    number = records.import_record(site.office, json.dumps(write_record(record)), site.now)
    path = folder / f"{number}.html"
    path.write_bytes(game_file(site.office, number))
    return number, path


def _opened(page: Page, path: Path) -> list[str]:
    """Open a file; what goes wrong on the page, and every request beyond itself, is told in the list from then on."""
    amiss: list[str] = []
    page.on("pageerror", lambda error: amiss.append(str(error)))
    page.on("console", lambda message: amiss.append(message.text))
    page.on("request", lambda request: amiss.append(request.url))
    page.goto(path.as_uri())
    expect(page.locator("#player")).to_be_visible()
    assert amiss.pop(0) == path.as_uri()
    return amiss


def _outside(amiss: list[str]) -> list[str]:
    return [one for one in amiss if not one.startswith("data:")]


MARKED = """[...document.querySelectorAll('.who')].every(
    one => getComputedStyle(one, '::before').backgroundImage.length > 200)"""
"""Every name of a player or a company has its mark."""


def _walked(page: Page, last: int) -> None:
    """To the deal and to the end again, and what is shown on the way."""
    told = page.locator(".told")
    expect(told).to_contain_text(f"Order {last} of {last}:")
    ended = page.locator("#replay .drawn").inner_html()
    page.keyboard.press("Home")
    expect(told).to_contain_text("The board as dealt")
    assert page.locator("#replay .drawn").inner_html() != ended
    for number in range(1, 6):
        page.keyboard.press("ArrowRight")
        expect(told).to_contain_text(f"Order {number} of {last}:")
        assert page.locator(".turnlog .new").count() == 1
    page.evaluate("location.hash = '#3'")
    expect(told).to_contain_text("Order 3 of")
    page.get_by_role("button", name="Last").click()
    expect(told).to_contain_text(f"Order {last} of {last}:")
    assert page.locator("#replay .drawn").inner_html() == ended
    assert page.locator(".turnlog .new").count() == 1
    assert page.evaluate(MARKED)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing hangs over"


SHEETS = [
    pytest.param(sheet, id=sheet.slug, marks=() if sheet.slug in QUICK else pytest.mark.slow)
    for sheet in catalog.sheets()
]


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_game_of_every_sheet_opens_from_the_disk(site: Site, page: Page, tmp_path: Path, sheet: Sheet) -> None:
    number, path = _saved(site, sheet, tmp_path)
    assert path.stat().st_size < LARGEST
    amiss = _opened(page, path)
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        _walked(page, views.latest(site.office, number))
    expect(page.locator("#proof [data-say]:not(.off)")).to_contain_text("Proved.")
    assert _outside(amiss) == []
    held, _ = game_files.read(path.read_bytes())
    assert seal(json.loads(held)) == seal(records.export(site.office, number))


def test_a_file_plays_by_itself_and_a_line_of_the_log_leads_to_its_position(
    site: Site, page: Page, tmp_path: Path
) -> None:
    number, path = _saved(site, catalog.sheet("age-of-steam", "barbados"), tmp_path)
    amiss = _opened(page, path)
    page.locator(".turnlog a.n").first.click()
    expect(page.locator(".told")).to_contain_text("Order 1 of")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".told")).to_contain_text("Order 2 of")
    page.get_by_role("button", name="Pause").click()
    page.locator(".turns a").last.click()
    expect(page.locator(".told")).to_contain_text(f"Order {views.latest(site.office, number)} of")
    page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate("(pan => pan.scrollWidth > pan.clientWidth * 2)(document.querySelector('.pan'))")
    assert _outside(amiss) == []


def test_without_script_there_is_the_final_board_the_log_and_the_table(
    site: Site, chromium: Browser, tmp_path: Path
) -> None:
    _, path = _saved(site, catalog.sheet("age-of-steam", "barbados"), tmp_path)
    context = chromium.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(path.as_uri())
    expect(page.get_by_role("img", name="Final board")).to_be_visible()
    assert page.locator(".turnlog .log li").count() > 20
    expect(page.get_by_role("heading", name="Final table")).to_be_visible()
    expect(page.locator("#player")).to_be_hidden()
    context.close()
