"""``python -m bench.review_beside``: how much later emails of running games leave while a game is reviewed.

The whole server as `make serve` starts it, on SQLite or, with ``--services``, on PostgreSQL and Redis. Late games of
five go on order by order: in every second run one of them has ended before, so that its review is worked on meanwhile.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from bench.late import Stock, stock
from bench.server import WARMING, Measured, members, running
from pbem.runtime import Server
from tests import servers
from tests.late_game import LateGame

STARTS = 120.0
"""Seconds within which the clock starts the process that reviews."""
RUNS = 4


@contextmanager
def services(wanted: bool) -> Iterator[dict[str, str]]:
    """Settings of PostgreSQL and Redis if they are wanted."""
    if not wanted:
        yield {}
        return
    with servers.redis() as broker, servers.postgresql(on_disk=True) as database:
        yield {"PBEM_BROKER_URL": broker, "PBEM_DATABASE_URL": database}


def begun(server: Server) -> psutil.Process:
    """The process that reviews, once the clock has started it."""
    until = time.monotonic() + STARTS
    while time.monotonic() < until:
        for process in members(server):
            if "workers.reviewing" in process.cmdline():
                return process
        time.sleep(0.5)
    raise RuntimeError(f"No review began within {STARTS:.0f} s.")


def took(measured: Measured, game: LateGame, number: int) -> float:
    """Milliseconds from posting an order of a game to its email."""
    entry = game.orders[number]
    return measured.turn(game.id, game.version + number, entry.player, entry.orders)


def run(games: Stock, *, on_services: bool, reviewed: bool) -> tuple[list[float], float]:
    """Milliseconds of all orders, and the part of the time in which the review was worked on."""
    first, *others = games.games
    with services(on_services) as settings, running(settings, games) as (measured, server):
        for number in range(len(first.orders) - (not reviewed)):
            took(measured, first, number)
        process = begun(server) if reviewed else None
        spent, began = 0.0 if process is None else sum(process.cpu_times()[:2]), time.monotonic()
        found = [took(measured, game, number) for game in others for number in range(len(game.orders) - 1)]
        if process is not None:
            spent = sum(process.cpu_times()[:2]) - spent
        return found[WARMING:], spent / (time.monotonic() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--services", action="store_true", help="on PostgreSQL and Redis")
    given = parser.parse_args()
    all_: dict[bool, list[float]] = {False: [], True: []}
    part = 0.0
    with stock() as games:
        for number in range(RUNS):
            print(f"run {number + 1} of {RUNS}", file=sys.stderr)
            orders, worked = run(games, on_services=given.services, reviewed=bool(number % 2))
            all_[bool(number % 2)] += orders
            part = max(part, worked)
    for reviewed, orders in all_.items():
        *_, most = statistics.quantiles(orders, n=20)
        told = f"beside a review, which had {part:.2f} of a processor" if reviewed else "alone"
        print(
            f"{told}: {len(orders)} orders, median {statistics.median(orders):.1f} ms, 95 of 100 within {most:.1f} ms"
        )


if __name__ == "__main__":
    main()
