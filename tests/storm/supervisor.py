"""Keeps the processes of the Procfile running as systemd would (Restart=always), and kills them when told to."""

import contextlib
import os
import shlex
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

LOOKS_EVERY = 0.1
RESTART_AFTER = 0.1
PATIENCE = 15.0


def procfile(path: Path) -> dict[str, str]:
    """The commands of a Procfile by the name of their process."""
    lines = (line.partition(":") for line in path.read_text().splitlines() if line.strip())
    return {name.strip(): command.strip() for name, _, command in lines}


@dataclass(slots=True)
class Part:
    """One process that is to run: how it is started, and since when it is down, if it is.

    ``before``: words that put it somewhere else (``ip netns exec NAME``).
    """

    name: str
    command: str
    environ: Mapping[str, str]
    before: Sequence[str] = ()
    process: subprocess.Popen[bytes] | None = None
    down_since: float = 0.0
    held: bool = False


class Supervisor:
    """Starts parts in ``folder`` and starts them again whenever they end."""

    def __init__(self, folder: Path, logs: Path) -> None:
        self.restarts: Counter[str] = Counter()
        self._folder, self._logs = folder, logs
        self._parts: dict[str, Part] = {}
        self._lock = threading.RLock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="supervisor", daemon=True)

    def add(self, part: Part) -> None:
        with self._lock:
            self._parts[part.name] = part
            self._start(part)

    def watch(self) -> None:
        """From now on start again what ends."""
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()
        with self._lock:
            for part in self._parts.values():
                self._signal(part, signal.SIGTERM)
            for part in self._parts.values():
                self._end(part)

    def pid(self, name: str) -> int:
        """The process of a part, 0 while it is down."""
        with self._lock:
            process = self._parts[name].process
            return 0 if process is None or process.poll() is not None else process.pid

    def family(self, name: str) -> list[int]:
        """The process of a part and its children."""
        with contextlib.suppress(psutil.NoSuchProcess, ValueError):
            first = psutil.Process(self.pid(name) or -1)
            return [first.pid, *(child.pid for child in first.children(recursive=True))]
        return []

    def kill(self, name: str) -> None:
        """``kill -9`` of a part and what is left of its group, as systemd does."""
        with self._lock:
            part = self._parts[name]
            if part.process is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(part.process.pid, signal.SIGKILL)
                part.process.wait()

    @contextlib.contextmanager
    def held(self, name: str) -> Iterator[None]:
        """Kill a part and keep it down for the length of the ``with``."""
        with self._lock:
            self._parts[name].held = True
            self.kill(name)
        try:
            yield
        finally:
            with self._lock:
                self._parts[name].held = False

    def _watch(self) -> None:
        while not self._ended.wait(LOOKS_EVERY):
            with self._lock:
                for part in self._parts.values():
                    self._look_after(part)

    def _look_after(self, part: Part) -> None:
        if part.process is not None and part.process.poll() is None:
            return
        if not part.down_since:
            self.kill(part.name)
            part.down_since = time.monotonic()
        if not part.held and time.monotonic() - part.down_since > RESTART_AFTER:
            self.restarts[part.name] += 1
            self._start(part)

    def _start(self, part: Part) -> None:
        self._logs.mkdir(parents=True, exist_ok=True)
        words = [*part.before, "/bin/sh", "-c", f"exec {part.command}"]
        with (self._logs / f"{part.name}.log").open("ab") as out:
            part.process = subprocess.Popen(
                words, cwd=self._folder, env=dict(part.environ), stdin=subprocess.DEVNULL,
                stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        part.down_since = 0.0

    def _signal(self, part: Part, number: signal.Signals) -> None:
        if part.process is not None and part.process.poll() is None:
            part.process.send_signal(number)

    def _end(self, part: Part) -> None:
        if part.process is None:
            return
        try:
            part.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(part.process.pid, signal.SIGKILL)
            part.process.wait()


def run_once(command: str, folder: Path, environ: Mapping[str, str]) -> None:
    """Run a command of the Procfile to its end (``release``)."""
    subprocess.run(shlex.split(command), cwd=folder, env=dict(environ), check=True, capture_output=True)
