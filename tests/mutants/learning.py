"""Which tests run which lines, learned by running every test once, kept in ``var/mutants/`` until a file changes."""

import hashlib
import json
import multiprocessing
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.mutants.groups import Group
from tests.mutants.session import run_tests

KEPT = Path("var/mutants")
ENOUGH = 300
"""Calls of one function in one test after which its lines are not looked at any more."""
Lines = dict[str, set[int]]


@dataclass
class Learned:
    """``seconds``: of every test that is green; ``lines``: what each runs; ``early``: what is run before any test."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, Lines] = field(default_factory=dict)
    early: Lines = field(default_factory=dict)

    def by_line(self) -> dict[tuple[str, int], set[str]]:
        found: dict[tuple[str, int], set[str]] = defaultdict(set)
        for test, files in self.lines.items():
            for path, lines in files.items():
                for line in lines:
                    found[path, line].add(test)
        return found


def learn(group: Group) -> Learned:
    """What is known of the group's tests; they are run when one of them, or of the changed files, is another one."""
    KEPT.mkdir(parents=True, exist_ok=True)
    path, digest = KEPT / f"{group.name}.json", _digest(group)
    if not path.is_file() or json.loads(path.read_text("utf-8"))["digest"] != digest:
        print(f"Learning which lines the tests of {len(group.test_files())} files run …", flush=True)
        process = multiprocessing.get_context("fork").Process(target=_run_and_keep, args=(group, path, digest))
        process.start()
        process.join()
    told = json.loads(path.read_text("utf-8"))
    lines = {test: {path: set(n) for path, n in files.items()} for test, files in told["lines"].items()}
    return Learned(told["seconds"], lines, {path: set(n) for path, n in told["early"].items()})


def _digest(group: Group) -> str:
    """What decides which lines are run: what is tested, the group's tests, and all helpers of tests."""
    helpers = {str(path) for path in Path("tests").rglob("*.py") if not path.name.startswith("test_")}
    made = hashlib.sha256()
    for path in sorted({*group.paths(), *group.test_files(), *helpers}):
        made.update(path.encode() + b"\0" + Path(path).read_bytes() + b"\0")
    return made.hexdigest()


def _run_and_keep(group: Group, path: Path, digest: str) -> None:
    tracer = Tracer(group.paths())
    tracer.start()
    run_tests(group.test_files(), [tracer], aside=group.leaves_out)
    tracer.stop()
    path.write_text(json.dumps({"digest": digest, **asdict(tracer.learned)}, default=sorted), "utf-8")


class Tracer:
    """A plugin of pytest that watches which lines of ``paths`` each test runs, and how long the test takes."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.learned = Learned()
        self._paths = {str(Path(path).resolve()): path for path in paths}
        self._now: Lines = self.learned.early
        self._todo: dict[int, tuple[set[int], list[int], CodeType]] = {}
        self._failed = False

    def start(self) -> None:
        threading.settrace(self._enter)
        sys.settrace(self._enter)

    def stop(self) -> None:
        sys.settrace(None)
        threading.settrace(None)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._now, self._failed = {}, False
        self._todo = {}
        before = time.process_time()
        sys.settrace(self._enter)
        result = yield
        if not self._failed:
            self.learned.seconds[item.nodeid] = time.process_time() - before
            self.learned.lines[item.nodeid] = self._now
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            print(f"Without any change this fails: {report.nodeid}\n{report.longreprtext[-1500:]}", file=sys.__stdout__)
        self._failed = self._failed or not report.passed

    def _enter(self, frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        todo = self._todo.get(id(code))
        if todo is None:
            lines = {n for _, _, n in code.co_lines() if n} if code.co_filename in self._paths else set()
            todo = self._todo[id(code)] = (lines, [ENOUGH], code)
        lines, left, _ = todo
        if not lines or left[0] <= 0:
            return None
        left[0] -= 1
        seen = self._now.setdefault(self._paths[code.co_filename], set())

        def line(frame: FrameType, event: str, argument: object) -> Any:
            if event == "line":
                seen.add(frame.f_lineno)
                lines.discard(frame.f_lineno)
            return line

        return line
