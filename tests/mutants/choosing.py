"""Which tests may notice a change, those first that are quick or have noticed much, in the same file above all."""

import re
from collections import Counter, defaultdict
from pathlib import Path

from tests.mutants.groups import Group
from tests.mutants.learning import Learned
from tests.mutants.planting import Change

BUDGET = 30.0
"""Seconds that the tests for one change may take; the slowest of them are left out."""
GOOD = 6
"""How many tests that have noticed something in a file come first, and as many that have anywhere."""
ALL_MAPS = "maps/contracts.toml"


class Choosing:
    """Knows from ``learned`` what runs where; learns from :meth:`noticed` which tests are sharp."""

    def __init__(self, group: Group, learned: Learned) -> None:
        self._group, self._learned = group, learned
        self._by_line = learned.by_line()
        self._words: dict[str, set[str]] = {}
        self._by_file: dict[str, set[str]] = defaultdict(set)
        for (path, _), tests in self._by_line.items():
            self._by_file[path] |= tests
        self._sharp: dict[str, Counter[str]] = defaultdict(Counter)
        self._sharp_anywhere: Counter[str] = Counter()

    def noticed(self, change: Change, test: str) -> None:
        self._sharp[change.path][test] += 1
        self._sharp_anywhere[test] += 1

    def is_early(self, change: Change) -> bool:
        """Whether the line is run before any test, so that the change may have to be there from the start."""
        early = self._learned.early.get(change.path, set())
        return change.scope is None or any(line in early for line in range(change.line, change.last_line + 1))

    def tests(self, change: Change) -> list[str]:
        """The tests to run for a change, in their order."""
        wanted = self._all(change)
        counts = (self._sharp[change.path], self._sharp_anywhere)
        good = [test for count in counts for test, _ in count.most_common(GOOD) if test in wanted]
        sharp = list(dict.fromkeys(good))
        quick = sorted(wanted.difference(sharp), key=lambda test: (self._far(change, test), self.seconds(test), test))
        chosen: list[str] = []
        left = BUDGET
        for test in [*sharp, *quick]:
            left -= self.seconds(test)
            if left >= 0 or not chosen:
                chosen.append(test)
        return chosen

    def seconds(self, test: str) -> float:
        """What a test took when it was learned."""
        return self._learned.seconds[test]

    def _all(self, change: Change) -> set[str]:
        if change.path.endswith(".toml"):
            return self._of_board(change)
        if change.scope is not None:
            return self._of_lines(change)
        word = (change.owner or "").rpartition(".")[2]
        return self._naming(word) | self._by_file[change.path]

    def _of_lines(self, change: Change) -> set[str]:
        found: set[str] = set()
        for line in range(change.line, change.last_line + 1):
            found |= self._by_line.get((change.path, line), set())
        return found or self._by_file[change.path]

    def _of_board(self, change: Change) -> set[str]:
        if change.path == ALL_MAPS:
            return {test for test in self._learned.seconds if "steam" in test or "contract" in test}
        slug = Path(change.path).parent.name
        return {test for test in self._learned.seconds if slug in test} | self._by_file[f"maps/{slug}/rules.py"]

    def _naming(self, word: str) -> set[str]:
        """The tests in whose files, or in lines of ours that they run, a word stands."""
        if word not in self._words:
            pattern = re.compile(rf"\b{re.escape(word)}\b")
            found = {test for file in self._with(pattern, self._group.test_files()) for test in self._in(file)}
            for path in self._with(pattern, [path for path in self._group.paths() if path.endswith(".py")]):
                for number, line in enumerate(Path(path).read_text("utf-8").splitlines(), start=1):
                    if pattern.search(line):
                        found |= self._by_line.get((path, number), set())
            self._words[word] = found
        return self._words[word]

    def _with(self, pattern: re.Pattern[str], paths: list[str]) -> list[str]:
        return [path for path in paths if pattern.search(Path(path).read_text("utf-8"))]

    def _in(self, file: str) -> list[str]:
        return [test for test in self._learned.seconds if test.partition("::")[0] == file]

    def _far(self, change: Change, test: str) -> int:
        """0 for a test beside the changed file, as ``tests/`` mirrors the code; it matters where loading takes long."""
        if change.scope is not None:
            return 0
        parts = Path(change.path).parts
        return 0 if parts[1].removesuffix(".toml") in test else 1
