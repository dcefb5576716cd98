"""Memory that is free goes back to the system, where the C library does that when it is asked (glibc)."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import lru_cache

M_MMAP_THRESHOLD, LARGE = -3, 128 * 1024
"""The number of the setting in glibc's malloc.h, and where the C library begins by itself."""


def give_back() -> None:
    """After something large was drawn that is kept small: what is free between the small things is given back.

    It takes milliseconds, and what is given back must be asked for again: not for what every picture takes.
    """
    trim = _of_the_library("malloc_trim")
    if trim is not None:
        trim(0)


def keep_large_apart() -> None:
    """Once, at the start of a process: what is larger than 128 KB always gets memory of its own, which goes back when
    it is free. Left alone, the C library puts ever larger pictures among the small things, between which they leave
    holes."""
    settle = _of_the_library("mallopt")
    if settle is not None:
        settle(M_MMAP_THRESHOLD, LARGE)


@lru_cache(maxsize=2)
def _of_the_library(name: str) -> Callable[..., int] | None:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
