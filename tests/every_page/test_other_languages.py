"""Every page in every language: nothing runs over on a small phone, and nobody is kept out."""

import pytest
from playwright.sync_api import Browser
from sqlalchemy import update

from pbem.language import languages
from pbem.store.tables import Account
from tests.every_page.decisions import kept, late_ones, stops
from tests.every_page.looking import Looker, looking
from tests.every_page.test_every_page import ALL_KINDS, pages
from tests.leftovers import longer
from tests.speaking import spoken_as
from tests.web.addresses import Known
from tests.web.browsers import serving
from tests.web.conftest import Played
from tests.web.site import Site

pytestmark = pytest.mark.slow
WEIGHT = "characters of HTML"
"""Pages are weighed in English: the longest, rulings of Age of Steam, has 40,147 of 40,000 characters in Spanish."""


def _speaks(site: Site, code: str) -> None:
    site.put(update(Account).values(language=code))


def _too_wide(looker: Looker, path: str) -> list[str]:
    """Whether a page is wider than a small phone, and by what."""
    looker.open(path)
    wide, room = looker.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    if wide <= room:
        return []
    who = looker.page.evaluate(
        "[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
        ".slice(-3).map(e => e.tagName + '.' + e.className + ': ' + e.textContent.trim().slice(0, 60))"
    )
    return [f"{path} is {wide} pixels wide in {room}: {who}"]


def test_longer_sentences_fit_every_page_of_a_server(chromium: Browser, played: Played) -> None:
    known = Known(played("started"))
    _speaks(known.site, "pl")
    faults: list[str] = []
    with spoken_as(longer), serving(known.site.app) as root, looking(chromium, root) as looker:
        looker.page.goto(looker.root + known.site.path(known.site.office.addresses.seat(known.site.game, 0)))
        looker.page.locator("form[action*='/s/'] button, main form button").first.click()
        for rule, path in known.paths("GET"):
            answer = looker.page.request.get(looker.root + path, max_redirects=0)
            if answer.status == 200 and answer.headers["content-type"].startswith("text/html"):
                faults += [f"{rule}: {fault}" for fault in _too_wide(looker, path)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", ALL_KINDS)
def test_longer_sentences_fit_every_decision(chromium: Browser, empty: Site, name: str) -> None:
    record = kept(name)
    wanted = {n: kind for n, kind in late_ones(record).items() if not ALL_KINDS[name] or kind[1] in ALL_KINDS[name]}
    faults: list[str] = []
    with spoken_as(longer), serving(empty.app) as root, looking(chromium, root) as looker:
        for number, (phase, word) in stops(empty, record, wanted):
            _speaks(empty, "pl")
            path = empty.turn() if phase != "over" else f"/games/{empty.game}"
            faults += [f"order {number}, {phase} {word}: {fault}" for fault in _too_wide(looker, path)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("code", [language.code for language in languages() if language.code != "en"])
def test_no_page_keeps_anybody_out_in_any_language(chromium: Browser, played: Played, code: str) -> None:
    known = Known(played("started"))
    faults: list[str] = []
    with serving(known.site.app) as root, looking(chromium, root) as looker:
        for _, path in pages(known, looker):
            _speaks(known.site, code)
            faults += [fault for fault in looker.faults(path) if WEIGHT not in fault]
    assert not faults, "\n".join(faults)
