"""The orders of recorded games can be read, on boards of which we have only the published facts too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.age_of_steam.lexicon import Lexicon
from pbem.age_of_steam.notation import parse
from pbem.rails.board import Board, City, Hex

RECORDS = ("rust_belt-2692", "southern_us-2852", "new_england-2657", "barbados-3038", "st_lucia-3032")


def board_of(facts: dict[str, Any]) -> Board:
    """A board with the places of a map and nothing else."""
    return Board(
        slug=facts["slug"], name=facts["name"], orientation=facts["orientation"],
        hexes={hex_["label"]: Hex(hex_["label"], 0, 0, hex_["terrain"]) for hex_ in facts["hexes"]},
        cities={city["label"]: City(city["name"], (city["label"],), (), (), 0) for city in facts["cities"]},
        towns={hex_["label"]: hex_["town"] for hex_ in facts["hexes"] if hex_.get("town")},
        new_cities={}, connections={}, walls=frozenset(), provenance="",
    )  # fmt: skip


@pytest.mark.parametrize("name", RECORDS)
def test_every_order_of_a_recorded_game_is_read_and_prints_back(
    name: str, recorded_path: Callable[[str], Path]
) -> None:
    path = recorded_path(f"{name}.json")
    record = json.loads(path.read_text())
    facts = json.loads((path.parents[1] / "mapfacts" / f"{record['map']}.json").read_text())
    lexicon = Lexicon(board=board_of(facts), seats=tuple(record["players"]))
    for entry in record["turns"]:
        moves = parse(entry["orders"], lexicon)
        assert parse("\n".join(map(str, moves)), lexicon) == moves
        assert [str(move).split()[0] for move in moves] == [entry["orders"].split()[0]]
        for step in entry["orders"].removeprefix("build ").split(";"):
            assert step.split()[0] in str(moves[0])


def test_southern_us_has_a_city_and_a_town_jackson(recorded_path: Callable[[str], Path]) -> None:
    path = recorded_path("southern_us-2852.json").parents[1] / "mapfacts" / "southern_us.json"
    lexicon = Lexicon(board=board_of(json.loads(path.read_text())), seats=("red",))
    assert parse("build city A Jackson", lexicon) == parse("build city A D2", lexicon)
    assert parse("move blue Atlanta to Jackson", lexicon) == parse("move blue I9 to N0", lexicon)
