"""What another language costs: the page and the email of one late question in Polish, beside the same in English.

The catalogue is loaded once a process, before anything else is measured; what that takes is a row of its own. All times
are those of the processor, and the languages take turns, so that a busy machine slows both.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from sqlalchemy import update

from bench.pages import get, late_positions, office_in_memory, put, written
from bench.row import Row
from pbem.service import Office
from pbem.store.tables import Account
from pbem.web.app import create_app

TIMES = 40
MOST = 1.1
"""Times as dear as in English, at the most."""
LOAD_MS, MEMORY_MB = 40.0, 8.0
LOADED = """
import time, psutil
from pbem.language import language
from pbem.engine.text import Dated
before, began = psutil.Process().memory_info().rss, time.process_time()
polish = language("pl")
polish.translate("Your turn"), polish.dated(Dated("2026-11-29", "day", "")), polish.listed(["a", "b"])
print((time.process_time() - began) * 1000, (psutil.Process().memory_info().rss - before) / 1e6)
"""


def measure() -> list[Row]:
    """All rows."""
    with office_in_memory() as office:
        return [*_both(office), *_loaded()]


def _both(office: Office) -> Iterator[Row]:
    position = next(position for name, position in late_positions() if name.startswith("rust_belt, deliver"))
    game, letter = put(office, position)
    web = create_app(office=office, patience=0).test_client()
    address = f"/t/{office.tokens.turn(game, position.sheet.to_act(position.state) or '', 1)}"
    for what, work in (("turn page", lambda: get(web, address)), ("email", lambda: written(office, letter))):
        english, polish = _in_turns(office, work)
        yield Row(f"{what} in Polish", polish, "ms", "the same in English", english, most=MOST)


def _in_turns(office: Office, work: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds in English and in Polish; the first time of each does not count."""
    took: dict[str, list[float]] = {"en": [], "pl": []}
    for _ in range(TIMES + 1):
        for code, times in took.items():
            with office.write() as session:
                session.execute(update(Account).values(language=code))
            began = time.process_time()
            work()
            times.append((time.process_time() - began) * 1000)
    english, polish = (statistics.median(times[1:]) for times in took.values())
    return english, polish


def _loaded() -> Iterator[Row]:
    told = subprocess.run([sys.executable, "-c", LOADED], check=True, capture_output=True, text=True).stdout
    milliseconds, megabytes = map(float, told.split())
    yield Row("catalogue of Polish loaded, once a process", milliseconds, "ms", limit=LOAD_MS)
    yield Row("memory of a process that reads Polish", megabytes, "MB", limit=MEMORY_MB)
