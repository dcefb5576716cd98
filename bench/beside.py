"""``python -m bench.beside review``: how much later emails of running games leave while a game is reviewed; ``guests``:
while 50 people play against robots, who are all asked at the same time.

The whole server as `make serve` starts it, on SQLite or, with ``--services``, on PostgreSQL and Redis. Late games of
five go on order by order: in every second run a game of them has ended before, so that its review is worked on
meanwhile, or the guests have begun to play.
"""

import argparse
import random
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from bench.late import Stock, stock
from bench.players import now
from bench.server import WARMING, Measured, members, running
from pbem import robot
from pbem.runtime import Server
from pbem.runtime.server import NICE
from pbem.service import Office
from pbem.service.games import guests, views
from pbem.service.orders import submissions
from pbem.store.statuses import GameStatus
from tests import servers
from tests.late_game import LateGame

STARTS = 120.0
"""Seconds within which the clock starts the process that reviews."""
RUNS = 4
GUESTS, MAP = 50, "rust_belt"
PAUSE = 5.0
"""Seconds after which a guest has answered."""


@contextmanager
def services(wanted: bool) -> Iterator[dict[str, str]]:
    """Settings of PostgreSQL and Redis if they are wanted."""
    if not wanted:
        yield {}
        return
    with servers.redis() as broker, servers.postgresql(on_disk=True) as database:
        yield {"PBEM_BROKER_URL": broker, "PBEM_DATABASE_URL": database}


@contextmanager
def reviewed(server: Server) -> Iterator[psutil.Process]:
    """The process that reviews, once the clock has started it."""
    until = time.monotonic() + STARTS
    while time.monotonic() < until:
        for process in members(server):
            if "workers.reviewing" in process.cmdline():
                yield process
                return
        time.sleep(0.5)
    raise RuntimeError(f"No review began within {STARTS:.0f} s.")


@contextmanager
def with_guests(office: Office, server: Server) -> Iterator[psutil.Process]:
    """The process of the robots, while the guests play."""
    games = [guests.start(office, MAP, f"Guest {n}", f"guest{n}@example.org", now()).game for n in range(GUESTS)]
    over, luck = threading.Event(), random.Random(0)

    def play() -> None:
        while not over.is_set():
            for game in games:
                answer(office, game, luck)
                over.wait(PAUSE / len(games))

    playing = threading.Thread(target=play)
    playing.start()
    try:
        yield next(process for process in members(server) if process.nice() == NICE)
    finally:
        over.set()
        playing.join()


def answer(office: Office, game: str, luck: random.Random) -> None:
    """Answer what the guest of a game is asked, if that is so."""
    view = views.game(office, game)
    person = next(seat.seat for seat in view.seats if not seat.robot)
    if view.status == GameStatus.RUNNING and view.waiting_for == person:
        orders = robot.choose(view.sheet, view.state, luck)
        submissions.submit(office, game, submissions.NewSubmission(person, orders, view.version, "api"), now())


def took(measured: Measured, game: LateGame, number: int) -> float:
    """Milliseconds from posting an order of a game to its email."""
    entry = game.orders[number]
    return measured.turn(game.id, game.version + number, entry.player, entry.orders)


def run(games: Stock, *, on_services: bool, beside: str) -> tuple[list[float], float]:
    """Milliseconds of all orders, and the part of the time in which what is ``beside`` them had a processor."""
    first, *others = games.games
    with services(on_services) as settings, running(settings, games) as (measured, server):
        for number in range(len(first.orders) - (beside != "review")):
            took(measured, first, number)

        def measure() -> list[float]:
            return [took(measured, game, number) for game in others for number in range(len(game.orders) - 1)][WARMING:]

        if not beside:
            return measure(), 0.0
        with reviewed(server) if beside == "review" else with_guests(measured.office, server) as process:
            spent, began = sum(process.cpu_times()[:2]), time.monotonic()
            found = measure()
            return found, (sum(process.cpu_times()[:2]) - spent) / (time.monotonic() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("beside", choices=("review", "guests"))
    parser.add_argument("--services", action="store_true", help="on PostgreSQL and Redis")
    given = parser.parse_args()
    all_: dict[bool, list[float]] = {False: [], True: []}
    part = 0.0
    with stock() as games:
        for number in range(RUNS):
            print(f"run {number + 1} of {RUNS}", file=sys.stderr)
            beside = given.beside if number % 2 else ""
            orders, worked = run(games, on_services=given.services, beside=beside)
            all_[bool(number % 2)] += orders
            part = max(part, worked)
    for busy, orders in all_.items():
        *_, most = statistics.quantiles(orders, n=20)
        told = f"beside {given.beside}, which had {part:.2f} of a processor" if busy else "alone"
        print(
            f"{told}: {len(orders)} orders, median {statistics.median(orders):.1f} ms, 95 of 100 within {most:.1f} ms"
        )


if __name__ == "__main__":
    main()
