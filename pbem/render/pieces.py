"""Where what stands on the board lies in one picture: Cities, coins, prices, cubes, rivers."""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from math import ceil, floor, hypot
from typing import NamedTuple

from pbem.rails.board import Board, Label
from pbem.rails.hexes import opposite
from pbem.rails.scene import CityPlate, Scene
from pbem.rails.track import Segment
from pbem.render import palette as p
from pbem.render.canvas import Part
from pbem.render.cities import Furniture, furniture
from pbem.render.coins import Coin, coins, spot_box, tag_spot
from pbem.render.geometry import Frame, Lattice, Point, curve, near, polar
from pbem.render.labels import PlacedLabel, price_place
from pbem.render.land import PAD, price_size, price_tag, river_lines
from pbem.render.names import REACH_X, REACH_Y
from pbem.render.plates import Plate, plate_of
from pbem.render.track import special_hexes

UNLABELLED = frozenset({"water", "impassable"})
Box = tuple[float, float, float, float]
Hexes = tuple[tuple[Label, int, int], ...]
Lines = tuple[tuple[Point, ...], ...]


class Plan:
    """A board on a lattice; all places are px from the origin of the grid."""

    def __init__(self, board: Board, lattice: Lattice) -> None:
        self.board, self.lattice = board, lattice
        self.centres = {hex_.label: (hex_.x * lattice.dx, hex_.y * lattice.dy) for hex_ in board.hexes.values()}
        self.labelled = tuple(label for label, hex_ in board.hexes.items() if hex_.terrain not in UNLABELLED)
        self._two_steps: dict[Label, Hexes] = {}
        self._rivers_near: dict[Label, Lines] = {}
        self._in_reach: dict[Label, tuple[Label, ...]] = {}
        self._at = {(hex_.x, hex_.y): hex_.label for hex_ in board.hexes.values()}

    def in_picture(self, left: int, top: int) -> Mapping[Label, tuple[int, int]]:
        """The middle of every hex in a picture in which the origin of the grid is there."""
        return {label: (left + x, top + y) for label, (x, y) in self.centres.items()}

    @cached_property
    def rivers(self) -> Mapping[Label, tuple[Point, ...]]:
        """Per hex the points of rivers in it, in px from its middle."""
        return river_lines(self.board, self.lattice)

    @cached_property
    def corner(self) -> tuple[int, int]:
        hx, hy = self.lattice.reach
        left, top = (min(places) for places in zip(*self.centres.values(), strict=True))
        return left - round(PAD + hx), top - round(PAD + hy)

    @cached_property
    def walls(self) -> Mapping[Label, tuple[int, ...]]:
        """The impassable sides of every hex, from whichever side they are printed."""
        walls = self.board.walls
        return {
            label: tuple(
                edge
                for edge, beyond in enumerate(around)
                if (label, edge) in walls or (beyond is not None and (beyond, opposite(edge)) in walls)
            )
            for label, around in self.board.neighbours.items()
        }

    @cached_property
    def special(self) -> Mapping[Label, str]:
        return {label: min(self.board.hexes[label].tags, default="") for label in special_hexes(self.board)}

    def two_steps(self, label: Label) -> Hexes:
        """The hexes within two steps of one, with their middles in px from its own."""
        if label not in self._two_steps:
            x0, y0 = self.centres[label]
            found = ((one, *self.centres[one]) for one in near(self.board, label, 2))
            self._two_steps[label] = tuple((one, x - x0, y - y0) for one, x, y in found)
        return self._two_steps[label]

    def rivers_near(self, label: Label) -> Lines:
        """The rivers through those hexes, in px from its middle."""
        if label not in self._rivers_near:
            lines = [(self.rivers.get(one, ()), x, y) for one, x, y in self.two_steps(label)]
            self._rivers_near[label] = tuple(
                tuple((x + dx, y + dy) for dx, dy in line) for line, x, y in lines if len(line) > 1
            )
        return self._rivers_near[label]

    def in_reach(self, label: Label) -> tuple[Label, ...]:
        """The hexes of which some part lies where the name of a town can stand."""
        if label not in self._in_reach:
            (x0, y0), r = self.centres[label], self.lattice.r
            self._in_reach[label] = tuple(
                one
                for one, (x, y) in self.centres.items()
                if abs(x - x0) < (REACH_X + 1.1) * r and abs(y - y0) < (REACH_Y + 1.1) * r
            )
        return self._in_reach[label]

    def under(self, box: Box) -> Iterator[Label]:
        """The hexes whose square (a radius to each side) shares an area with a box."""
        left, top, right, bottom = box
        r, dx, dy = self.lattice.r, self.lattice.dx, self.lattice.dy
        for x in range(floor((left - r) / dx), ceil((right + r) / dx) + 1):
            if not left - r < x * dx < right + r:
                continue
            for y in range(floor((top - r) / dy), ceil((bottom + r) / dy) + 1):
                if top - r < y * dy < bottom + r and (label := self._at.get((x, y))) is not None:
                    yield label


@lru_cache(maxsize=32)
def plan_of(board: Board, lattice: Lattice) -> Plan:
    return Plan(board, lattice)


CIRCLE, CUBE_SIDE = 0.50, 0.40
CLEAR = 0.36
"""From the axis of a piece of track to the middle of a cube that does not touch it."""


class PlacedCube(NamedTuple):
    hex: Label
    colour: str
    x: int
    y: int


def moved(box: Box, x: float, y: float) -> Box:
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


class Pieces:
    """One scene in one frame. All positions are px of the picture."""

    def __init__(self, scene: Scene, frame: Frame, near: frozenset[Label] | None = None) -> None:
        """``near``: the hexes that are in the picture, where it shows only part of the board."""
        self.scene, self.frame = scene, frame
        self.board, self.lattice = scene.board, frame.lattice
        self.plan = plan_of(scene.board, frame.lattice)
        self.near = frozenset(scene.board.hexes) if near is None else near
        self._at = self.plan.in_picture(frame.left, frame.top)

    def at(self, label: Label) -> tuple[int, int]:
        return self._at[label]

    @cached_property
    def city_hexes(self) -> frozenset[Label]:
        return frozenset(hex_ for city in self.scene.cities for hex_ in city.hexes)

    def middle(self, city: CityPlate) -> tuple[int, int]:
        """Where the furniture of a City stands: the middle of its hexes."""
        if len(city.hexes) == 1:
            return self.at(city.hexes[0])
        spots = [self.at(hex_) for hex_ in city.hexes]
        return round(sum(x for x, _ in spots) / len(spots)), round(sum(y for _, y in spots) / len(spots))

    @cached_property
    def furnished(self) -> list[tuple[CityPlate, Furniture]]:
        marks = self.scene.marks
        found = []
        for city in self.scene.cities:
            if not self.near & set(city.hexes):
                continue
            plate: Plate = plate_of(
                city,
                beside_city=self._beside_city(city),
                amber=marks.grown.get(city.label, ()),
                gap=marks.taken_from == city.label,
                walls=self.plan.walls[city.label] if len(city.hexes) == 1 else (),
            )
            found.append((city, furniture(self.lattice, plate)))
        return found

    def _beside_city(self, city: CityPlate) -> bool:
        return any(
            beyond in self.city_hexes and beyond not in city.hexes
            for hex_ in city.hexes
            for beyond in self.board.neighbours[hex_]
        )

    @cached_property
    def sign_boxes(self) -> list[Box]:
        return [moved(box, *self.middle(city)) for city, furniture_ in self.furnished for box in furniture_.boxes]

    @cached_property
    def coins(self) -> list[Coin]:
        return coins(self.board, self.lattice, self.scene.track, self.scene.chains, self.at)

    @cached_property
    def prices(self) -> list[PlacedLabel]:
        """The prices printed on single hexes, where track leaves room for them."""
        found = []
        for label, hex_ in self.board.hexes.items():
            if hex_.price is None or label not in self.near or label in self.city_hexes:
                continue
            tag = price_tag(f"${hex_.price}", price_size(self.lattice))
            segments = tuple(s._replace(owner=None) for s in self.scene.track.get(label, ()))
            place = price_place(self.lattice, tag.width, tag.height, segments, label in self.scene.towns)
            if place is not None:
                x, y = self.at(label)[0] + place[0], self.at(label)[1] + place[1]
                half = tag.width / 2, tag.height / 2
                found.append(PlacedLabel(label, x, y, (x - half[0], y - half[1], x + half[0], y + half[1])))
        return found

    @cached_property
    def tags(self) -> Mapping[str, tuple[int, int]]:
        """The middle of the price or coin of each special link that has one, by its id."""
        shown = [
            link for link in self.scene.links if not link.public and (link.owner is not None or link.price is not None)
        ]
        return {link.id: tag_spot(self.lattice, link, self.at, self.sign_boxes) for link in shown}

    @cached_property
    def tag_boxes(self) -> list[Box]:
        links = [link for link in self.scene.links if link.id in self.tags]
        return [price.box for price in self.prices] + [
            spot_box(self.lattice, link, self.tags[link.id]) for link in links
        ]

    @cached_property
    def cubes(self) -> list[PlacedCube]:
        found = []
        for hex_, colours in self.scene.cubes.items():
            x, y = self.at(hex_)
            segments = self.scene.track.get(hex_, ())
            free = cube_places(self.lattice, segments, hex_ in self.scene.towns, len(colours))
            for colour, (dx, dy) in zip(colours, free, strict=True):
                found.append(PlacedCube(hex_, colour, round(x + dx), round(y + dy)))
        return found

    def under(self, box: Box) -> Iterator[Label]:
        """The hexes whose square (a radius to each side) shares an area with a box."""
        return self.plan.under(moved(box, -self.frame.left, -self.frame.top))


@lru_cache(maxsize=512)
def cube_places(lattice: Lattice, segments: tuple[Segment, ...], town: bool, count: int) -> tuple[Point, ...]:
    """As many places as there are cubes, in px from the middle of the hex."""
    if not segments and not town:
        step = 0.44
        return tuple(((i - (count - 1) / 2) * step * lattice.r, 0.0) for i in range(count))
    ring = [polar(CIRCLE, angle) for angle in (0, 180, *range(30, 180, 30), *range(210, 360, 30))]
    chosen: list[Point] = []
    for _ in range(count):
        best = max(ring, key=lambda place: (min(CLEAR, _room(lattice, place, segments, chosen)), -ring.index(place)))
        chosen.append(best)
    return tuple((x * lattice.r, y * lattice.r) for x, y in chosen)


def _room(lattice: Lattice, place: Point, segments: tuple[Segment, ...], chosen: list[Point]) -> float:
    """The distance of a place from all track of its hex, less where a cube lies already."""
    x, y = place
    found = [1.0]
    for segment in segments:
        way = curve(lattice, segment.a, segment.b)
        points = [way.at(way.length * i / 16)[0] for i in range(17)]
        found += [hypot(x - a / lattice.r, y - b / lattice.r) for a, b in points]
    found += [hypot(x - a, y - b) - 0.1 for a, b in chosen]
    return min(found)


class Lying(NamedTuple):
    """A cube, or some of one colour that a full tray shows as one: where it lies and its left upper corner and side."""

    at: Label
    colour: str
    x: float
    y: float
    side: float


def goods(scene: Scene, frame: Frame) -> Iterator[Lying]:
    """Every cube on the board of a scene, in px of the picture in which its frame lies."""
    pieces = Pieces(scene, frame)
    side = round(CUBE_SIDE * pieces.lattice.r)
    for one in pieces.cubes:
        yield Lying(one.hex, one.colour, one.x - side / 2, one.y - side / 2, side)
    for city, stands in pieces.furnished:
        x, y = pieces.middle(city)
        for part, across, down in stands.parts:
            for colour, left, top, wide in _in(part):
                yield Lying(city.label, colour, x + across + left, y + down + top, wide)


def _in(part: Part) -> Iterator[tuple[str, float, float, float]]:
    """The cubes that a part is made of, from its middle: an edge, an area upon it, a letter upon that."""
    for edge, area, letter in zip(part.drawn, part.drawn[1:], part.drawn[2:], strict=False):
        if (edge.kind, area.kind, letter.kind) != ("box", "box", "text"):
            continue
        for colour, good in p.GOODS.items():
            if (edge.fill, area.fill, letter.text) == (good.edge, good.fill, good.letter):
                left, top, right, _ = edge.points
                yield colour, left + part.origin[0], top + part.origin[1], right - left
