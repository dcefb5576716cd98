"""Records the games of this folder anew: ``python -m tests.playthroughs.record``.

Do so only when a rule was wrong, and say in the commit which one: these games are the promise that a game
under way goes on as it began.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count, groupby
from pathlib import Path

from pbem import catalog
from pbem.engine.record import Record, replay, write_record
from pbem.engine.sheet import Sheet
from tests.every_map.games import recorded

HERE = Path(__file__).parent
End = tuple[bool, int, int]
"""Whether the last turn was played, players still in the game, winners."""

ENDS: dict[str, Callable[[End], bool]] = {
    "to-the-last-turn": lambda end: end[0] and end[1] >= 4 and end[2] == 1,
    "shared-victory": lambda end: end[0] and end[2] == 2,
    "one-survivor": lambda end: not end[0] and end[1] == end[2] == 1,
    "no-survivor": lambda end: end[1] == end[2] == 0,
}
"""Every way in which a game of the base rules can end."""
SENSES = (0.95, 0.3, 0.3, 0.3)
MAP = "rust_belt"


def end_of(sheet: Sheet, record: Record) -> End:
    """How a recorded game ended."""
    inside = [line for line in record.result if not line["out"]]
    last = record.turns[-1].turn == sheet.turns(len(record.players))
    return last, len(inside), sum(1 for line in inside if line["place"] == 1)


def paper(record: Record) -> str:
    """The record as JSON with one line to an entry."""
    raw = write_record(record)
    turns = ",\n  ".join(json.dumps(entry) for entry in raw.pop("turns"))
    head = json.dumps(raw, indent=1).removesuffix("\n}")
    return f'{head},\n "turns": [\n  {turns}\n ]\n}}\n'


def transcript(sheet: Sheet, record: Record) -> str:
    """The game for reading: orders by turn and phase, rolls and draws, the table after every turn."""
    lines = [f"{sheet.name}, {len(record.players)} players: {', '.join(record.players)}"]
    played = list(replay(sheet, record))
    for turn, of_turn in groupby(played, lambda item: item.entry.turn):
        lines += ["", f"Turn {turn}"]
        state = None
        for item in of_turn:
            lines.append(f"  {item.entry.phase:<15}{item.entry.player:<8}{item.entry.orders}")
            lines += [f"    {_roll(draw)}" for draw in item.draws]
            state = item.state
        lines += ["", *_table(sheet, state)]
    lines += ["", "Result"]
    for line in sheet.standings(played[-1].state):
        parts = ", ".join(f"{name} {points}" for name, points in line.parts)
        lines.append(f"  {line.place}. {line.seat:<8}" + ("out" if line.out else f"{line.score} ({parts})"))
    return "\n".join(lines) + "\n"


def _roll(draw: dict[str, object]) -> str:
    (values,) = [value for key, value in draw.items() if key != "for"]
    assert isinstance(values, list)
    return f"{draw['for']}: {' '.join(map(str, values))}"


def _table(sheet: Sheet, state: object) -> list[str]:
    """Cash, income, shares, engine, points and track of everybody."""
    position = sheet.position(state)
    owned = [owner for lying in position["track"].values() for _, owner in lying]
    return [
        f"  {seat:<8}" + ("out" if p["out"] else f"${p['cash']:<4}income {p['income']:<4}shares {p['shares']:<4}"
        f"engine {p['engine']:<3}track {owned.count(seat):<4}points {p['points']}")
        for seat, p in position["players"].items()
    ]  # fmt: skip


def main() -> None:
    """Look for a game with each end; write it and its transcript."""
    sheet = catalog.sheet("age-of-steam", MAP)
    for (name, wanted), sense in zip(ENDS.items(), SENSES, strict=True):
        games = (recorded(sheet, number, sense) for number in count())
        record = next(game for game in games if wanted(end_of(sheet, game)))
        (HERE / f"{MAP}-{name}.json").write_text(paper(record), "utf-8")
        (HERE / f"{MAP}-{name}.txt").write_text(transcript(sheet, record), "utf-8")


if __name__ == "__main__":
    main()
