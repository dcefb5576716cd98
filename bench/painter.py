"""The painter on the largest map: from a stroke to the picture in a browser, and what the server takes to check a text.

The stroke is what the page itself works, and a slow phone takes four times as long: to slow Chromium down counts the
work of other processes as well.
"""

import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import CDPSession

from bench.row import Row
from pbem.engine import catalog
from pbem.service.own_maps import beginnings
from tests.web.browsers import launched
from tests.web.conftest import Games
from tests.web.games.easel import Easel, at_work

SLOWED = 4
PICTURE_MS, CHECK_MS = 50.0, 50.0
STROKES = [f"{letter}{column}" for letter in "CGKOS" for column in (2, 6, 10, 14)]
STROKE = """async ([x, y]) => {
  const board = document.querySelector('#board');
  const event = kind => new PointerEvent(kind, { clientX: x, clientY: y, pointerId: 1, bubbles: true });
  board.setPointerCapture = () => {};
  board.dispatchEvent(event('pointerdown'));
  board.dispatchEvent(event('pointerup'));
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
}"""
"""A press, until the picture after it is drawn."""


def measure() -> list[Row]:
    text = beginnings.empty("Large", "Ana", "Own design.", 20, 20, "flat-top")
    took = []
    for _ in range(20):
        began = time.process_time()
        catalog.check("own", text)
        took.append(1000 * (time.process_time() - began))
    with tempfile.TemporaryDirectory() as folder, launched() as chromium:
        site = Games(Path(folder)).at("started")
        with at_work(chromium, site, text) as (easel, _, _complaints):
            stroke = SLOWED * 1000 * strokes(easel)
    return [
        Row("check of a drawing of 400 hexes", statistics.median(took), "ms", limit=CHECK_MS),
        Row("stroke of the painter on 400 hexes, four times slowed", stroke, "ms", limit=PICTURE_MS),
    ]


def strokes(easel: Easel) -> float:
    """Seconds that the page works from a press to its picture."""
    easel.take("^")
    tools = easel.page.context.new_cdp_session(easel.page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    taken = []
    for hex_ in STROKES:
        where = list(easel.at(hex_))
        easel.page.wait_for_timeout(300)
        begun = _busy(tools)
        easel.page.evaluate(STROKE, where)
        taken.append(_busy(tools) - begun)
    return statistics.median(taken[1:])  # the first one warms up


def _busy(tools: CDPSession) -> float:
    metrics = tools.send("Performance.getMetrics")["metrics"]
    return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")
