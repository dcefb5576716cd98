"""Turns a second with 1, 2 and 4 workers on one PostgreSQL and one Redis: many games at once, each one order further.

A turn is counted when the order has been played and the letter to the next player, with the board drawn, lies in the
outbox. Real Celery workers as ``make serve`` starts them; all orders of a round are taken in before they are hinted at.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import func, select, update

from bench.players import now, open_game
from bench.row import Row
from pbem import robot
from pbem.runtime.processes import Processes
from pbem.runtime.server import WORKER
from pbem.service import Office
from pbem.service.base.task_hints import Hint, Hints
from pbem.service.reading import views
from pbem.service.table import submissions
from pbem.settings import Settings
from pbem.statuses import SubmissionStatus
from pbem.store.tables import Letter, Submission
from pbem.store.upgrade import upgrade
from tests import servers

WORKERS = (1, 2, 4)
GAMES = 24
ROUNDS = 3
PATIENCE = 120.0


def measure() -> list[Row]:
    """A row for each number of workers, beside one."""
    with (
        tempfile.TemporaryDirectory() as folder,
        servers.redis() as broker,
        servers.postgresql(on_disk=True) as database,
    ):
        ours = {"PBEM_DATA_DIR": folder, "PBEM_BROKER_URL": broker, "PBEM_DATABASE_URL": database}
        hints: list[Hint] = []
        office = Office.open(Settings.read(ours), Hints(hints.append))
        upgrade(office.database.engine)
        games = [open_game(office) for _ in range(GAMES)]
        nothing_waits(office)
        hints.clear()
        rates = {workers: rate(office, hints, games, ours, workers) for workers in WORKERS}
        office.database.close()
    return list(rows(rates))


def rows(rates: dict[int, float]) -> Iterator[Row]:
    """More workers than processors cannot be faster; the note says how many there are."""
    note = f"{os.cpu_count()} processors, which PostgreSQL and Redis use as well; letter with picture included"
    for workers, reached in rates.items():
        said = note if workers == WORKERS[0] else ""
        name = f"turns a second with {workers} worker{'s' * (workers > 1)}, PostgreSQL and Redis"
        yield Row(name, reached, "/s", "1 worker", rates[1], note=said)


def rate(office: Office, hints: list[Hint], games: list[str], ours: dict[str, str], workers: int) -> float:
    """The median of several rounds; one before them warms the workers and does not count."""
    outside = {key: value for key, value in os.environ.items() if not key.startswith("PBEM_")}
    with Processes({**outside, **ours}, Path(ours["PBEM_DATA_DIR"], f"logs{workers}")) as processes:
        for number in range(workers):
            processes.python(f"worker{number}", *WORKER)
        times = [seconds(office, hints, games, processes) for _ in range(ROUNDS + 1)]
    return len(games) / statistics.median(times[1:])


def seconds(office: Office, hints: list[Hint], games: list[str], processes: Processes) -> float:
    """How long the workers take for one order in every game; choosing and taking them in is not counted."""
    for game in games:
        view = views.game(office, game)
        order = robot.choose(view.sheet, view.state, random.Random(view.version))
        submissions.submit(office, game, submissions.NewSubmission(view.waiting_for, order, view.version, "api"), now())
    given, took = Hints.to_broker(office.settings), time.perf_counter()
    given.give(hints)
    hints.clear()
    while waiting(office):
        processes.check()
        if time.perf_counter() > took + PATIENCE:
            raise RuntimeError(f"{waiting(office)} orders and letters still wait after {PATIENCE:.0f} s")
        time.sleep(0.02)
    return time.perf_counter() - took


def waiting(office: Office) -> int:
    """Orders and letters that the workers have not dealt with."""
    with office.read() as session:
        return sum(
            session.scalar(select(func.count()).where(table.status == SubmissionStatus.WAITING)) or 0
            for table in (Submission, Letter)
        )


def nothing_waits(office: Office) -> None:
    """The letters of the start are of no interest here."""
    with office.database.write() as session:
        session.execute(update(Letter).values(status="sent", sent_at=now()))
