"""``make soak``: a thousand random games for every sheet and player count, each watched by a referee.

Prints a line when all games of a sheet and player count are over, and a table at the end. ``bench/soak.txt`` holds
the table of what has been played so far. ``PBEM_SOAK`` does a part of it: names of sheets, and a number of games for
each of their player counts, in any order: ``PBEM_SOAK="rust_belt france 50"``. Ends with status 1 when there was a
fault.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from typing_extensions import override

from pbem.engine import catalog
from tests.every_map.watched import WHOLE, is_sensible, watch

GAMES = 1_000
SUMMARY = Path("bench/soak.txt")
HEAD = (
    f"{'sheet':22}{'players':>8}{'games':>7}{'sensible':>9}{'last turn':>10}{'sensible':>9}{'bankrupt':>9}"
    f"{'survivors':>10}{'orders':>9}{'seconds':>9}"
)


@dataclass(frozen=True)
class Table:
    """A sheet with a player count, and which games of it are played."""

    game: str
    slug: str
    players: int
    numbers: range


@dataclass
class Tally:
    """What the games of a table came to. ``short``: games that ended by bankruptcy before their last turn.

    ``sensible`` and ``sensible_last``: games of players who think, and those of them that reached their last turn.
    ``survivors``: games by the number of players who were still in at the end.
    """

    table: Table
    last: int = 0
    short: int = 0
    sensible: int = 0
    sensible_last: int = 0
    survivors: Counter[int] = field(default_factory=Counter)
    orders: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    @override
    def __str__(self) -> str:
        table, games = self.table, len(self.table.numbers)
        mean = sum(n * count for n, count in self.survivors.items()) / max(1, games)
        return (
            f"{table.slug:22}{table.players:8}{games:7}{self.sensible:9}{self.last:10}{self.sensible_last:9}"
            f"{self.short:9}{mean:10.1f}{self.orders:9}{self.seconds:9.1f}"
        )


def tables(asked: Sequence[str]) -> Iterator[Table]:
    """What is to be played, as the words of ``PBEM_SOAK`` say. Raises ``SystemExit`` for an unknown one."""
    numbers = [int(word) for word in asked if word.isdigit()]
    slugs = [word for word in asked if not word.isdigit()]
    sheets = catalog.sheets()
    if unknown := set(slugs) - {sheet.slug for sheet in sheets}:
        raise SystemExit(f"there is no sheet {', '.join(sorted(unknown))}")
    for sheet in sheets:
        if not slugs or sheet.slug in slugs:
            for players in sheet.player_counts():
                yield Table(sheet.game, sheet.slug, players, range(numbers[0] if numbers else GAMES))


def played(table: Table) -> Tally:
    """All games of a table, faults collected."""
    sheet, tally, begun = catalog.sheet(table.game, table.slug), Tally(table), time.perf_counter()
    for number in table.numbers:
        try:
            outcome = watch(sheet, table.players, number, WHOLE)
        except Exception as fault:  # noqa: BLE001 - the other games are played all the same
            tally.faults.append(
                f"{table.slug}, {table.players} players, game {number}: {type(fault).__name__}: {fault}"
            )
            continue
        tally.last += outcome.last_turn
        tally.short += not outcome.last_turn
        tally.sensible += is_sensible(number)
        tally.sensible_last += is_sensible(number) and outcome.last_turn
        tally.survivors[outcome.survivors] += 1
        tally.orders += outcome.orders
    tally.seconds = time.perf_counter() - begun
    return tally


def main() -> int:
    """Play, print, write the summary; the number of processes comes from ``--jobs``."""
    parser = argparse.ArgumentParser(description="Random games of every sheet and player count under a referee.")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    jobs = parser.parse_args().jobs
    tallies: list[Tally] = []
    summary = ""
    print(HEAD, flush=True)
    with ProcessPoolExecutor(jobs) as pool:
        for tally in pool.map(played, tables(os.environ.get("PBEM_SOAK", "").replace(",", " ").split())):
            tallies.append(tally)
            print("\n".join([str(tally), *tally.faults]), flush=True)
            summary = "\n".join(summed(tallies)) + "\n"
            SUMMARY.write_text(summary, "utf-8")  # what has been played is kept when the rest is broken off
    print(f"\n{summary}\nwritten to {SUMMARY}")
    return 1 if any(tally.faults for tally in tallies) else 0


def summed(tallies: Sequence[Tally]) -> list[str]:
    """The table with all of it in the last line, then the faults."""
    games, faults = sum(len(t.table.numbers) for t in tallies), [fault for t in tallies for fault in t.faults]
    seconds = sum(t.seconds for t in tallies)
    orders = sum(t.orders for t in tallies)
    total = f"{games} games, {orders} orders, {seconds:.0f} seconds of work, {len(faults)} faults"
    return [HEAD, *map(str, tallies), "", total, *faults]


if __name__ == "__main__":
    sys.exit(main())
