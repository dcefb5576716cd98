"""Turns a second with two workers: late games of five on the Rust Belt, on one PostgreSQL and one Redis.

Real Celery workers as ``make serve`` starts them, real letters over SMTP with the board drawn, PostgreSQL with
``fsync``. As at a real table the next order of a game comes in when its letter has arrived; all games are played at
the same time. Orders are taken in by the process of
the benchmark, which shares the processors with all others.
"""

from __future__ import annotations

import os
import queue
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench.late import Stock, stock
from bench.players import now
from bench.postbox import Arrival, receiving
from bench.row import Row
from pbem.runtime.processes import Processes
from pbem.runtime.server import WORKER
from pbem.service import Office, open_office
from pbem.service.orders import submissions
from pbem.settings.settings import Settings
from tests import servers
from tests.databases import Postgresql

WORKERS = 2
WARMING = 2
"""Orders of each game that are played before the time runs."""
SECONDS = 8.0
"""The least that is a measurement; at 60 turns a second the kept games last twelve. Where they are over sooner they
are played again, with a new database and new workers."""
PATIENCE = 60.0
FASTEST = 45.0
"""Turns a second that two workers on two processors are to reach."""


def measure() -> list[Row]:
    """One row; the note says how many processors there are."""
    with stock() as games, servers.redis() as broker, servers.postgresql(on_disk=True) as url:
        cluster = Postgresql(url)
        found = long_enough(lambda: rate(games, broker, cluster.bare()))
    shared = f"{os.cpu_count()} processors, which PostgreSQL, Redis, the mail server and the benchmark use as well"
    name = f"turns a second with {WORKERS} workers, letters and SMTP, PostgreSQL and Redis"
    note = f"{found.turns} turns in {found.seconds:.1f} s; {shared}"
    return [Row(name, found.turns / found.seconds, "/s", limit=FASTEST, at_least=True, note=note)]


@dataclass(frozen=True, slots=True)
class Rate:
    """So many turns in so many seconds."""

    turns: int
    seconds: float


def long_enough(measured: Callable[[], Rate]) -> Rate:
    """What was measured, again and again until it has taken long enough."""
    whole = Rate(0, 0.0)
    while whole.seconds < SECONDS:
        one = measured()
        whole = Rate(whole.turns + one.turns, whole.seconds + one.seconds)
    return whole


def rate(games: Stock, broker: str, database: str) -> Rate:
    """Play all games to their end."""
    arrivals: queue.Queue[Arrival] = queue.Queue()
    with tempfile.TemporaryDirectory() as folder, receiving(arrivals.put) as port:
        ours = {
            "PBEM_DATA_DIR": folder,
            "PBEM_BROKER_URL": broker,
            "PBEM_DATABASE_URL": database,
            "PBEM_SMTP_URL": f"smtp://127.0.0.1:{port}",
        }
        office = open_office(Settings.read(ours))
        games.copy_to(office.settings.database_url)
        outside = {key: value for key, value in os.environ.items() if not key.startswith("PBEM_")}
        with Processes({**outside, **ours}, Path(folder, "logs")) as processes:
            for number in range(WORKERS):
                processes.python(f"worker{number}", *WORKER)
            tables = Tables(office, games, arrivals, processes)
            tables.play(WARMING)
            turns = tables.left
            began = time.perf_counter()
            tables.play()
            seconds = time.perf_counter() - began
        office.database.close()
    return Rate(turns, seconds)


@dataclass
class Tables:
    """All games with what each waits for."""

    office: Office
    games: Stock
    arrivals: queue.Queue[Arrival]
    processes: Processes
    played: dict[str, int] = field(default_factory=dict)

    @property
    def left(self) -> int:
        """Orders that are still to come."""
        return sum(len(game.orders) - self.played.get(game.id, 0) for game in self.games.games)

    def play(self, orders: int | None = None) -> None:
        """Play so many orders in every game, or all that are left, until their letters have arrived."""
        goals = {game.id: len(game.orders) if orders is None else orders for game in self.games.games}
        for game in goals:
            self._submit(game)
        while any(self.played[game] < goal for game, goal in goals.items()):
            arrival = self._arrival()
            if not self._awaited(arrival):
                continue
            self.played[arrival.game] += 1
            if self.played[arrival.game] < goals[arrival.game]:
                self._submit(arrival.game)

    def _submit(self, id_: str) -> None:
        game = next(game for game in self.games.games if game.id == id_)
        number = self.played.setdefault(id_, 0)
        entry = game.orders[number]
        new = submissions.NewSubmission(entry.player, entry.orders, game.version + number, "api")
        submissions.submit(self.office, id_, new, now())

    def _awaited(self, arrival: Arrival) -> bool:
        """Whether it is the first letter about the position that the last order led to."""
        versions = {game.id: game.version + self.played[game.id] + 1 for game in self.games.games}
        return versions.get(arrival.game) == arrival.version

    def _arrival(self) -> Arrival:
        until = time.perf_counter() + PATIENCE
        while time.perf_counter() < until:
            self.processes.check()
            try:
                return self.arrivals.get(timeout=1)
            except queue.Empty:
                continue
        raise RuntimeError(f"no letter came for {PATIENCE:.0f} s, and {self.left} orders are left")
