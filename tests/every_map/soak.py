"""``make soak``: a thousand random games for every sheet and player count, each watched by a referee.

Prints a line when all games of a sheet and player count are over, with the faults that were found. ``PBEM_SOAK`` does
a part of it: names of sheets, and a number of games for each of their player counts, in any order:
``PBEM_SOAK="rust_belt france 50"``. Ends with status 1 when there was a fault.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from pbem.engine import catalog
from tests.every_map.watched import WHOLE, watch

GAMES = 1_000
Table = tuple[str, str, int, int]
"""Game, sheet, players, and how many games are played."""


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
                yield sheet.game, sheet.slug, players, numbers[0] if numbers else GAMES


def played(table: Table) -> tuple[str, list[str]]:
    """All games of a table: a line about them, and their faults."""
    game, slug, players, games = table
    sheet, faults, orders, begun = catalog.sheet(game, slug), list[str](), 0, time.perf_counter()
    for number in range(games):
        try:
            orders += watch(sheet, players, number, WHOLE)
        except Exception as fault:  # noqa: BLE001 - the other games are played all the same
            faults.append(f"{slug}, {players} players, game {number}: {type(fault).__name__}: {fault}")
    spent = time.perf_counter() - begun
    return f"{slug:22} {players} players, {games} games, {orders} orders, {spent:.0f} seconds", faults


def main() -> int:
    """Play and print; the number of processes comes from ``--jobs``."""
    parser = argparse.ArgumentParser(description="Random games of every sheet and player count under a referee.")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    jobs, found = parser.parse_args().jobs, 0
    with ProcessPoolExecutor(jobs) as pool:
        for line, faults in pool.map(played, tables(os.environ.get("PBEM_SOAK", "").replace(",", " ").split())):
            print("\n".join([line, *faults]), flush=True)
            found += len(faults)
    print(f"{found} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
