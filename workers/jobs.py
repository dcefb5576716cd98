"""Jobs of the operator, for the clock: each is a command of ``pbem`` in a process of its own."""

import logging
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import IO

from pbem.engine import Value
from pbem.service import Office
from pbem.service.operator import jobs
from pbem.service.operator.jobs import Begun
from pbem.store.statuses import JobKind

log = logging.getLogger(__name__)

PBEM = ("nice", "-n", "10", sys.executable, "-m", "pbem")
READ = 64 * 1024
"""Bytes that are read of the end of what a command printed."""


class Running(Value):
    """The command of a job, and what belongs to it until it ends."""

    job: int
    process: subprocess.Popen[bytes]
    printed: IO[bytes]
    kept: ExitStack


class JobRunner:
    """Starts the command of the next job that waits, and keeps what it printed."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._running: Running | None = None

    def look(self, now: datetime) -> None:
        if self._running is None:
            begun = jobs.begin(self._office, now)
            self._running = None if begun is None else self._start(begun)
        elif (status := self._running.process.poll()) is None:
            jobs.goes_on(self._office, self._running.job, now)
        else:
            self._done(self._running, status == 0, now)

    def _start(self, begun: Begun) -> Running:
        kept = ExitStack()
        printed = kept.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
        pasted = begun.kind is JobKind.MAIL and begun.given
        received = kept.enter_context(tempfile.NamedTemporaryFile(suffix=".eml")) if pasted else None  # noqa: SIM115
        if received is not None:
            received.write(begun.given.encode("utf-8", "replace"))
            received.flush()
        words = command(begun, self._office.settings.operator, None if received is None else Path(received.name))
        log.info("the operator has asked for: pbem %s", words[0])
        process = subprocess.Popen([*PBEM, *words], stdout=printed, stderr=subprocess.STDOUT)  # nosec B603 # noqa: S603 - our own words
        return Running(begun.id, process, printed, kept)

    def _done(self, running: Running, good: bool, now: datetime) -> None:
        size = running.printed.seek(0, 2)
        running.printed.seek(max(0, size - READ))
        says = running.printed.read().decode("utf-8", "replace")
        self._running = None
        running.kept.close()
        jobs.finish(self._office, running.job, good, says.replace("\x00", "").strip(), now)

    def end(self, now: datetime) -> None:
        if self._running is not None:
            self._running.process.terminate()
            self._running.process.wait()
            jobs.finish(self._office, self._running.job, False, jobs.INTERRUPTED, now)
            self._running.kept.close()
            self._running = None


def command(begun: Begun, operator: str, received: Path | None) -> Sequence[str]:
    match begun.kind:
        case JobKind.DOCTOR:
            return ("doctor",)
        case JobKind.MAIL:
            seen = () if received is None else ("--received", str(received))
            return ("doctor", "--mail", operator, *seen)
        case JobKind.BACKUP:
            return ("backup",)
        case JobKind.CHECK:
            return ("backup", "--check")
        case JobKind.RECHECK:
            return ("recheck", *begun.given.split())
        case JobKind.RATINGS:
            return ("ratings",)
