"""Runs a program that is asked to end (SIGTERM) when the process that started it ends, in whatever way.

``python leash.py PARENT PROGRAM ARGUMENT…``; it becomes the program, so that its number and its signals are its own. It
imports nothing of ours, because every process of the server begins with it. Only Linux tells a process of the end of
its parent; elsewhere the program is run as it is.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

SET_PARENT_DEATH_SIGNAL = 1
"""``PR_SET_PDEATHSIG`` of ``<sys/prctl.h>``. The program keeps it."""


def main(parent: int, words: list[str]) -> None:
    """Become the program, unless the parent has ended before it could be watched."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, int(signal.SIGTERM))
    if os.getppid() == parent:
        os.execvp(words[0], words)  # nosec B606 # noqa: S606 - the words are those of whoever starts us, as they are


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
