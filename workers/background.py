"""Work of the lowest priority: a process that the clock starts while there is any."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from pbem.runtime import leash, priority
from pbem.service import Office
from pbem.service.statistics import reviews
from workers import work

RUN = (sys.executable, "-m")
POLITE = timedelta(seconds=1)
"""What has waited longer for a worker comes first."""
REST = 1.0
"""Seconds after which it is looked again whether orders wait."""


class Background:
    """Keeps a process of this machine running while there is something for it to do: one at a time."""

    def __init__(self, office: Office, command: Sequence[str], waits: Callable[[Office, datetime], bool]) -> None:
        self._office, self._command, self._waits = office, command, waits
        self._process: subprocess.Popen[bytes] | None = None

    def look(self, now: datetime) -> None:
        """Returns at once."""
        if self._process is not None and self._process.poll() is None:
            return
        self._process = None
        if self._waits(self._office, now):
            leashed = (sys.executable, "-I", leash.__file__, str(os.getpid()))
            words = [*leashed, *self._command]
            self._process = subprocess.Popen(words, start_new_session=True)  # nosec B603 # noqa: S603 - our own words
            priority.lower(self._process.pid, priority.LOWEST)

    def end(self) -> None:
        """End the process; what it has not kept yet is found again later."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None


def give_way(office: Office) -> None:
    """Wait until no order waits for a worker."""
    while reviews.orders_wait(office, work.now() - POLITE):
        time.sleep(REST)
