"""``python -m bench.robots [--games N] [--robot KEY] [LINE …]``: how strong the robots are.

Prints the tables of ``docs/robots.md``: one new robot against plain ones with seats rotated, robots among themselves,
and games alone. Game numbers start at 5000.

``--file FILE`` keeps every game as it ends, one line of JSON each, and what is there already is not played again: a run
that was interrupted goes on, and ``--table`` prints the tables from it without playing. ``--round N`` plays N games of
every line, then N more of every line, so that a table of a run that is still going on has as many games of each.
``--costs`` prints what the robots in question cost in seconds of the processor.

``--every``: instead, robots in all seats of every sheet, with each number of players, until all games have ended, the
tests' referee looking at every order; an order that is refused or any other fault ends it with a traceback. On Detroit
bankruptcy is how a game ends.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.tournament import Played, Result, contenders, play
from pbem.engine import catalog
from pbem.robot.matches import DEVIATIONS, wilson

FIRST_GAME = 5000
SELDOM = 200_000
"""Objects made until Python looks for cycles: thinking makes many, and hardly any of them are in one."""


@dataclass(frozen=True, slots=True)
class Line:
    """A kind of game: ``count`` robots in question at a table of ``players``; what it should reach."""

    game: str
    slug: str
    players: int
    count: int
    wins: float | None = None
    mean: float | None = None

    @property
    def kind(self) -> str:
        return "alone" if self.players == 1 else "self" if self.count == self.players else "against"

    @property
    def name(self) -> str:
        return f"{self.slug}:{self.players}:{self.kind}"

    @property
    def title(self) -> str:
        """For people."""
        return f"{catalog.sheet(self.game, self.slug).name}, {self.players}"


AOS, SP = "age-of-steam", "steam-power"
SOLO = {"ireland": 90, "northern_england": 85, "northern_italy": 83}
"""The maps of Steam Power; half more points than the plain robot makes alone, on average of games 100 to 109."""
LINES = (
    Line(AOS, "rust_belt", 4, 1, wins=0.5),
    Line(AOS, "germany", 5, 1, wins=0.5),
    Line(AOS, "southern_us", 5, 1, wins=0.5),
    Line(AOS, "western_us", 5, 1, wins=0.5),
    Line(AOS, "poland", 4, 1, wins=0.5),
    Line(AOS, "heavy_cardboard", 4, 1, wins=0.5),
    Line(AOS, "finland", 4, 1, wins=0.5),
    Line(AOS, "st_lucia", 2, 1, wins=0.8),
    Line(AOS, "new_england", 2, 1, wins=0.8),
    *(Line(SP, slug, 3, 1, wins=0.5) for slug in SOLO),
    Line(AOS, "rust_belt", 4, 4, mean=55),
    Line(AOS, "germany", 5, 5, mean=52),
    Line(AOS, "southern_us", 5, 5, mean=58),
    Line(AOS, "western_us", 5, 5, mean=45),
    Line(AOS, "st_lucia", 2, 2, mean=65),
    Line(AOS, "barbados", 1, 1),
    Line(AOS, "detroit_solo", 1, 1),
    *(Line(SP, f"{slug}_solo", 1, 1, mean=mean) for slug, mean in SOLO.items()),
)
HEADS: Mapping[str, tuple[str, ...]] = {
    "against": ("one against plain robots", "games", "wins", "interval", "wanted", "mean", "of the others", "bankrupt"),
    "self": ("among themselves", "games", "mean", "wanted", "bankrupt"),
    "alone": ("alone", "games", "mean", "wanted", "bankrupt"),
}
"""Heads of the tables by the kind of their lines. ``bankrupt``: robots in question that are, a game."""
COSTS = ("seconds of the processor", "games", "a game", "a decision", "the slowest")


@dataclass(frozen=True, slots=True)
class Task:
    """One game to be played, by robots of one key; ``watched``: whether the referee looks on."""

    line: Line
    number: int
    robot: str
    watched: bool

    def play(self) -> Played:
        """Plays it. Raises what the sheet or the referee raises, with a note that says which game it was."""
        line = self.line
        sheet = catalog.sheet(line.game, line.slug)
        try:
            return play(
                sheet, line.players, self.number, contenders()[self.robot], count=line.count, watched=self.watched
            )
        except Exception as fault:
            fault.add_note(f"in game {self.number} of {line.name}, played by {self.robot}")
            raise


@dataclass(frozen=True, slots=True)
class Kept:
    """The games of a file, by line, robot and number. Without a file they are kept in memory alone."""

    path: Path | None
    games: dict[tuple[str, str, int], Played]

    @classmethod
    def read(cls, path: Path | None) -> Kept:
        """What a file holds; a last line that an interruption has cut off counts as not there, and is taken out."""
        games = {}
        if path is not None and path.exists():
            text = path.read_text()
            whole = text[: text.rfind("\n") + 1]
            if whole != text:
                path.write_text(whole)
            for line in whole.splitlines():
                seen = json.loads(line)
                name, robot = seen.pop("line"), seen.pop("robot")
                scores = {key: tuple(seen[key]) for key in ("scores", "others")}
                games[name, robot, seen["number"]] = Played(**{**seen, **scores})
        return cls(path, games)

    def add(self, task: Task, played: Played) -> None:
        """One more game, at the end of the file."""
        self.games[task.line.name, task.robot, task.number] = played
        if self.path is not None:
            with self.path.open("a") as file:
                file.write(json.dumps({"line": task.line.name, "robot": task.robot, **asdict(played)}) + "\n")

    def result(self, line: Line, robot: str, numbers: range) -> Result:
        """The games of a line."""
        found = [self.games.get((line.name, robot, number)) for number in numbers]
        return Result.of(played for played in found if played is not None)


def spread(result: Result) -> float:
    """Half of the 95 % interval of the mean; scores of one game are not independent, so games are what is counted."""
    if result.games < 2 or len(result.scores) < 2:
        return 0.0
    return DEVIATIONS * statistics.stdev(result.scores) / math.sqrt(min(result.games, len(result.scores)))


def cells(line: Line, result: Result) -> tuple[str, ...]:
    """A line of its table, with 95 % intervals."""
    low, high = wilson(result.won / result.games, result.games)
    mean = f"{result.mean:.1f} ± {spread(result):.1f}"
    wanted = f"{line.wins:.2f}" if line.wins else f"{line.mean:.0f}" if line.mean else ""
    if line.kind == "against":
        won = f"{result.won / result.games:.2f}", f"{low:.2f} to {high:.2f}"
        first: tuple[str, ...] = (*won, wanted, mean, f"{result.others_mean:.1f}")
    else:
        first = mean, wanted
    return line.title, str(result.games), *first, f"{result.out / result.games:.2f}"


def cost_cells(line: Line, result: Result) -> tuple[str, ...]:
    """A line of the table of costs."""
    decision = result.seconds / max(1, result.decisions)
    title = f"{line.title}, {line.kind}"
    return title, str(result.games), f"{result.seconds / result.games:.1f}", f"{decision:.3f}", f"{result.slowest:.1f}"


def costs(lines: Sequence[tuple[Line, range]], kept: Kept, robot: str) -> Iterator[str]:
    """The table of costs, of all lines of which there are games."""
    results = [(line, kept.result(line, robot, numbers)) for line, numbers in lines]
    rows = [cost_cells(line, result) for line, result in results if result.games]
    yield from map(_row, (COSTS, ["---"] * len(COSTS), *rows))


def tables(lines: Sequence[tuple[Line, range]], kept: Kept, robot: str) -> Iterator[str]:
    """The tables of all lines of which there are games, as the page has them."""
    rows: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for line, numbers in lines:
        result = kept.result(line, robot, numbers)
        if result.games:
            rows[line.kind].append(cells(line, result))
    for kind, head in HEADS.items():
        if kind in rows:
            yield from ("", *map(_row, (head, ["---"] * len(head), *rows[kind])))


def _row(texts: Sequence[str]) -> str:
    return f"| {' | '.join(texts)} |"


def everywhere(games: int) -> Iterator[tuple[Line, range]]:
    """Robots in all seats of every sheet, ``games`` for each, its numbers of players in turn."""
    for sheet in catalog.sheets():
        counts = sheet.player_counts()
        for each, players in enumerate(counts):
            numbers = range(FIRST_GAME + each, FIRST_GAME + games, len(counts))
            if numbers:
                yield Line(sheet.game, sheet.slug, players, players), numbers


def tasks(lines: Sequence[tuple[Line, range]], each: int, robot: str, *, watched: bool) -> Iterator[Task]:
    """The games in the order in which they are played: rounds of ``each`` games of every line."""
    longest = max((len(numbers) for _, numbers in lines), default=0)
    for begin in range(0, longest, each):
        for line, numbers in lines:
            for number in numbers[begin : begin + each]:
                yield Task(line, number, robot, watched)


def run(missing: Sequence[Task], kept: Kept, jobs: int) -> None:
    """Plays games and keeps them as they end, with a line for each on standard error."""

    def note(done: int, task: Task, played: Played) -> None:
        kept.add(task, played)
        scores = ", ".join(map(str, played.scores)) or "-"
        print(f"{done} of {len(missing)}: {task.line.name} {task.number}: {scores}", file=sys.stderr, flush=True)

    if jobs == 1:
        _seldom()
        for done, task in enumerate(missing, 1):
            note(done, task, task.play())
        return
    with ProcessPoolExecutor(jobs, initializer=_seldom) as pool:
        playing = {pool.submit(task.play): task for task in missing}
        try:
            for done, future in enumerate(as_completed(playing), 1):
                note(done, playing[future], future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _seldom() -> None:
    gc.freeze()
    gc.set_threshold(SELDOM, 50, 50)


def main(arguments: list[str]) -> int:
    reader = argparse.ArgumentParser(prog="python -m bench.robots")
    reader.add_argument("lines", nargs="*", help="names of lines, or parts of them; all without one")
    reader.add_argument("--games", type=int, default=300, help="games a line")
    reader.add_argument("--robot", choices=sorted(contenders()), default="clara")
    reader.add_argument("--every", action="store_true", help="robots in all seats of every sheet; games a sheet")
    reader.add_argument("--file", type=Path, help="where games are kept; what is there is not played again")
    reader.add_argument("--round", type=int, help="games of a line that are played before the next line; all without")
    reader.add_argument("--jobs", type=int, default=1, help="games at the same time")
    reader.add_argument("--table", action="store_true", help="play nothing, print what the file holds")
    reader.add_argument("--costs", action="store_true", help="print seconds of the processor, not strength")
    given = reader.parse_args(arguments)
    lines = [(line, range(FIRST_GAME, FIRST_GAME + given.games)) for line in LINES]
    lines = list(everywhere(given.games)) if given.every else lines
    lines = [entry for entry in lines if not given.lines or any(name in entry[0].name for name in given.lines)]
    kept = Kept.read(given.file)
    if not given.table:
        planned = tasks(lines, given.round or given.games, given.robot, watched=given.every)
        missing = [task for task in planned if (task.line.name, task.robot, task.number) not in kept.games]
        run(missing, kept, given.jobs)
    for text in (costs if given.costs else tables)(lines, kept, given.robot):
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
