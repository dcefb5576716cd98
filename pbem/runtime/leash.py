"""Runs a program that is asked to end (SIGTERM) when the process that started it ends, in whatever way.

``python leash.py PARENT PROGRAM ARGUMENT…``; it becomes the program, so that its number and its signals are its own. It
imports nothing of ours, because every process of the server begins with it. Only Linux tells a process of the end of
its parent; elsewhere the program is run as it is.
"""

import ctypes
import os
import signal
import sys

SET_PARENT_DEATH_SIGNAL, SET_NAME = 1, 15
"""``PR_SET_PDEATHSIG`` and ``PR_SET_NAME`` of ``<sys/prctl.h>``. A program that a process becomes keeps the former."""


def tie(parent: int) -> bool:
    """Have this process asked to end when ``parent`` does; returns ``False`` when that has ended already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, int(signal.SIGTERM))
    return os.getppid() == parent


def name(words: str) -> None:
    """Tell ``ps -e`` and ``top`` what this process is; 15 letters are shown."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_NAME, words.encode())


def main(parent: int, words: list[str]) -> None:
    """Become the program, unless the parent has ended before it could be watched."""
    if tie(parent):
        os.execvp(words[0], words)  # nosec B606 # noqa: S606 - the words are those of whoever starts us, as they are


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
