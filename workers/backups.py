"""Backups at their time, for the clock: each in a process of its own, so that no deadline waits for one."""

import logging
import subprocess
import sys
import time
from datetime import datetime

from pbem.service import Office
from pbem.store import kept_backups

log = logging.getLogger(__name__)

AGAIN = 600.0
"""Seconds after one that failed."""
COMMAND = (sys.executable, "-m", "pbem", "backup")


class BackupScheduler:
    """Starts ``pbem backup`` when one is due, and says in the log how it ended."""

    def __init__(self, office: Office) -> None:
        self._folder = office.settings.backup_dir
        self._process: subprocess.Popen[bytes] | None = None
        self._not_before = 0.0

    def look(self, now: datetime) -> None:
        if self._folder is None:
            return
        if self._process is not None:
            self._ended(self._process)
        elif time.monotonic() >= self._not_before and kept_backups.due(self._folder, now):
            self._process = subprocess.Popen(["nice", "-n", "10", *COMMAND])  # nosec B603 B607 # noqa: S603, S607 - our own words

    def _ended(self, process: subprocess.Popen[bytes]) -> None:
        status = process.poll()
        if status is None:
            return
        self._process = None
        if status:
            log.error("no backup was made (status %s); trying again in %.0f minutes", status, AGAIN / 60)
            self._not_before = time.monotonic() + AGAIN
        else:
            log.info("a backup was made and restored on trial")

    def end(self) -> None:
        """Stop the one that is being made; what is left of it is removed by the next."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None
