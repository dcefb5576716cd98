"""Series of games on paper that can be stopped and go on: played by some processes, kept in a file as they end."""

import gc
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, is_dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

SELDOM = 200_000
"""Objects made until Python looks for cycles: thinking makes many, and hardly any of them are in one."""
R = TypeVar("R")


class Another(Exception):
    """The file holds another series; the text is a sentence."""


@dataclass
class Series(Generic[R]):
    """What ended of a series, by number. ``about``: what was played, the first line of its file; without a file it
    lasts as long as the process. ``read``: a result from its JSON."""

    about: Mapping[str, object]
    read: Callable[[Any], R]
    path: Path | None = None
    found: dict[int, R] = field(default_factory=dict)

    def load(self) -> None:
        """What the file holds; a line that an interruption has cut off is taken out. Raises :class:`Another`."""
        if self.path is None or not self.path.exists():
            return
        text = self.path.read_text("utf-8")
        whole = text[: text.rfind("\n") + 1]
        head, *lines = whole.splitlines() or [text]
        if head and json.loads(head) != json.loads(json.dumps(self.about)):
            raise Another(f"{self.path} holds another series: {head}")
        for line in lines:
            number, result = json.loads(line)
            self.found[number] = self.read(result)
        if whole != text:
            self.path.write_text(whole, "utf-8")

    def add(self, number: int, result: R, written: object) -> None:
        """One more result, at the end of the file."""
        self.found[number] = result
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                head = "" if file.tell() else json.dumps(self.about) + "\n"
                file.write(head + json.dumps([number, written]) + "\n")

    def missing(self, count: int) -> Sequence[int]:
        return [number for number in range(count) if number not in self.found]


def plain(result: object) -> object:
    """A result as JSON has it: of dataclasses their fields."""
    if isinstance(result, tuple):
        return [plain(part) for part in result]
    return asdict(result) if is_dataclass(result) and not isinstance(result, type) else result


def run(series: Series[R], one: Callable[[int], R], count: int, jobs: int) -> Iterator[None]:
    """Play what is missing of the first ``count``; yields after each that has ended. Who stops listening ends it."""
    numbers = series.missing(count)
    if jobs == 1:
        for number in numbers:
            series.add(number, result := one(number), plain(result))
            yield
        return
    with _processes(jobs) as pool:
        playing = {pool.submit(one, number): number for number in numbers}
        for future in as_completed(playing):
            series.add(playing[future], result := future.result(), plain(result))
            yield


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    """Processes that begin nothing more once one has stopped listening."""
    pool = ProcessPoolExecutor(jobs, initializer=_seldom)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _seldom() -> None:
    gc.freeze()
    gc.set_threshold(SELDOM, 50, 50)
