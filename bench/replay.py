"""Replaying a recorded game of five with the state stored and read back between entries.

The floor is the same game with the state kept in memory, so the ratio says what storing costs. Without the
recorded game (``PBEM_SHARED``) one of five robots takes their place, and the limit does not apply.
"""

from __future__ import annotations

import statistics
import time

from bench.players import RECORDED, recorded
from bench.row import Row
from pbem import catalog
from pbem.engine.record import Record, replay
from pbem.engine.sheet import Sheet

RUNS = 7
SLOWEST_S = 0.25


def measure() -> list[Row]:
    """Seconds for the whole game, medians of runs taken in turn."""
    real = RECORDED.is_file()
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    record = recorded(sheet)
    seconds(sheet, record, store=True)
    pairs = [(seconds(sheet, record, store=True), seconds(sheet, record, store=False)) for _ in range(RUNS)]
    stored, kept = (statistics.median(times) for times in zip(*pairs, strict=True))
    name = "replay of rust_belt-2692, stored after every entry" if real else "replay of a game of robots"
    note = f"{len(record.turns)} entries"
    return [Row(name, stored, "s", "kept in memory", kept, limit=SLOWEST_S if real else None, note=note)]


def seconds(sheet: Sheet, record: Record, *, store: bool) -> float:
    """One replay; raises ``RuntimeError`` when an entry is refused."""
    began = time.perf_counter()
    for played in replay(sheet, record, store=store):
        if played.refusal is not None:
            raise RuntimeError(f"entry {played.number}: {played.refusal.sentence()}")
    return time.perf_counter() - began
