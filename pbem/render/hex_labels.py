"""Where the labels of hexes stand: in a corner that nothing else covers."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from pbem.rails.board import Label
from pbem.render.geometry import Point
from pbem.render.labels import Surroundings, label_spot
from pbem.render.large_labels import PlacedLabel, large_spot, placed_label, small_label
from pbem.render.names import Name
from pbem.render.pieces import Box, Pieces, moved
from pbem.render.printed import is_shut

NOTHING: frozenset[tuple[int, int]] = frozenset()


def overlap(first: Box, second: Box) -> bool:
    """Whether two boxes (left, top, right, bottom) share an area."""
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


Taken = Mapping[Label, list[Box]]


class HexLabels:
    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self._around: dict[Label, Surroundings] = {}

    @cached_property
    def first(self) -> list[PlacedLabel]:
        near, built = self.pieces.near, self.pieces.city_hexes
        taken = self._taken(self.pieces.tag_boxes)
        shown = [label for label in self.pieces.plan.labelled if label in near and label not in built]
        return [self._cleared(self._label(label, self._surroundings(label)), taken) for label in shown]

    def beside(self, names: Sequence[tuple[Label, Name]]) -> list[PlacedLabel]:
        """The labels of all land hexes but Cities and impassable ones, clear of these town names and large where
        there is room."""
        taken = self._taken([moved(name.box, *self.pieces.at(town)) for town, name in names] + self.pieces.tag_boxes)
        return [self._large(small, taken) or self._cleared(small, taken) for small in self.first]

    def _large(self, placed: PlacedLabel, taken: Taken) -> PlacedLabel | None:
        label, board = placed.label, self.pieces.board
        x, y = self.pieces.at(label)
        names = tuple(moved(box, -x, -y) for box in taken.get(label, ()))
        around = self._surroundings(label)._replace(names=names)
        spot = large_spot(self.pieces.lattice, label, board.hexes[label].terrain, around)
        return spot and placed_label(label, spot, x, y)

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
        for city, furniture in self.pieces.furnished:
            beside, middle = self.pieces.board.neighbours[city.label], self.pieces.middle(city)
            for box in [moved(sign, *middle) for sign in furniture.boxes] if len(city.hexes) == 1 else ():
                for label in self.pieces.under(box):
                    if label in beside:
                        found.setdefault(label, []).append(box)
        return found

    def _label(self, label: Label, around: Surroundings) -> PlacedLabel:
        return small_label(label, label_spot(self.pieces.lattice, label, around), *self.pieces.at(label))

    def _cleared(self, placed: PlacedLabel, taken: Taken) -> PlacedLabel:
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
            () if segments else pieces.plan.rivers.get(label, ()),
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
        marks = self.pieces.scene.marks
        found: dict[Label, frozenset[tuple[int, int]]] = {}
        for piece in (*marks.route, *(piece for step in marks.laid for piece in step)):
            found[piece.hex] = found.get(piece.hex, frozenset()) | {(piece.a, piece.b)}
        return found

    @cached_property
    def _ringed(self) -> frozenset[Label]:
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
