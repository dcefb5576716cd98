"""What commands do at the terminal: fail with a sentence, read and write files, ask for a yes, show progress."""

import sys
import time
from collections.abc import Iterable
from pathlib import Path

LARGEST = 8_000_000
"""Bytes a record may have."""
EVERY_SHOWN, EVERY_WRITTEN = 0.2, 10.0
"""Seconds between two lines on a terminal, where each takes the place of the one before, and in a log."""


class Failure(Exception):
    """One sentence for the person at the terminal; ``status`` is the exit status."""

    def __init__(self, sentence: str, status: int = 1) -> None:
        super().__init__(sentence)
        self.status = status


def read(path: Path) -> bytes:
    """What the file of a record holds. Raises :class:`Failure`."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}.") from error
    if len(content) > LARGEST:
        raise Failure(f"{path} is too large to be a record.")
    return content


def text(path: Path) -> str:
    try:
        return read(path).decode()
    except UnicodeDecodeError as error:
        raise Failure(f"{path} is no text in UTF-8.") from error


def write(path: Path, content: bytes) -> None:
    """Write a file whole. Raises :class:`Failure`."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}.") from error


def typed(lines: Iterable[str], what: str, expected: str, *, sure: bool) -> str:
    """Say what will happen and let it be confirmed by typing; what was typed. ``sure``: nobody is asked (``--yes``)."""
    for line in lines:
        print(f"- {line}")
    if sure:
        return expected
    try:
        return input(f"Nobody can undo this. Type {what}, {expected}: ").strip()
    except EOFError as error:
        raise Failure("Nothing was changed: it was not confirmed. --yes does so without a question.") from error


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
