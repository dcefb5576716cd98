"""Scenes for tests of pictures, made from positions as they are published (contract, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from pbem.rails.board import Board, load_board
from pbem.rails.hexes import TOWN
from pbem.rails.scene import CityPlate, DisplayRow, Marks, PlayerRow, Scene
from pbem.rails.tiles import ends
from pbem.rails.track import Net, Piece, Segment

ROOT = Path(__file__).parents[2]
PHASES = ("Shares", "Turn order", "Actions", "Build track", "Move goods", "Income", "Growth")
COLUMNS = (
    ("action", "Action"), ("cash", "Cash"), ("income", "Income"), ("shares", "Shares"), ("engine", "Engine"),
    ("points", "Points"),
)  # fmt: skip


@cache
def rust_belt() -> Board:
    """The board of the first map."""
    return load_board(ROOT / "maps" / "rust_belt" / "board.toml")


def track_of(board: Board, raw: Mapping[str, list[Any]]) -> dict[str, tuple[Segment, ...]]:
    """Track from its published form."""

    def end(name: str) -> int:
        return TOWN if name == "@" else board.edge(name)

    return {
        label: tuple(Segment(*ends(end(a), end(b)), owner) for (a, b), owner in segments)
        for label, segments in raw.items()
    }


def scene_of(board: Board, position: Mapping[str, Any], marks: Marks | None = None) -> Scene:
    """The scene of a published position."""
    new = {label: letter for letter, label in position["new_cities"].items()}
    track = track_of(board, position["track"])
    return Scene(
        board=board,
        title=board.name,
        subtitle="Age of Steam · game 2692",
        turn=position["turn"],
        turns=7,
        phases=PHASES,
        phase=4,
        actor=position["to_act"],
        headline="Pink moves goods, round 1 of 2",
        track=track,
        chains=tuple(Net(board, track, new).chains()),
        cities=_cities(board, position, new),
        towns={label: name for label, name in board.towns.items() if label not in new},
        cubes={},
        links=(),
        light=_rows(board, position, "L", new),
        dark=_rows(board, position, "D", new),
        columns=COLUMNS,
        players=_players(position),
        prices={"plain": "$2", "river": "$3", "mountain": "$4"},
        marks=marks or Marks(),
        orientation=board.orientation,
    )


def _cities(board: Board, position: Mapping[str, Any], new: Mapping[str, str]) -> tuple[CityPlate, ...]:
    cubes = position["cubes"]
    printed = [
        CityPlate(c.label, c.hexes, c.name, c.colours, c.columns, tuple(cubes.get(c.label, ())))
        for c in board.cities.values()
    ]
    built = [
        CityPlate(
            label, (label,), board.towns[label], board.new_cities[letter].colours, board.new_cities[letter].columns,
            tuple(cubes.get(label, ())), "new", letter,
        )
        for label, letter in new.items()
    ]  # fmt: skip
    return (*printed, *built)


def _rows(board: Board, position: Mapping[str, Any], half: str, new: Mapping[str, str]) -> tuple[DisplayRow, ...]:
    rows = []
    for chip, cities in sorted(board.columns.items()):
        if chip[0] != half:
            continue
        city = board.cities[cities[0]]
        tile = next((t for t in board.new_cities.values() if chip in t.columns), None)
        row = DisplayRow(chip, city.name, city.colours, tuple(position["display"][chip]))
        if tile is not None:
            boxes = tuple(position["display"][tile.letter])
            row = replace(
                row, new_letter=tile.letter, new_colours=tile.colours, new_boxes=boxes,
                new_on_board=tile.letter in new.values(),
            )  # fmt: skip
        rows.append(row)
    return tuple(rows)


def _players(position: Mapping[str, Any]) -> tuple[PlayerRow, ...]:
    rows = []
    for place, seat in enumerate(position["order"], 1):
        player = position["players"][seat]
        action = (player["action"] or "–").replace("-", " ").title()
        points = str(3 * (player["income"] - player["shares"])).replace("-", "−")
        cells = {key: str(player[key]) for key in ("income", "shares", "engine")}
        cells |= {"action": action, "cash": f"${player['cash']}", "points": points}
        rows.append(PlayerRow(seat, str(place), seat.title(), cells, seat == position["to_act"]))
    out = [seat for seat, player in position["players"].items() if player["out"]]
    return (*rows, *(PlayerRow(seat, "–", seat.title(), {}, out="out") for seat in out))


def route(board: Board, scene: Scene, *pairs: tuple[str, str, str]) -> tuple[Piece, ...]:
    """The pieces of links (from, to, owner) in the order in which a cube runs over them."""
    found: list[Piece] = []
    for start, end, owner in pairs:
        chain = next(c for c in scene.chains if set(c.ends) == {start, end} and c.owner == owner)
        found += chain.pieces if chain.ends[0] == start else chain.pieces[::-1]
    return tuple(found)
