"""How the hexes of a build that is under way are written in the text of a position, exact and terse."""

from typing import Final

from msgspec import UNSET

from pbem.age_of_steam.placement_rules import Visit, Visits
from pbem.age_of_steam.proposals import Placement
from pbem.engine.position_text import Fixed, Line, Part, listed, number
from pbem.rails.board import Board
from pbem.rails.position_lines import Kind, TableReading, ends_of, sides

OVER, ADDED, TURNED, PAID = "over", "added", "turned", "paid"
WORDS: Final = (OVER, ADDED, TURNED, PAID)


def _write(board: Board, visits: Visits) -> Line:
    """ "K6 gentle over straight, added N-SE, paid 3; …"."""
    return listed((_visit(board, visit) for visit in visits), "; ")


def _visit(board: Board, visit: Visit) -> Line:
    placement = visit.placement
    tile: tuple[Part, ...] = (f"{placement.hex} {placement.tile}",)
    if placement.old:
        tile = (*tile, " ", Fixed(OVER), f" {placement.old}")
    parts: list[Line] = [tile]
    parts += [(Fixed(ADDED), f" {sides(board, joined)}") for joined in placement.added]
    parts += [(Fixed(TURNED), f" {sides(board, before)} {sides(board, after)}") for before, after in placement.turned]
    return listed([*parts, (Fixed(PAID), f" {visit.paid}")])


def _read(reading: TableReading, text: str) -> Visits:
    return tuple(_read_visit(reading, item) for item in text.split("; "))


def _read_visit(reading: TableReading, text: str) -> Visit:
    first, *parts = text.split(", ")
    hex_, tile, *old = first.split(" ")
    added, turned, paid = [], [], 0
    for part in parts:
        if (joined := reading.after(part, ADDED)) is not None:
            added.append(ends_of(reading.board, joined))
        elif (pair := reading.after(part, TURNED)) is not None:
            before, _, after = pair.partition(" ")
            turned.append((ends_of(reading.board, before), ends_of(reading.board, after)))
        elif (price := reading.after(part, PAID)) is not None:
            paid = number(price)
    return Visit(Placement(reading.hex(hex_), tile, old[-1] if old else "", tuple(added), tuple(turned)), paid)


VISITS: Final = Kind(_write, _read, UNSET)
