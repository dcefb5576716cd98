"""``make mutants``: plant one change at every constant and condition, and list those that no test notices.

Exits with status 1 when a group stays under its limit (``groups.py``). What alters nothing is in ``listed.toml``.
"""

import argparse
import multiprocessing
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.mutants import boards, planting
from tests.mutants.choosing import Choosing
from tests.mutants.groups import GROUPS, Group
from tests.mutants.learning import KEPT, learn
from tests.mutants.planting import Change
from tests.mutants.running import NOT_HERE, NOTICED, SURVIVED, Job, Outcome, run_fresh, run_loaded
from tests.mutants.tally import Listing, Progress, outcomes, table


@dataclass(frozen=True)
class Part:
    """Which changes are planted: ``count`` of each group (0: all), drawn with ``seed``, in files below ``only``.

    ``tests``: only these may notice; none named: all of the group.
    """

    count: int = 0
    seed: int = 0
    only: Sequence[str] = ()
    jobs: int = 2
    again: bool = False
    tests: Sequence[str] = ()


def changes(group: Group, only: Sequence[str] = ()) -> list[Change]:
    """All changes of a group in files below ``only``."""
    found: list[Change] = []
    for path in group.paths():
        if not only or any(path.startswith(start) for start in only):
            module = boards if path.endswith(".toml") else planting
            found.extend(module.changes_of(path, Path(path).read_text("utf-8")))
    return found


def drawn(group: Group, part: Part) -> list[Change]:
    """The changes of a part; with ``again`` those that were not noticed last time."""
    found = changes(group, part.only)
    if part.again:
        last = outcomes(_results(group))
        found = [change for change in found if last.get(change.key, ("", ""))[0] == SURVIVED]
    if part.count and part.count < len(found):
        picked = random.Random(part.seed).sample(range(len(found)), part.count)
        found = [found[number] for number in sorted(picked)]
    return found


def _results(group: Group) -> Path:
    return KEPT / f"{group.name}.jsonl"


def run(group: Group, part: Part, listing: Listing) -> bool:
    """Plant the changes of a part, print what came of them; whether enough were noticed."""
    group = replace(group, tests=part.tests or group.tests)
    wanted = drawn(group, part)
    if not wanted:
        return True
    print(f"\n{group.name}: {len(wanted):,} changes", flush=True)
    learned = learn(group)
    results = _results(group)
    results.unlink(missing_ok=True)
    planter = _Planter(group, part, Choosing(group, learned), len(wanted))
    unlisted = [change for change in wanted if change not in listing]
    early = [change for change in unlisted if change.scope is None]
    _in_process(lambda: planter.in_loaded([change for change in unlisted if change.scope is not None]))
    _in_process(lambda: planter.in_fresh([*planter.not_done(unlisted), *early]))
    verdicts = {key: verdict for key, (verdict, _) in outcomes(results).items()}
    text, share = table(wanted, listing, verdicts)
    print(f"\n{text}\nAt least {group.limit} % of those that are not listed should be noticed.", flush=True)
    return share >= group.limit


def _in_process(do: Callable[[], None]) -> None:
    """Do it in a fork: what it loads is not loaded here."""
    process = multiprocessing.get_context("fork").Process(target=do)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit("It broke off.")


class _Planter:
    """Does the changes of a group; ``choosing`` grows wiser on the way."""

    def __init__(self, group: Group, part: Part, choosing: Choosing, total: int) -> None:
        self.choosing, self._group, self._part = choosing, group, part
        self._results = _results(group)
        self._progress = Progress(total, self._results, os.fdopen(os.dup(1), "w"))

    def in_loaded(self, changes: Sequence[Change]) -> None:
        """Changes of functions, put into those that are loaded."""
        if changes:
            run_loaded(
                self._group.test_files(), self._group.leaves_out, self._jobs(changes), self._part.jobs, self._once_more
            )

    def in_fresh(self, changes: Sequence[Change]) -> None:
        """Changes that must be there when a file is loaded, and those that could not be put into what was loaded."""
        self._progress.carry_on(outcomes(self._results).values())
        if changes:
            run_fresh(self._jobs(changes), self._group.leaves_out, self._part.jobs, self._tell)

    def not_done(self, changes: Sequence[Change]) -> list[Change]:
        """Those that could not be put into what was loaded."""
        found = outcomes(self._results)
        return [change for change in changes if found.get(change.key, ("", ""))[0] == NOT_HERE]

    def _jobs(self, changes: Sequence[Change]) -> Iterator[Job]:
        """First nothing is planted, to see that a red test is due to a change."""
        tests = next(filter(None, map(self.choosing.tests, changes)), [])[:5]
        yield Job(None, tests, [self.choosing.seconds(test) for test in tests])
        for change in changes:
            tests = self.choosing.tests(change)
            job = Job(change, tests, [self.choosing.seconds(test) for test in tests])
            if tests:
                yield job
            else:
                self._tell(Outcome(job, SURVIVED, "no test runs this line"))

    def _once_more(self, outcome: Outcome) -> None:
        """What is run while loading as well and was not noticed is planted once more before loading."""
        change = outcome.job.change
        if change is not None and outcome.verdict == SURVIVED and self.choosing.is_early(change):
            outcome = replace(outcome, verdict=NOT_HERE)
        self._tell(outcome)

    def _tell(self, outcome: Outcome) -> None:
        if outcome.job.change is None:
            if outcome.verdict != SURVIVED:
                raise SystemExit(f"The tests are red without any change: {outcome.by}")
            return
        if outcome.verdict == NOTICED and "::" in outcome.by:
            self.choosing.noticed(outcome.job.change, outcome.by)
        self._progress.tell(outcome)


def main(words: Sequence[str] | None = None) -> int:
    """Run what was asked for; returns the status of the process."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--group", choices=[group.name for group in GROUPS], help="only this one")
    parser.add_argument("--count", type=int, default=0, help="so many changes of each group, drawn by chance")
    parser.add_argument("--seed", type=int, default=0, help="of that chance")
    parser.add_argument("--only", action="append", default=[], help="files whose path begins so; may be given often")
    parser.add_argument("--jobs", type=int, default=2, help="processes at the same time")
    parser.add_argument("--again", action="store_true", help="only those that were not noticed last time")
    parser.add_argument("--tests", action="append", default=[], help="only tests of this folder; may be given often")
    given = parser.parse_args(words)
    part = Part(given.count, given.seed, given.only, given.jobs, given.again, given.tests)
    listing = Listing.kept()
    good = [run(group, part, listing) for group in GROUPS if given.group in {None, group.name}]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
