"""Replay stored games with the rules of this version and list those that come out differently.

Replays every game that has begun from its seed and the orders in its log (imported games from their record) and
compares rolls, draws, positions and digests with what is stored. Prints the first move at which a game differs.
Changes nothing: games continue from their stored positions whatever it finds, and the server can keep running. The
exit status is 1 if a game differs or cannot be replayed.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from multiprocessing import get_context

from pbem.cli._office import failing
from pbem.cli._settings import settings
from pbem.cli._terminal import Failure
from pbem.service import Office, open_office
from pbem.service.archive import recheck
from pbem.settings.settings import Settings
from pbem.store.revision import missing

EVERY = 10.0
ORDERS = 200
"""Characters of orders that are shown."""
TOGETHER = 20
"""Games that a process is given at a time."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", metavar="GAME-ID", nargs="*", help="only these games")
    parser.add_argument("--running", action="store_true", help="only games that are not over")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="number of processes (default: 1)")


def run(args: argparse.Namespace) -> int:
    chosen = settings()
    begun = shown = time.monotonic()
    done = differ = 0
    with _opened(chosen) as office:
        total = len(args.games) or recheck.count(office, args.running)
        ids = iter(args.games) if args.games else recheck.ids(office, args.running)
        for done, finding in enumerate(_findings(office, ids, max(1, args.jobs)), 1):
            if finding is not None:
                differ += 1
                print("\n".join(told(finding)), flush=True)
            if time.monotonic() - shown >= EVERY:
                shown = time.monotonic()
                left = (total - done) * (shown - begun) / done
                print(f"{done} of {total} games, {differ} differ; {left:.0f} s to go", file=sys.stderr)
    games = "1 game was" if done == 1 else f"{done} games were"
    verdict = f"{differ} {'differs' if differ == 1 else 'differ'}." if differ else "all match."
    print(f"{games} replayed in {time.monotonic() - begun:.1f} s: {verdict}")
    return 1 if differ else 0


def told(finding: recheck.Finding) -> Iterator[str]:
    where = f"game {finding.game}"
    if finding.map:
        where += f" ({finding.map}, “{finding.title}”)"
    if finding.number is not None:
        where += f", move {finding.number}"
    yield f"{where}:"
    if finding.orders:
        orders = "; ".join(finding.orders.splitlines())
        yield f"  {finding.seat}: {orders if len(orders) <= ORDERS else orders[: ORDERS - 1] + '…'}"
    for sentence in finding.sentences:
        yield f"  {sentence}"


@contextmanager
def _opened(chosen: Settings) -> Iterator[Office]:
    office = open_office(chosen)
    try:
        with failing():
            if missing(office.database.engine):
                raise Failure("The database belongs to an older version. Run pbem migrate first.")
            yield office
    finally:
        office.database.close()


def _findings(office: Office, ids: Iterable[str], jobs: int) -> Iterator[recheck.Finding | None]:
    if jobs == 1:
        yield from map(partial(recheck.check, office), ids)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(partial(_check, office.settings), ids, TOGETHER)


def _check(chosen: Settings, game_id: str) -> recheck.Finding | None:
    return recheck.check(_office(chosen), game_id)


@cache
def _office(chosen: Settings) -> Office:
    return open_office(chosen)
