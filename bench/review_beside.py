"""``python -m bench.review_beside``: how much later emails of running games leave while a game is reviewed.

The whole server as `make serve` starts it, on SQLite or, with ``--services``, on PostgreSQL and Redis. A game ends,
and the clock starts its review. Then the others go on, order by order; before every second order the process that
reviews is stopped, before all others it goes on.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import psutil

from bench.late import Stock, stock
from bench.server import WARMING, Measured, running
from pbem.runtime import Server
from tests import servers
from tests.late_game import LateGame

SETTLING = 0.15
"""Seconds for which the process that reviews has gone on, or stopped, before an order."""
STARTS = 120.0
"""Seconds within which the clock starts it."""


@contextmanager
def services(wanted: bool) -> Iterator[dict[str, str]]:
    with ExitStack() as stack:
        if not wanted:
            yield {}
            return
        broker, database = stack.enter_context(servers.redis()), stack.enter_context(servers.postgresql(on_disk=True))
        yield {"PBEM_BROKER_URL": broker, "PBEM_DATABASE_URL": database}


def reviewer(server: Server) -> psutil.Process:
    """The process that reviews, once the clock has started it."""
    until = time.monotonic() + STARTS
    while time.monotonic() < until:
        roots = [psutil.Process(child.process.pid) for child in (server.processes.children if server.processes else ())]
        for process in (member for root in roots for member in root.children(recursive=True)):
            if "workers.reviewing" in process.cmdline():
                return process
        time.sleep(0.5)
    raise RuntimeError(f"No review began within {STARTS:.0f} s.")


def order(measured: Measured, game: LateGame, number: int) -> float:
    """Milliseconds from posting an order of a game to its email."""
    entry = game.orders[number]
    return measured.turn(game.id, game.version + number, entry.player, entry.orders)


def beside(measured: Measured, server: Server, games: Stock) -> tuple[list[float], list[float]]:
    """Milliseconds of orders while the review has stopped, and while it goes on."""
    ends, *others = games.games
    for number in range(len(ends.orders)):
        order(measured, ends, number)
    process = reviewer(server)
    found: tuple[list[float], list[float]] = ([], [])
    for place, game in enumerate(others):
        for number in range(len(game.orders) - 1):
            goes_on = (number + place) % 2
            (process.resume if goes_on else process.suspend)()
            time.sleep(SETTLING)
            took = order(measured, game, number)
            if number >= WARMING or place:
                found[goes_on].append(took)
            print(f"\r{len(found[0]) + len(found[1])} orders", end="", file=sys.stderr, flush=True)
    if not process.is_running():
        raise RuntimeError("The review ended too early.")
    process.resume()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--services", action="store_true", help="on PostgreSQL and Redis")
    given = parser.parse_args()
    with stock() as games, services(given.services) as chosen, running(chosen, games) as (measured, server):
        alone, both = beside(measured, server, games)
    print(file=sys.stderr)
    for name, took in (("alone", alone), ("beside a review", both)):
        *_, most = statistics.quantiles(took, n=20)
        print(f"{name}: {len(took)} orders, median {statistics.median(took):.1f} ms, 95 of 100 within {most:.1f} ms")


if __name__ == "__main__":
    main()
