"""What the next game costs a host: the same work beside 10, 1,000 and 100,000 stored games, on both databases.

The stored games are copies of three real ones (``tests.many_games``); the games that are played and looked at are
real and the same at every size. Sizes are measured in turn, so that a busy machine burdens all alike; only ratios are
judged.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.place import DUE, FEW_LINES, MANY, Place, Real, place, real_games
from bench.row import Row
from tests import servers
from tests.databases import Postgresql

SIZES = (10, 1_000, 100_000)
ROUNDS = 25
MOST = 1.5
"""How much dearer the largest may be than the smallest."""
NOBODY_MS = 10.0


@dataclass(frozen=True, slots=True)
class Task:
    """Something whose cost is compared from ``least`` games on.

    ``judged``: its ratio has a limit; ``limit``: milliseconds it may take with the most games.
    """

    name: str
    run: Callable[[Place], float]
    least: int = SIZES[0]
    judged: bool = False
    rounds: int = ROUNDS
    limit: float | None = None


TASKS = (
    Task("one turn", Place.turn, judged=True),
    Task("turn page", Place.turn_page, judged=True),
    Task("lobby", lambda place: place.page("/"), judged=True),
    Task(f"lobby of somebody with {MANY} games", lambda place: place.page("/", place.many), SIZES[1], judged=True),
    Task(f"archive, {FEW_LINES} lines", Place.archived, judged=True),
    Task("archive page", lambda place: place.page("/archive"), SIZES[1], judged=True),
    Task("archive page far back", lambda place: place.page(f"/archive?older={place.deep}"), SIZES[1], judged=True),
    Task("archive of one map", lambda place: place.page("/archive?map=rust_belt"), SIZES[1]),
    Task(
        "archive of a player nobody is",
        lambda place: place.page("/archive?q=Nobody+at+all"),
        judged=True,
        rounds=5,
        limit=NOBODY_MS,
    ),
    Task("page of a running game", lambda place: place.page(f"/games/{place.templates.running}"), judged=True),
    Task("page of a finished game", lambda place: place.page(f"/games/{place.templates.over}"), judged=True, rounds=10),
    Task("delivery log", lambda place: place.page("/letters")),
    Task("feed", lambda place: place.page(place.feed)),
    Task(f"feed of somebody with {MANY} games", lambda place: place.page(place.feed_of_many), SIZES[1]),
    Task("readyz", lambda place: place.page("/readyz")),
    Task("metrics", Place.metrics),
    Task("the clock’s pass", Place.tick, judged=True),
    Task(f"the clock’s pass with {DUE} reminders", Place.tick_with_work, SIZES[1], judged=True, rounds=5),
)


def measure() -> list[Row]:
    """Rows of both databases."""
    rows: list[Row] = []
    with real_games() as real:
        with tempfile.TemporaryDirectory(prefix="pbem-growth-") as folder:
            rows += measured(real, "SQLite", folder, lambda size: f"sqlite:///{folder}/{size}.sqlite")
        with tempfile.TemporaryDirectory(prefix="pbem-growth-") as folder, servers.postgresql(on_disk=True) as url:
            cluster = Postgresql(url)
            rows += measured(real, "PostgreSQL", folder, lambda _: cluster.fresh())
    return rows


def measured(real: Real, name: str, folder: str, url: Callable[[int], str]) -> Iterator[Row]:
    """A row for each task on one kind of database."""
    with ExitStack() as stack:
        places = {size: stack.enter_context(stored(real, name, folder, url(size), size)) for size in SIZES}
        for task in TASKS:
            yield row(task, name, medians(task, places))


def row(task: Task, name: str, costs: dict[int, float]) -> Row:
    """The cost beside the largest number of games with that beside the smallest."""
    smallest, *between, largest = costs
    note = ", ".join(f"{costs[size]:.3g} ms with {size:,}" for size in between)
    return Row(
        f"{task.name}, {largest:,} games, {name}",
        costs[largest],
        "ms",
        f"with {smallest:,}",
        costs[smallest],
        limit=task.limit,
        most=MOST if task.judged else None,
        note=note,
    )


def medians(task: Task, places: dict[int, Place]) -> dict[int, float]:
    """Milliseconds at each size, measured in turn; the first round warms and does not count."""
    sizes = [size for size in places if size >= task.least]
    rounds = [[task.run(places[size]) for size in sizes] for _ in range(task.rounds + 1)][1:]
    return {size: 1000 * statistics.median(times) for size, times in zip(sizes, zip(*rounds, strict=True), strict=True)}


@contextmanager
def stored(real: Real, name: str, folder: str, url: str, size: int) -> Iterator[Place]:
    """The database of one size; says how long it took to make."""
    began = time.perf_counter()
    with place(real, Path(folder, str(size)), url, size) as made:
        print(f"{size:,} games on {name}: stored in {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
        yield made
