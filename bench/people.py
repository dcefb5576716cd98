"""``python -m bench.people [FILE …]``: where the orders of people stand in the robot's ranking, in recorded games.

For every decision the robot ranks what it thinks about; the place of the person's order is the share of these options
that it takes for better. 0 is the robot's own choice; the median over all decisions should be in the upper third. The
recorded games are no part of a checkout; ``PBEM_SHARED`` says where they are.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections import defaultdict
from pathlib import Path

from bench.players import SHARED
from pbem.engine import catalog
from pbem.engine.record import Record, read_record, replay, start
from pbem.engine.sheet import Sheet, State
from pbem.robot.thinking import CHARACTERS, decide
from pbem.robot.thinking.building import best_plans, tiles_allowed, with_new_city
from pbem.robot.thinking.outlook import scoring_of
from pbem.robot.thinking.table import read_table
from pbem.robot.thinking.thought import Holding, Thought

CHARACTER = CHARACTERS["clara"]
KINDS = {"issue", "action", "move", "drop", "bid", "pay", "decline", "loco", "pass"}
"""Orders that the robot ranks."""


def thought(sheet: Sheet, state: State, seat: str) -> Thought:
    """What the robot thinks with."""
    return Thought(read_table(sheet, state, seat), CHARACTER, scoring_of(sheet), random.Random(0))


def build_place(sheet: Sheet, state: State, seat: str, after: State) -> float:
    """The share of all builds thought about that are worth more than the one that was made."""
    before, then = thought(sheet, state, seat), thought(sheet, after, seat)
    holding, tiles = Holding.of(before.table.me), tiles_allowed(before.table.me.action)
    plans = best_plans(before, holding, tiles)
    if before.table.me.action == "urbanization":
        plans += with_new_city(before, holding, tiles)
    now = Holding.of(then.table.me)
    reaches = then.reaches(then.land, now.engine)
    value = then.after_moves(then.cargo(reaches), now, before.table.moving, {}, 0.0).value
    return sum(1 for plan in plans if plan.value > value + 0.01) / len(plans)


def order_place(sheet: Sheet, state: State, order: str) -> float | None:
    """The share of the options that the robot takes for better, ``None`` for what it does not rank."""
    word, _, rest = order.partition(" ")
    if word not in KINDS:
        return None
    values = {option.order: option.value for option in decide(sheet, state, CHARACTER, "people").options}
    if len(values) < 2:
        return None
    stem = order if word != "move" else " ".join(["move", *rest.split()[:2]])
    alike = [n for text, n in values.items() if text == order] or [
        n for text, n in values.items() if text[: len(stem)] == stem
    ]
    if word == "bid":
        alike = [n for text, n in values.items() if text.startswith("bid ")]
    value = max(alike, default=min(values.values()))
    return sum(1 for other in values.values() if other > value + 0.01) / len(values)


def places(sheet: Sheet, record: Record) -> dict[str, list[float]]:
    """The places of all orders of a game by phase."""
    found: dict[str, list[float]] = defaultdict(list)
    state = start(sheet, record)[0].state
    for played in replay(sheet, record):
        seat, phase = sheet.to_act(state), sheet.phase(state)
        if not played.passed_over and seat == played.entry.player:
            order = played.entry.orders
            if sheet.question(state).form == "build":
                place: float | None = build_place(sheet, state, seat, played.state)
            else:
                move = sheet.parse(state, order, {})
                place = order_place(sheet, state, str(move[0]))
            if place is not None:
                found[phase].append(place)
        state = played.state
    return found


def main(files: list[str]) -> int:
    everything: list[float] = []
    for path in map(Path, files) if files else sorted((SHARED / "recorded").glob("*.json")):
        record = read_record(path.read_bytes())
        by_phase = places(catalog.sheet(record.game, record.map), record)
        everything += [place for found in by_phase.values() for place in found]
        told = ", ".join(f"{phase} {statistics.median(found):.2f} ({len(found)})" for phase, found in by_phase.items())
        print(f"{path.stem}: {told}", flush=True)
    if everything:
        print(f"all: median {statistics.median(everything):.2f} of {len(everything)} orders")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
