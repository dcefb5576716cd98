"""The progress of a command, on standard error."""

from __future__ import annotations

import sys
import time

EVERY_SHOWN, EVERY_WRITTEN = 0.2, 10.0
"""Seconds between two lines on a terminal, where each takes the place of the one before, and in a log."""


class Progress:
    """Called with a heading, how many are done and how many there are; says so now and then.

    ``unit``: what is counted, in the plural.
    """

    def __init__(self, unit: str = "rows") -> None:
        self._unit = unit
        self._shown = sys.stderr.isatty()
        self._next = time.monotonic() + (EVERY_SHOWN if self._shown else EVERY_WRITTEN)

    def __call__(self, heading: str, done: int, total: int) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + (EVERY_SHOWN if self._shown else EVERY_WRITTEN)
        line = f"{heading}: {done:,} of {total:,} {self._unit}"
        print(f"\r{line:<60}" if self._shown else line, end="" if self._shown else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave a clean line for what is said next."""
        if self._shown:
            print(f"\r{'':<60}\r", end="", file=sys.stderr, flush=True)
