"""How a program looks at a page: as somebody with a phone, at night, at a desk, with a screen reader."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from justhtml import JustHTML
from playwright.sync_api import Browser, Page, Request, Response, ViewportSize

HEAVIEST = 40_000
"""Characters of HTML a page may have before compression."""
MOST_REQUESTS = 32
"""Files a page asks for at most beside itself: every sheet has a picture where one is chosen."""
SHIFT = 0.02
"""How much of a page may move while it loads, as browsers count it (they call 0.1 good)."""
NARROWEST = ViewportSize(width=320, height=640)
WIDTHS = (320, 390, 768, 1100, 1280, 1440)
"""Pixels of the windows in which nothing may be cut off: two phones, a tablet, three desks."""
MEANT_TO_SCROLL = {
    ".turn .pan": "the board of a question, so wide on a phone that a finger meets a hex",
    ".choices, .lesson": "the choices of a question and what explains it, together as high as the board beside them",
    ".seats, .seats *": "the players of a question in a row; what is cut short stands whole in the parts below",
    ".folds, .foot ul": "the names of what is looked up, in a row on a phone",
    ".tiles, #new-city .hexes": "the tiles of a hex and the New Cities, in a row on a phone",
    ".ask .say, .board .answer, .hand .hint": "what is cut short where there is no room, and said whole elsewhere",
    ".turnlog": "the log of a finished game, as tall as the board beside it",
    ".band .brand + a, .band .narrow": "the game and the player above a phone's page, said whole in its parts",
    ".canvas, .tools": "the board of the painter, so wide on a phone that a finger meets a hex, and its tools in a row",
    "input, select, textarea": "what somebody types may be longer than its field",
}

WATCH_SHIFTS = """
window.shifted = 0;
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({type: 'layout-shift', buffered: true});
"""
FORBIDDEN = "addEventListener('securitypolicyviolation', e => console.error('forbidden:', e.violatedDirective))"
SHIFTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(window.shifted))))"
CARDS_WITHOUT_STYLE = "[...document.querySelectorAll('.rows')].some(e => getComputedStyle(e).listStyleType !== 'none')"
CUT_OFF = """meant => {
  for (const closed of document.querySelectorAll('details:not([open])')) closed.open = true;
  return [...document.querySelectorAll('body *')].filter(one => {
    const wide = one.scrollWidth - one.clientWidth > 1, tall = one.scrollHeight - one.clientHeight > 1;
    if (!wide && !tall || one.clientWidth <= 1 || one.matches(meant)) return false;
    const { overflowX, overflowY } = getComputedStyle(one);
    return wide && overflowX !== 'visible' || tall && ['auto', 'scroll'].includes(overflowY);
  }).map(one => `${one.localName}.${one.className} “${one.ariaLabel ?? one.textContent.trim().slice(0, 40)}”: ` +
    `${one.scrollWidth} × ${one.scrollHeight} pixels in ${one.clientWidth} × ${one.clientHeight}`);
}"""
LET_GO = "document.querySelectorAll('.send').forEach(bar => { bar.style.position = 'static'; })"
"""A bar that stays at the foot of a phone covers whatever lies under it for the moment, which axe holds against it."""
CONTRAST = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
EVERYTHING = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}


@dataclass
class Looker:
    """A browser's page that opens addresses one after the other and says what is wrong with each."""

    page: Page
    root: str
    complaints: list[str] = field(default_factory=list)
    requests: int = 0
    _axe: Axe = field(default_factory=Axe)

    def open(self, path: str) -> Response:
        self.complaints.clear()
        self.requests = 0
        self.page.set_viewport_size(NARROWEST)
        answer = self.page.goto(self.root + path)
        assert answer is not None
        return answer

    def faults(self, path: str) -> list[str]:
        """Open a page and name everything that is wrong with it."""
        answer = self.open(path)
        html = answer.text()
        found = [f"is no page: {answer.status}"] if answer.status != 200 else []
        if len(html) > HEAVIEST:
            found.append(f"has {len(html)} characters of HTML, {HEAVIEST} are allowed")
        if self.requests > MOST_REQUESTS:
            found.append(f"asks for {self.requests} files")
        found += [f"is not good HTML: {error}" for error in JustHTML(html, collect_errors=True).errors]
        if self.page.evaluate(CARDS_WITHOUT_STYLE):
            found.append("lists cards as if they were text: it lacks cards.css")
        if (sheets := html.count('rel="stylesheet"')) != 1:
            found.append(f"has {sheets} style sheets")
        if (shifted := self.page.evaluate(SHIFTED)) > SHIFT:
            found.append(f"moves while it loads: {shifted:.3f}")
        self.page.evaluate(LET_GO)
        found += self._seen("on a phone", EVERYTHING)
        self.page.emulate_media(color_scheme="dark")
        found += self._seen("in the dark", CONTRAST)
        self.page.emulate_media(color_scheme="light")
        found += self._cut_off()
        return [f"{path} {fault}" for fault in (*found, *self.complaints)]

    def kept_out(self, size: ViewportSize) -> list[str]:
        """What keeps somebody out of the page that is open, in a window of this size."""
        self.page.set_viewport_size(size)
        self.page.evaluate(LET_GO)
        return [*self._wide(), *self._seen(f"at {size['width']} pixels", EVERYTHING), *self.complaints]

    def _cut_off(self) -> list[str]:
        """What does not fit into windows of all widths, with everything unfolded; the page is not loaded again."""
        found = []
        for width in WIDTHS:
            self.page.set_viewport_size({"width": width, "height": 900})
            cut = self.page.evaluate(CUT_OFF, ", ".join(MEANT_TO_SCROLL))
            found += [*self._wide(), *(f"cuts off at {width} pixels: {one}" for one in cut)]
        return found

    def _wide(self) -> list[str]:
        wide, room = self.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        return [f"is {wide} pixels wide in {room}"] if wide > room else []

    def _seen(self, how: str, options: dict[str, Any]) -> list[str]:
        if not self.page.evaluate("'axe' in window"):  # half a megabyte, for all looks at this page
            self.page.evaluate(self._axe.axe_script)
        violations = self.page.evaluate("options => axe.run(options)", options)["violations"]
        return [f"{how}: {item['id']} at {item['nodes'][0]['target']}, {item['help']}" for item in violations]


@contextmanager
def looking(chromium: Browser, root: str) -> Iterator[Looker]:
    """A phone in somebody's hand."""
    context = chromium.new_context(reduced_motion="reduce")
    context.add_init_script(WATCH_SHIFTS)
    context.add_init_script(FORBIDDEN)
    page = context.new_page()
    looker = Looker(page, root)

    def asked(request: Request) -> None:
        looker.requests += not request.is_navigation_request()

    page.on("request", asked)
    page.on(
        "console",
        lambda said: looker.complaints.append(f"complains: {said.text}") if said.type in ("error", "warning") else None,
    )
    page.on("pageerror", lambda error: looker.complaints.append(f"its script fails: {error}"))
    try:
        yield looker
    finally:
        context.close()
