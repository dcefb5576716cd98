"""How fast the machine is: a fixed piece of Python, SQL and deflate, whose time the limits are multiples of."""

import random
import sqlite3
import statistics
import time
import zlib

REFERENCE_MS = 21.5
"""What the piece takes on the machine for which the limits are written down, told by a version whose turn was measured
there and here (docs/performance.md)."""
RUNS = 25
CALLS, LINES, BYTES = 60_000, 6_000, 400_000


def pace() -> float:
    """How many times as long as on that machine the piece takes here and now."""
    times = []
    for _ in range(RUNS):
        began = time.process_time()
        _python()
        _sql()
        _deflate()
        times.append(1000 * (time.process_time() - began))
    return statistics.median(times) / REFERENCE_MS


def _python() -> None:
    found: dict[tuple[int, str], int] = {}
    for number in range(CALLS):
        key = number % 997, str(number % 13)
        found[key] = found.get(key, 0) + len(key)


def _sql() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE lines (number INTEGER PRIMARY KEY, body TEXT)")
    connection.executemany("INSERT INTO lines VALUES (?, ?)", ((number, f"line {number}") for number in range(LINES)))
    for number in range(0, LINES, 5):
        connection.execute("SELECT body FROM lines WHERE number = ?", (number,)).fetchone()
    connection.close()


def _deflate() -> None:
    zlib.compress(random.Random(1).randbytes(BYTES // 8) * 8, 5)
