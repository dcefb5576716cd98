"""Finds openings for the first game: ``python -m bench.first_game 30 40`` plays and judges ten of them.

Plain robots play Pittsburgh with three until the first seat is asked for its last delivery of the turn before the last.
An opening is worth keeping when that seat is about level with the best of the others, when whoever takes the best
answers from there is asked seven times and wins, and when every decision matters. ``--keep 35`` writes the opening with
this number as the record that the first game begins with.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable
from typing import Any

from pbem.engine import catalog
from pbem.engine.chance import DEAL, SeededChance, commitment
from pbem.engine.record import Entry, Record, digest, write_record
from pbem.engine.sheet import Sheet, State
from pbem.robot import characters, tutor
from pbem.service.turns import lessons

GAME, MAP, PLAYERS = "age-of-steam", "pittsburgh", 3
NEAR = 8
"""Points that the seat may be ahead or behind."""
ROUND = "move_goods.2"


def opening(sheet: Sheet, number: int) -> tuple[Record, State] | None:
    """The opening with this number and the position it leads to; ``None`` where the seat is never asked there."""
    seed = hashlib.sha256(f"first game {sheet.slug} {number}".encode()).digest()
    seats, options = sheet.colours[:PLAYERS], {option.key: option.default for option in sheet.options()}
    state, last = sheet.start(seats, SeededChance(seed, DEAL), options).state, sheet.turns(PLAYERS) or 0
    entries: list[Entry] = []
    while not sheet.over(state):
        asked, turn = sheet.to_act(state) or "", sheet.turn(state)
        if (turn, asked) == (last - 1, seats[0]) and sheet.moments(state, asked)[:1] == (ROUND,):
            entries[-1] = Entry(turn, entries[-1].phase, entries[-1].player, entries[-1].orders, None, False,
                                digest(sheet, state))  # fmt: skip
            return Record(sheet.game, sheet.slug, options, seats, tuple(entries), seed, commitment(seed),
                          source="First game"), state  # fmt: skip
        orders = characters.plain(sheet, state, f"{number}{asked}{sheet.place(state)}").orders
        entries.append(Entry(turn, sheet.phase(state), asked, orders))
        state = _after(sheet, state, orders, seed)
    return None


def judge(sheet: Sheet, record: Record, state: State) -> str:
    """How the game goes on from an opening with the best answers, and with the worst."""
    points = {line.seat: line.score for line in sheet.standings(state)}
    own = points.pop(record.players[0])
    if own is None or None in points.values():
        return "somebody is out of the game"
    if abs(own - max(filter(None, points.values()), default=0)) > NEAR:
        return f"not level: {own} and {points}"
    best, worst = (_ends(sheet, record, state, choose) for choose in (min, max))
    return f"level at {own}; best answers: {best}; worst: {worst}"


def _ends(sheet: Sheet, record: Record, state: State, choose: Callable[..., int]) -> str:
    """The questions, what the answers to each differ by at the most, and the points at the end."""
    me, robots = record.players[0], dict(zip(record.players[1:], lessons.ROBOTS[lessons.FIRST], strict=True))
    differ: list[int] = []
    while not sheet.over(state):
        asked = sheet.to_act(state) or ""
        if asked == me:
            found = tutor.answers(sheet, state, record.options)
            differ.append(found[0].ending.lead - found[-1].ending.lead)
            orders = found[choose(0, len(found) - 1)].order
        else:
            orders = characters.decide(sheet, state, robots[asked], f"opening {asked}", record.options).orders
        state = _after(sheet, state, orders, record.seed)
    return f"{differ}, { ({line.seat: line.score for line in sheet.standings(state)}) }"


def _after(sheet: Sheet, state: State, orders: str, seed: bytes) -> State:
    chance = SeededChance(seed, sheet.place(state))
    return sheet.play(state, sheet.to_act(state) or "", sheet.parse(state, orders, {}), chance).state


def text(raw: dict[str, Any]) -> str:
    """A record with a line for each entry."""
    turns = ",\n".join(f"  {json.dumps(entry)}" for entry in raw["turns"])
    head = "".join(f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in raw.items() if key != "turns")
    return f'{{\n{head} "turns": [\n{turns}\n ]\n}}\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("end", type=int, nargs="?", default=0)
    parser.add_argument("--keep", type=int, metavar="N", help="write the opening with this number")
    args = parser.parse_args()
    sheet = catalog.sheet(GAME, MAP)
    for number in range(args.first, args.end):
        found = opening(sheet, number)
        print(number, "never asked" if found is None else judge(sheet, *found), flush=True)
    if args.keep is not None and (kept := opening(sheet, args.keep)) is not None:
        (lessons.FOLDER / f"{lessons.FIRST}.json").write_text(text(write_record(kept[0])), "utf-8")


if __name__ == "__main__":
    main()
