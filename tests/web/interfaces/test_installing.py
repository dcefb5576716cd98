"""Browsers can install the site, and keep one page of it for when there is no network."""

import io
import re
from collections.abc import Iterator

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from pbem.language import languages
from pbem.settings.paths import templates_folder
from pbem.web.interfaces.installing import BAND, ICONS, PAPER
from tests.web import icons
from tests.web.addresses import BASE
from tests.web.browsers import serving
from tests.web.conftest import Games
from tests.web.site import Site

STATIC = templates_folder() / "static"
ALL_THAT_IS_KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
  return found.sort();
}"""
AT_WORK = """async language => {
  while (!(await navigator.serviceWorker.ready).active.scriptURL.includes(`lang=${language}&`))
    await new Promise(go => setTimeout(go, 20));
}"""


def test_every_page_leads_to_a_manifest_in_its_own_language(empty: Site) -> None:
    described = set()
    for language in languages():
        page = empty.client.get("/", headers={"Accept-Language": language.code}).text
        found = re.search(r'<link rel="manifest" href="([^"]+)">', page)
        assert found is not None
        answer = empty.client.get(found[1])
        assert answer.mimetype == "application/manifest+json"
        assert answer.json is not None
        assert answer.json["lang"] == language.code
        assert answer.json["name"]
        assert answer.json["short_name"]
        assert answer.json["id"] == answer.json["start_url"] == answer.json["scope"] == "/"
        assert answer.json["display"] == "standalone"
        described.add(answer.json["description"])
    assert len(described) > 1


def test_the_colours_of_the_manifest_and_of_pages_are_those_of_the_style(empty: Site) -> None:
    style = (STATIC / "site.css").read_text("utf-8")
    assert set(re.findall(r"--band: (.*);", style)) == {BAND}  # one for day and night
    assert f"--paper: {PAPER};" in style
    for path in ("/", "/offline"):
        assert f'<meta name="theme-color" content="{BAND}">' in empty.client.get(path).text
    manifest = empty.client.get("/manifest.webmanifest").json
    assert manifest is not None
    assert (manifest["theme_color"], manifest["background_color"]) == (BAND, PAPER)


def test_the_icons_of_the_manifest_have_the_sizes_it_says(empty: Site) -> None:
    manifest = empty.client.get("/manifest.webmanifest").json
    assert manifest is not None
    said = set()
    for icon in manifest["icons"]:
        answer = empty.client.get(icon["src"], buffered=True)
        assert answer.mimetype == icon["type"]
        with Image.open(io.BytesIO(answer.data)) as picture:
            assert f"{picture.width}x{picture.height}" == icon["sizes"]
        said.add((icon["sizes"], icon["purpose"]))
    assert said == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}


def test_icons_are_drawn_from_the_favicon_of_today() -> None:
    assert icons.digest() == icons.DRAWN_FROM, "python -m tests.web.icons draws them anew"


def test_a_maskable_icon_fills_its_square_and_keeps_its_sign_in_the_circle_that_phones_leave() -> None:
    (name,) = (name for name, _, purpose in ICONS if purpose == "maskable")
    with Image.open(STATIC / name) as kept:
        picture = kept.convert("RGB").resize((192, 192), Image.Resampling.NEAREST)
    band = picture.getpixel((0, 0))
    for x in range(0, 192, 3):
        for y in range(0, 192, 3):
            if (x - 95.5) ** 2 + (y - 95.5) ** 2 > (0.4 * 192) ** 2:
                assert picture.getpixel((x, y)) == band


def test_the_page_that_browsers_keep_is_the_same_for_everybody(site: Site) -> None:
    guest = site.app.test_client().get("/offline?lang=pl").text
    site.log_in()
    assert site.client.get("/account", base_url=BASE).status_code == 200
    assert site.client.get("/offline?lang=pl", base_url=BASE).text == guest
    assert '<html lang="pl">' in guest


@pytest.fixture
def ana(saved: Games, chromium: Browser) -> Iterator[tuple[Page, Site, str]]:
    """A browser in which somebody has logged in, read private pages and chosen Polish, with the worker at work."""
    site = saved.at("choices")
    context = chromium.new_context()
    page = context.new_page()
    with serving(site.app) as root:
        page.goto(root + site.path(site.office.addresses.seat(site.game, 0)))
        page.get_by_role("button", name="Stay logged in").click()
        page.evaluate(AT_WORK, "en")
        page.get_by_role("button", name="Polski").click()
        page.evaluate(AT_WORK, "pl")
        for path in ("/account", site.turn(), f"/games/{site.game}"):
            page.goto(root + path)
        yield page, site, root
        context.close()
    saved.close(site)


def test_the_worker_keeps_the_offline_page_with_its_style_and_nothing_else(ana: tuple[Page, Site, str]) -> None:
    page, site, root = ana
    assert page.evaluate(ALL_THAT_IS_KEPT) == ["/offline", "/static/site.css"]
    page.context.set_offline(True)
    page.goto(f"{root}/games/{site.game}")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    expect(page.locator("h1")).to_have_text("Brak połączenia")
    assert page.evaluate("getComputedStyle(document.querySelector('.band')).backgroundColor") == "rgb(36, 67, 60)"
    assert page.evaluate(ALL_THAT_IS_KEPT) == ["/offline", "/static/site.css"]
    page.context.set_offline(False)
    page.locator("main a.btn").click()
    expect(page).to_have_url(f"{root}/games/{site.game}")
    expect(page.locator(".foot")).to_be_visible()  # which the offline page has not
