"""From an accepted order to the letter at the mail server, what the whole server does for it, and what it weighs.

The whole server as `make serve` starts it, with real HTTP and a real SMTP receiver on loopback, late in a game of five
on the Rust Belt: once with the embedded default (SQLite, local broker), once with Redis and PostgreSQL (``fsync`` on).
Then a game of every sheet is started, so that the worker has drawn all boards.
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
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import psutil

from bench.late import Stock, stock
from bench.players import now
from bench.postbox import Arrival, receiving
from bench.row import Row
from pbem.engine import catalog
from pbem.runtime import Server, free_port
from pbem.service import Office, open_office
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import opening
from pbem.settings.settings import Settings
from tests import servers
from tests.late_game import NAMES

WARMING = 5
PATIENCE = 20.0
REST = 3.0
EMBEDDED, SERVICES = "embedded", "Redis and PostgreSQL"
SLOWEST_MS = {EMBEDDED: 50.0, SERVICES: 70.0}
HEAVIEST_MB = 150.0


def measure() -> list[Row]:
    """Rows of both set-ups."""
    with stock(1) as games:
        rows = in_one_setup(EMBEDDED, {}, games)
        with servers.redis() as broker, servers.postgresql(on_disk=True) as database:
            chosen = {"PBEM_BROKER_URL": broker, "PBEM_DATABASE_URL": database}
            rows += in_one_setup(SERVICES, chosen, games)
    return rows


def in_one_setup(name: str, chosen: dict[str, str], games: Stock) -> list[Row]:
    """The way of a letter, what the processor does for it, and the memory of each process."""
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
                rows = ways(name, Measured(office, server, arrivals, port), games)
                time.sleep(REST)
                rows += weights(name, server)
                sheets = draw_all(office, arrivals)
                time.sleep(REST)
                rows.append(drawn(name, server, sheets))
            except queue.Empty as empty:
                raise RuntimeError(f"No letter came within {PATIENCE} s.\n{logged(Path(folder, 'logs'))}") from empty
            finally:
                office.database.close()
        return rows


@dataclass(frozen=True, slots=True)
class Measured:
    """A running server with its mail server."""

    office: Office
    server: Server
    arrivals: queue.Queue[Arrival]
    port: int

    def turn(self, game: str, version: int, seat: str, order: str) -> float:
        """Milliseconds from posting an order to the letter about the position that it leads to."""
        token = self.office.tokens.turn(game, seat, version)
        began = time.perf_counter()
        post(f"http://127.0.0.1:{self.port}/api/v1/turn/{token}", order)
        while (arrival := self.arrivals.get(timeout=PATIENCE)).version <= version:
            pass
        return (arrival.at - began) * 1000

    @property
    def worked(self) -> float:
        """Milliseconds of the processor that the processes of the server have used, without PostgreSQL and Redis."""
        times = [member.cpu_times() for _, member in members(self.server)]
        return sum(1000 * float(each.user + each.system) for each in times)


def ways(name: str, measured: Measured, games: Stock) -> list[Row]:
    """The median with the slowest tenth beside it, and the time of the processor."""
    (game,) = games.games
    took: list[float] = []
    for number, entry in enumerate(game.orders[:-1]):  # the last one ends the game
        if number == WARMING:
            took, before = [], measured.worked
        took.append(measured.turn(game.id, game.version + number, entry.player, entry.orders))
    worked = (measured.worked - before) / len(took)
    slowest = statistics.quantiles(took, n=10)[-1]
    note = f"median of {len(took)} late turns of five; nine of ten within {slowest:.0f} ms"
    every = "all processes, waiting included; PostgreSQL and Redis are others’"
    return [
        Row(f"from the POST to the mail, {name}", statistics.median(took), "ms", limit=SLOWEST_MS[name], note=note),
        Row(f"processor time of the whole server for a turn, {name}", worked, "ms", note=every),
    ]


def draw_all(office: Office, arrivals: queue.Queue[Arrival]) -> int:
    """Start a game of every sheet and wait for the letter that shows its board; how many sheets there are."""
    waiting = set()
    for sheet in catalog.sheets():
        count = min(max(sheet.player_counts()), len(NAMES))
        players = tuple(opening.Invited(f"{name}@example.org", name.capitalize()) for name in NAMES[:count])
        new = opening.NewGame(sheet.slug, sheet.game, sheet.slug, players, grace=timedelta(0))
        game = opening.open_game(office, None, new, now())
        for number in range(count):
            opening.answer(office, InvitationClaim(game, number), True, now())
        waiting.add(game)
    sheets = len(waiting)
    while waiting:
        arrival = arrivals.get(timeout=PATIENCE)
        if arrival.kind == "your-turn":
            waiting.discard(arrival.game)
    return sheets


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


def members(server: Server) -> Iterator[tuple[str, psutil.Process]]:
    """Every process and its children, by name; first the one from which the parts were forked."""
    for child in server.processes.children if server.processes else ():
        forking = psutil.Process(child.process.pid)
        yield child.name, forking
        for part in forking.children():
            name = part.name().removeprefix("pbem ")
            for number, member in enumerate([part, *part.children(recursive=True)]):
                yield name if not number else f"{name}, child {number}", member


def weights(name: str, server: Server) -> Iterator[Row]:
    """Memory of each and of all."""
    heavy = {part: megabytes(member) for part, member in members(server)}
    for part, weight in heavy.items():
        yield Row(f"memory at rest of {part}, {name}", weight, "MB", limit=HEAVIEST_MB)
    yield Row(f"memory at rest of the whole server, {name}", sum(heavy.values()), "MB")


def drawn(name: str, server: Server, sheets: int) -> Row:
    """Memory of the worker when it has drawn everything."""
    (worker,) = (member for part, member in members(server) if part == "worker")
    return Row(
        f"memory of a worker that has drawn all {sheets} sheets, {name}", megabytes(worker), "MB", limit=HEAVIEST_MB
    )


def megabytes(process: psutil.Process) -> float:
    """What it holds in memory, with its share of what it shares with others."""
    return float(process.memory_full_info().pss / 2**20)
