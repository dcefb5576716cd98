"""Runs tests with one change planted, each in a process of its own that is forked from one that has loaded all."""

import gc
import os
import resource
import select
import signal
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Never, Protocol, Self

import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.planted import Loaded, plant_before_loading
from tests.mutants.planting import Change
from tests.mutants.session import run_tests

NOTICED, SURVIVED, NOT_HERE, BROKEN = "noticed", "survived", "not here", "broken"
"""``BROKEN``: the change is no Python."""
LONGEST = 400
"""Seconds on the clock after which a process is ended."""
MEMORY = 6 << 30
FIRST_FILES = 1
"""Where all must be loaded anew, only so many files of tests are loaded at first."""


@dataclass(frozen=True)
class Job:
    """A change and the tests to run, in their order, with the seconds that they take."""

    change: Change | None
    tests: Sequence[str]
    seconds: Sequence[float]


@dataclass(frozen=True)
class Outcome:
    """``by``: the test that noticed, or what else happened."""

    job: Job
    verdict: str
    by: str


class Said(Protocol):
    """Takes what a process has found; does not come back."""

    def __call__(self, verdict: str, by: str = "") -> Never: ...


def in_forks(jobs: Iterable[Job], processes: int, do: Callable[[Job, Said, str], object]) -> Generator[Outcome]:
    """Do every job in a fork of this process, ``processes`` at a time; yields what came of each."""
    folder = mkdtemp(prefix="pbem-mutants-")
    running: dict[int, _Fork] = {}
    try:
        for job in jobs:
            while len(running) >= processes:
                yield from _over(running)
            fork = _Fork.of(job, do, folder)
            running[fork.read] = fork
        while running:
            yield from _over(running)
    finally:
        for fork in running.values():
            fork.end()
        rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class _Fork:
    job: Job
    pid: int
    read: int
    until: float
    folder: str

    @classmethod
    def of(cls, job: Job, do: Callable[[Job, Said, str], object], folder: str) -> Self:
        read, write = os.pipe()
        own = mkdtemp(dir=folder)
        pid = os.fork()
        if pid == 0:
            os.close(read)
            _child(job, do, write, own)
        os.close(write)
        return cls(job, pid, read, time.monotonic() + LONGEST, own)

    def end(self) -> Outcome:
        """What it said; a process that said nothing ran for too long or fell over, and that is noticed."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            os.kill(self.pid, signal.SIGKILL)  # it has no group yet
        said = _rest(self.read)
        os.close(self.read)
        os.waitpid(self.pid, 0)
        rmtree(self.folder, ignore_errors=True)
        verdict, _, by = said.partition(" ") if said else (NOTICED, "", "it ran for too long or ended its process")
        return Outcome(self.job, verdict.replace("_", " "), by)


def _rest(read: int) -> str:
    ready, _, _ = select.select([read], [], [], 0)
    return os.read(read, 65536).decode() if ready else ""


def _over(running: dict[int, _Fork]) -> Generator[Outcome]:
    """What has come to an end; waits a little."""
    ready, _, _ = select.select(list(running), [], [], 1)
    late = [read for read, fork in running.items() if time.monotonic() > fork.until]
    for read in {*ready, *late}:
        yield running.pop(read).end()


def _child(job: Job, do: Callable[[Job, Said, str], object], write: int, folder: str) -> Never:
    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    silence = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(silence, standard)

    def say(verdict: str, by: str = "") -> Never:
        os.write(write, f"{verdict.replace(' ', '_')} {by}".encode()[:4000])
        os._exit(0)

    try:
        do(job, say, folder)
    except SyntaxError as error:
        say(BROKEN, f"{error!r}")
    except BaseException as error:  # noqa: BLE001
        say(NOTICED, f"{error!r}")
    say(SURVIVED)


class Watch:
    """A plugin of pytest: the first red test ends the process; so does one that takes far longer than it should."""

    def __init__(self, say: Said, job: Job) -> None:
        self._say, self._seconds = say, dict(zip(job.tests, job.seconds, strict=True))
        self._place = {test: place for place, test in enumerate(job.tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self._place]
        items.sort(key=lambda item: self._place[item.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        signal.setitimer(signal.ITIMER_PROF, 3 + 10 * self._seconds.get(nodeid, 1))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._say(NOTICED, report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._say(NOTICED, f"loading {report.nodeid}")


def run_loaded(
    files: Sequence[str], aside: Sequence[str], jobs: Iterable[Job], processes: int, tell: Callable[[Outcome], None]
) -> None:
    """Load all ``files`` once, then do the jobs, each in a fork."""

    class Server:
        """Does the jobs where pytest would run the tests."""

        def pytest_runtestloop(self, session: pytest.Session) -> bool:
            if session.testsfailed:
                raise pytest.UsageError("the tests cannot be collected")
            items = {item.nodeid: item for item in session.items}
            loaded = Loaded()
            gc.freeze()

            def do(job: Job, say: Said, folder: str) -> None:
                if job.change is not None and not loaded.plant(job.change):
                    say(NOT_HERE)
                _use_folder(session.config, folder)
                session.config.pluginmanager.register(Watch(say, job))
                signal.signal(signal.SIGPROF, signal.SIG_DFL)
                wanted = [items[test] for test in job.tests]
                for item, following in zip(wanted, [*wanted[1:], None], strict=True):
                    session.config.hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
                    runtestprotocol(item, nextitem=following)

            for outcome in in_forks(jobs, processes, do):
                tell(outcome)
            return True

    if run_tests(files, [Server()], aside=aside):
        raise SystemExit("The tests cannot be loaded.")


def run_fresh(jobs: Iterable[Job], aside: Sequence[str], processes: int, tell: Callable[[Outcome], None]) -> None:
    """Do the jobs, each in a fork of this process that loads the changed file and the tests anew."""

    def do(job: Job, say: Said, folder: str) -> None:
        if job.change is not None:
            plant_before_loading(job.change)
        os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
        signal.setitimer(signal.ITIMER_PROF, 60)
        files = list(dict.fromkeys(test.partition("::")[0] for test in job.tests))
        for part in (files[:FIRST_FILES], files[FIRST_FILES:]):
            if part and (status := run_tests(part, [Watch(say, job)], aside=aside)) not in {0, 5}:
                say(NOTICED, f"the tests ended with status {status}")

    for outcome in in_forks(jobs, processes, do):
        tell(outcome)


def _use_folder(config: pytest.Config, folder: str) -> None:
    """Temporary folders of tests go into ``folder``, which is removed afterwards."""
    factory: Any = config._tmp_path_factory  # type: ignore[attr-defined]
    factory._given_basetemp = Path(folder) / "tests"
    factory._basetemp = None
