"""Reads the printed board from its text, as plain values; :func:`plain` has those of a sheet."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.engine.position_text import NONE, Misread, Paragraph, number
from pbem.engine.text import Voice
from pbem.rails.board import Board, Connection
from pbem.rails.board_text import (
    AT,
    BOARD,
    CITIES,
    CITY,
    CONNECTIONS,
    DARK,
    LAND,
    LIGHT,
    NEW_CITIES,
    PRICE,
    RIVERS,
    ROWS,
    SIDES,
    SIMPLE,
    START,
    TAGS,
    TAKES,
    TOWN,
    place_name,
    simple_prices,
)
from pbem.rails.position_lines import TableReading
from pbem.rails.sheet import MapSheet
from pbem.rails.walks import DIRECT, FERRY, PUBLIC

Plain = dict[str, Any]
DOLLARS: Final = re.compile(r"\$(\d+)")
ITEM: Final[Mapping[str, re.Pattern[str]]] = {
    "flat-top": re.compile(r"((?:\d+ )+)(.+)"),
    "pointy-top": re.compile(r"((?:[A-Z]{1,2} )+)(.+)"),
}
"""Hexes of a row and what is printed on them, by the orientation of the board."""


def plain(sheet: MapSheet[Any, Any]) -> Plain:
    """The printed board: ``prices`` of simple tiles by land where none is printed, ``hexes`` by label, ``cities`` and
    ``new_cities`` of which more is printed than where they lie, sides, connections, rivers. Kinds of land go by their
    names on boards, columns as ``L1`` to ``D6``."""
    board = sheet.board
    usual = simple_prices(board, sheet.price_words)
    return {
        "map": sheet.full_name,
        "prices": {land: _dollars(str(words)) for land, (_, words) in usual.items()},
        "hexes": {
            label: {
                "land": hex_.terrain,
                "city": board.cities[board.city_at[label]].name if label in board.city_at else None,
                "town": board.towns.get(label),
                "price": hex_.price,
                "marks": sorted(hex_.tags),
            }
            for label, hex_ in board.hexes.items()
        },
        "cities": {
            city.label: {
                "name": city.name,
                "hexes": list(city.hexes),
                "takes": list(city.colours),
                "cubes": city.cubes,
                "columns": list(city.columns),
                "marks": sorted(city.tags),
            }
            for city in board.cities.values()
            if city.colours or city.columns or city.cubes or city.tags
        },
        "new_cities": {
            tile.letter: {"takes": list(tile.colours), "columns": list(tile.columns)}
            for tile in board.new_cities.values()
        },
        "closed_sides": _closed(board),
        "connections": [_connection(board, connection) for connection in board.connections.values()],
        "rivers": {name: list(hexes) for name, hexes in board.rivers.items()},
    }


def _closed(board: Board) -> dict[str, list[str]]:
    closed: dict[str, list[str]] = {}
    for label, edge in sorted(board.walls, key=lambda wall: wall[1]):
        closed.setdefault(label, []).append(board.directions[edge])
    return closed


def _connection(board: Board, connection: Connection) -> Plain:
    kind = PUBLIC if connection.price is None else DIRECT
    return {
        "joins": {label: place_name(board, label) for label in connection.joins},
        "kind": kind if connection.hex is None else FERRY,
        "hex": connection.hex,
        "sides": [board.directions[edge] for edge in connection.exits],
        "price": connection.price,
        "marks": sorted(connection.tags),
    }


def _dollars(words: str) -> list[int]:
    return [int(dollars) for dollars in DOLLARS.findall(words)]


def read(sheet: MapSheet[Any, Any], paragraphs: Sequence[Paragraph], voice: Voice) -> Plain:
    """The values of :func:`plain` from the paragraphs of the text. Raises :class:`Misread` also where they are others
    than those of the sheet."""
    reading = _BoardReading(sheet.board, voice)
    lines = {paragraph.head: [line.partition(": ")[::2] for line in paragraph.lines] for paragraph in paragraphs}

    def section(head: str) -> list[tuple[str, str]]:
        """The lines of a section, each before and after its colon."""
        return lines.get(voice.fixed(head), [])

    (name, _), *heading = section(BOARD)
    usual = dict(heading).get(voice.fixed(SIMPLE), "")
    values = {
        "map": name,
        "prices": dict(map(reading.usual_price, usual.split("; "))),
        "hexes": dict(hex_ for row, said in section(ROWS) for hex_ in reading.row(row, said)),
        "cities": dict(reading.city(subject, said) for subject, said in section(CITIES)),
        "new_cities": {letter: reading.clauses(said, ("takes", "columns")) for letter, said in section(NEW_CITIES)},
        "closed_sides": {label: said.split(", ") for label, said in section(SIDES)},
        "connections": [reading.connection(ends, said) for ends, said in section(CONNECTIONS)],
        "rivers": {river: said.split(", ") for river, said in section(RIVERS)},
    }
    printed = plain(sheet)
    if unlike := [key for key in printed if values[key] != printed[key]]:
        raise Misread(f"{name} has other {', '.join(unlike)} than the text says.")
    return values


class _BoardReading(TableReading):
    """What the lines of the text are read with."""

    def __init__(self, board: Board, voice: Voice) -> None:
        colours = {colour for city in board.cities.values() for colour in city.colours}
        colours |= {colour for tile in board.new_cities.values() for colour in tile.colours}
        super().__init__(voice, board, (), tuple(colours), ())
        self.land = {voice.fixed(word): terrain for terrain, word in LAND.items()}
        self.tags = {voice.fixed(word): tag for tag, word in TAGS.items()}

    def usual_price(self, clause: str) -> tuple[str, list[int]]:
        """The land whose word begins the clause, and its price; of a curve and of a straight where they differ."""
        begun = [word for word in self.land if clause.startswith(f"{word} ")]
        if not begun:
            raise Misread(f"“{clause}” begins with no kind of land.")
        return self.land[max(begun, key=len)], _dollars(clause)

    def row(self, row: str, said: str) -> Iterator[tuple[str, Plain]]:
        """The hexes of a row by their labels."""
        flat = self.board.orientation == "flat-top"
        for item in said.split("; "):
            found = ITEM[self.board.orientation].fullmatch(item)
            if found is None:
                raise Misread(f"“{item}” names no hexes with what is printed on them.")
            for at in found[1].split():
                yield f"{row}{at}" if flat else f"{at}{row}", self._printed(found[2])

    def _printed(self, said: str) -> Plain:
        """What is printed on a hex."""
        hex_: Plain = {"land": None, "city": None, "town": None, "price": None, "marks": []}
        for clause in said.split(", "):
            if (city := self.after(clause, CITY)) is not None:
                hex_ |= {"land": "city", "city": city}
            elif (town := self.after(clause, TOWN)) is not None:
                hex_ |= {"land": "plain", "town": town}
            elif (price := self.after(clause, PRICE)) is not None:
                hex_["price"] = number(price)
            elif clause in self.land:
                hex_["land"] = self.land[clause]
            else:
                hex_["marks"].append(self.tags.get(clause, clause))
        return hex_

    def city(self, subject: str, said: str) -> tuple[str, Plain]:
        """A City by its first hex."""
        name, hexes = subject.split(" "), list[str]()
        while name and name[-1] in self.board.hexes:
            hexes.insert(0, name.pop())
        if not hexes:
            raise Misread(f"“{subject}” names no hex.")
        city = {"name": " ".join(name), "hexes": hexes}
        return hexes[0], city | self.clauses(said, ("takes", "cubes", "columns", "marks"))

    def clauses(self, said: str, keys: Sequence[str]) -> Plain:
        """What a City or New City takes, its cubes, the columns that feed it, its marks; those of the ``keys``."""
        place: Plain = {"takes": [], "cubes": 0, "columns": [], "marks": []}
        for clause in said.split("; "):
            if (colours := self.after(clause, TAKES)) is not None:
                none = colours == self.voice.fixed(NONE)
                place["takes"] = [] if none else [self.colour(one, self.cube_colours) for one in colours.split(", ")]
            elif (cubes := self.after(clause, START)) is not None:
                place["cubes"] = number(cubes)
            elif (die := self.after(clause, LIGHT)) is not None:
                place["columns"].append(f"L{die}")
            elif (die := self.after(clause, DARK)) is not None:
                place["columns"].append(f"D{die}")
            else:
                place["marks"].append(self.tags.get(clause, clause))
        if any(place[key] for key in place.keys() - keys):
            raise Misread(f"“{said}” says more than there is on such a tile.")
        return {key: place[key] for key in keys}

    def connection(self, ends: str, said: str) -> Plain:
        first, *clauses = said.split("; ")
        hex_ = self.after(first, FERRY)
        kind = FERRY if hex_ is not None else self.fixed(first, (DIRECT, PUBLIC))
        joins = {end.rpartition(" ")[2]: end.rpartition(" ")[0] for end in ends.split(", ")}
        connection: Plain = {"joins": joins, "kind": kind, "hex": hex_, "sides": [], "price": None, "marks": []}
        for clause in clauses:
            if (sides := self.after(clause, AT)) is not None:
                connection["sides"] = sides.split(", ")
            elif (price := self.after(clause, PRICE)) is not None:
                connection["price"] = number(price)
            else:
                connection["marks"].append(self.tags.get(clause, clause))
        return connection
