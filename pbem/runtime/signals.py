"""Being asked to end from outside, as an exception, so that every ``with`` ends what it has started."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

ASKED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, a signal to end, and a terminal that was closed."""


AGAIN = 0.05
"""Seconds after which a signal is heard again that was lost."""


class Stopped(BaseException):
    """Somebody wants us to end; ``number`` is the signal.

    As with ``KeyboardInterrupt``, whoever takes every ``Exception`` does not take it.
    """

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}")
        self.number = number


@contextmanager
def stoppable() -> Iterator[None]:
    """Raises :class:`Stopped` in the body when a signal asks for the end; others that follow are not heard.

    A terminal that is closed means nothing where that was said before (``nohup``).
    """
    before = {number: signal.getsignal(number) for number in ASKED}
    hook = sys.unraisablehook
    sys.unraisablehook = _heard_again(hook)
    for number, handler in before.items():
        if number != signal.SIGHUP or handler is not signal.SIG_IGN:
            signal.signal(number, _stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook


def _stop(number: int, _frame: FrameType | None) -> None:
    for other in ASKED:
        signal.signal(other, signal.SIG_IGN)
    raise Stopped(number)


def _heard_again(otherwise: Callable[[Any], object]) -> Callable[[Any], object]:
    """A hook for exceptions that Python drops, for it is in a finalizer or in the callback of a weak reference.

    A signal that comes at such a moment comes once more a little later, when Python is somewhere else.
    """

    def hook(dropped: Any) -> None:
        stopped = dropped.exc_value
        if isinstance(stopped, Stopped):
            signal.signal(stopped.number, _stop)
            threading.Timer(AGAIN, os.kill, (os.getpid(), stopped.number)).start()
        else:
            otherwise(dropped)

    return hook
