"""The page of a late game of five on the Rust Belt as one of its players sees it, on both databases.

All times are those of the processor; the picture is drawn apart from them (see ``bench/picture.py``).
"""

import statistics
import tempfile
import time
from collections.abc import Iterator

from bench.late import stock
from bench.players import now
from bench.row import Row
from pbem.service import Office, open_office
from pbem.service.base.task_hints import Hints
from pbem.service.base.tokens import SeatClaim
from pbem.service.people import accounts
from pbem.settings.settings import Settings
from pbem.web.app import create_app
from pbem.web.base.context import cookie_name
from tests import servers

LOOKS = 40
PAGE_MS = 15.0


def measure() -> list[Row]:
    """A row for each database."""
    return list(_rows())


def _rows() -> Iterator[Row]:
    with stock(1) as games, tempfile.TemporaryDirectory() as folder, servers.postgresql(on_disk=True) as url:
        for name, where in (("SQLite", f"sqlite:///{folder}/pages.sqlite"), ("PostgreSQL", url)):
            games.copy_to(where)
            ours = {"PBEM_DATA_DIR": folder, "PBEM_DATABASE_URL": where, "PBEM_RATE_LIMITS": "off"}
            office = open_office(Settings.read(ours), Hints(lambda _: None))
            took = looked_at(office, games.games[0].id)
            office.database.close()
            yield Row(f"page of a late game of five, {name}", took, "ms", limit=PAGE_MS)


def looked_at(office: Office, game: str) -> float:
    """Milliseconds for the page; the first look does not count."""
    web = create_app(office=office).test_client()
    web.set_cookie(cookie_name(office.settings), accounts.log_in_seat(office, SeatClaim(game, 0), now()))
    times = []
    for _ in range(LOOKS + 1):
        began = time.process_time()
        answer = web.get(f"/games/{game}")
        times.append(1000 * (time.process_time() - began))
        if answer.status_code != 200:
            raise RuntimeError(f"the page answered {answer.status_code}: {answer.text}")
    return statistics.median(times[1:])
