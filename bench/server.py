"""From an accepted order to the letter at the mail server, and what the whole server weighs.

The whole server as `make serve` starts it, with real HTTP and a real SMTP receiver on loopback, late in a game of five
on the Rust Belt: once with the embedded default (SQLite, local broker), once with Redis and PostgreSQL (``fsync`` on).
"""

from __future__ import annotations

import json
import os
import queue
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.late import Stock, stock
from bench.postbox import Arrival, receiving
from bench.row import Row
from pbem.runtime import Server, free_port
from pbem.service import Office, open_office
from pbem.service.base.tokens import TurnClaim
from pbem.settings.settings import Settings
from tests import servers

WARMING = 5
PATIENCE = 20.0
REST = 3.0
EMBEDDED, SERVICES = "embedded", "Redis and PostgreSQL"
SLOWEST_MS = {EMBEDDED: 50.0, SERVICES: 70.0}


def measure() -> list[Row]:
    """Rows of both set-ups."""
    with stock(1) as games:
        rows = in_one_setup(EMBEDDED, {}, games)
        with servers.redis() as broker, servers.postgresql(on_disk=True) as database:
            chosen = {"PBEM_BROKER_URL": broker, "PBEM_DATABASE_URL": database}
            rows += in_one_setup(SERVICES, chosen, games)
    return rows


def in_one_setup(name: str, chosen: dict[str, str], games: Stock) -> list[Row]:
    """The way of a letter, and the memory of all processes."""
    with running(chosen, games) as (measured, server):
        way = from_post_to_mail(name, measured, games)
        time.sleep(REST)
        return [way, weight(name, server)]


@contextmanager
def running(chosen: dict[str, str], games: Stock) -> Iterator[tuple[Measured, Server]]:
    """A whole server with these settings and games, and a mail server."""
    arrivals: queue.Queue[Arrival] = queue.Queue()
    with tempfile.TemporaryDirectory() as folder, receiving(arrivals.put) as smtp_port:
        port = free_port()
        ours = {
            "PBEM_DATA_DIR": str(Path(folder, "data")),
            "PBEM_PUBLIC_URL": f"http://127.0.0.1:{port}",
            "PBEM_SMTP_URL": f"smtp://127.0.0.1:{smtp_port}",
            "PBEM_RATE_LIMITS": "off",  # one client asks as fast as it can
            **chosen,
        }
        office = open_office(Settings.read(ours))
        games.copy_to(office.settings.database_url)
        outside = {key: value for key, value in os.environ.items() if not key.startswith("PBEM_")}
        with Server({**outside, **ours}, port, logs=Path(folder, "logs")) as server:
            try:
                yield Measured(office, arrivals, port), server
            except queue.Empty as empty:
                raise RuntimeError(f"No letter came within {PATIENCE} s.\n{logged(Path(folder, 'logs'))}") from empty
            finally:
                office.database.close()


@dataclass(frozen=True, slots=True)
class Measured:
    """A running server with its mail server."""

    office: Office
    arrivals: queue.Queue[Arrival]
    port: int

    def turn(self, game: str, version: int, seat: str, order: str) -> float:
        """Milliseconds from posting an order to the letter about the position that it leads to."""
        token = self.office.tokens.make(TurnClaim(game, seat, version))
        began = time.perf_counter()
        post(f"http://127.0.0.1:{self.port}/api/v1/turn/{token}", order)
        while (arrival := self.arrivals.get(timeout=PATIENCE)).version <= version:
            pass
        return (arrival.at - began) * 1000


def from_post_to_mail(name: str, measured: Measured, games: Stock) -> Row:
    """The median with the slowest tenth beside it."""
    (game,) = games.games
    took = [
        measured.turn(game.id, game.version + number, entry.player, entry.orders)
        for number, entry in enumerate(game.orders[:-1])  # the last one ends the game
    ][WARMING:]
    slowest = statistics.quantiles(took, n=10)[-1]
    note = f"median of {len(took)} late turns of five; nine of ten within {slowest:.0f} ms"
    return Row(f"from the POST to the mail, {name}", statistics.median(took), "ms", limit=SLOWEST_MS[name], note=note)


def logged(folder: Path) -> str:
    """The ends of all logs."""
    return "\n".join(f"{log.name}: {log.read_text(errors='replace')[-2000:]}" for log in sorted(folder.glob("*.log")))


def post(url: str, orders: str) -> None:
    """Send orders through the turn API, which must accept them."""
    body = json.dumps({"orders": orders}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        if answer.status != 202:
            raise RuntimeError(f"the turn API answered {answer.status}")


def members(server: Server) -> list[psutil.Process]:
    """All processes of a server."""
    roots = [psutil.Process(child.process.pid) for child in (server.processes.children if server.processes else ())]
    return [member for root in roots for member in (root, *root.children(recursive=True))]


def weight(name: str, server: Server) -> Row:
    """Memory at rest, of all processes; what they share is counted once."""
    every = members(server)
    heavy = sum(member.memory_full_info().pss for member in every) / 2**20
    return Row(f"memory at rest of the whole server, {name}", heavy, "MB", note=f"{len(every)} processes")
