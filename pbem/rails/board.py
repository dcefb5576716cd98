"""What is printed on a board: read from ``maps/<map>/board.toml`` (``docs/extending.md``), never changed by play."""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from typing_extensions import override

from pbem.engine.values import Value
from pbem.rails.hexes import directions, letters, opposite, steps

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


def load_board(path: Path) -> Board:
    """Read a ``board.toml``. Raises :class:`BadBoard`."""
    try:
        return board_of(path.parent.name, drawing(path.read_text("utf-8")))
    except BadBoard as bad:
        raise BadBoard(f"{path}: {bad}") from bad


def drawing(text: str) -> dict[str, Any]:
    """The text of a ``board.toml`` as plain values. Raises :class:`BadBoard`."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadBoard(str(error)) from error
    except RecursionError as error:
        raise BadBoard("it is nested too deep.") from error


def board_of(slug: str, raw: dict[str, Any]) -> Board:
    """The board that plain values describe. Raises :class:`BadBoard`."""
    try:
        return _Reader(slug, raw).board()
    except KeyError as error:
        raise BadBoard(f"{error} is missing.") from error
    except (TypeError, ValueError) as error:
        raise BadBoard(str(error)) from error


class _Reader:
    def __init__(self, slug: str, raw: dict[str, object]) -> None:
        self.slug, self.raw = slug, raw
        self.orientation = str(raw["orientation"])

    def board(self) -> Board:
        hexes = self._hexes()
        cities = self._cities()
        for city in cities.values():
            if stray := [label for label in city.hexes if label not in hexes]:
                raise ValueError(f"{city.name} lies on {stray[0]}, which the sketch does not have")
        towns = {str(label): name for name, label in self._table("towns").items()}
        self._judge_towns(set(towns))
        return Board(
            slug=self.slug,
            name=str(self.raw["name"]),
            orientation=self.orientation,
            hexes=hexes,
            cities=cities,
            towns=towns,
            new_cities=self._new_cities(),
            connections=self._connections(),
            walls=self._walls(),
            provenance=str(self.raw["provenance"]),
            designer=str(self.raw.get("designer", "")),
            remark=str(self.raw.get("remark", "")),
            rivers={name: _list(labels) for name, labels in self._table("rivers").items()},
            also_called=self._also_called({*cities, *towns}),
        )

    def _judge_towns(self, towns: set[Label]) -> None:
        """The sketch and the table name the same towns; one on a special hex has the sign of that."""
        signs = {label: sign for _, _, label, sign in self._sketch()}
        if stray := sorted(label for label in towns if signs.get(label) not in ("o", "s")):
            raise ValueError(f"the town on {stray[0]} is not in the sketch")
        if stray := sorted(label for label, sign in signs.items() if sign == "o" and label not in towns):
            raise ValueError(f"the sketch has a town on {stray[0]}, which [towns] does not name")

    def _also_called(self, places: set[Label]) -> dict[str, Label]:
        names = {name: str(label) for name, label in self._table("also_called").items()}
        if stray := sorted(set(names.values()) - places):
            raise ValueError(f"[also_called] names {stray[0]}, where no City or town is")
        return names

    def _table(self, key: str) -> dict[str, dict[str, object]]:
        table = self.raw.get(key, {})
        if not isinstance(table, dict):
            raise TypeError(f"[{key}] is not a table")
        return table

    def _hexes(self) -> dict[Label, Hex]:
        extra = self._table("hexes")
        hexes: dict[Label, Hex] = {}
        for x, y, label, sign in self._sketch():
            more = extra.get(label, {})
            if not isinstance(more, Mapping):
                raise ValueError(f"hexes.{label} is no table")
            hexes[label] = Hex(
                label,
                x,
                y,
                terrain=str(more.get("terrain", SIGNS[sign])),
                price=int(str(more["price"])) if "price" in more else None,
                tags=_words(more.get("tags")),
            )
        if stray := sorted(set(extra) - set(hexes)):
            raise ValueError(f"[hexes] names {stray[0]}, which the sketch does not have")
        return dict(sorted(hexes.items(), key=lambda item: (item[1].x, item[1].y)))

    def _sketch(self) -> Iterator[tuple[int, int, Label, str]]:
        """Every hex: where it stands, its label, its sign."""
        for line, text in enumerate(str(self.raw["sketch"]).strip("\n").splitlines()):
            for place, sign in enumerate(text):
                if sign == " ":
                    continue
                if sign not in SIGNS:
                    raise ValueError(f"unknown sign {sign!r} in line {line + 1} of the sketch")
                yield (*self._position(line, place), sign)

    def _position(self, line: int, place: int) -> tuple[int, int, Label]:
        if self.orientation == "flat-top":  # two signs to a column, one line to a half row
            return place // 2, line, f"{letters(line)}{place // 2}"
        return place, line, f"{letters(place)}{line}"

    def _cities(self) -> dict[Label, City]:
        cities = {}
        for name, raw in self._table("cities").items():
            hexes = raw["hex"]
            city = City(
                name=str(raw.get("name", name)),
                hexes=tuple(map(str, hexes)) if isinstance(hexes, list) else (str(hexes),),
                colours=_list(raw.get("colours")),
                columns=_list(raw.get("columns")),
                cubes=int(str(raw.get("cubes", 0))),
                tags=_words(raw.get("tags")),
            )
            cities[city.label] = city
        return cities

    def _new_cities(self) -> dict[str, NewCity]:
        return {
            letter: NewCity(letter, _list(raw["colours"]), _list(raw["columns"]))
            for letter, raw in self._table("new_cities").items()
        }

    def _connections(self) -> dict[str, Connection]:
        connections = {}
        for key, raw in self._table("connections").items():
            first, second = _list(raw["joins"])
            connections[key] = Connection(
                id=key,
                name=str(raw["name"]),
                joins=(first, second),
                price=int(str(raw["price"])) if "price" in raw else None,
                hex=str(raw["hex"]) if "hex" in raw else None,
                exits=tuple(directions(self.orientation).index(d) for d in _list(raw.get("exits"))),
                tags=_words(raw.get("tags")),
            )
        return connections

    def _walls(self) -> frozenset[tuple[Label, int]]:
        names = directions(self.orientation)
        return frozenset(
            (label, names.index(direction))
            for label, sides in self._table("walls").items()
            for direction in _list(sides)
        )


def _list(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise TypeError(f"{value!r} should be a list")
    return tuple(map(str, value))


def _words(value: object) -> frozenset[str]:
    return frozenset(_list(value))


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
