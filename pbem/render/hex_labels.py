"""Where the labels of hexes stand: in a corner that nothing else covers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from pbem.rails.board import Label
from pbem.rails.hexes import opposite
from pbem.render.geometry import Point
from pbem.render.labels import Surroundings, label_box, label_place, label_size
from pbem.render.names import Name
from pbem.render.pieces import Box, Pieces, PlacedLabel, moved
from pbem.render.printed import is_shut
from pbem.render.type import width

UNLABELLED = frozenset({"water", "impassable"})


def overlap(first: Box, second: Box) -> bool:
    """Whether two boxes (left, top, right, bottom) share an area."""
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


class HexLabels:
    """The labels of one picture."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces

    @cached_property
    def first(self) -> list[PlacedLabel]:
        """The labels as they stand before there are town names."""
        placed = [
            self._label(label, self._surroundings(label))
            for label, hex_ in self.pieces.board.hexes.items()
            if label in self.pieces.near and label not in self.pieces.city_hexes and hex_.terrain not in UNLABELLED
        ]
        return [self._cleared(label, self.pieces.tag_boxes + self._signs_around(label.label)) for label in placed]

    def beside(self, names: Sequence[tuple[Label, Name]]) -> list[PlacedLabel]:
        """The labels of all land hexes but Cities and impassable ones, clear of these town names."""
        boxes = [moved(name.box, *self.pieces.at(town)) for town, name in names] + self.pieces.tag_boxes
        return [self._cleared(label, boxes + self._signs_around(label.label)) for label in self.first]

    def _signs_around(self, label: Label) -> list[Box]:
        """What the signs and trays of Cities next to a hex cover."""
        return [box for beyond in self.pieces.board.neighbours[label] for box in self._signs_of.get(beyond or "", ())]

    @cached_property
    def _signs_of(self) -> Mapping[Label, list[Box]]:
        """The boxes of the sign and tray of every City of one hex."""
        return {
            city.label: [moved(box, *self.pieces.middle(city)) for box in furniture_.boxes]
            for city, furniture_ in self.pieces.furnished
            if len(city.hexes) == 1
        }

    def _label(self, label: Label, around: Surroundings) -> PlacedLabel:
        r = self.pieces.lattice.r
        dx, dy = label_place(self.pieces.lattice, label, around)
        x, y = self.pieces.at(label)
        wide = width(label, "medium", label_size(self.pieces.lattice)) / r
        left, top, right, bottom = (side * r for side in label_box(self.pieces.lattice, (dx / r, dy / r), wide))
        return PlacedLabel(label, x + dx, y + dy, (x + left, y + top, x + right, y + bottom))

    def _cleared(self, placed: PlacedLabel, names: list[Box]) -> PlacedLabel:
        """The label in another corner where a town name or a price covers it."""
        x, y = self.pieces.at(placed.label)
        r = self.pieces.lattice.r
        close = [box for box in names if overlap(box, (x - r, y - r, x + r, y + r))]
        if not any(overlap(placed.box, box) for box in close):
            return placed
        around = self._surroundings(placed.label)
        return self._label(placed.label, around._replace(names=tuple(moved(box, -x, -y) for box in close)))

    def _surroundings(self, label: Label) -> Surroundings:
        segments = self.pieces.scene.track.get(label, ())
        around = self.pieces.board.neighbours[label]
        walls = tuple(
            edge
            for edge, beyond in enumerate(around)
            if (label, edge) in self.pieces.board.walls or (beyond, opposite(edge)) in self.pieces.board.walls
        )
        above = not self.pieces.lattice.flat and (
            around[0] in self.pieces.city_hexes or around[5] in self.pieces.city_hexes
        )
        river = () if segments else self.pieces.river(label)
        return Surroundings(
            segments,
            walls,
            river,
            label in self.pieces.scene.towns and not is_shut(self.pieces.scene, label),
            above,
            self._coins_on(label),
            self._cubes_on(label),
            banded=self._banded.get(label, frozenset()),
            ringed=tuple(edge for edge, beyond in enumerate(around) if beyond in self._ringed),
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

    def _cubes_on(self, label: Label) -> tuple[Point, ...]:
        x, y = self.pieces.at(label)
        return tuple((c.x - x, c.y - y) for c in self.pieces.cubes if c.hex == label)

    def _coins_on(self, label: Label) -> tuple[Point, ...]:
        if not self.pieces.scene.track.get(label):
            return ()
        x, y = self.pieces.at(label)
        r = self.pieces.lattice.r
        return tuple((c.x - x, c.y - y) for c in self.pieces.coins if abs(c.x - x) < r and abs(c.y - y) < r)
