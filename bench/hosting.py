"""``python -m bench.hosting``: the figures of ``docs/hosting.md``, as tables to be put there; three to four minutes.

Measured: turns a second with workers on the machine of the database and on another one (:mod:`bench.line` stands for
the line between them), what the processor does for a turn, and what a game leaves in the database. All of it late in
games of five on the Rust Belt, the dearest orders there are; PostgreSQL with ``fsync``, Redis, emails with the board by
SMTP. ``--quick``: one second for each measurement, to try it out.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import psycopg
from sqlalchemy import make_url

from bench.late import Stock, stock
from bench.line import ELSEWHERE, lines
from bench.postbox import Arrival, receiving
from bench.turns import Server, serving
from bench.workers import WARMING, Rate, Tables
from pbem.runtime.processes import Processes
from pbem.runtime.server import WORKER
from pbem.service import open_office
from pbem.service.base.tokens import TurnClaim
from pbem.settings.settings import Settings
from pbem.store.database import Database
from pbem.store.upgrade import upgrade
from tests import servers
from tests.databases import Postgresql

WORKERS = (1, 2, 4)
ROUND_TRIPS = (0.0, 0.001, 0.010)
"""Seconds to the other machine and back; 0: no other machine."""
SECONDS = 7.0
LOOKS = 2
"""How often somebody opens the page of a question before the orders are sent."""
PAGES = 60
"""Turns of which the pages are measured."""


@dataclass(frozen=True, slots=True)
class Services:
    """A Redis and a PostgreSQL of this machine."""

    broker: str
    cluster: Postgresql


@dataclass
class Played:
    """A run of so many workers: seconds of the processor of all workers and of PostgreSQL, the length of each email."""

    rate: Rate
    workers: float
    database: float
    round_trip: float
    emails: list[int] = field(default_factory=list)
    url: str = ""


@dataclass(frozen=True, slots=True)
class Costs:
    """What one order costs: seconds of the processor, emails and their bytes."""

    web: float
    workers: float
    database: float
    email: float
    emails: float

    @property
    def processor(self) -> float:
        return self.web + self.workers + self.database


def played(games: Stock, services: Services, workers: int, round_trip: float, seconds: float | None) -> Played:
    """Play for so long (``None``: to the end) with so many workers; with a round trip by a line to everything."""
    arrivals: queue.Queue[Arrival] = queue.Queue()
    sizes: list[int] = []

    def take(arrival: Arrival) -> None:
        sizes.append(arrival.size)
        arrivals.put(arrival)

    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        smtp = stack.enter_context(receiving(take))
        here = {
            "PBEM_SECRET_KEY": "known to the benchmark",
            "PBEM_BROKER_URL": services.broker,
            "PBEM_DATABASE_URL": services.cluster.bare(),
            "PBEM_SMTP_URL": f"smtp://127.0.0.1:{smtp}",
        }
        there = stack.enter_context(over_a_line(here, round_trip)) if round_trip else here
        office = open_office(Settings.read({**here, "PBEM_DATA_DIR": str(Path(folder, "here"))}))
        stack.callback(office.database.close)
        games.copy_to(office.settings.database_url)
        outside = {key: value for key, value in os.environ.items() if not key.startswith("PBEM_")}
        environ = {**outside, **there, "PBEM_DATA_DIR": str(Path(folder, "there"))}
        processes = stack.enter_context(Processes(environ, Path(folder, "logs")))
        for number in range(workers):
            processes.python(f"worker{number}", *WORKER)
        tables = Tables(office, games, arrivals, processes)
        tables.play(WARMING)
        sizes.clear()
        before = worked(processes), postgresql_worked(here["PBEM_DATABASE_URL"])
        rate = to_the_end(tables) if seconds is None else tables.play_for(seconds)
        after = worked(processes), postgresql_worked(here["PBEM_DATABASE_URL"])
        asked = question(there["PBEM_DATABASE_URL"])
        return Played(rate, after[0] - before[0], after[1] - before[1], asked, sizes, here["PBEM_DATABASE_URL"])


def to_the_end(tables: Tables) -> Rate:
    """All games, until their emails have arrived."""
    turns, began = tables.left, time.perf_counter()
    tables.play()
    return Rate(turns, time.perf_counter() - began)


@contextmanager
def over_a_line(here: dict[str, str], round_trip: float) -> Iterator[dict[str, str]]:
    """The same servers as another machine knows them."""
    named = [name for name in here if name.endswith("_URL")]
    ports = [int(re.findall(r"127\.0\.0\.1:(\d+)", here[name])[0]) for name in named]
    with lines(ports, round_trip / 2) as opened:
        there = dict(here)
        for name, port, line in zip(named, ports, opened, strict=True):
            there[name] = here[name].replace(f"127.0.0.1:{port}", f"{ELSEWHERE}:{line}")
        yield there


def worked(processes: Processes) -> float:
    """Seconds of the processor."""
    times = [psutil.Process(child.process.pid).cpu_times() for child in processes.children]
    return sum(float(each.user + each.system) for each in times)


def connected(url: str) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(make_url(url).set(drivername="postgresql").render_as_string(False), autocommit=True)


def postgresql_worked(url: str) -> float:
    """Seconds of the processor of the server and all its processes, those that have ended as well."""
    with connected(url) as connection:
        (folder,) = connection.execute("SHOW data_directory").fetchone() or ("",)
    first = psutil.Process(int(Path(str(folder), "postmaster.pid").read_text("utf-8").split("\n", 1)[0]))
    own = first.cpu_times()
    times = [float(own.user + own.system + own.children_user + own.children_system)]
    for child in first.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            each = child.cpu_times()
            times.append(float(each.user + each.system))
    return sum(times)


def question(url: str) -> float:
    """Seconds for the shortest question to the database."""
    with connected(url) as connection:
        took = []
        for _ in range(50):
            began = time.perf_counter()
            connection.execute("SELECT 1")
            took.append(time.perf_counter() - began)
    return statistics.median(took)


def stored(url: str) -> dict[str, int]:
    """Bytes of each table with all that belongs to it, as small as they can be made."""
    with connected(url) as connection:
        connection.execute("VACUUM FULL")
        sizes = connection.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        ).fetchall()
        return {str(name): int(str(size)) for name, size in sizes}


def grown(services: Services, url: str) -> dict[str, int]:
    """Bytes of each table that has grown from an empty database to the one at ``url``, the largest first."""
    bare = services.cluster.bare()
    database = Database(bare)
    upgrade(database.engine)
    database.close()
    empty, full = stored(bare), stored(url)
    found = {name: full[name] - empty[name] for name in full if full[name] > empty[name]}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def of_the_web(games: Stock, url: str, turns: int) -> float:
    """Seconds of the processor for all that one player asks of the web for one order."""
    games.copy_to(url)
    took: list[float] = []
    with serving(url) as (server, _):
        for game in games.games:
            for version, entry in enumerate(game.orders, game.version):
                began = time.process_time()
                token = server.office.tokens.make(TurnClaim(game.id, entry.player, version))
                for _look in range(LOOKS):
                    look(server, f"/t/{token}")
                sent = time.process_time() - began
                server.turn(game, version, entry)
                took.append(sent)
                if len(took) > turns:
                    return statistics.mean(took[1:])
    raise RuntimeError("there are too few orders")


def look(server: Server, path: str) -> None:
    """A page with the pictures that it shows."""
    page = server.web.get(path)
    if page.status_code != 200:
        raise RuntimeError(f"{path} was answered by {page.status_code}")
    for source in re.findall(r'<img[^>]* src="(/[^"]+)"', page.text):
        if not source.startswith("/static/"):
            server.web.get(source.replace("&amp;", "&"))


def orders_in(url: str) -> int:
    """All that have been played, from the first on."""
    with connected(url) as connection:
        (count,) = connection.execute("SELECT count(*) FROM moves").fetchone() or (0,)
        return int(str(count))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """In Markdown."""
    lines_ = [list(head), ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines_)


def rates(runs: dict[tuple[float, int], Played]) -> str:
    rows = []
    for trip in ROUND_TRIPS:
        asked = statistics.median(run.round_trip for (of, _), run in runs.items() if of == trip)
        name = f"on another machine, {1000 * trip:.0f} ms there and back" if trip else "on the machine of the database"
        cells = [f"{runs[trip, count].rate.turns / runs[trip, count].rate.seconds:.1f}" for count in WORKERS]
        rows.append([name, f"{1000 * asked:.1f} ms", *cells])
    return table(("workers", "one question to PostgreSQL", *(f"{count}" for count in WORKERS)), rows)


def growth(found: dict[str, int], games: int, orders: int) -> str:
    whole = sum(found.values())
    largest = {name: size for name, size in found.items() if size > whole / 50}
    largest["all others"] = whole - sum(largest.values())
    rows = [
        [f"`{name}`" if name in found else name, f"{size / games / 1000:,.0f} KB", f"{size / orders:,.0f} bytes"]
        for name, size in largest.items()
    ]
    return table(
        ("table", "a game", "an order"),
        [*rows, ["together", f"{whole / games / 1e6:.2f} MB", f"{whole / orders:,.0f} bytes"]],
    )


def main(words: Sequence[str]) -> None:
    seconds, pages = (1.0, 5) if "--quick" in words else (SECONDS, PAGES)
    began, busy = time.monotonic(), os.getloadavg()[0]
    runs: dict[tuple[float, int], Played] = {}
    with stock() as games, servers.redis() as broker, servers.postgresql(on_disk=True) as url:
        services = Services(broker, Postgresql(url))
        for trip in ROUND_TRIPS:
            for count in WORKERS:
                print(f"{count} workers, {1000 * trip:.0f} ms …", file=sys.stderr, flush=True)
                runs[trip, count] = played(games, services, count, trip, seconds)
        print("pages and tables …", file=sys.stderr, flush=True)
        whole = runs[0.0, 2] if "--quick" in words else played(games, services, 2, 0.0, None)
        found, orders = grown(services, whole.url), orders_in(whole.url)
        web = of_the_web(games, services.cluster.bare(), pages)
        costs = costs_of(whole, web)
    parts = [
        f"Load {busy:.1f} before it began, {os.cpu_count()} processors.",
        rates(runs),
        f"An order: processor {1000 * costs.processor:.0f} ms (web {1000 * costs.web:.0f},"
        f" worker {1000 * costs.workers:.0f}, PostgreSQL {1000 * costs.database:.0f}),"
        f" {costs.emails:.2f} emails of {costs.email / 1000:.0f} KB.",
        growth(found, len(games.games), orders),
    ]
    print("\n\n".join([*parts, f"All of it took {time.monotonic() - began:.0f} s."]))


def costs_of(run: Played, web: float) -> Costs:
    """By games that were played to their end."""
    turns = run.rate.turns
    return Costs(
        web=web,
        workers=run.workers / turns,
        database=run.database / turns,
        email=statistics.mean(run.emails),
        emails=len(run.emails) / turns,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
