"""What came of the changes, by folder."""

import json
import time
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Self, TextIO

from tests.mutants.planting import Change
from tests.mutants.running import BROKEN, NOT_HERE, NOTICED, SURVIVED, Outcome

FILE = Path(__file__).with_name("listed.toml")


class Listing:
    """Entries: ``path``; ``was``, the line before; ``now``, what it becomes (one or several); ``why``."""

    def __init__(self, text: str) -> None:
        self._why: dict[tuple[str, str, str], str] = {}
        for entry in tomllib.loads(text).get("listed", []):
            now = entry["now"]
            for line in now if isinstance(now, list) else [now]:
                self._why[entry["path"], entry["was"], line] = entry["why"]

    @classmethod
    def kept(cls) -> Self:
        return cls(FILE.read_text("utf-8"))

    def __contains__(self, change: Change) -> bool:
        return change.key in self._why

    def paths(self) -> set[str]:
        return {path for path, _, _ in self._why}

    def stale(self, changes: Iterable[Change]) -> list[str]:
        """Entries that no change has any more."""
        keys = {change.key for change in changes}
        return [f"{path}: {was} -> {now}" for path, was, now in self._why if (path, was, now) not in keys]

    def unexplained(self) -> list[str]:
        """Entries without a reason."""
        return [f"{path}: {was} -> {now}" for (path, was, now), why in self._why.items() if not why.strip()]


HEAD = f"{'':32}{'planted':>9}{'noticed':>9}{'listed':>9}{'survived':>10}{'share':>9}"


class Progress:
    """Writes every outcome into a file, and a line to the terminal from time to time."""

    def __init__(self, total: int, file: Path, out: TextIO) -> None:
        self._total, self._file, self._out = total, file, out
        self._done = self._survived = 0
        self._said = time.monotonic()

    def carry_on(self, before: Iterable[tuple[str, str]]) -> None:
        """Another process has done these already."""
        verdicts = [verdict for verdict, _ in before if verdict != NOT_HERE]
        self._done, self._survived = len(verdicts), verdicts.count(SURVIVED)

    def tell(self, outcome: Outcome) -> None:
        assert outcome.job.change is not None
        with self._file.open("a", encoding="utf-8") as file:
            told = {"key": outcome.job.change.key, "verdict": outcome.verdict, "by": outcome.by}
            file.write(json.dumps(told) + "\n")
        if outcome.verdict == BROKEN:
            raise ValueError(f"{outcome.job.change}: {outcome.by}")
        self._done += outcome.verdict != NOT_HERE
        if outcome.verdict == SURVIVED:
            self._survived += 1
            print(f"{outcome.job.change}\n    {outcome.by}", file=self._out, flush=True)
        if time.monotonic() - self._said > 20:
            self._said = time.monotonic()
            done = f"{self._done:,} of {self._total:,} done, {self._survived:,} not noticed"
            print(done, file=self._out, flush=True)


def outcomes(file: Path) -> dict[tuple[str, str, str], tuple[str, str]]:
    """What a file of :class:`Progress` says of every change: the verdict and who noticed."""
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    return {tuple(told["key"]): (told["verdict"], told["by"]) for told in map(json.loads, lines)}


def table(changes: Iterable[Change], listing: Listing, verdicts: dict[tuple[str, str, str], str]) -> tuple[str, float]:
    """The table for people, and the share in percent of those not listed that were noticed."""
    planted, noticed, listed, survived = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for change in changes:
        folder = str(Path(change.path).parent)
        for name in (folder, "all"):
            planted[name] += 1
            if change in listing:
                listed[name] += 1
            else:
                (noticed if verdicts[change.key] == NOTICED else survived)[name] += 1
    rows = [
        f"{name:32}{planted[name]:>9,}{noticed[name]:>9,}{listed[name]:>9,}{survived[name]:>10,}"
        f"{_share(noticed[name], survived[name]):>8.1f}%"
        for name in [*sorted(planted.keys() - {"all"}), "all"]
    ]
    return "\n".join([HEAD, *rows]), _share(noticed["all"], survived["all"])


def _share(noticed: int, survived: int) -> float:
    return 100 * noticed / (noticed + survived) if noticed + survived else 100.0
