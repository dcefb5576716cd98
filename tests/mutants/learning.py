"""Which tests run which lines, learned by running every test once, kept in ``var/mutants/`` until a file changes."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.mutants.groups import Group
from tests.mutants.session import run_tests

KEPT = Path("var/mutants")
MOVED = 40
"""So many files may have been edited before all tests are run again."""
ENOUGH = 300
"""Calls of one function in one test after which its lines are not looked at any more."""
Lines = dict[str, set[int]]


@dataclass
class Learned:
    """``seconds``: of every test that is green; ``lines``: what each runs; ``early``: what is run before any test.

    ``moved``: files that were edited since, so that only the file is known and not the line.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, Lines] = field(default_factory=dict)
    early: Lines = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)

    def add(self, other: Learned) -> None:
        """Take in what was learned of other tests."""
        self.seconds |= other.seconds
        self.lines |= other.lines
        for path, lines in other.early.items():
            self.early.setdefault(path, set()).update(lines)

    def by_line(self) -> dict[tuple[str, int], set[str]]:
        """The tests that run a line."""
        found: dict[tuple[str, int], set[str]] = defaultdict(set)
        for test, files in self.lines.items():
            for path, lines in files.items():
                for line in lines:
                    found[path, line].add(test)
        return found


def learn(group: Group) -> Learned:
    """What is known of the group's tests; those that have changed, or know too little, are run."""
    KEPT.mkdir(parents=True, exist_ok=True)
    learned, missing = Learned(), []
    digests, codes = _digests(group), _codes(group)
    for file in group.test_files():
        told = _told(group, file)
        if told and told["digest"] == digests[file] and len(moved := _moved(told, codes)) <= MOVED:
            learned.add(_decoded(told))
            learned.moved.update(moved)
        else:
            missing.append(file)
    if missing:
        print(f"Learning which lines the tests of {len(missing)} files run …", flush=True)
        process = multiprocessing.get_context("fork").Process(target=_run_and_keep, args=(group, missing))
        process.start()
        process.join()
        for file in missing:
            if told := _told(group, file):
                learned.add(_decoded(told))
    return learned


def _told(group: Group, file: str) -> Any:
    kept = _kept_at(group, file)
    return json.loads(kept.read_text("utf-8")) if kept.is_file() else None


def _moved(told: Any, codes: dict[str, str]) -> list[str]:
    """Files in which the lines are not those of then."""
    return [path for path, code in codes.items() if told["codes"].get(path) != code]


def _kept_at(group: Group, file: str) -> Path:
    return KEPT / f"{group.name}-{file.replace('/', '-')}.json"


def _digests(group: Group) -> dict[str, str]:
    """What the runs of a file of tests depend on, besides what is tested: it, and the helpers of its directory."""
    files = group.test_files()
    beside = {directory: _digest(_helpers(directory)) for directory in {_directory(file) for file in files}}
    return {file: _digest([Path(file)], beside[_directory(file)]) for file in files}


def _directory(file: str) -> Path:
    """The one right under ``tests``, whose helpers are for all its rooms; ``tests`` itself for what lies there."""
    return Path(*Path(file).parent.parts[:2])


def _codes(group: Group) -> dict[str, str]:
    """What each file was that is changed here."""
    return {path: _digest([Path(path)]) for path in group.paths() if path.endswith(".py")}


def _helpers(folder: Path) -> list[Path]:
    """Files of a directory that are no tests, and those of ``tests`` itself, which all use."""
    found = {*_files(folder), *Path("tests").glob("*.py")}
    return sorted(path for path in found if not path.name.startswith("test_"))


def _files(folder: Path) -> list[Path]:
    aside = {"__pycache__", "mutants"}
    return sorted(path for path in folder.rglob("*") if path.is_file() and not aside & set(path.parts))


def _digest(paths: Iterable[Path], start: str = "") -> str:
    made = hashlib.sha256(start.encode())
    for path in paths:
        made.update(str(path).encode() + b"\0" + path.read_bytes() + b"\0")
    return made.hexdigest()


def _run_and_keep(group: Group, files: Sequence[str]) -> None:
    """Run the tests; what was learned of a file is kept as soon as its last test is over."""
    digests, codes = _digests(group), _codes(group)

    def keep(file: str) -> None:
        told = {
            "digest": digests[file],
            "codes": codes,
            "early": {path: sorted(lines) for path, lines in tracer.learned.early.items()},
            "seconds": tracer.learned.seconds,
            "lines": {
                test: {path: sorted(lines) for path, lines in paths.items()}
                for test, paths in tracer.learned.lines.items()
            },
        }
        _kept_at(group, file).write_text(json.dumps(told), "utf-8")
        tracer.learned.seconds, tracer.learned.lines = {}, {}

    tracer = Tracer(group.paths(), keep)
    tracer.start()
    run_tests(files, [tracer], aside=group.leaves_out)
    tracer.stop()
    for file in set(files) - tracer.kept:
        keep(file)


def _decoded(told: dict[str, Any]) -> Learned:
    lines = {test: {path: set(n) for path, n in files.items()} for test, files in told["lines"].items()}
    return Learned(told["seconds"], lines, {path: set(n) for path, n in told["early"].items()})


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


class Tracer:
    """A plugin of pytest that watches which lines of ``paths`` each test runs, and how long the test takes."""

    def __init__(self, paths: Sequence[str], keep: Callable[[str], None]) -> None:
        self.learned = Learned()
        self.kept: set[str] = set()
        self._keep = keep
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
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        self._now, self._failed = {}, False
        self._todo = {}
        before = time.process_time()
        sys.settrace(self._enter)
        result = yield
        if not self._failed:
            self.learned.seconds[item.nodeid] = time.process_time() - before
            self.learned.lines[item.nodeid] = self._now
        if nextitem is None or _file(nextitem) != _file(item):
            self._keep(_file(item))
            self.kept.add(_file(item))
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
