"""What is printed on every board and on the contracts, as a text.

``python -m tests.maps.printed_facts`` writes it anew. The texts in ``printed/`` were compared hex by hex with a
description of the boards that is no part of a checkout. Write them again only when a board was wrong, and compare the
difference with the board in the box.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

from pbem.engine import catalog
from pbem.rails.board import CLOSED, Board
from pbem.steam_power.contracts import contracts_for

PRINTED = Path(__file__).with_name("printed")
WIDTH = 118


def boards() -> dict[str, Any]:
    """A sheet of every board by the name of its folder."""
    sheets: Iterable[Any] = catalog.sheets()
    return {sheet.board.slug: sheet for sheet in sheets}


def board_facts(sheet: Any) -> str:
    """Everything that is printed on the board of a sheet, and what a simple tile costs on each hex."""
    board: Board = sheet.board
    land = [label for label in board.hexes if label not in board.city_at and _is_priced(sheet, label)]
    groups = {
        "terrain": _grouped((hex_.terrain, label) for label, hex_ in board.hexes.items()),
        "printed price": _grouped((f"${h.price}", label) for label, h in board.hexes.items() if h.price is not None),
        "simple tile": _grouped(
            (f"${sheet.terrain_price(label)}", label) for label in land if _is_priced(sheet, label)
        ),
        "tag": _grouped((tag, label) for label, hex_ in board.hexes.items() for tag in sorted(hex_.tags)),
    }
    lines = [f"{board.name}, {board.orientation}, by {board.designer or 'nobody named'}", f"{len(board.hexes)} hexes"]
    for title, labels in groups.items():
        for value, places in sorted(labels.items()):
            lines += _paragraph(f"{title} {value} ({len(places)})", places)
    return "\n".join([*lines, *_nodes(board), *_ways(board)]) + "\n"


def _is_priced(sheet: Any, label: str) -> bool:
    """Not where no tile can lie at all: the terrain has no price, and none is printed."""
    hex_ = sheet.board.hexes[label]
    return hex_.terrain not in CLOSED and (hex_.price is not None or hex_.terrain in sheet.terrain_prices)


def _grouped(pairs: Iterable[tuple[str, str]]) -> Mapping[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for value, label in pairs:
        groups.setdefault(value, []).append(label)
    return groups


def _paragraph(title: str, labels: list[str]) -> list[str]:
    return wrap(f"{title}: {' '.join(labels)}", WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def _nodes(board: Board) -> Iterator[str]:
    for city in board.cities.values():
        yield (
            f"City {city.name} on {' '.join(city.hexes)}: takes {', '.join(city.colours) or '-'}; fed by "
            f"{', '.join(city.columns) or '-'}; begins with {city.cubes}; {', '.join(sorted(city.tags)) or '-'}"
        )
    for label, name in board.towns.items():
        yield f"town {name} on {label}"
    for name, label in board.also_called.items():
        yield f"also called {name}: {label}"
    for new in board.new_cities.values():
        yield f"New City {new.letter}: takes {', '.join(new.colours)}; fed by {', '.join(new.columns)}"


def _ways(board: Board) -> Iterator[str]:
    names = board.directions
    for link in board.connections.values():
        yield (
            f"link {link.id}, {link.name}: {' and '.join(link.joins)}, ${link.price}, on {link.hex or '-'}, exits "
            f"{' '.join(names[edge] for edge in link.exits) or '-'}, {', '.join(sorted(link.tags)) or '-'}"
        )
    if board.walls:
        yield from _paragraph("walls", [f"{label}/{names[edge]}" for label, edge in sorted(board.walls)])
    for name, labels in board.rivers.items():
        yield from _paragraph(f"river {name}", list(labels))


def contract_facts() -> str:
    """Every contract tile: its number, what it needs, pays, and its bonus."""
    tiles = contracts_for("maps.ireland").tiles
    return "".join(
        f"{tile.number}: {' '.join(tile.needs)} pays ${tile.money} and {tile.vp} VP, bonus {tile.bonus or '-'}\n"
        for tile in tiles.values()
    )


def texts() -> dict[str, str]:
    return {slug: board_facts(sheet) for slug, sheet in boards().items()} | {"contracts": contract_facts()}


if __name__ == "__main__":
    for name, text in texts().items():
        (PRINTED / f"{name}.txt").write_text(text, "utf-8")
