"""What each directory of tests costs in processor time, printed at the end of a run.

Wall time says little on a machine that has other work; this is what the tests and the programs they ended have used.
What a program used that is still running, such as the databases of a whole run, is counted in no directory.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Generator, Mapping
from operator import itemgetter
from pathlib import PurePosixPath

import pytest

LINES = 12
OURS = "processor seconds"


def used() -> float:
    """Seconds of processor time of this process and of the programs it has waited for."""
    return sum(os.times()[:4])


def table(costs: Mapping[str, float], tests: Counter[str]) -> list[str]:
    """The dearest directories first, the rest in one line, and the sum."""
    dearest = sorted(costs.items(), key=itemgetter(1), reverse=True)
    lines = [f"{seconds:7.1f} s {tests[name]:6} tests  {name}" for name, seconds in dearest[:LINES]]
    if rest := dearest[LINES:]:
        seconds, count = sum(seconds for _, seconds in rest), sum(tests[name] for name, _ in rest)
        lines.append(f"{seconds:7.1f} s {count:6} tests  in {len(rest)} more")
    return [*lines, f"{sum(costs.values()):7.1f} s {tests.total():6} tests  together"]


class Costs:
    """Measures where the tests run, and adds up where the summary is written (with xdist: another process)."""

    def __init__(self) -> None:
        self.costs: defaultdict[str, float] = defaultdict(float)
        self.tests: Counter[str] = Counter()
        self._before = used()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """A report carries what was used since the one before it."""
        report = yield
        now = used()
        report.user_properties = [*report.user_properties, (OURS, now - self._before)]
        self._before = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        directory = str(PurePosixPath(report.nodeid.partition("::")[0]).parent)
        for name, seconds in report.user_properties:
            if name == OURS and isinstance(seconds, float):
                self.costs[directory] += seconds
        self.tests[directory] += report.when == "call"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if len(self.costs) > 1:
            terminalreporter.section("processor time by directory")
            for line in table(self.costs, self.tests):
                terminalreporter.write_line(line)
