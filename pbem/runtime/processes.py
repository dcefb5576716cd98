"""Child processes that live as long as their ``with``: started, watched, and ended whatever happens."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

import msgspec

from pbem.runtime import leash

PATIENCE = 90.0
"""Seconds a process has to become ready."""
ENDING = 30.0
"""Seconds it has to end."""
LOOK_EVERY = 0.02
FORKING = "pbem.runtime.forking"
"""The program that forks the parts."""


class Ended(RuntimeError):
    """A process that should be running has ended; the text says which and shows the end of its log."""


def free_port() -> int:
    """A port of the loopback interface that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(slots=True)
class Forked:
    """A process that was forked from this one, with what is asked of those of :mod:`subprocess`."""

    pid: int
    status: int | None = None

    def poll(self) -> int | None:
        """Its exit status, minus the signal that ended it, ``None`` while it runs."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if pid else None
        return self.status

    def wait(self, timeout: float) -> int:
        """Its exit status when it has ended. Raises ``subprocess.TimeoutExpired``."""
        end = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(LOOK_EVERY)
        return status

    def send_signal(self, number: int) -> None:
        """Nothing happens when it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)


Process = subprocess.Popen[bytes] | Forked


@dataclass(slots=True)
class Child:
    """One started process; ``log`` is the file its output goes to, ``None`` for our own."""

    name: str
    process: Process
    log: Path | None


@dataclass(slots=True)
class Processes:
    """Use as ``with Processes(...) as processes: processes.start("web", [...])``.

    ``environ`` is what the children get; their output goes to ``logs/NAME.log``, or to ours without ``logs``. They are
    killed when they have not ended ``ending`` seconds after they were asked to.
    """

    environ: Mapping[str, str]
    logs: Path | None = None
    ending: float = ENDING
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
        log = self._log(name)
        with contextlib.ExitStack() as stack:
            out = None if log is None else stack.enter_context(log.open("ab"))
            process = subprocess.Popen(  # nosec B603 # noqa: S603 - the words are ours, nothing from outside gets here
                [sys.executable, "-I", leash.__file__, str(os.getpid()), *words],
                env=dict(self.environ),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT if out is not None else None,
                start_new_session=True,
            )
        self.children.append(Child(name, process, log))
        return process

    def fork(self, name: str) -> bool:
        """Fork this process; returns whether it is the child, which is in a group and on a leash as if started.

        It has our modules and our environment, and no other children. For a process without threads and connections.
        """
        ours, log = os.getpid(), self._log(name)
        sys.stdout.flush()
        sys.stderr.flush()
        if pid := os.fork():
            self.children.append(Child(name, Forked(pid), log))
            return False
        self.children.clear()
        os.setsid()
        leash.name(f"pbem {name}")
        _become(0, Path(os.devnull), os.O_RDONLY)
        if log is not None:
            _become(1, log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.dup2(1, 2)
        if not leash.tie(ours):
            raise SystemExit
        return True

    def _log(self, name: str) -> Path | None:
        if self.logs is None:
            return None
        self.logs.mkdir(parents=True, exist_ok=True)
        return self.logs / f"{name}.log"

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
            time.sleep(LOOK_EVERY)
        raise Ended(f"Nothing answers on {host}, port {port}.")

    def end(self) -> None:
        """Ask all to end, latest first, and kill those that do not."""
        for child in reversed(self.children):
            _signal(child.process, signal.SIGTERM)
        end = time.monotonic() + self.ending
        for child in reversed(self.children):
            try:
                child.process.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                _signal(child.process, signal.SIGKILL, whole_group=True)
                child.process.wait(PATIENCE)
        self.children.clear()


def _become(descriptor: int, path: Path, how: int) -> None:
    """Let an open file of this process be this one."""
    opened = os.open(path, how, 0o666)
    os.dup2(opened, descriptor)
    os.close(opened)


def _signal(process: Process, number: signal.Signals, *, whole_group: bool = False) -> None:
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


@dataclass(frozen=True, slots=True)
class Part:
    """``python -m MODULE WORDS…``, which stands back behind others by ``nice``."""

    name: str
    module: str
    words: Sequence[str] = ()
    nice: int = 0


def start_parts(processes: Processes, parts: Sequence[Part]) -> None:
    """Start a process that forks the parts and ends with them; when one ends, it ends all and says which."""
    logs = "" if processes.logs is None else str(processes.logs)
    processes.python("server", "-m", FORKING, logs, msgspec.json.encode(parts).decode())


ASKED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, a signal to end, and a terminal that was closed."""


AGAIN = 0.05
"""Seconds after which a signal is heard again that was lost."""


class Stopped(BaseException):
    """Somebody wants us to end; ``number`` is the signal.

    As with ``KeyboardInterrupt``, whoever takes every ``Exception`` does not take it.
    """

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}")
        self.number = number


@contextmanager
def stoppable() -> Iterator[None]:
    """Raises :class:`Stopped` in the body when a signal asks for the end; others that follow are not heard.

    A terminal that is closed means nothing where that was said before (``nohup``).
    """
    before = {number: signal.getsignal(number) for number in ASKED}
    hook = sys.unraisablehook
    sys.unraisablehook = _heard_again(hook)
    for number, handler in before.items():
        if number != signal.SIGHUP or handler is not signal.SIG_IGN:
            signal.signal(number, _stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook


def _stop(number: int, _frame: FrameType | None) -> None:
    for other in ASKED:
        signal.signal(other, signal.SIG_IGN)
    raise Stopped(number)


def _heard_again(otherwise: Callable[[Any], object]) -> Callable[[Any], object]:
    """A hook for exceptions that Python drops, for it is in a finalizer or in the callback of a weak reference.

    A signal that comes at such a moment comes once more a little later, when Python is somewhere else.
    """

    def hook(dropped: Any) -> None:
        stopped = dropped.exc_value
        if isinstance(stopped, Stopped):
            signal.signal(stopped.number, _stop)
            threading.Timer(AGAIN, os.kill, (os.getpid(), stopped.number)).start()
        else:
            otherwise(dropped)

    return hook
