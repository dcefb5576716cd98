"""What reading requests whole costs: our worker class of gunicorn beside its own threads, with the same application.

Both serve the same pages with one process of four threads, asked in turn. What the processor does for an answer is told
as well, because that stays the same on a busy machine. Then twenty clients send heads and bodies a byte at a time, and
the health page is asked for meanwhile.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.row import Row
from pbem.runtime import Processes, free_port
from pbem.runtime.server import migrate
from pbem.settings.settings import Settings
from tests.slow import slow_clients

ROUNDS, REQUESTS, AT_ONCE, SLOW = 5, 400, 8, 20
PATIENCE = 5.0
SLOWEST_MS = 5.0
OURS, THEIRS = "pbem.runtime.webworker.WebWorker", "gthread"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def health(port: int) -> float:
    return asked(port, "GET", "/healthz")


def page(port: int) -> float:
    return asked(port, "GET", "/maps")


def order(port: int) -> float:
    """A form that is refused in the end, as costly as one that is not until it comes to the database."""
    return asked(port, "POST", "/t/nothing", b"orders=" + b"x" * 2_000)


TASKS: dict[str, Callable[[int], float]] = {"health page": health, "page of all maps": page, "form of 2 KB": order}


def asked(port: int, method: str, path: str, body: bytes | None = None) -> float:
    """Seconds until all of the answer is there; all of the patience, if it never is."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    with contextlib.closing(connection), contextlib.suppress(TimeoutError):
        connection.request(method, path, body, FORM if body else {})
        connection.getresponse().read()
    return time.perf_counter() - began


def measure() -> list[Row]:
    """Both side by side, in turn, so that a busy machine burdens both alike."""
    rows: list[Row] = []
    with serving(OURS) as ours, serving(THEIRS) as theirs:
        for name, task in TASKS.items():
            works = [(work(task, ours), work(task, theirs)) for _ in range(ROUNDS)]
            waits = [(task(ours.port) * 1000, task(theirs.port) * 1000) for _ in range(REQUESTS)]
            rows.append(beside(f"{name}, {AT_ONCE} at a time, processor", works))
            rows.append(beside(f"{name}, one at a time, wait", waits))
        rows.append(Row("memory of the process", ours.weight, "MB", THEIRS, theirs.weight))
        slow = (beside_slow(ours.port), beside_slow(theirs.port))
        rows.append(Row(f"health page beside {SLOW} slow clients", slow[0], "ms", THEIRS, slow[1], limit=SLOWEST_MS))
    return rows


def beside(name: str, measured: list[tuple[float, float]]) -> Row:
    """The medians of both."""
    ours, theirs = (statistics.median(side) for side in zip(*measured, strict=True))
    return Row(name, ours, "ms", THEIRS, theirs)


@dataclass(frozen=True, slots=True)
class Web:
    """A gunicorn with one process."""

    port: int
    process: psutil.Process

    @property
    def weight(self) -> float:
        """Megabytes that the process has in memory."""
        return float(self.process.memory_info().rss / 2**20)

    @property
    def worked(self) -> float:
        """Milliseconds of the processor that it has used so far."""
        times = self.process.cpu_times()
        return float(times.user + times.system) * 1000


@contextlib.contextmanager
def serving(worker_class: str) -> Iterator[Web]:
    """A gunicorn with one process of this class; and its tables."""
    with tempfile.TemporaryDirectory() as folder:
        outside = {key: value for key, value in os.environ.items() if not key.startswith("PBEM_")}
        environ = {**outside, "PBEM_DATA_DIR": str(Path(folder, "data")), "PBEM_RATE_LIMITS": "off"}
        migrate(Settings.read(environ))
        port = free_port()
        with Processes(environ, Path(folder, "logs")) as processes:
            gunicorn = processes.start(
                "web",
                [sys.executable, "-m", "gunicorn", "--config", "python:pbem.runtime.webserver", "pbem.web:create_app()",
                 "--bind", f"127.0.0.1:{port}", "--threads", "4", "--worker-class", worker_class,
                 "--log-level", "error"],
            )  # fmt: skip
            processes.until_listening("127.0.0.1", port)
            for task in TASKS.values():
                task(port)
            yield Web(port, psutil.Process(gunicorn.pid).children()[0])


def work(task: Callable[[int], float], web: Web) -> float:
    """Milliseconds of the processor for an answer."""
    before = web.worked
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(task, [web.port] * REQUESTS))
    return (web.worked - before) / REQUESTS


def beside_slow(port: int) -> float:
    """Milliseconds for the health page, the slowest of five, while others take their time."""
    with slow_clients(port, SLOW):
        time.sleep(1)
        return max(health(port) for _ in range(5)) * 1000
