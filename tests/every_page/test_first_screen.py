"""The first screen of every kind of decision: the question, the money, the board, the players, the first choices."""

from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError
from sqlalchemy import update

from pbem.language import languages
from pbem.rails.track import hexes_of
from pbem.store.tables import Account
from tests.every_page.decisions import kept, late_ones, stops
from tests.web.browsers import DESKTOP, PHONE, serving
from tests.web.site import Site

SHEETS = (
    "hungary-6-to-the-last-turn-reduction_table=first_edition",
    "st_lucia-2-to-the-last-turn-partial_link_bonus=yes",
    "switzerland-3-to-the-last-turn",
    "barbados-1-shares-left-reduction_table=first_edition",
    "northern_italy-5-to-the-end-cash_action=5",
    "ireland_solo-1-scored",
)
"""Kept games of six sheets, of both games and of one player to six."""
LANGUAGES = [language.code for language in languages()]
MEASURE = """() => {
  const span = what => {
    const box = document.querySelector(what)?.getBoundingClientRect();
    return box && box.height ? [Math.round(box.top), Math.round(box.bottom)] : null;
  };
  const send = span('.pick .send'), floor = Math.min(innerHeight, send?.[0] ?? innerHeight, span('.pick')[1]);
  const what = '.pick :is(.row, .card, .bids button, .acts :is(.btn, button), .boxes a, .hexes a)';
  const box = what => document.querySelector(what)?.getBoundingClientRect(), here = box('.here'), pan = box('.pan');
  const choices = [...document.querySelectorAll(what)].filter(one => one.getClientRects().length);
  return {
    high: document.documentElement.scrollHeight, wide: document.documentElement.scrollWidth,
    ask: span('.ask'), money: span('#money'), board: span('.pan'), seats: span('.seats'), send,
    opened: !!here && here.x >= pan.x && here.x < pan.right && here.y >= pan.y && here.y < pan.bottom,
    short: document.querySelector('#money').matches('.bad'),
    vain: document.querySelector('.row:has(input:checked) .price')?.textContent === '+0',
    filled: document.querySelectorAll('.pick :is(button, .btn).main').length, choices: choices.length,
    seen: choices.filter(one => one.getBoundingClientRect().bottom <= floor + 1).length,
  };
}"""
TURN_PAGE, HEAD = 1000, 160
PHONE_PAGE, PHONE_HEAD = 1450, 170
"""Pixels: how high a page is at most with all parts closed, and where the board begins at the latest. On a phone the
money takes two lines in most languages, and three where it warns."""

PRESSES = {
    "choices": (
        ("#choose .acts button", ".pick form[method=post]:not(#play) button"),
        (".pick :is(.rows button, .bids button, .acts button)",),
    ),
    "deliver": ((".send button.wide",), (".send button",)),
    "build": (("#links .row", ".send button[type=submit]"), (".send button[type=submit]",)),
    "boxes": ((".rows .row", ".send button"),),
}
"""By the form of a question: what is pressed one after the other until the answer is sent, in the first way it has."""


def _unsent(page: Page, form: str) -> Iterator[str]:
    """A fault where the presses of a form do not send an answer. None is sent: it stops at the browser."""
    page.route("**", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    *before, last = next(way for way in PRESSES[form] if page.locator(way[0]).count())
    for press in before:
        page.locator(f"{press} >> visible=true").first.click(no_wait_after=True)
        page.locator(".steps li, .send .wide, .slots .set").first.wait_for()
    try:
        with page.expect_request(lambda request: request.method == "POST", timeout=5000):
            page.locator(f"{last} >> visible=true").first.click(no_wait_after=True)
    except TimeoutError:
        yield f"{len(before) + 1} presses do not send an answer"


def _faults(site: Site, context: BrowserContext, root: str, script: bool) -> Iterator[str]:
    page = context.new_page()
    page.goto(root + site.turn())
    found, phone = page.evaluate(MEASURE), page.viewport_size == PHONE
    size = PHONE if phone else DESKTOP
    width, height = size["width"], size["height"]
    if found["wide"] > width:
        yield f"{found['wide']} pixels wide"
    if script and found["high"] > (PHONE_PAGE if phone else TURN_PAGE):
        yield f"{found['high']} pixels high"
    if found["board"][0] > (PHONE_HEAD if phone else HEAD):
        yield f"the board begins at {found['board'][0]}"
    if max(found["money"][1], found["seats"][1]) > height:
        yield "the money or the players lie below the first screen"
    if found["send"] and found["send"][1] > height + 1:
        yield f"what sends the answer ends at {found['send'][1]}"
    if found["seen"] < min(found["choices"], 3 if phone else 4):
        yield f"{found['seen']} of {found['choices']} choices are seen"
    if found["filled"] > (0 if found["short"] or found["vain"] else 1):
        yield f"{found['filled']} filled buttons"
    view = site.view()
    if phone and not found["opened"] and hexes_of(view.sheet.scene(view.state).track, view.waiting_for):
        yield "the board is not opened where the track of the player lies"
    yield from _unsent(page, view.sheet.question(view.state).form)
    page.close()


def _walk(chromium: Browser, site: Site, name: str, script: bool, spoken: Callable[[int], Sequence[str]]) -> list[str]:
    """What is wrong with the first screens of a kept game. ``spoken``: the languages for the page of that number."""
    faults, record = [], kept(name)
    contexts = [
        chromium.new_context(
            viewport=size,
            java_script_enabled=script,
            has_touch=size is PHONE,
            is_mobile=size is PHONE,
            service_workers="block",  # what it fetches passes by the routes that stop an answer
        )
        for size in (DESKTOP, PHONE)
    ]
    with serving(site.app) as root:
        for at, (_, kind) in enumerate(stops(site, record, late_ones(record))):
            if kind[0] == "over":
                continue
            for code in spoken(at):
                site.put(update(Account).values(language=code))
                for size, context in zip((DESKTOP, PHONE), contexts, strict=True):
                    found = _faults(site, context, root, script)
                    faults += [f"{kind}, {code}, {size['width']}: {fault}" for fault in found]
    for context in contexts:
        context.close()
    return faults


@pytest.mark.parametrize("name", SHEETS)
def test_the_first_screen_has_what_a_decision_needs(chromium: Browser, empty: Site, name: str) -> None:
    faults = _walk(chromium, empty, name, True, _one_after_the_other(name))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", [SHEETS[2], SHEETS[4]])
def test_the_first_screen_has_it_without_javascript(chromium: Browser, empty: Site, name: str) -> None:
    faults = _walk(chromium, empty, name, False, _one_after_the_other(name))
    assert not faults, "\n".join(faults)


def _one_after_the_other(name: str) -> Callable[[int], Sequence[str]]:
    """The decisions of a sheet are looked at in one language after the other."""
    first = SHEETS.index(name)
    return lambda at: LANGUAGES[(first + at) % len(LANGUAGES) :][:1]


@pytest.mark.slow
@pytest.mark.parametrize("script", [True, False], ids=["with-javascript", "without-javascript"])
@pytest.mark.parametrize("name", SHEETS)
def test_the_first_screen_has_it_in_every_language(chromium: Browser, empty: Site, name: str, script: bool) -> None:
    faults = _walk(chromium, empty, name, script, lambda _: LANGUAGES)
    assert not faults, "\n".join(faults)
