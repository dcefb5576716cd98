"""Being asked to end from outside, as an exception, so that every ``with`` ends what it has started."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ASKED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, a signal to end, and a terminal that was closed."""


class Stopped(Exception):
    """Somebody wants us to end; ``number`` is the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}")
        self.number = number


@contextmanager
def stoppable() -> Iterator[None]:
    """Raises :class:`Stopped` in the body when a signal asks for the end; others that follow are not heard.

    A terminal that is closed means nothing where that was said before (``nohup``).
    """
    before = {number: signal.getsignal(number) for number in ASKED}
    for number, handler in before.items():
        if number != signal.SIGHUP or handler is not signal.SIG_IGN:
            signal.signal(number, _stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _frame: FrameType | None) -> None:
    for other in ASKED:
        signal.signal(other, signal.SIG_IGN)
    raise Stopped(number)
