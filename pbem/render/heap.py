"""Memory that is free goes back to the system, where the C library does that when it is asked (glibc)."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import lru_cache


def give_back() -> None:
    """After something large was drawn that is kept small: what is free between the small things is given back.

    It takes milliseconds, and what is given back must be asked for again: not for what every picture takes.
    """
    trim = _trim()
    if trim is not None:
        trim(0)


@lru_cache(maxsize=1)
def _trim() -> Callable[[int], int] | None:
    return getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
