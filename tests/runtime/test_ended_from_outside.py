"""Whatever ends us from outside, a signal or the end of whoever started us, leaves no process behind."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import psutil
import pytest

from pbem.runtime import Stopped, free_port, stoppable
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]
SLEEPS = "import os, time; os.write(1, b'up\\n'); time.sleep(60)"
STARTS = f"""
import os, sys, time
from pbem.runtime import Processes, Stopped, stoppable
try:
    with stoppable(), Processes(os.environ) as processes:
        processes.python("one", "-c", {SLEEPS!r})
        processes.python("two", "-c", {SLEEPS!r})
        time.sleep(60)
except Stopped as stopped:
    sys.exit(128 + stopped.number)
"""


@contextlib.contextmanager
def running(words: Sequence[str], environ: Mapping[str, str], ready: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """A program that has said all that is in ``ready``; it is killed at the end with what it has started."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), **environ}
    with subprocess.Popen(words, env=environ, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        for word in ready:
            while word not in (line := program.stdout.readline()):
                assert line, f"it has ended without saying “{word}”"
        started = family(program)
        try:
            yield program
        finally:
            for process in filter(alive, started):
                process.kill()


def family(program: subprocess.Popen[str], number: int = 1) -> list[psutil.Process]:
    """A program and all it has started, once they are so many: a server that is up may still start its own."""
    own, end = psutil.Process(program.pid), time.monotonic() + PATIENCE
    while len(found := [own, *own.children(recursive=True)]) < number and time.monotonic() < end:
        time.sleep(0.05)
    return found


def alive(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def left(processes: list[psutil.Process]) -> list[psutil.Process]:
    """What of these is still there after a while."""
    psutil.wait_procs(processes, PATIENCE)
    return [process for process in processes if alive(process)]


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_children_end_with_whoever_has_started_them(number: signal.Signals) -> None:
    with running([sys.executable, "-c", STARTS], {}, ["up", "up"]) as program:
        started = family(program)
        assert len(started) == 3
        program.send_signal(number)
        assert program.wait(PATIENCE) in (-number, 128 + number)
        assert left(started) == []


def test_a_closed_terminal_that_was_to_mean_nothing_means_nothing() -> None:
    """As after ``nohup``."""
    deaf = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n{STARTS}"
    with running([sys.executable, "-c", deaf], {}, ["up", "up"]) as program:
        program.send_signal(signal.SIGHUP)
        program.send_signal(signal.SIGTERM)
        assert program.wait(PATIENCE) == 128 + signal.SIGTERM


class Finalizer:
    """A thing at whose end a signal comes."""

    def __init__(self, number: signal.Signals) -> None:
        self.number = number

    def __del__(self) -> None:
        signal.raise_signal(self.number)


@pytest.mark.parametrize("number", SIGNALS[:-1], ids=lambda number: number.name)
def test_a_signal_is_heard_that_comes_where_python_drops_exceptions(number: signal.Signals) -> None:
    def body() -> None:
        Finalizer(number)
        time.sleep(PATIENCE)

    with pytest.raises(Stopped) as stopped, stoppable():
        body()
    assert stopped.value.number == number


def test_nobody_who_takes_every_exception_takes_the_end() -> None:
    with pytest.raises(Stopped), stoppable(), contextlib.suppress(Exception):
        signal.raise_signal(signal.SIGTERM)


def test_what_python_drops_is_told_as_before() -> None:
    class Spoiled:
        def __del__(self) -> None:
            raise ValueError("spoiled")

    told: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "unraisablehook", lambda dropped: told.append(str(dropped.exc_value)))
        with stoppable():
            Spoiled()
    assert told == ["spoiled"]


def test_a_demo_that_is_ended_leaves_no_server_behind(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "pbem", "demo", "age-of-steam", "st_lucia", "-o", str(tmp_path / "demo")]
    with running(words, {}, ["are up"]) as demo:
        started = family(demo, 5)
        assert len(started) >= 5
        demo.send_signal(signal.SIGHUP)
        assert demo.wait(PATIENCE) == 128 + signal.SIGHUP
        assert left(started) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_a_make_that_is_ended_leaves_no_server_behind(tmp_path: Path, number: signal.Signals) -> None:
    """``make serve``; ``make demo`` is started in the same way."""
    make = shutil.which("make")
    if make is None:
        pytest.skip("make is not installed")
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    for stamp in ("venv/bin/python", "stamp"):
        (tmp_path / stamp).touch()
    ours = [f"VENV={tmp_path / 'venv'}", f"RUNTIME={tmp_path / 'stamp'}", f"RUN={sys.executable}"]
    environ = {"PBEM_DATA_DIR": str(tmp_path / "var"), "PBEM_PUBLIC_URL": ""}
    with running([make, "serve", f"PORT={free_port()}", *ours], environ, ["pbem is at"]) as program:
        started = family(program, 5)
        assert len(started) >= 5
        program.send_signal(number)
        assert left(started) == []


def test_make_starts_demo_and_server_in_the_same_way() -> None:
    recipes = [line for line in (ROOT / "Makefile").read_text("utf-8").splitlines() if " -m pbem " in line]
    assert len(recipes) == 2
    assert all(line.startswith("\t@exec $(LEASHED) -m pbem ") for line in recipes)
