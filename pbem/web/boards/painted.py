"""The board of a drawing as far as it can be drawn, with a ring at every hex where something is wrong."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from pbem.engine import Value
from pbem.engine.faults import Fault
from pbem.rails.board import SIGNS, Label
from pbem.rails.entries import COLOURS
from pbem.rails.hexes import directions, grid_place
from pbem.rails.sketch import ACROSS

Point = tuple[int, int]
FLAT: Final = ((-15, -26), (15, -26), (30, 0), (15, 26), (-15, 26), (-30, 0))
POINTY: Final = ((0, -30), (26, -15), (26, 15), (0, 30), (-26, 15), (-26, -15))
"""The corners of a hex from its middle: side n lies between corner n and the next."""
GRIDS: Final[Mapping[str, Point]] = {"flat-top": (45, 26), "pointy-top": (26, 45)}
"""From one place of the grid to the next; hexes stand on every second one."""
ROOM, ABOVE = 34, 12
"""Around the board, and from the middle of a hex up to its label."""
LETTERS: Final[Mapping[str, str]] = {"black": "K"}


class Spot(Value):
    """What lies on a hex: ``kind`` is ``city``, ``town`` or ``price``."""

    x: int
    y: int
    kind: str
    text: str
    colour: str = ""
    above: str = ""
    below: str = ""
    terminal: bool = False


class Tie(Value):
    """A special link: its way, and where its price stands. ``only``: it needs a New City."""

    way: str
    x: int
    y: int
    price: str
    only: bool


class Line(Value):
    """The labels of hexes of one height."""

    y: int
    labels: tuple[tuple[int, Label], ...]


class Ring(Value):
    """A hex at which something is wrong, with its numbers in the list."""

    x: int
    y: int
    hex: Label
    numbers: str


class PaintedBoard:
    """A painting in px of its own; hexes of one land are one path, with a mark at every point."""

    def __init__(self, painting: Any, faults: Sequence[Fault] = ()) -> None:
        self.flat = painting.head["orientation"] == "flat-top"
        self.corners = FLAT if self.flat else POINTY
        self.signs: Mapping[Label, str] = painting.hexes
        self.tables = {name: dict(entries) for name, entries in painting.tables.items()}
        self.faults = faults

    @cached_property
    def places(self) -> dict[Label, Point]:
        """The middle of every hex."""
        across, down = GRIDS["flat-top" if self.flat else "pointy-top"]
        grid = ((label, grid_place(label, flat=self.flat)) for label in self.signs)
        return {label: (x * across, y * down) for label, (x, y) in grid}

    @property
    def shape(self) -> str:
        """The corners of a hex as the ``points`` of a polygon."""
        return shape(self.corners)

    @property
    def corner(self) -> Point:
        """Where the number of a fault lies."""
        return self.corners[1]

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The part that is shown: left, top, width, height. It has room for a hex more to the right and below."""
        wide, high = (1, 2) if self.flat else (2, 1)
        across, down = GRIDS["flat-top" if self.flat else "pointy-top"]
        columns, lines = zip((0, 0), *(grid_place(label, flat=self.flat) for label in self.signs), strict=True)
        right, bottom = min(max(columns) + wide, wide * ACROSS - 1), min(max(lines) + high, high * ACROSS - 1)
        return -ROOM, -ROOM, right * across + 2 * ROOM, bottom * down + 2 * ROOM

    def lands(self) -> Iterator[tuple[str, str]]:
        """Every kind of land with the way through all its hexes."""
        kinds: dict[str, list[Point]] = {}
        for label, sign in self.signs.items():
            kinds.setdefault(self._kind(label, sign), []).append(self.places[label])
        for kind, points in kinds.items():
            yield kind, _way(points)

    def _kind(self, label: Label, sign: str) -> str:
        if label in self._cities:
            colours = [one for one in _listed(self._cities[label][1], "colours") if one in COLOURS]
            return f"city-{colours[0]}" if colours else "city"
        return SIGNS.get(sign, "none")

    @cached_property
    def _cities(self) -> dict[Label, tuple[str, Mapping[str, Any]]]:
        """Every City by each of its hexes."""
        found: dict[Label, tuple[str, Mapping[str, Any]]] = {}
        for name, raw in self.tables["cities"].items():
            if isinstance(raw, dict):
                for label in raw["hex"] if isinstance(raw.get("hex"), list) else [raw.get("hex")]:
                    if isinstance(label, str) and label in self.signs:
                        found[label] = (str(raw.get("name", name)), raw)
        return found

    def spots(self) -> Iterator[Spot]:
        towns = {label: name for name, label in self.tables["towns"].items() if isinstance(label, str)}
        for label, (x, y) in self.places.items():
            if label in self._cities:
                yield self._city(label, x, y)
            elif self.signs[label] == "o":
                yield Spot(x, y, "town", towns.get(label, ""))
            extra = self.tables["hexes"].get(label)
            if isinstance(extra, dict) and "price" in extra:
                yield Spot(x, y, "price", f"${extra['price']}"[:4])

    def labels(self) -> Iterator[Line]:
        """The labels of all hexes but Cities and water, line by line."""
        lines: dict[int, list[tuple[int, Label]]] = {}
        for label, (x, y) in self.places.items():
            if label not in self._cities and self.signs[label] != "=":
                lines.setdefault(y - ABOVE, []).append((x, label))
        for y, labels in lines.items():
            yield Line(y, tuple(labels))

    def _city(self, label: Label, x: int, y: int) -> Spot:
        name, raw = self._cities[label]
        first = raw["hex"] in (label, [label]) or raw["hex"][0] == label
        colours = "".join(LETTERS.get(one, one[:1].upper()) for one in _listed(raw, "colours") if one in COLOURS)
        cubes = raw.get("cubes", 0)
        return Spot(
            x,
            y,
            "city",
            name if first else "",
            colour=self._kind(label, "*").removeprefix("city").strip("-") or "none",
            above=" ".join(filter(None, (colours, *_listed(raw, "columns")))),
            below="■" * min(cubes, 9) if first and isinstance(cubes, int) else "",
            terminal="terminal" in _listed(raw, "tags"),
        )

    def walls(self) -> str:
        """The sides that no track crosses, as one path."""
        sides = directions("flat-top" if self.flat else "pointy-top")
        found = (
            (label, sides.index(side))
            for label, listed in self.tables["walls"].items()
            if label in self.places and isinstance(listed, list)
            for side in listed
            if side in sides
        )
        return "".join(_way(self._side(label, side)) for label, side in found)

    def _side(self, label: Label, side: int) -> list[Point]:
        (x, y), ends = self.places[label], (self.corners[side], self.corners[(side + 1) % 6])
        return [(x + dx, y + dy) for dx, dy in ends]

    def rivers(self) -> str:
        flows = map(self._points, self.tables["rivers"].values())
        return "".join(_way(points) for points in flows if len(points) > 1)

    def ties(self) -> Iterator[Tie]:
        for raw in self.tables["connections"].values():
            if isinstance(raw, dict) and len(points := self._points(raw.get("joins"))) > 1:
                x, y = (sum(ends) // len(points) for ends in zip(*points, strict=True))
                price = f"${raw['price']}"[:4] if "price" in raw else ""
                yield Tie(_way(points), x, y, price, "new city only" in _listed(raw, "tags"))

    def _points(self, labels: Any) -> list[Point]:
        """The middles of those of a list of hexes that are on the map."""
        words = labels if isinstance(labels, list) else []
        return [self.places[one] for one in words if isinstance(one, str) and one in self.places]

    def rings(self) -> Iterator[Ring]:
        numbers: dict[Label, list[int]] = {}
        for number, fault in enumerate(self.faults, 1):
            if fault.hex in self.places:
                numbers.setdefault(str(fault.hex), []).append(number)
        for label, found in numbers.items():
            yield Ring(*self.places[label], label, ", ".join(map(str, found)))


def shape(corners: Iterable[Point]) -> str:
    """Corners as the ``points`` of a polygon."""
    return " ".join(f"{x},{y}" for x, y in corners)


def _way(points: Iterable[Point]) -> str:
    """A way as the ``d`` of a path; one of a single point has an end as well, for marks are laid on both."""
    (x, y), *others = points
    steps = "".join(f"L{to_x} {to_y}" for to_x, to_y in others)
    return f"M{x} {y}{steps or 'h0'}"


def _listed(raw: Mapping[str, Any], key: str) -> list[str]:
    """The words of a list, none where it is no list."""
    value = raw.get(key)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
