"""Child processes that live as long as their ``with``: started, watched, and ended whatever happens."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from pbem.runtime import leash

PATIENCE = 90.0
"""Seconds a process has to become ready, and to end."""


class Ended(RuntimeError):
    """A process that should be running has ended; the text says which and shows the end of its log."""


def free_port() -> int:
    """A port of the loopback interface that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(slots=True)
class Child:
    """One started process; ``log`` is the file its output goes to, ``None`` for our own."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path | None


@dataclass(slots=True)
class Processes:
    """Use as ``with Processes(...) as processes: processes.start("web", [...])``.

    ``environ`` is what the children get; their output goes to ``logs/NAME.log``, or to ours without ``logs``.
    """

    environ: Mapping[str, str]
    logs: Path | None = None
    children: list[Child] = field(default_factory=list)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def start(self, name: str, words: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a process in a group of its own, so that a Ctrl-C at the terminal reaches only us.

        When we are killed, it is asked to end; so it is started from a thread that lives as long as we do.
        """
        with contextlib.ExitStack() as stack:
            out = None
            if self.logs is not None:
                self.logs.mkdir(parents=True, exist_ok=True)
                out = stack.enter_context((self.logs / f"{name}.log").open("ab"))
            process = subprocess.Popen(  # nosec B603 # noqa: S603 - the words are ours, nothing from outside gets here
                [sys.executable, "-I", leash.__file__, str(os.getpid()), *words],
                env=dict(self.environ),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT if out is not None else None,
                start_new_session=True,
            )
        self.children.append(Child(name, process, self.logs / f"{name}.log" if self.logs is not None else None))
        return process

    def python(self, name: str, *words: str) -> subprocess.Popen[bytes]:
        """Start a module of the running Python: ``processes.python("clock", "-m", "workers.clock")``."""
        return self.start(name, [sys.executable, *words])

    def check(self) -> None:
        """Raises :class:`Ended` when one of them is not running any more."""
        for child in self.children:
            code = child.process.poll()
            if code is not None:
                raise Ended(f"{child.name} has ended with status {code}.{_tail(child.log)}")

    def until_listening(self, host: str, port: int) -> None:
        """Wait until something answers there. Raises :class:`Ended`."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.check()
            with contextlib.suppress(OSError), socket.create_connection((host, port), 0.5):
                return
            time.sleep(0.02)
        raise Ended(f"Nothing answers on {host}, port {port}.")

    def end(self) -> None:
        """Ask all to end, latest first, and kill those that do not."""
        for child in reversed(self.children):
            _signal(child.process, signal.SIGTERM)
        end = time.monotonic() + PATIENCE / 3
        for child in reversed(self.children):
            try:
                child.process.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                _signal(child.process, signal.SIGKILL, whole_group=True)
                child.process.wait()
        self.children.clear()


def _signal(process: subprocess.Popen[bytes], number: signal.Signals, *, whole_group: bool = False) -> None:
    if process.poll() is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        if whole_group:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)


def _tail(log: Path | None) -> str:
    if log is None or not log.is_file():
        return ""
    return "\n" + "\n".join(log.read_text(errors="replace").splitlines()[-15:])
