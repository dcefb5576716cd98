"""``python -m bench.robots [--games N] [--robot KEY] [LINE …]``: how strong the robots are.

Prints a line for each kind of game in the table of ``docs/robots.md``: one new robot against plain ones with seats
rotated, robots among themselves, and games alone. Game numbers start at 5000; ``bench.tune`` uses smaller ones.

``--every``: instead, robots in all seats of every sheet, with each number of players, until all games have ended; an
order that is refused or any other fault ends it with a traceback. On Detroit bankruptcy is how a game ends.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from bench.tournament import Result, thinker, tournament
from pbem import catalog
from pbem.robot.matches import DEVIATIONS, wilson
from pbem.robot.thinking import CHARACTERS

FIRST_GAME = 5000


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
    def name(self) -> str:
        kind = "alone" if self.players == 1 else "self" if self.count == self.players else "against"
        return f"{self.slug}:{self.players}:{kind}"


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
    Line(AOS, "rust_belt", 4, 4, mean=55),
    Line(AOS, "germany", 5, 5, mean=52),
    Line(AOS, "southern_us", 5, 5, mean=58),
    Line(AOS, "western_us", 5, 5, mean=45),
    Line(AOS, "st_lucia", 2, 2, mean=65),
    Line(AOS, "barbados", 1, 1),
    Line(AOS, "detroit_solo", 1, 1),
    *(Line(SP, f"{slug}_solo", 1, 1, mean=mean) for slug, mean in SOLO.items()),
    *(Line(SP, slug, 3, 1, wins=0.5) for slug in SOLO),
)


def spread(result: Result) -> float:
    """Half of the 95 % interval of the mean; scores of one game are not independent, so games are what is counted."""
    if result.games < 2 or len(result.scores) < 2:
        return 0.0
    return DEVIATIONS * statistics.stdev(result.scores) / math.sqrt(min(result.games, len(result.scores)))


def shown(line: Line, result: Result) -> str:
    """A line of the table, with 95 % intervals."""
    alone = line.players == line.count
    low, high = wilson(result.won / result.games, result.games)
    won = "" if alone else f"wins {result.won / result.games:.2f} ({low:.2f} to {high:.2f})"
    wanted = f"(wanted {line.wins:.2f})" if line.wins else f"(wanted {line.mean:.0f})" if line.mean else ""
    others = "" if alone else f" others {result.others_mean:.1f}"
    bankrupt = f"bankrupt {result.out / result.games:.3f} a game"
    seconds = [second for phase in result.seconds.values() for second in phase]
    usual = sum(seconds) / max(1, len(seconds))
    mean = f"mean {result.mean:6.1f} ± {spread(result):.1f}"
    return (
        f"{line.name:28} games {result.games:3} {won:10} {mean}{others} {wanted} {bankrupt}"
        f"  s a game {sum(seconds) / result.games:.1f}, a decision {usual:.2f}, most {result.slowest:.1f}"
    )


def everywhere(games: int) -> Iterator[tuple[Line, range]]:
    """Robots in all seats of every sheet, ``games`` for each, its numbers of players in turn."""
    for sheet in catalog.sheets():
        counts = sheet.player_counts()
        for each, players in enumerate(counts):
            numbers = range(FIRST_GAME + each, FIRST_GAME + games, len(counts))
            if numbers:
                yield Line(sheet.game, sheet.slug, players, players), numbers


def main(arguments: list[str]) -> int:
    reader = argparse.ArgumentParser(prog="python -m bench.robots")
    reader.add_argument("lines", nargs="*", help="names of lines, or beginnings of them; all without one")
    reader.add_argument("--games", type=int, default=300)
    reader.add_argument("--robot", choices=sorted(CHARACTERS), default="clara")
    reader.add_argument("--every", action="store_true", help="robots in all seats of every sheet; games a sheet")
    given = reader.parse_args(arguments)
    player = thinker(CHARACTERS[given.robot])
    table = [(line, range(FIRST_GAME, FIRST_GAME + given.games)) for line in LINES]
    for line, numbers in everywhere(given.games) if given.every else table:
        if not given.lines or any(line.name.startswith(name) for name in given.lines):
            sheet = catalog.sheet(line.game, line.slug)
            print(shown(line, tournament(sheet, line.players, numbers, player, count=line.count)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
