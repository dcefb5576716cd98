"""What is printed on a board: read from ``maps/<map>/board.toml`` by ``drawing.py``, never changed by play."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from typing_extensions import override

from pbem.engine import Value
from pbem.rails.hexes import directions, opposite, steps

Label = str

SIGNS = {
    ".": "plain",
    "~": "river",
    "^": "mountain",
    "M": "dark_mountain",
    "h": "hill",
    "%": "swamp",
    "=": "water",
    "d": "difficult",
    "D": "very_difficult",
    "#": "impassable",
    "s": "special",
    "z": "zone",
    "*": "city",
    "o": "plain",
}
CLOSED = frozenset({"water", "impassable"})


class BadBoard(Exception):
    """A board.toml that cannot be used; the sentence names the file and the place in it."""


class Hex(Value):
    """One space: grid position, terrain, printed price of a simple tile in dollars where one is printed."""

    label: Label
    x: int
    y: int
    terrain: str
    price: int | None = None
    tags: frozenset[str] = frozenset()


class City(Value):
    """A printed City: one node, of one or more hexes; ``label`` is the first of them."""

    name: str
    hexes: tuple[Label, ...]
    colours: tuple[str, ...]
    columns: tuple[str, ...]
    cubes: int
    tags: frozenset[str] = frozenset()

    @property
    def label(self) -> Label:
        return self.hexes[0]


class NewCity(Value):
    """One of the New City tiles: its letter, the colours it accepts, the display columns that feed it."""

    letter: str
    colours: tuple[str, ...]
    columns: tuple[str, ...]


class Connection(Value):
    """A printed link that needs no tiles. ``hex`` is the water hex a ferry crosses, if it has one."""

    id: str
    name: str
    joins: tuple[Label, Label]
    price: int | None
    hex: Label | None = None
    exits: tuple[int, ...] = ()
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Board:
    """The printed board. Nodes (Cities, towns) and hexes go by their label everywhere."""

    slug: str
    name: str
    orientation: str
    hexes: Mapping[Label, Hex]
    cities: Mapping[Label, City]
    towns: Mapping[Label, str]
    new_cities: Mapping[str, NewCity]
    connections: Mapping[str, Connection]
    walls: frozenset[tuple[Label, int]]
    provenance: str
    designer: str = ""
    remark: str = ""
    """What sets it apart, in a few words for lists of maps: "a small island without Cities"."""
    rivers: Mapping[str, tuple[Label, ...]] = field(default_factory=dict)
    """Rivers that are drawn without being terrain, by name, each from hex to neighbouring hex."""
    also_called: Mapping[str, Label] = field(default_factory=dict)
    """Other names of Cities and towns that orders may use: those on another edition, and those we used to print."""
    rules: Any = field(default_factory=dict)
    """The table ``[rules]`` as it was read, for a sheet that is data."""

    @override
    def __hash__(self) -> int:
        return hash(self.slug)

    @cached_property
    def directions(self) -> tuple[str, ...]:
        """The names of edges 0 to 5 as seen on this board."""
        return directions(self.orientation)

    @cached_property
    def direction_words(self) -> frozenset[str]:
        return frozenset(direction.casefold() for direction in self.directions)

    @cached_property
    def neighbours(self) -> Mapping[Label, tuple[Label | None, ...]]:
        """Per hex the six hexes across edges 0 to 5; ``None`` off the board."""
        at = {(h.x, h.y): h.label for h in self.hexes.values()}
        return {
            h.label: tuple(at.get((h.x + dx, h.y + dy)) for dx, dy in steps(self.orientation))
            for h in self.hexes.values()
        }

    @cached_property
    def city_at(self) -> Mapping[Label, Label]:
        return {hex_: city.label for city in self.cities.values() for hex_ in city.hexes}

    @cached_property
    def open_sides(self) -> Mapping[Label, frozenset[int]]:
        """Per land hex the edges that track may cross: on the board, not into water, not through a wall."""
        return {
            label: frozenset(
                edge
                for edge, beyond in enumerate(self.neighbours[label])
                if beyond is not None
                and self.hexes[beyond].terrain not in CLOSED
                and (label, edge) not in self.walls
                and (beyond, opposite(edge)) not in self.walls
            )
            for label, hex_ in self.hexes.items()
            if hex_.terrain not in CLOSED
        }

    @cached_property
    def columns(self) -> Mapping[str, tuple[Label, ...]]:
        """Display columns (``L1``…``D6``) with the Cities they feed."""
        fed: dict[str, tuple[Label, ...]] = {}
        for city in self.cities.values():
            for column in city.columns:
                fed[column] = (*fed.get(column, ()), city.label)
        return fed

    def edge(self, direction: str) -> int:
        """The number of a direction; raises ``ValueError`` for a name this board does not have."""
        return self.directions.index(direction.upper())


def groups_of(board: Board, cities: Collection[Label]) -> dict[Label, Label]:
    """The group of every one of these Cities by its first one: those whose hexes touch are one."""
    groups: dict[Label, Label] = {}
    for first in cities:
        if first not in groups:
            found = [first]
            for label in found:
                groups[label] = first
                found += [n for n in board.neighbours[label] if n is not None and n in cities and n not in found]
    return groups
