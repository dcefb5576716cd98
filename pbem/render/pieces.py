"""Where what stands on the board lies in one picture: Cities, coins, prices, cubes, rivers."""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from math import hypot
from typing import NamedTuple

from pbem.rails.board import Label
from pbem.rails.scene import CityPlate, Scene
from pbem.rails.track import Segment
from pbem.render.cities import Furniture, furniture
from pbem.render.coins import Coin, coins
from pbem.render.geometry import Frame, Lattice, Point, curve, polar
from pbem.render.labels import price_place
from pbem.render.land import price_size, price_tag
from pbem.render.large_labels import PlacedLabel
from pbem.render.plan import plan_of
from pbem.render.plates import Plate, plate_of
from pbem.render.spans import spot_box, tag_spot

CIRCLE, CUBE_SIDE = 0.50, 0.40
CLEAR = 0.36
"""From the axis of a piece of track to the middle of a cube that does not touch it."""
Box = tuple[float, float, float, float]


class PlacedCube(NamedTuple):
    """A cube on land or on a town, with its middle in px of the picture."""

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
