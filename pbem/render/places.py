"""Where everything that is placed by rule lies in one picture: coins, prices, hex labels, town names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from pbem.rails.board import Label
from pbem.rails.hexes import opposite
from pbem.rails.scene import CityPlate, Scene
from pbem.render.cities import Furniture, Plate, furniture, plate_of
from pbem.render.coins import Coin, coins
from pbem.render.cubes import CUBE_SIDE, cube_places
from pbem.render.geometry import Frame, Point
from pbem.render.labels import Surroundings, label_box, label_place, label_size, price_place
from pbem.render.land import price_tag, river_lines
from pbem.render.names import Name, Near, place_name
from pbem.render.palette import COIN, TOWN_TRACK
from pbem.render.printed import is_shut, special_hexes, special_name
from pbem.render.spans import spot_box, tag_spot
from pbem.render.type import width

Box = tuple[float, float, float, float]


class PlacedLabel(NamedTuple):
    """A hex label with its middle and the box of its letters in px of the picture."""

    label: Label
    x: float
    y: float
    box: Box


class PlacedCube(NamedTuple):
    """A cube on land or on a town, with its middle in px of the picture."""

    hex: Label
    colour: str
    x: int
    y: int


UNLABELLED = frozenset({"water", "impassable"})


def overlap(first: Box, second: Box) -> bool:
    """Whether two boxes (left, top, right, bottom) share an area."""
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


class Places:
    """One scene in one frame. All positions are px of the picture."""

    def __init__(self, scene: Scene, frame: Frame, near: frozenset[Label] | None = None) -> None:
        """``near``: the hexes that are in the picture, where it shows only part of the board."""
        self.scene, self.frame = scene, frame
        self.board, self.lattice = scene.board, frame.lattice
        self.near = frozenset(scene.board.hexes) if near is None else near

    def at(self, label: Label) -> tuple[int, int]:
        """The middle of a hex."""
        return self.frame.centre(self.board, label)

    @cached_property
    def city_hexes(self) -> frozenset[Label]:
        return frozenset(hex_ for city in self.scene.cities for hex_ in city.hexes)

    def middle(self, city: CityPlate) -> tuple[int, int]:
        """Where the furniture of a City stands: the middle of its hexes."""
        spots = [self.at(hex_) for hex_ in city.hexes]
        return round(sum(x for x, _ in spots) / len(spots)), round(sum(y for _, y in spots) / len(spots))

    @cached_property
    def furnished(self) -> list[tuple[CityPlate, Furniture]]:
        """Every City with its sign and tray."""
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
    def coins(self) -> list[Coin]:
        """One coin per link and per unfinished section that somebody owns."""
        return coins(self.board, self.lattice, self.scene.track, self.scene.chains, self.at)

    @cached_property
    def prices(self) -> list[PlacedLabel]:
        """The prices printed on single hexes, where track leaves room for them."""
        found = []
        for label, hex_ in self.board.hexes.items():
            if hex_.price is None or label not in self.near or label in self.city_hexes:
                continue
            tag = price_tag(f"${hex_.price}", self.tag_size)
            segments = tuple(s._replace(owner=None) for s in self.scene.track.get(label, ()))
            place = price_place(self.lattice, tag.width, tag.height, segments, label in self.scene.towns)
            if place is not None:
                x, y = self.at(label)[0] + place[0], self.at(label)[1] + place[1]
                half = tag.width / 2, tag.height / 2
                found.append(PlacedLabel(label, x, y, (x - half[0], y - half[1], x + half[0], y + half[1])))
        return found

    @property
    def tag_size(self) -> float:
        """The type size of prices in px."""
        return round(0.33 * self.lattice.r, 1)

    @cached_property
    def tags(self) -> Mapping[str, tuple[int, int]]:
        """The middle of the price or coin of each special link that has one, by its id."""
        shown = [
            link for link in self.scene.links if not link.public and (link.owner is not None or link.price is not None)
        ]
        return {link.id: tag_spot(self.lattice, link, self.at, self.sign_boxes) for link in shown}

    @cached_property
    def tag_boxes(self) -> list[Box]:
        """What prices and coins of special links cover."""
        links = [link for link in self.scene.links if link.id in self.tags]
        return [price.box for price in self.prices] + [
            spot_box(self.lattice, link, self.tags[link.id]) for link in links
        ]

    @cached_property
    def cubes(self) -> list[PlacedCube]:
        """Cubes that lie on land and on towns."""
        found = []
        for hex_, colours in self.scene.cubes.items():
            x, y = self.at(hex_)
            segments = self.scene.track.get(hex_, ())
            free = cube_places(self.lattice, segments, hex_ in self.scene.towns, len(colours))
            for colour, (dx, dy) in zip(colours, free, strict=True):
                found.append(PlacedCube(hex_, colour, round(x + dx), round(y + dy)))
        return found

    @cached_property
    def labels(self) -> list[PlacedLabel]:
        """The labels of all land hexes but Cities and impassable ones."""
        boxes = [self._moved(name.box, *self.at(town)) for town, name in self.names] + self.tag_boxes
        return [self._cleared(label, boxes + self._signs_around(label.label)) for label in self._first_labels]

    @cached_property
    def _first_labels(self) -> list[PlacedLabel]:
        """The labels as they stand before there are town names."""
        placed = [
            self._label(label, self._surroundings(label))
            for label, hex_ in self.board.hexes.items()
            if label in self.near and label not in self.city_hexes and hex_.terrain not in UNLABELLED
        ]
        return [self._cleared(label, self.tag_boxes + self._signs_around(label.label)) for label in placed]

    def _signs_around(self, label: Label) -> list[Box]:
        """What the signs and trays of Cities next to a hex cover."""
        return [box for beyond in self.board.neighbours[label] for box in self._signs_of.get(beyond or "", ())]

    @cached_property
    def _signs_of(self) -> Mapping[Label, list[Box]]:
        """The boxes of the sign and tray of every City of one hex."""
        return {
            city.label: [self._moved(box, *self.middle(city)) for box in furniture_.boxes]
            for city, furniture_ in self.furnished
            if len(city.hexes) == 1
        }

    def _label(self, label: Label, around: Surroundings) -> PlacedLabel:
        r = self.lattice.r
        dx, dy = label_place(self.lattice, label, around)
        x, y = self.at(label)
        wide = width(label, "medium", label_size(self.lattice)) / r
        left, top, right, bottom = (side * r for side in label_box(self.lattice, (dx / r, dy / r), wide))
        return PlacedLabel(label, x + dx, y + dy, (x + left, y + top, x + right, y + bottom))

    def _cleared(self, placed: PlacedLabel, names: list[Box]) -> PlacedLabel:
        """The label in another corner where a town name or a price covers it."""
        x, y = self.at(placed.label)
        r = self.lattice.r
        close = [box for box in names if overlap(box, (x - r, y - r, x + r, y + r))]
        if not any(overlap(placed.box, box) for box in close):
            return placed
        around = self._surroundings(placed.label)
        return self._label(placed.label, around._replace(names=tuple(self._moved(box, -x, -y) for box in close)))

    def _surroundings(self, label: Label) -> Surroundings:
        segments = self.scene.track.get(label, ())
        around = self.board.neighbours[label]
        walls = tuple(
            edge
            for edge, beyond in enumerate(around)
            if (label, edge) in self.board.walls or (beyond, opposite(edge)) in self.board.walls
        )
        above = not self.lattice.flat and (around[0] in self.city_hexes or around[5] in self.city_hexes)
        river = () if segments else self._river(label)
        return Surroundings(
            segments,
            walls,
            river,
            label in self.scene.towns and not is_shut(self.scene, label),
            above,
            self._coins_on(label),
            self._cubes_on(label),
            banded=self._banded.get(label, frozenset()),
            ringed=tuple(edge for edge, beyond in enumerate(around) if beyond in self._ringed),
        )

    @cached_property
    def _banded(self) -> Mapping[Label, frozenset[tuple[int, int]]]:
        """The pieces with an amber band, by hex."""
        marks = self.scene.marks
        found: dict[Label, frozenset[tuple[int, int]]] = {}
        for piece in (*marks.route, *(piece for step in marks.laid for piece in step)):
            found[piece.hex] = found.get(piece.hex, frozenset()) | {(piece.a, piece.b)}
        return found

    @cached_property
    def _ringed(self) -> frozenset[Label]:
        """The hexes of Cities with an amber ring."""
        marks = self.scene.marks
        marked = {marks.brought_to, marks.new_city, *marks.cities}
        return frozenset(hex_ for city in self.scene.cities if city.label in marked for hex_ in city.hexes)

    def _cubes_on(self, label: Label) -> tuple[Point, ...]:
        x, y = self.at(label)
        return tuple((c.x - x, c.y - y) for c in self.cubes if c.hex == label)

    def _coins_on(self, label: Label) -> tuple[Point, ...]:
        if not self.scene.track.get(label):
            return ()
        x, y = self.at(label)
        r = self.lattice.r
        return tuple((c.x - x, c.y - y) for c in self.coins if abs(c.x - x) < r and abs(c.y - y) < r)

    @cached_property
    def _rivers(self) -> Mapping[Label, tuple[Point, ...]]:
        return river_lines(self.board, self.lattice)

    def _river(self, label: Label) -> tuple[Point, ...]:
        return self._rivers.get(label, ())

    @cached_property
    def names(self) -> list[tuple[Label, Name]]:
        """The names of towns, one after the other so that none covers another."""
        found: list[tuple[Label, Name]] = []
        named = {label: special_name(self.board, label) for label in special_hexes(self.board)}
        named.update(self.scene.towns)
        for label in sorted(self.near & set(named)):
            if named[label]:
                found.append((label, place_name(self.lattice, named[label], self._near(label, found))))
        return found

    def _near(self, town: Label, placed: list[tuple[Label, Name]]) -> Near:
        x0, y0 = self.at(town)
        r = self.lattice.r
        reach_x, reach_y = 3.4 * r, 2.2 * r

        def close(x: float, y: float) -> bool:
            return abs(x - x0) < reach_x and abs(y - y0) < reach_y

        hexes = [(label, *self.at(label)) for label in self._within(town)]
        tracks = tuple(
            (x - x0, y - y0, segment._replace(owner=None))
            for label, x, y in hexes
            for segment in self.scene.track.get(label, ())
        )
        cities = tuple((x - x0, y - y0) for label, x, y in hexes if label in self.city_hexes)
        boxes = [box for box in self.sign_boxes if close(box[0], box[1]) or close(box[2], box[3])]
        boxes += self.tag_boxes
        boxes += [self._moved(name.box, *self.at(label)) for label, name in placed]
        half = (CUBE_SIDE / 2 + 0.04) * r
        boxes += [(c.x - half, c.y - half, c.x + half, c.y + half) for c in self.cubes if close(c.x, c.y)]
        discs = [(c.x - x0, c.y - y0, COIN / 2 * r) for c in self.coins if close(c.x, c.y)]
        discs += [
            (x - x0, y - y0, TOWN_TRACK[0] * r) for label, x, y in hexes if label in self.scene.towns and label != town
        ]
        return Near(
            tracks,
            cities,
            tuple(self._moved(box, -x0, -y0) for box in boxes if close(box[0], box[1]) or close(box[2], box[3])),
            tuple(
                self._moved(label.box, -x0, -y0)
                for label in self._first_labels
                if label.label != town and close(label.x, label.y)
            ),
            tuple(discs),
            self._rivers_near(town, hexes),
            is_shut(self.scene, town),
        )

    def _rivers_near(self, town: Label, hexes: list[tuple[Label, int, int]]) -> tuple[tuple[Point, ...], ...]:
        x0, y0 = self.at(town)
        return tuple(
            tuple((x + dx - x0, y + dy - y0) for dx, dy in self._river(label))
            for label, x, y in hexes
            if len(self._river(label)) > 1
        )

    def _within(self, town: Label) -> list[Label]:
        """The hexes within two steps of a town."""
        found = {town: None}
        for _ in range(2):
            for label in list(found):
                found.update({n: None for n in self.board.neighbours[label] if n is not None})
        return list(found)

    @cached_property
    def sign_boxes(self) -> list[Box]:
        return [self._moved(box, *self.middle(city)) for city, furniture_ in self.furnished for box in furniture_.boxes]

    @staticmethod
    def _moved(box: Box, x: float, y: float) -> Box:
        return box[0] + x, box[1] + y, box[2] + x, box[3] + y
