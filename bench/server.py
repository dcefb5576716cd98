"""From an accepted order to the letter at the mail server, and what each process weighs at rest.

The whole server as `make serve` starts it, with real HTTP and a real SMTP receiver on loopback: once with the
embedded default (SQLite, local broker), once with Redis and PostgreSQL.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import random
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from pathlib import Path

import psutil
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from bench.players import open_game
from bench.row import Row
from pbem import robot
from pbem.runtime import Server, free_port
from pbem.service import Office
from pbem.service.reading import views
from pbem.settings import Settings
from tests import servers

TURNS = 40
PATIENCE = 20.0
REST = 3.0
SLOWEST_MS = 500.0
HEAVIEST_MB = 150.0


@dataclass(slots=True)
class Postbox:
    """Takes letters and notes when each turn letter came in."""

    turns: queue.Queue[float] = field(default_factory=queue.Queue)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 (aiosmtpd's name)
        came_in = time.perf_counter()
        content = envelope.content
        letter = message_from_bytes(content if isinstance(content, bytes) else (content or "").encode())
        if letter["X-Pbem-Letter"] == "your-turn":
            self.turns.put(came_in)
        return "250 taken"


def measure() -> list[Row]:
    """Rows of both set-ups."""
    rows = in_one_setup("embedded default", {})
    with servers.redis() as broker, servers.postgresql(on_disk=True) as database:
        rows += in_one_setup("Redis and PostgreSQL", {"PBEM_BROKER_URL": broker, "PBEM_DATABASE_URL": database})
    return rows


def in_one_setup(name: str, chosen: dict[str, str]) -> list[Row]:
    """The median way of a letter in milliseconds, and each process in megabytes."""
    with tempfile.TemporaryDirectory() as folder, receiving() as (postbox, smtp_port):
        port = free_port()
        ours = {
            "PBEM_DATA_DIR": str(Path(folder, "data")),
            "PBEM_PUBLIC_URL": f"http://127.0.0.1:{port}",
            "PBEM_SMTP_URL": f"smtp://127.0.0.1:{smtp_port}",
            "PBEM_RATE_LIMITS": "off",  # one client asks as fast as it can
            **chosen,
        }
        outside = {key: value for key, value in os.environ.items() if not key.startswith("PBEM_")}
        with Server({**outside, **ours}, port, logs=Path(folder, "logs")) as server:
            office = Office.open(Settings.read(ours))
            try:
                took = ways(office, postbox, port)
            except queue.Empty as empty:
                raise RuntimeError(f"No letter came within {PATIENCE} s.\n{logged(Path(folder, 'logs'))}") from empty
            finally:
                office.database.close()
            time.sleep(REST)
            return [way(name, took), *weights(name, server)]


@contextlib.contextmanager
def receiving() -> Iterator[tuple[Postbox, int]]:
    """A mail server on loopback with its port."""
    postbox, port = Postbox(), free_port()
    controller = Controller(postbox, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield postbox, port
    finally:
        controller.stop()


def ways(office: Office, postbox: Postbox, port: int) -> list[float]:
    """Milliseconds from posting an order to the next player's letter, for the first turns of a game."""
    game, dice, took = open_game(office), random.Random(1), []
    postbox.turns.get(timeout=PATIENCE)
    for _ in range(TURNS):
        view = views.game(office, game)
        token = office.tokens.turn(game, view.waiting_for, view.version)
        began = time.perf_counter()
        post(f"http://127.0.0.1:{port}/api/v1/turn/{token}", robot.choose(view.sheet, view.state, dice))
        took.append((postbox.turns.get(timeout=PATIENCE) - began) * 1000)
    return took


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


def way(name: str, took: list[float]) -> Row:
    """The median with the slowest tenth beside it."""
    slowest = statistics.quantiles(took, n=10)[-1]
    note = f"median of {len(took)}, board picture included; nine of ten within {slowest:.0f} ms"
    return Row(f"from the POST to the letter, {name}", statistics.median(took), "ms", limit=SLOWEST_MS, note=note)


def weights(name: str, server: Server) -> Iterator[Row]:
    """Resident memory of every process and its children."""
    for child in server.processes.children if server.processes else ():
        family = psutil.Process(child.process.pid)
        for number, member in enumerate([family, *family.children(recursive=True)]):
            megabytes = member.memory_info().rss / 2**20
            part = child.name if not number else f"{child.name}, child {number}"
            yield Row(f"memory at rest of {part}, {name}", megabytes, "MB", limit=HEAVIEST_MB)
