"""Reads the text of a ``board.toml``: the board, and everything that is wrong with it in sentences."""

import re
import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from pbem.engine import Say, Value, say
from pbem.engine.faults import Fault
from pbem.engine.reading import shown
from pbem.rails.board import SIGNS, BadBoard, Board, City, Connection, Hex, Label, NewCity
from pbem.rails.entries import Entries
from pbem.rails.hexes import directions
from pbem.rails.sketch import read_sketch

NEW_CITIES: Final = "ABCDEFGH"
MOST_CUBES: Final = 9
DEAREST: Final = 30
TEXTS: Final = ("name", "remark", "designer", "orientation", "provenance", "sketch")
TABLES: Final = ("hexes", "rivers", "walls", "cities", "towns", "also_called", "new_cities", "connections", "rules")
_LINE = re.compile(r"\(at line (\d+)")


class Drawing(Value):
    """What a text says. ``board`` is ``None`` where there are faults."""

    board: Board | None
    faults: tuple[Fault, ...] = ()


def load_board(path: Path) -> Board:
    """Read a ``board.toml``. Raises :class:`BadBoard`, which names the file and the first fault."""
    try:
        drawing = read_drawing(path.parent.name, path.read_text("utf-8"))
    except UnicodeDecodeError as error:
        raise BadBoard(f"{path}: {error}") from error
    if drawing.board is None:
        raise BadBoard(f"{path}: {drawing.faults[0].sentence}")
    return drawing.board


def read_drawing(slug: str, text: str) -> Drawing:
    try:
        raw = tomllib.loads(text)
    except RecursionError:
        return Drawing(None, (Fault(say("The text is nested too deep.")),))
    except ValueError as error:
        return Drawing(None, (Fault(_unreadable(str(error))),))
    return _Reader(slug, raw).drawing()


def _unreadable(error: str) -> Say:
    if found := _LINE.search(error):
        return say(
            "Line {line} cannot be read. A quotation mark, a bracket or an equals sign may be missing, or a name "
            "stands there twice.",
            line=found[1],
        )
    return say(
        "The end of the text cannot be read. A quotation mark, a bracket or an equals sign may be missing, or a name "
        "stands there twice."
    )


def _unknown(key: str) -> Say:
    """There is no such key; the one that may be meant."""
    close = get_close_matches(key, (*TEXTS, *TABLES), 1)
    if close:
        return say("There is no table or key “{key}”. Is {known} meant?", key=shown(key), known=close[0])
    return say("There is no table or key “{key}”.", key=shown(key))


class _Reader(Entries):
    def __init__(self, slug: str, raw: dict[str, Any]) -> None:
        super().__init__(raw)
        self.slug = slug
        self.orientation = "flat-top" if raw.get("orientation") == "flat-top" else "pointy-top"
        self.sides = directions(self.orientation)
        self.signs: Mapping[Label, str] = {}
        self.at: Mapping[Label, tuple[int, int]] = {}

    def drawing(self) -> Drawing:
        for key in self.raw:
            if key not in (*TEXTS, *TABLES):
                self.wrong(_unknown(key))
        texts = self._texts()
        sketch = read_sketch(texts["sketch"], self.orientation)
        self.signs, self.at = sketch.signs, sketch.at
        self.faults += sketch.faults
        cities, towns = self._cities(), self._towns()
        self._judge_signs({label for city in cities.values() for label in city.hexes}, towns)
        board = Board(
            slug=self.slug,
            name=texts["name"],
            orientation=self.orientation,
            hexes=self._hexes(),
            cities=cities,
            towns=towns,
            new_cities=self._new_cities(),
            connections=self._connections({*cities, *towns}),
            walls=self._walls(),
            provenance=texts["provenance"],
            designer=texts["designer"],
            remark=texts["remark"],
            rivers=self._rivers(),
            also_called=self._also_called({*cities, *towns}),
            rules=self.raw.get("rules", {}),
        )
        return Drawing(None if self.faults else board, tuple(self.faults))

    def _texts(self) -> dict[str, str]:
        texts = {}
        for key in TEXTS:
            value = self.raw.get(key, "")
            if not isinstance(value, str):
                self.wrong(say("{key} must be text in quotation marks.", key=key))
            texts[key] = value if isinstance(value, str) else ""
        if not texts["name"].strip():
            self.wrong(say("The map has no name."))
        if texts["orientation"] not in ("flat-top", "pointy-top"):
            self.wrong(say("Say orientation = “flat-top” or “pointy-top”."))
        if not texts["provenance"].strip():
            self.wrong(say("Say in provenance where the map comes from."))
        return texts

    # hexes ----------------------------------------------------------------------------------------------

    def _hexes(self) -> dict[Label, Hex]:
        extra = dict(self.entries("hexes", ("price", "terrain", "tags")))
        for label in extra:
            if label not in self.signs:
                self.wrong(say("[hexes] names {hex}, which is not on the map.", hex=shown(label)))
        hexes = [self._hex(label, sign, extra.get(label, {})) for label, sign in self.signs.items()]
        return {hex_.label: hex_ for hex_ in sorted(hexes, key=lambda hex_: (hex_.x, hex_.y))}

    def _hex(self, label: Label, sign: str, raw: Mapping[str, Any]) -> Hex:
        land = raw.get("terrain", SIGNS.get(sign, "plain"))
        if land not in SIGNS.values():
            known = ", ".join(dict.fromkeys(SIGNS.values()))
            self.wrong(
                say(
                    "{hex}: there is no land “{land}”. There are {known}.",
                    hex=label,
                    land=shown(str(land)),
                    known=known,
                ),
                label,
            )
        price = None
        if "price" in raw:
            price = self.number(
                raw,
                "price",
                DEAREST,
                lambda said: say(
                    "{hex}: the price is {said}; $0 to ${most} are possible.", hex=label, said=said, most=DEAREST
                ),
                label,
            )
        return Hex(label, *self.at[label], str(land), price, frozenset(self.words(label, raw, "tags", label)))

    # places ---------------------------------------------------------------------------------------------

    def _cities(self) -> dict[Label, City]:
        cities: dict[Label, City] = {}
        taken: dict[Label, str] = {}
        for key, raw in self.entries("cities", ("hex", "name", "colours", "columns", "cubes", "tags")):
            name, hexes = raw.get("name", key), raw.get("hex")
            hexes = hexes if isinstance(hexes, list) else [hexes]
            if not hexes or not all(isinstance(label, str) for label in hexes) or not isinstance(name, str):
                self.wrong(say("The City {name} needs a hex in quotation marks.", name=shown(key)))
                continue
            for label in hexes:
                self._judge_city(name, label, taken)
            first = hexes[0]
            cities[first] = City(
                name=name,
                hexes=tuple(hexes),
                colours=self.colours(name, raw, first),
                columns=self.columns(name, raw, first),
                cubes=self.number(raw, "cubes", MOST_CUBES, self._cubes_of(name), first),
                tags=frozenset(self.words(name, raw, "tags", first)),
            )
        return cities

    def _cubes_of(self, name: str) -> Callable[[str], Say]:
        return lambda said: say(
            "{city} begins with {said} cubes; 0 to {most} are possible.", city=shown(name), said=said, most=MOST_CUBES
        )

    def _judge_city(self, name: str, label: Label, taken: dict[Label, str]) -> None:
        self.name(name, label)
        if label not in self.signs:
            self.wrong(
                say("The City {name} lies on {hex}, which is not on the map.", name=shown(name), hex=shown(label))
            )
        elif label in taken:
            self.wrong(say("Two Cities lie on {hex}: {a} and {b}.", hex=label, a=taken[label], b=shown(name)), label)
        elif self.signs[label] not in "*z":
            self.wrong(
                say("The City {name} lies on {hex}, where the sketch has no City.", name=shown(name), hex=label), label
            )
        taken[label] = shown(name)

    def _towns(self) -> dict[Label, str]:
        towns: dict[Label, str] = {}
        for name, label in self.table("towns").items():
            if not isinstance(label, str):
                self.wrong(say("The town {name} needs a hex in quotation marks.", name=shown(name)))
                continue
            self.name(name, label)
            if label not in self.signs:
                self.wrong(
                    say("The town {name} lies on {hex}, which is not on the map.", name=shown(name), hex=shown(label))
                )
            elif label in towns:
                self.wrong(say("Two towns lie on {hex}: {a} and {b}.", hex=label, a=towns[label], b=shown(name)), label)
            elif self.signs[label] not in "os":
                self.wrong(
                    say("The town {name} lies on {hex}, where the sketch has no town.", name=shown(name), hex=label),
                    label,
                )
            towns[label] = name
        return towns

    def _judge_signs(self, cities: set[Label], towns: Mapping[Label, str]) -> None:
        """Every City and town of the sketch has a name; one on a special hex has the sign of that."""
        for label, sign in self.signs.items():
            if sign == "o" and label not in towns:
                self.wrong(say("The town on {hex} has no name.", hex=label), label)
            if sign == "*" and label not in cities:
                self.wrong(say("The City on {hex} has no name.", hex=label), label)

    def _also_called(self, places: set[Label]) -> dict[str, Label]:
        names = self.table("also_called")
        for label in names.values():
            if not isinstance(label, str) or label not in places:
                self.wrong(say("[also_called] names {hex}, where no City or town is.", hex=shown(str(label))))
        return {name: str(label) for name, label in names.items()}

    def _new_cities(self) -> dict[str, NewCity]:
        cities = {}
        for letter, raw in self.entries("new_cities", ("colours", "columns")):
            if len(letter) != 1 or letter not in NEW_CITIES:
                self.wrong(say("There is no New City {letter}; there are A to H.", letter=shown(letter)))
            if not {"colours", "columns"} <= set(raw):
                self.wrong(say("New City {letter} needs colours and columns.", letter=shown(letter)))
            name = f"New City {letter}"
            cities[letter] = NewCity(letter, self.colours(name, raw), self.columns(name, raw))
        return cities

    # ways -----------------------------------------------------------------------------------------------

    def _connections(self, places: set[Label]) -> dict[str, Connection]:
        found = {}
        for key, raw in self.entries("connections", ("name", "joins", "price", "hex", "exits", "tags")):
            name = raw["name"] if isinstance(raw.get("name"), str) else key
            self.name(name, None)
            joins = self._joined(name, self.words(name, raw, "joins"), places)
            if joins is not None:
                found[key] = self._connection(key, name, joins, raw)
        return found

    def _joined(self, name: str, joins: tuple[str, ...], places: set[Label]) -> tuple[Label, Label] | None:
        if len(joins) != 2:
            self.wrong(say("The special link {name} must join two places.", name=shown(name)))
            return None
        if joins[0] == joins[1]:
            self.wrong(say("The special link {name} joins a place with itself.", name=shown(name)), joins[0])
        for label in joins:
            if label not in places:
                self.wrong(
                    say(
                        "The special link {name} ends on {hex}, where no City or town is.",
                        name=shown(name),
                        hex=shown(label),
                    ),
                    label,
                )
        return joins[0], joins[1]

    def _connection(self, key: str, name: str, joins: tuple[Label, Label], raw: Mapping[str, Any]) -> Connection:
        hex_, exits = str(raw["hex"]) if "hex" in raw else None, self.words(name, raw, "exits")
        if hex_ is not None and hex_ not in self.signs:
            self.wrong(
                say(
                    "The special link {name} lies on {hex}, which is not on the map.", name=shown(name), hex=shown(hex_)
                )
            )
        if stray := [side for side in exits if side not in self.sides]:
            self.wrong(self._no_side(name, stray[0]), hex_)
        price = None
        if "price" in raw:
            price = self.number(
                raw,
                "price",
                DEAREST,
                lambda said: say(
                    "The special link {name} costs {said}; $0 to ${most} are possible.",
                    name=shown(name),
                    said=said,
                    most=DEAREST,
                ),
                None,
            )
        return Connection(
            id=key,
            name=name,
            joins=joins,
            price=price,
            hex=hex_,
            exits=tuple(self.sides.index(side) for side in exits if side in self.sides),
            tags=frozenset(self.words(name, raw, "tags")),
        )

    def _no_side(self, name: str, side: str) -> Say:
        return say(
            "{name} has no side “{side}”; its sides are {sides}.",
            name=shown(name),
            side=shown(side),
            sides=", ".join(self.sides),
        )

    def _walls(self) -> frozenset[tuple[Label, int]]:
        walls = set()
        table = self.table("walls")
        for label in table:
            if label not in self.signs:
                self.wrong(say("[walls] names {hex}, which is not on the map.", hex=shown(label)))
            for side in self.words(label, table, label, label):
                if side in self.sides:
                    walls.add((label, self.sides.index(side)))
                else:
                    self.wrong(self._no_side(label, side), label)
        return frozenset(walls)

    def _rivers(self) -> dict[str, tuple[Label, ...]]:
        table = self.table("rivers")
        rivers = {name: self.words(name, table, name) for name in table}
        for name, labels in rivers.items():
            for label in labels:
                if label not in self.signs:
                    self.wrong(
                        say(
                            "The river {name} flows on {hex}, which is not on the map.",
                            name=shown(name),
                            hex=shown(label),
                        )
                    )
        return rivers
