"""Where the labels of hexes stand: in a corner that nothing else covers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from pbem.rails.board import Label
from pbem.rails.scene import CityPlate
from pbem.rails.track import Chain
from pbem.render.cities import Furniture
from pbem.render.coins import Coin
from pbem.render.geometry import Point, SameBoard
from pbem.render.labels import Spot, Surroundings, label_spot
from pbem.render.large_labels import LargeSpot, PlacedLabel, large_spot, placed_label
from pbem.render.names import Name
from pbem.render.pieces import Box, Pieces, moved
from pbem.render.printed import is_shut

NOTHING: frozenset[tuple[int, int]] = frozenset()


def place_of(pieces: Pieces) -> Hashable:
    """The board and where it lies in the picture."""
    return SameBoard(pieces.board), pieces.frame


def overlap(first: Box, second: Box) -> bool:
    """Whether two boxes (left, top, right, bottom) share an area."""
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


Taken = Mapping[Label, list[Box]]
Covered = list[tuple[Label, Box]]
Spots = Mapping[Label, PlacedLabel]


class Layout(NamedTuple):
    """Where the labels of a picture stand, and all that has decided it: where the same decides it stands the same.

    ``place``: the board and where it lies in the picture. ``on``: what lies on hexes, by hex, of five kinds;
    ``beside``: hexes that matter to those next to them, of two kinds. ``first``: without names of towns, with what is
    ``taken``; ``last``: with them, with what is ``taken_last``. ``signs``: what those of each City cover beside it.
    ``coins``: of these ``chains``.
    """

    place: Hashable
    chains: tuple[Chain, ...]
    coins: list[Coin]
    signs: Mapping[Label, tuple[Furniture, Covered]]
    on: tuple[Mapping[Label, object], ...]
    beside: tuple[frozenset[Label], ...]
    taken: Taken
    first: Spots
    taken_last: Taken
    last: Spots


class HexLabels:
    """The labels of one picture; ``before``: how they stood on another one, best of all the one before."""

    def __init__(self, pieces: Pieces, before: Layout | None = None) -> None:
        self.pieces = pieces
        self._around: dict[Label, Surroundings] = {}
        self._before = before if before is not None and before.place == place_of(pieces) else None
        self._last: tuple[Taken, Spots] = {}, {}

    @property
    def layout(self) -> Layout:
        """How the labels stand, for the next picture."""
        first = {one.label: one for one in self.first}
        pieces = self.pieces
        kept = place_of(pieces), pieces.scene.chains, pieces.coins, self._covered
        return Layout(*kept, self._on, self._beside, self._taken_first, first, *self._last)

    @cached_property
    def _on(self) -> tuple[Mapping[Label, object], ...]:
        scene = self.pieces.scene
        return scene.track, dict.fromkeys(scene.towns, True), self._coins, self._cubes, self._banded

    @cached_property
    def _beside(self) -> tuple[frozenset[Label], ...]:
        return self.pieces.city_hexes, self._ringed

    @cached_property
    def _changed(self) -> set[Label]:
        """The hexes on which or next to which something lies otherwise than before."""
        found: set[Label] = set()
        if self._before is not None:
            for old, new in zip(self._before.on, self._on, strict=True):
                found.update(label for label, what in new.items() if old.get(label) != what)
                found.update(label for label in old if label not in new)
            for was, are in zip(self._before.beside, self._beside, strict=True):
                found.update(*(self._and_around(label) for label in was ^ are))
        return found

    def _and_around(self, label: Label) -> Iterable[Label]:
        return (label, *(beyond for beyond in self.pieces.board.neighbours[label] if beyond is not None))

    @cached_property
    def first(self) -> list[PlacedLabel]:
        """The labels as they stand before there are town names."""
        near, built = self.pieces.near, self.pieces.city_hexes
        shown = [label for label in self.pieces.plan.labelled if label in near and label not in built]
        taken, before = self._taken_first, self._before
        old = {} if before is None else before.first
        found = []
        for label in shown:
            same = old.get(label)
            if same is None or before is None or label in self._changed or taken.get(label) != before.taken.get(label):
                same = self._cleared(self._placed(label), taken)
            found.append(same)
        return found

    @cached_property
    def _taken_first(self) -> Taken:
        return self._taken(self.pieces.tag_boxes)

    def beside(self, names: Sequence[tuple[Label, Name]]) -> list[PlacedLabel]:
        """The labels of all land hexes but Cities and impassable ones, clear of these town names and large where
        there is room."""
        boxes = [moved(name.box, *self.pieces.at(town)) for town, name in names]
        taken, before = self._taken(boxes + self.pieces.tag_boxes), self._before
        old = {} if before is None else before.last
        found = []
        for small in self.first:
            label = small.label
            same = old.get(label)
            if (
                same is None
                or before is None
                or label in self._changed
                or before.first[label] is not small
                or taken.get(label) != before.taken_last.get(label)
            ):
                same = self._large(small, taken) or self._cleared(small, taken)
            found.append(same)
        self._last = taken, {one.label: one for one in found}
        return found

    def _large(self, placed: PlacedLabel, taken: Taken) -> PlacedLabel | None:
        """The label as large as there is room, if there is."""
        label = placed.label
        x, y = self.pieces.at(label)
        boxes = taken.get(label, ())
        if label not in self._busy:
            found = self.pieces.plan.roomy(label, label in self.pieces.scene.towns, x, y)
            if found is None or not any(overlap(found.box, box) for box in boxes):
                return found
        spot = self._largest(label, boxes)
        return spot and placed_label(label, spot, x, y)

    def _largest(self, label: Label, boxes: Sequence[Box]) -> LargeSpot | None:
        around = self._surroundings(label)
        if boxes:
            x, y = self.pieces.at(label)
            around = around._replace(names=tuple(moved(box, -x, -y) for box in boxes))
        return large_spot(self.pieces.lattice, label, self.pieces.board.hexes[label].terrain, around)

    def _taken(self, boxes: Iterable[Box]) -> Taken:
        """What names, prices and the signs of Cities next to them cover of hexes."""
        taken = {label: list(signs) for label, signs in self._signs.items()}
        for box in boxes:
            for label in self.pieces.under(box):
                taken.setdefault(label, []).append(box)
        return taken

    @cached_property
    def _signs(self) -> Taken:
        """What the signs and trays of Cities of one hex cover of the hexes next to them."""
        found: dict[Label, list[Box]] = {}
        for _, covered in self._covered.values():
            for label, box in covered:
                found.setdefault(label, []).append(box)
        return found

    @cached_property
    def _covered(self) -> Mapping[Label, tuple[Furniture, Covered]]:
        """The same by City, with the furniture that it is the signs of."""
        before = {} if self._before is None else self._before.signs
        found: dict[Label, tuple[Furniture, Covered]] = {}
        for city, furniture_ in self.pieces.furnished:
            if len(city.hexes) == 1:
                known = before.get(city.label)
                same = known is not None and known[0] is furniture_
                found[city.label] = known if known and same else (furniture_, self._covered_by(city, furniture_))
        return found

    def _covered_by(self, city: CityPlate, furniture_: Furniture) -> Covered:
        beside, middle = self.pieces.board.neighbours[city.label], self.pieces.middle(city)
        boxes = [moved(sign, *middle) for sign in furniture_.boxes]
        return [(label, box) for box in boxes for label in self.pieces.under(box) if label in beside]

    def _placed(self, label: Label) -> PlacedLabel:
        if label in self._busy:
            return self._label(label, self._surroundings(label))
        return self.pieces.plan.free(label, label in self.pieces.scene.towns, *self.pieces.at(label))

    @cached_property
    def _busy(self) -> frozenset[Label]:
        """The hexes on which more lies than is printed there, or next to which something stands."""
        pieces = self.pieces
        beside = pieces.board.neighbours
        found = {*pieces.plan.special, *self._cubes, *self._banded}
        found.update(label for label, segments in pieces.scene.track.items() if segments)
        for label in self._ringed if pieces.lattice.flat else (*self._ringed, *pieces.city_hexes):
            found.update(beyond for beyond in beside[label] if beyond is not None)
        return frozenset(found)

    def _label(self, label: Label, around: Surroundings) -> PlacedLabel:
        return self._at(label, label_spot(self.pieces.lattice, label, around))

    def _at(self, label: Label, spot: Spot) -> PlacedLabel:
        dx, dy, (left, top, right, bottom) = spot
        x, y = self.pieces.at(label)
        return PlacedLabel(label, x + dx, y + dy, (x + left, y + top, x + right, y + bottom))

    def _cleared(self, placed: PlacedLabel, taken: Taken) -> PlacedLabel:
        """The label in another corner where something covers it."""
        boxes = taken.get(placed.label, [])
        if not any(overlap(placed.box, box) for box in boxes):
            return placed
        x, y = self.pieces.at(placed.label)
        around = self._surroundings(placed.label)
        return self._label(placed.label, around._replace(names=tuple(moved(box, -x, -y) for box in boxes)))

    def _surroundings(self, label: Label) -> Surroundings:
        if label not in self._around:
            self._around[label] = self._found_around(label)
        return self._around[label]

    def _found_around(self, label: Label) -> Surroundings:
        pieces = self.pieces
        segments = pieces.scene.track.get(label, ())
        around = pieces.board.neighbours[label]
        return Surroundings(
            segments,
            pieces.plan.walls[label],
            () if segments else pieces.river(label),
            label in pieces.scene.towns and not is_shut(pieces.scene, label),
            not pieces.lattice.flat and (around[0] in pieces.city_hexes or around[5] in pieces.city_hexes),
            self._coins.get(label, ()) if segments else (),
            self._cubes.get(label, ()),
            (),
            self._banded.get(label, NOTHING),
            tuple(edge for edge, beyond in enumerate(around) if beyond in self._ringed) if self._ringed else (),
        )

    @cached_property
    def _banded(self) -> Mapping[Label, frozenset[tuple[int, int]]]:
        """The pieces with an amber band, by hex."""
        marks = self.pieces.scene.marks
        found: dict[Label, frozenset[tuple[int, int]]] = {}
        for piece in (*marks.route, *(piece for step in marks.laid for piece in step)):
            found[piece.hex] = found.get(piece.hex, frozenset()) | {(piece.a, piece.b)}
        return found

    @cached_property
    def _ringed(self) -> frozenset[Label]:
        """The hexes of Cities with an amber ring."""
        marks = self.pieces.scene.marks
        marked = {marks.brought_to, marks.new_city, *marks.cities}
        return frozenset(hex_ for city in self.pieces.scene.cities if city.label in marked for hex_ in city.hexes)

    @cached_property
    def _cubes(self) -> Mapping[Label, tuple[Point, ...]]:
        """The cubes on each hex, in px from its middle."""
        found: dict[Label, tuple[Point, ...]] = {}
        for cube in self.pieces.cubes:
            x, y = self.pieces.at(cube.hex)
            found[cube.hex] = (*found.get(cube.hex, ()), (cube.x - x, cube.y - y))
        return found

    @cached_property
    def _coins(self) -> Mapping[Label, tuple[Point, ...]]:
        """The coins on each hex and around it, in px from its middle."""
        found: dict[Label, tuple[Point, ...]] = {}
        for coin in self.pieces.coins:
            for label in self.pieces.under((coin.x, coin.y, coin.x, coin.y)):
                x, y = self.pieces.at(label)
                found[label] = (*found.get(label, ()), (coin.x - x, coin.y - y))
        return found
