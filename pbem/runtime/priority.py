"""How much of the processors a process gets while others want them too."""

import os
import time
from pathlib import Path

LOWEST = 19
AGAIN = 0.1
"""Seconds after which Linux, which takes few such changes at a time, is asked once more."""


def lower(process: int, nice: int) -> None:
    """Have a process that leads its session stand back. A Linux that shares the processors among sessions heeds the
    ``nice`` of a process only inside its own: there the session gets it too."""
    os.setpriority(os.PRIO_PROCESS, process, nice)
    session = Path(f"/proc/{process}/autogroup")
    if session.exists():
        try:
            session.write_text(str(nice))
        except BlockingIOError:
            time.sleep(AGAIN)
            session.write_text(str(nice))
