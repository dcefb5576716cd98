"""The printed board as text: hexes row by row, Cities, New Cities, closed sides, connections, rivers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Final

from pbem.engine import Say, Word, say
from pbem.engine.position_text import NONE, Fixed, Line, Section, listed
from pbem.rails.board import CLOSED, Board, Hex, Label
from pbem.rails.hexes import letters
from pbem.rails.sheet import MapSheet
from pbem.rails.walks import middle

LAND: Final[Mapping[str, str]] = {
    "plain": "plain",
    "river": "river",
    "hill": "hill",
    "mountain": "mountain",
    "dark_mountain": "high mountain",
    "swamp": "swamp",
    "difficult": "difficult",
    "very_difficult": "very difficult",
    "special": "opens later",
    "water": "water",
    "impassable": "impassable",
}
"""The words for kinds of land by their names on boards."""
UNPRICED: Final = CLOSED | {"special"}
"""Land on which no tile is laid."""
TAGS: Final[Mapping[str, str]] = {
    **{tag: tag for tag in ("terminal", "zone", "block", "island", "port", "east", "west")},
    "new city only": "only with a New City",
}
"""The words for what marks places and connections; other marks are names."""
CITY, TOWN = "City", "town"
BOARD, SIMPLE, ROWS = "The printed board", "Price of a simple tile", "Hexes, row by row"
CITIES, NEW_CITIES, SIDES = "Cities", "New Cities", "Closed sides"
CONNECTIONS, RIVERS = "Connections without tiles", "Rivers"
HEADS: Final = (BOARD, ROWS, CITIES, NEW_CITIES, SIDES, CONNECTIONS, RIVERS)
TAKES, START, LIGHT, DARK, PRICE, AT = "takes", "cubes at the start", "light", "dark", "price", "sides"
WORDS: Final = (
    *HEADS, SIMPLE, *LAND.values(), CITY, TOWN, TAKES, START, LIGHT, DARK, PRICE, AT, *TAGS.values(),
)  # fmt: skip
FLAT, POINTY = (
    say(
        "The letters of a label count half rows from the top, its number counts columns from the left. N is two letters"
        " back, S two letters on. NE is one letter back and the next number, SE one letter on and the next number; NW"
        " and SW likewise with the number before."
    ),
    say(
        "The number of a label counts rows from the top, its letters count half columns from the left. E is two letters"
        " on, W two letters back. NE is one letter on and the number before, SE one letter on and the next number; NW"
        " and SW likewise with one letter back."
    ),
)
ABSENT = say("What has no place in these rows is off the board.")


def sections(sheet: MapSheet[Any, Any]) -> tuple[Section, ...]:
    """All that is printed, but for what the board is called and where it comes from."""
    board = sheet.board
    parts = (
        Section((Fixed(BOARD),), tuple(_heading(sheet))),
        Section((Fixed(ROWS),), tuple(_rows(board))),
        Section((Fixed(CITIES),), tuple(_cities(board))),
        Section((Fixed(NEW_CITIES),), tuple(_new_cities(board))),
        Section((Fixed(SIDES),), tuple(_sides(board))),
        Section((Fixed(CONNECTIONS),), tuple(_connections(board))),
        Section((Fixed(RIVERS),), tuple((f"{name}: ", ", ".join(hexes)) for name, hexes in board.rivers.items())),
    )
    return tuple(part for part in parts if part.lines)


def simple_prices(board: Board, price_words: Callable[[Label], Say]) -> dict[str, tuple[Label, Say]]:
    """What a simple tile costs on each kind of land that the board shows without a price, with a hex of that kind."""
    first: dict[str, Label] = {}
    for hex_ in board.hexes.values():
        if hex_.terrain in LAND and hex_.terrain not in UNPRICED and hex_.price is None:
            first.setdefault(hex_.terrain, hex_.label)
    return {terrain: (label, price_words(label)) for terrain, label in first.items()}


def _heading(sheet: MapSheet[Any, Any]) -> Iterator[Line]:
    yield (sheet.full_name,)
    prices = simple_prices(sheet.board, sheet.price_words)
    usual = ((Fixed(LAND[terrain]), " ", price) for terrain, (_, price) in prices.items())
    yield (Fixed(SIMPLE), ": ", *listed(usual, "; "))
    yield (FLAT if sheet.board.orientation == "flat-top" else POINTY,)
    yield (ABSENT,)


def _rows(board: Board) -> Iterator[Line]:
    """A line for each row; hexes of the same land that follow each other have it once."""
    flat = board.orientation == "flat-top"
    for row, hexes in groupby(sorted(board.hexes.values(), key=lambda hex_: (hex_.y, hex_.x)), lambda hex_: hex_.y):
        items: list[Line] = []
        for land, alike in groupby(hexes, lambda hex_: _land(board, hex_)):
            at = " ".join(str(hex_.x) if flat else letters(hex_.x) for hex_ in alike)
            items.append((f"{at} ", *land))
        yield (f"{letters(row) if flat else row}: ", *listed(items, "; "))


def _land(board: Board, hex_: Hex) -> Line:
    """What is printed on a hex: its place or its land, a price that is not the usual one, and marks."""
    clauses: list[Line] = []
    if hex_.label in board.city_at:
        clauses.append((Fixed(CITY), f" {board.cities[board.city_at[hex_.label]].name}"))
    elif hex_.label in board.towns:
        clauses.append((Fixed(TOWN), f" {board.towns[hex_.label]}"))
    if hex_.terrain in LAND and (hex_.terrain != "plain" or not clauses):
        clauses.append((Fixed(LAND[hex_.terrain]),))
    if hex_.price is not None:
        clauses.append((Fixed(PRICE), f" {hex_.price}"))
    return listed([*clauses, *_marks(hex_.tags)])


def _marks(tags: Iterable[str]) -> list[Line]:
    return [(Fixed(TAGS[tag]),) if tag in TAGS else (tag,) for tag in sorted(tags)]


def _cities(board: Board) -> Iterator[Line]:
    """Those of which more is printed than where they lie."""
    for city in sorted(board.cities.values(), key=lambda city: city.name):
        clauses: list[Line] = [_takes(city.colours)] if city.colours or city.columns or city.cubes or city.tags else []
        clauses += [(Fixed(START), f" {city.cubes}")] if city.cubes else []
        clauses += [*map(_die, city.columns), *_marks(city.tags)]
        if clauses:
            yield (f"{' '.join((city.name, *city.hexes))}: ", *listed(clauses, "; "))


def _takes(colours: Iterable[str]) -> Line:
    return (Fixed(TAKES), " ", *(listed((Word(colour),) for colour in colours) or (Fixed(NONE),)))


def _die(column: str) -> Line:
    return (Fixed(LIGHT if column[0] == "L" else DARK), f" {column[1:]}")


def _new_cities(board: Board) -> Iterator[Line]:
    for tile in board.new_cities.values():
        yield (f"{tile.letter}: ", *listed([_takes(tile.colours), *map(_die, tile.columns)], "; "))


def _sides(board: Board) -> Iterator[Line]:
    walls = sorted(board.walls, key=lambda wall: (list(board.hexes).index(wall[0]), wall[1]))
    for label, sides in groupby(walls, lambda wall: wall[0]):
        yield (f"{label}: ", ", ".join(board.directions[edge] for _, edge in sides))


def _connections(board: Board) -> Iterator[Line]:
    for connection in board.connections.values():
        clauses = [middle(connection)]
        clauses += (
            [(Fixed(AT), " ", ", ".join(board.directions[edge] for edge in connection.exits))]
            if connection.exits
            else []
        )
        clauses += [] if connection.price is None else [(Fixed(PRICE), f" {connection.price}")]
        ends = ", ".join(f"{place_name(board, label)} {label}" for label in connection.joins)
        yield (f"{ends}: ", *listed([*clauses, *_marks(connection.tags)], "; "))


def place_name(board: Board, label: Label) -> str:
    return board.cities[label].name if label in board.cities else board.towns[label]
