"""``python -m bench.tune [--games N] [--steps N] [--slug MAP] [--players N]``: look for better weights of robots.

One weight after the other is made larger and smaller. Robots with the changed weight and robots with the weights as
they are sit at one table, half of the seats each, and change seats in the next game; the change is kept when its robots
end with more points on average, by more than the noise. Prints every trial, and in the end the weights to be put into
``pbem/robot/thinking/weights.py``. The games are those below 5000; ``bench.robots`` measures with others.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from dataclasses import asdict, fields, replace

from bench.robots import FIRST_GAME
from bench.tournament import game, seat_choices, thinker
from pbem.engine import catalog
from pbem.engine.sheet import Sheet
from pbem.engine.text import say
from pbem.robot.thinking.characters import Character
from pbem.robot.thinking.weights import STANDARD, Weights

FACTORS = (1.4, 0.7)
RUINED = -30
"""What a bankrupt company counts."""
BUDGET = 120


def robot(weights: Weights) -> Character:
    """A robot without tastes that thinks quickly."""
    return Character("tuned", "Tuned", say("Tries other weights."), weights=weights, budget=BUDGET)


def differences(sheet: Sheet, players: int, numbers: range, changed: Weights, present: Weights) -> list[float]:
    """For each game, by how many points the changed robots end above the others."""
    found = []
    for number in numbers:
        ours = seat_choices(sheet.colours[:players], number, players // 2)
        *_, end = game(sheet, players, number, ours, thinker(robot(changed)), thinker(robot(present)))
        points = {line.seat: RUINED if line.score is None else line.score for line in sheet.standings(end)}
        mine = [n for seat, n in points.items() if seat in ours]
        others = [n for seat, n in points.items() if seat not in ours]
        found.append(statistics.mean(mine) - statistics.mean(others))
    return found


def sure(found: list[float]) -> bool:
    """Whether the mean is above zero by more than its standard error."""
    noise = statistics.stdev(found) / len(found) ** 0.5
    return bool(statistics.mean(found) > noise)


def main(arguments: list[str]) -> int:
    reader = argparse.ArgumentParser(prog="python -m bench.tune")
    reader.add_argument("--games", type=int, default=24)
    reader.add_argument("--steps", type=int, default=len(fields(Weights)))
    reader.add_argument("--slug", default="rust_belt")
    reader.add_argument("--players", type=int, default=4)
    reader.add_argument("--first", type=int, default=0, help="the weight to begin with, by its number")
    given = reader.parse_args(arguments)
    sheet, present, next_game = catalog.sheet("age-of-steam", given.slug), STANDARD, 0
    names = [field.name for field in fields(Weights)]
    for step in range(given.first, given.first + given.steps):
        name = names[step % len(names)]
        for factor in FACTORS:
            numbers = range(next_game, next_game + given.games)
            next_game = numbers.stop % (FIRST_GAME - given.games)
            changed = replace(present, **{name: asdict(present)[name] * factor})
            found = differences(sheet, given.players, numbers, changed, present)
            kept = sure(found)
            print(f"{name} × {factor}: {statistics.mean(found):+.1f} points{', kept' if kept else ''}", flush=True)
            if kept:
                present = changed
                break
    print(present)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
