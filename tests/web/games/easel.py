"""A painter at work: strokes, presses and fields on the page on which maps are drawn, as a hand makes them."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect

from pbem.rails.board import Board, Label
from pbem.rails.hexes import grid_place, steps
from pbem.service.own_maps import drafts
from pbem.web.boards.painted import GRIDS
from tests.web.browsers import serving
from tests.web.site import Site

TALL = ViewportSize(width=1280, height=1500)
WHERE = """([x, y]) => {
  const point = new DOMPoint(x, y).matrixTransform(document.querySelector('#board').getScreenCTM());
  return [point.x, point.y];
}"""
INTO_SIGHT = """([x, y]) => {
  const canvas = document.querySelector('.canvas');
  canvas.scrollIntoView({ block: 'center' });
  const point = new DOMPoint(x, y).matrixTransform(document.querySelector('#board').getScreenCTM());
  const { left, top, width, height } = canvas.getBoundingClientRect();
  canvas.scrollBy(point.x - left - width / 2, point.y - top - height / 2);
}"""


class Easel:
    """``finger``: touches the board instead of moving a mouse. ``pace``: milliseconds that a stroke or a press takes a
    hand, and three letters."""

    def __init__(self, page: Page, orientation: str, *, finger: bool = False, pace: int = 0) -> None:
        self.page, self.orientation, self.pace = page, orientation, pace
        self.hand = page.context.new_cdp_session(page) if finger else None

    @property
    def text(self) -> str:
        """The map as it is written, a moment after the last stroke."""
        self.page.evaluate("new Promise(done => setTimeout(done, 100))")
        return self.page.locator("#text").input_value()

    def at(self, hex_: Label, dx: float = 0, dy: float = 0) -> tuple[float, float]:
        """Where on the screen a hex is, or a place beside its middle."""
        x, y = self._middle(hex_)
        found: tuple[float, float] = self.page.evaluate(WHERE, [x + dx, y + dy])
        return found

    def _middle(self, hex_: Label) -> tuple[int, int]:
        across, down = GRIDS[self.orientation]
        x, y = grid_place(hex_, flat=self.orientation == "flat-top")
        return x * across, y * down

    def rest(self) -> None:
        if self.pace:
            self.page.wait_for_timeout(self.pace)

    def take(self, sign: str) -> None:
        """Take a tool."""
        self.rest()
        self.page.locator(f'.tool:has([name="tool"][value="{sign}"])').click()

    def stroke(self, hexes: Sequence[Label]) -> None:
        """One stroke over hexes; a finger lifts after two, so that it stays in sight."""
        self.rest()
        if self.hand is None:
            mouse = self.page.mouse
            mouse.move(*self.at(hexes[0]))
            mouse.down()
            for hex_ in hexes[1:]:
                mouse.move(*self.at(hex_), steps=3)
            mouse.up()
            return
        for first, *second in (hexes[at : at + 2] for at in range(0, len(hexes), 2)):
            self.page.evaluate(INTO_SIGHT, self._middle(first))
            self.touch("touchStart", self.at(first))
            if second:
                self.touch("touchMove", self.at(second[0]))
            self.touch("touchEnd")
            self.page.wait_for_timeout(100)  # no finger comes back sooner

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        assert self.hand is not None
        places = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    def press(self, hex_: Label, dx: float, dy: float) -> None:
        """Press beside the middle of a hex."""
        self.rest()
        if self.hand is None:
            self.page.mouse.click(*self.at(hex_, dx, dy))
            return
        self.page.evaluate(INTO_SIGHT, self._middle(hex_))
        self.touch("touchStart", self.at(hex_, dx, dy))
        self.touch("touchEnd")

    def paint(self, sign: str, hexes: Iterable[Label]) -> int:
        """Paint with as few strokes as go without lifting the mouse from hex to neighbour; how many."""
        runs: list[list[Label]] = []
        for hex_ in hexes:
            if runs and self._beside(runs[-1][-1], hex_):
                runs[-1].append(hex_)
            else:
                runs.append([hex_])
        if runs:
            self.take(sign)
        for run in runs:
            self.stroke(run)
        return len(runs)

    def _beside(self, a: Label, b: Label) -> bool:
        flat = self.orientation == "flat-top"
        (ax, ay), (bx, by) = grid_place(a, flat=flat), grid_place(b, flat=flat)
        return (bx - ax, by - ay) in steps(self.orientation)

    def fill(self, label: str, value: str) -> None:
        """Type into a field, and leave it."""
        self.rest()
        field = self.page.get_by_label(label, exact=True)
        if self.pace:
            field.clear()
            field.press_sequentially(value, delay=self.pace / 3)
        else:
            field.fill(value)
        field.blur()

    def city(self, hex_: Label, name: str, colours: Sequence[str], columns: Sequence[str], cubes: int) -> None:
        self.take("*")
        self.stroke([hex_])
        self.fill("Name", name)
        for colour in colours:
            self.rest()
            self.page.locator(f'#hex [name="colour"][value="{colour}"]').check()
        for number, column in enumerate(columns):
            self.rest()
            self.page.locator('#hex [name="column"]').nth(number).select_option(column)
        self.fill("Cubes at the start", str(cubes))

    def town(self, hex_: Label, name: str) -> None:
        self.take("o")
        self.stroke([hex_])
        self.fill("Name", name)

    def head(self, board: Board) -> None:
        self.fill("Name of the map", board.name)
        self.fill("What is special, in a few words", board.remark)
        self.fill("Designer, as shown", board.designer)
        self.fill("Where the map comes from", board.provenance)

    def saved(self) -> None:
        """Until what is painted was checked and saved."""
        with self.page.expect_response(lambda answer: answer.url.endswith("/save"), timeout=20_000):
            pass


@contextmanager
def at_work(chromium: Browser, site: Site, text: str, **context: Any) -> Iterator[tuple[Easel, str, list[str]]]:
    """The page of a map with this text, its address, and what the browser complains about."""
    key = drafts.begin(site.office, site.host, text, site.now)
    orientation = "flat-top" if 'orientation = "flat-top"' in text else "pointy-top"
    with serving(site.app) as root:
        opened = chromium.new_context(**{"viewport": TALL, **context})
        page, complaints = opened.new_page(), list[str]()
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(root + site.path(site.office.addresses.seat(site.game, 0)))
        page.get_by_role("button", name="Stay logged in").click()
        page.goto(f"{root}/maps/own/{key}")
        if context.get("java_script_enabled", True):
            expect(page.locator("#land use").first).to_be_attached()
        yield Easel(page, orientation, finger=context.get("has_touch", False)), f"{root}/maps/own/{key}", complaints
        opened.close()
