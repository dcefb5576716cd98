"""Memory that is free goes back to the system, where the C library does that when it is asked (glibc)."""

import ctypes
import sys


def give_back() -> None:
    """After something large was drawn that is kept small: what is free between the small things is given back.

    It takes milliseconds, and what is given back must be asked for again: not for what every picture takes. For the
    same reason the C library is left to learn which large things come again and again: with memory of its own for
    each of them (``mallopt``), a picture took four milliseconds more.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
