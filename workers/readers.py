"""The processes that read emails for ``workers.mailin``: kept, so that ordinary ones are read in milliseconds, and
replaced when a mail was the end of one."""

import logging
import math
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from pbem.engine import Value
from pbem.mail import reader
from pbem.mail.reader import Found, Head, Kind, ReadRequest

READERS = 2
PATIENCE = 30.0
"""Seconds of the wall clock: nothing in a mail can make it last that long, only a machine that is in trouble."""
LOOK_EVERY = 1.0
"""Seconds."""
NO_HEAD = Head(automatic=False, message_id="")

log = logging.getLogger(__name__)


class Stalled(Exception):
    """The machine could not read the mail in time. It is not the fault of the mail, which may come again."""


class Ended(Exception):
    """The process ended before it had answered. ``head``: what it had said before."""

    def __init__(self, status: int, head: Head | None) -> None:
        super().__init__(f"the reader ended with status {status}")
        self.status, self.head = status, head


class Reading(Value):
    head: Head
    found: Found


class Reader:
    """One process at a time; for one thread at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._until = math.inf
        """When the mail that is read now has lasted too long."""
        self._late = False

    def ask(self, asked: ReadRequest, raw: bytes) -> Reading:
        """Raises :class:`Ended`, :class:`Stalled`, and ``OSError`` when no process can be started."""
        process = self._running()
        self._late, self._until = False, time.monotonic() + PATIENCE
        try:
            return self._converse(process, asked, raw)
        except Ended as ended:
            if self._late:
                raise Stalled(f"no answer within {PATIENCE:.0f} seconds") from ended
            raise
        finally:
            self._until = math.inf

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        """End the process when a mail lasts too long: one thread for all its mails, since starting one takes longer
        than reading a mail."""
        while process.poll() is None:
            if time.monotonic() > self._until:
                self._late = True
                process.kill()
            time.sleep(LOOK_EVERY)

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            _status(self._process)
            self._process = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(  # nosec B603 # noqa: S603 - our own program; a mail is no argument
                [sys.executable, "-m", reader.__name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={name: value for name, value in os.environ.items() if not name.startswith("PBEM_")},
            )
            threading.Thread(target=self._watch, args=(self._process,), name="watch a reader", daemon=True).start()
        return self._process

    def _converse(self, process: subprocess.Popen[bytes], asked: ReadRequest, raw: bytes) -> Reading:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):  # it has ended: there is no answer
            process.stdin.write(msgspec.json.encode(asked) + b"\n")
            process.stdin.write(raw)
            process.stdin.flush()
        first, second = process.stdout.readline(), process.stdout.readline()
        head = msgspec.json.decode(first, type=Head) if first.endswith(b"\n") else None
        if head is not None and second.endswith(b"\n"):
            return Reading(head, msgspec.json.decode(second, type=Found))
        raise Ended(_status(process), head)


def _status(process: subprocess.Popen[bytes]) -> int:
    """How it ended; its pipes are closed."""
    assert process.stdout is not None
    process.stdout.close()
    assert process.stdin is not None
    with suppress(BrokenPipeError):  # what it has not read any more
        process.stdin.close()
    return process.wait()


class Readers:
    """A few readers, for any number of threads; what comes while all are busy waits.

    ``seconds``: of the processor, for one mail.
    """

    def __init__(self, count: int = READERS, seconds: float = reader.SECONDS) -> None:
        self.seconds = seconds
        self._all = tuple(Reader() for _ in range(count))
        self._idle: queue.LifoQueue[Reader] = queue.LifoQueue()
        for one in self._all:
            self._idle.put(one)

    def read(self, kind: Kind, raw: bytes, ours: Sequence[str] = (), form: Sequence[str] = ()) -> Reading:
        """Read a mail, whatever it is. Raises :class:`Stalled`, and ``OSError`` when no process can be started."""
        one = self._idle.get()
        try:
            return _read(one, ReadRequest(kind, len(raw), tuple(ours), self.seconds, tuple(form)), raw)
        finally:
            self._idle.put(one)

    def close(self) -> None:
        for one in self._all:
            one.close()


def _read(one: Reader, asked: ReadRequest, raw: bytes) -> Reading:
    """With a second try when the process was ended by something else than the limit: that may have been an accident."""
    for last in (False, True):
        try:
            return one.ask(asked, raw)
        except Ended as ended:
            timed_out = ended.status == -signal.SIGPROF
            if last or timed_out:
                why = f"{asked.seconds:g} seconds were not enough" if timed_out else str(ended)
                return Reading(ended.head or NO_HEAD, Found(problem="unreadable", why=why, seconds=asked.seconds))
            log.info("a mail is read once more: %s", ended)
    raise AssertionError
