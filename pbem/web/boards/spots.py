"""What can be pointed at on a board, and what it answers: every hex, every run of track, every ferry and direct link.

All of it is read from the scene that the picture is drawn of, so it is the same for every reader.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property

from pbem.engine import Value
from pbem.rails.board import Label
from pbem.rails.hexes import TOWN
from pbem.rails.scene import CityPlate, DisplayRow, Scene, SpecialLink
from pbem.rails.track import Chain, Seat
from pbem.render import MapGeometry, goods

Ends = tuple[int, int]


def polygon(geometry: MapGeometry, label: Label) -> str:
    """The ``points`` of a hex."""
    return " ".join(f"{x},{y}" for x, y in geometry.polygon(label))


def track(geometry: MapGeometry, pieces: Iterable[tuple[Label, int, int]]) -> str:
    """The ``d`` of a path along pieces of track."""
    return "".join(_piece(geometry, label, a, b) for label, a, b in pieces)


def place(geometry: MapGeometry, labels: Iterable[Label]) -> str:
    """The classes that scroll the middle of hexes into view: where it lies in tenths of the board; empty without
    any hex of the board."""
    centres = [geometry.centre(label) for label in labels if label in geometry.centres]
    if not centres:
        return ""
    middle = (sum(along) / len(centres) for along in zip(*centres, strict=True))
    x, y = (
        max(1, min(9, round(10 * at / size)))
        for at, size in zip(middle, (geometry.width, geometry.height), strict=True)
    )
    return f"x{x} y{y}"


def _piece(geometry: MapGeometry, label: Label, a: int, b: int) -> str:
    (ax, ay), (bx, by) = geometry.side(label, a), geometry.side(label, b)
    if TOWN in (a, b) or (a - b) % 6 == 3:
        return f"M{ax:g} {ay:g}L{bx:g} {by:g}"
    if (b - a) % 6 in (1, 5):
        radius = geometry.radius / 2
        return f"M{ax:g} {ay:g}A{radius:.1f} {radius:.1f} 0 0 {0 if (b - a) % 6 == 1 else 1} {bx:g} {by:g}"
    x, y = geometry.centre(label)
    return f"M{ax:g} {ay:g}Q{x:g} {y:g} {bx:g} {by:g}"


class Growth(Value):
    """A column that feeds a City: half and number of the die, and the cube that comes next (none: it is empty)."""

    half: str
    die: str
    next: str | None


class Place(Value):
    """What is on a hex. ``kind``: that of the City on it (``industry``: it takes a factory), ``town``, or ``land``.

    ``cubes``: how many of each colour, ``None`` for a place that never holds any. ``price``: of a simple tile, as
    printed; ``owners``: of track on it; ``factory``: whose it is.
    """

    label: Label
    d: str
    kind: str
    name: str
    terrain: str
    price: str
    colours: tuple[str, ...] = ()
    letter: str = ""
    cubes: tuple[tuple[str, int], ...] | None = ()
    growth: tuple[Growth, ...] = ()
    owners: tuple[str, ...] = ()
    factory: str = ""
    pill: str = ""
    used_up: bool = False


class Way(Value):
    """A run of track, or a ferry or direct link (``special``). ``ends``: names, ``""`` for one that is open."""

    d: str
    owner: str
    ends: tuple[str, str]
    tiles: int
    complete: bool
    special: bool = False
    price: int | None = None
    public: bool = False


class Cube(Value):
    """A cube (or those of a colour that a full tray shows as one): where it lies, and which Cities accept it."""

    x: float
    y: float
    side: float
    colour: str
    place: str
    accepted: tuple[str, ...]


class Spots:
    def __init__(self, scene: Scene, geometry: MapGeometry) -> None:
        self.scene, self.geometry = scene, geometry

    def places(self) -> Iterator[Place]:
        for label in self.scene.board.hexes:
            city = self._cities.get(label)
            yield self._city(label, city) if city else self._land(label)

    def ways(self) -> Iterator[Way]:
        """All track, and all links that are none."""
        for chain in self.scene.chains:
            yield self._chain(chain)
        for link in self.scene.links:
            yield self._special(link)

    def cubes(self) -> Iterator[Cube]:
        for one in goods(self.scene, self.geometry.frame):
            x, y, side = round(one.x, 1), round(one.y, 1), round(one.side, 1)
            yield Cube(x, y, side, one.colour, self._name(one.at), self._accepting.get(one.colour, ()))

    @cached_property
    def _accepting(self) -> dict[str, tuple[str, ...]]:
        """The Cities that accept a colour; none in a game in which they make cubes."""
        found: dict[str, list[str]] = {}
        for city in () if self.scene.stock else self.scene.cities:
            for colour in city.colours:
                found.setdefault(colour, []).append(city.name or city.label)
        return {colour: tuple(dict.fromkeys(names)) for colour, names in found.items()}

    @cached_property
    def _cities(self) -> dict[Label, CityPlate]:
        return {hex_: city for city in self.scene.cities for hex_ in city.hexes}

    @cached_property
    def _names(self) -> dict[Seat, str]:
        return {row.seat: row.name for row in self.scene.players}

    def _who(self, seat: Seat) -> str:
        """The player of a seat; alone one also runs companies that have none."""
        return self._names.get(seat, seat.capitalize())

    def _name(self, label: Label) -> str:
        city = self._cities.get(label)
        return (city.name if city else self.scene.towns.get(label, "")) or label

    def _outline(self, label: Label) -> str:
        (x, y), *others = self.geometry.polygon(label)
        steps = [f"L{a} {b}" for a, b in others]
        return f"M{x} {y}{''.join(steps)}z"

    def _city(self, label: Label, city: CityPlate) -> Place:
        return Place(
            label,
            self._outline(label),
            "industry" if self.scene.stock else city.kind,
            city.name,
            "",
            "",
            colours=city.colours,
            letter=city.letter,
            cubes=None if city.cubes is None else tuple(Counter(city.cubes).items()),
            growth=tuple(self._growth(city)),
            factory=self._who(city.factory) if city.factory else "",
            pill=city.pill,
            used_up=city.used_up,
        )

    def _growth(self, city: CityPlate) -> Iterator[Growth]:
        for row in (*self.scene.light, *self.scene.dark):
            if row.chip in city.chips:
                half = "dark" if row.chip.startswith("D") else "light"
                yield Growth(half, row.chip[1:] or row.chip, _next(row, city.letter))

    def _land(self, label: Label) -> Place:
        hex_ = self.scene.board.hexes[label]
        price = self.scene.prices.get(hex_.terrain, "") if hex_.price is None else f"${hex_.price}"
        name = self.scene.towns.get(label, "")
        owners = {segment.owner for segment in self.scene.track.get(label, ())}
        return Place(
            label,
            self._outline(label),
            "town" if name else "land",
            name,
            hex_.terrain,
            price,
            cubes=tuple(Counter(self.scene.cubes.get(label, ())).items()),
            owners=tuple(sorted(self._who(owner) if owner else "" for owner in owners)),
        )

    def _chain(self, chain: Chain) -> Way:
        first, last = chain.ends
        return Way(
            track(self.geometry, [(piece.hex, piece.a, piece.b) for piece in chain.pieces]),
            self._who(chain.owner) if chain.owner else "",
            (self._name(first) if first else "", self._name(last) if last else ""),
            len({piece.hex for piece in chain.pieces}),
            chain.complete,
        )

    def _special(self, link: SpecialLink) -> Way:
        first, last = link.joins
        stops = [first, *([link.hex] if link.hex else []), last]
        points = [self.geometry.centre(stop) for stop in stops if stop in self.geometry.centres]
        return Way(
            "M" + "L".join(f"{x} {y}" for x, y in points),
            self._who(link.owner) if link.owner else "",
            (self._name(first), self._name(last)),
            0,
            True,
            special=True,
            price=link.price,
            public=link.public,
        )


def _next(row: DisplayRow, letter: str) -> str | None:
    """The cube that a column gives next: the front one of its City, or of the New City that it feeds."""
    boxes = row.new_boxes if letter and row.new_letter == letter else row.boxes
    return next((cube for cube in boxes if cube is not None), None)
