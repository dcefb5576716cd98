"""Games that people played elsewhere come out as they did: every position, and the final table."""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.engine import Sheet, catalog
from pbem.engine.record import Record, read_record, replay, result_lines
from pbem.engine.text import PLAIN
from tests.every_map.watched import QUICK, watch

GAMES = {
    "rust_belt-2692": "rust_belt",
    "southern_us-2852": "southern_us",
    "barbados-3038": "barbados",
    "st_lucia-3032": "st_lucia",
    "new_england-2657": "new_england",
}
COMPARED = ("turn", "phase", "to_act", "order", "display", "new_cities", "bag", "links")
FIGURES = ("cash", "income", "shares", "engine")
HAVE = {sheet.slug for sheet in catalog.sheets() if sheet.game == "age-of-steam"}

Position = dict[str, Any]


def comparable(position: Position, *, last: bool) -> Position:
    """What another program's position has in common with ours (contract, section 5)."""
    track = {
        hex_: sorted((sorted(ends), str(owner)) for ends, owner in lying) for hex_, lying in position["track"].items()
    }
    if last:
        return {"track": track}
    with_action = position["phase"] in ("build_track", "move_goods")
    players = {
        seat: {key: player[key] for key in (*FIGURES, *(("action",) if with_action else ()))}
        for seat, player in position["players"].items()
        if not player["out"]
    }
    cubes = {label: Counter(cubes) for label, cubes in position["cubes"].items() if cubes}
    return {key: position[key] for key in COMPARED} | {"players": players, "cubes": cubes, "track": track}


def expected(path: Path) -> Iterator[Position]:
    """The position after every entry."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            told = json.loads(line)
            if "position" in told:
                yield told["position"]


def positions(sheet: Sheet, record: Record) -> list[tuple[bool, Position]]:
    """Per entry whether it was passed over, and the position then."""
    found = []
    for played in replay(sheet, record, store=True):
        assert played.refusal is None, f"entry {played.number}: {played.refusal.sentence(PLAIN)}"
        found.append((played.passed_over, sheet.position(played.state)))
    return found


@pytest.mark.parametrize("name", [name for name, slug in GAMES.items() if slug in HAVE])
def test_every_position_is_as_it_was(name: str, recorded_path: Callable[[str], Path]) -> None:
    record = read_record(recorded_path(f"{name}.json").read_bytes())
    told = list(expected(recorded_path(f"{name}.positions.jsonl.gz")))
    found = positions(catalog.sheet(record.game, record.map), record)
    assert len(found) == len(told) == len(record.turns)
    for number, (_, position) in enumerate(found):
        after = number
        while after + 1 < len(found) and found[after + 1][0]:
            after += 1  # an entry that is passed over already lies in the position before it
        last = after + 1 == len(found)
        assert comparable(position, last=last) == comparable(told[after], last=last), f"entry {number}"


@pytest.mark.parametrize("name", [name for name, slug in GAMES.items() if slug in HAVE])
def test_the_final_table_is_as_it_was(name: str, recorded_path: Callable[[str], Path]) -> None:
    record = read_record(recorded_path(f"{name}.json").read_bytes())
    sheet = catalog.sheet(record.game, record.map)
    state = None
    for played in replay(sheet, record):
        state = played.state
    assert state is not None
    assert sheet.over(state)
    assert [dict(line) for line in result_lines(sheet, state)] == [dict(line) for line in record.result]


THINKING, RASH, THRIFTY = 0, 1, 3
"""Games by the kind of their players (:func:`tests.every_map.watched.watch`).

One thoughtful game costs more than all hasty ones together: each sheet has it once, with as many players as it
takes, for the longest lists; `make soak` plays it with every number of players."""


def tables() -> list[object]:
    """Every sheet with every player count."""
    return [
        pytest.param(sheet, players, id=f"{sheet.slug}-{players}")
        for sheet in catalog.sheets()
        for players in sheet.player_counts()
    ]


@pytest.mark.parametrize(("sheet", "players"), tables())
def test_random_play_reaches_the_end(sheet: Sheet, players: int) -> None:
    for number in (THINKING, RASH, THRIFTY):
        if number == THINKING and players != max(sheet.player_counts()):
            continue
        try:
            watch(sheet, players, number, QUICK)
        except Exception as fault:
            fault.add_note(f"in game {number} of {sheet.name} with {players} players")
            raise
