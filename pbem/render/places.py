"""Where everything that is placed by rule lies in one picture: what stands on the board, hex labels, town names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from pbem.rails.board import Label
from pbem.rails.track import Segment
from pbem.render.coins import span
from pbem.render.geometry import Point
from pbem.render.labels import PlacedLabel, Surroundings, label_spot, large_spot, placed_label, small_label
from pbem.render.names import REACH_X, REACH_Y, Name, Near, place_name, reach
from pbem.render.palette import COIN, TOWN_TRACK
from pbem.render.pieces import CUBE_SIDE, Box, Pieces, moved
from pbem.render.track import is_shut

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
            if len(city.hexes) > 1:
                continue
            middle, r = self.pieces.middle(city), self.pieces.lattice.r
            boxes = [moved(sign, *middle) for sign in furniture.boxes]
            for label in filter(None, self.pieces.board.neighbours[city.label]):
                x, y = self.pieces.at(label)
                if signs := [box for box in boxes if overlap(box, (x - r, y - r, x + r, y + r))]:
                    found.setdefault(label, []).extend(signs)
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


RUNG = 0.12
"""Half the width of a ferry, in hex radii."""
HEX = 1.2
"""How far what lies on a hex reaches from its middle, with the room beside its track, in hex radii."""


class _Field:
    """The field around a town, measured from its middle.

    ``reach``: how far the name can come. ``rim``: what lies beyond it decides nothing.
    """

    def __init__(self, middle: tuple[int, int], reach: Point, rim: Point) -> None:
        self.x, self.y = middle
        self.reach, self.rim = reach, rim

    def near(self, x: float, y: float) -> bool:
        return abs(x - self.x) < self.rim[0] and abs(y - self.y) < self.rim[1]

    def meets(self, box: Box, room: float = 0) -> bool:
        """Whether the name could come nearer than ``room`` to a box."""
        left, top, right, bottom = box
        wide, high = self.reach[0] + room, self.reach[1] + room
        across = left < self.x + wide and right > self.x - wide
        return across and top < self.y + high and bottom > self.y - high

    def meets_box(self, box: Box) -> bool:
        """Whether the name could cover a box of which a corner lies within the rim."""
        left, top, right, bottom = box
        return self.meets(box) and (self.near(left, top) or self.near(right, bottom))

    def moved(self, box: Box) -> Box:
        return moved(box, -self.x, -self.y)

    def discs(self, discs: Sequence[tuple[int, int, float]]) -> Iterator[tuple[int, int, float]]:
        """Those that the name could come near, measured from the middle."""
        for x, y, room in discs:
            if self.near(x, y) and self.meets((x, y, x, y), room):
                yield x - self.x, y - self.y, room


class TownNames:
    """The names of one picture; ``labels``: where hex labels would stand without them."""

    def __init__(self, pieces: Pieces, labels: Sequence[PlacedLabel]) -> None:
        self.pieces = pieces
        self.labels = {label.label: label for label in labels}

    def all(self) -> list[tuple[Label, Name]]:
        found: list[tuple[Label, Name]] = []
        placed: list[Box] = []
        named = {**self.pieces.plan.special, **self.pieces.scene.towns}
        for label in sorted(self.pieces.near & set(named)):
            if text := named[label]:
                near = self._near(label, placed, reach(self.pieces.lattice, text))
                found.append((label, name := place_name(self.pieces.lattice, text, near)))
                placed.append(moved(name.box, *self.pieces.at(label)))
        return found

    def _near(self, town: Label, placed: list[Box], reach: Point) -> Near:
        """What lies near a town; ``reach``: how far its name can. What lies beyond is left out: it decides nothing."""
        pieces, track = self.pieces, self.pieces.scene.track
        r = pieces.lattice.r
        field = _Field(pieces.at(town), reach, (REACH_X * r, REACH_Y * r))
        far, low = reach[0] + HEX * r, reach[1] + HEX * r
        hexes = [one for one in pieces.plan.two_steps(town) if abs(one[1]) < far and abs(one[2]) < low]
        rings = [(x, y, TOWN_TRACK[0] * r) for label, x, y in hexes if label in pieces.scene.towns and label != town]
        return Near(
            tuple((x, y, _unowned(segment)) for label, x, y in hexes for segment in track.get(label, ())),
            tuple((x, y) for label, x, y in hexes if label in pieces.city_hexes),
            tuple(field.moved(box) for box in (*self._boxes, *placed) if field.meets_box(box)),
            tuple(self._labels_near(town, field)),
            (*field.discs(self._coins), *rings),
            pieces.plan.rivers_near(town),
            is_shut(pieces.scene, town),
        )

    def _labels_near(self, town: Label, field: _Field) -> Iterator[Box]:
        for other in self.pieces.plan.in_reach(town):
            one = self.labels.get(other)
            if other != town and one and field.meets(one.box) and field.near(one.x, one.y):
                yield field.moved(one.box)

    @cached_property
    def _boxes(self) -> list[Box]:
        half = (CUBE_SIDE / 2 + 0.04) * self.pieces.lattice.r
        cubes = [(c.x - half, c.y - half, c.x + half, c.y + half) for c in self.pieces.cubes]
        return [*self.pieces.sign_boxes, *self.pieces.tag_boxes, *cubes]

    @cached_property
    def _coins(self) -> list[tuple[int, int, float]]:
        coins = [(coin.x, coin.y, COIN / 2 * self.pieces.lattice.r) for coin in self.pieces.coins]
        return [*coins, *self._rungs()]

    def _rungs(self) -> Iterator[tuple[int, int, float]]:
        lattice = self.pieces.lattice
        for link in self.pieces.scene.links:
            way, (x, y) = span(lattice, link, self.pieces.at)
            for px, py in way.points:
                yield round(x + px), round(y + py), RUNG * lattice.r


@lru_cache(maxsize=512)
def _unowned(segment: Segment) -> Segment:
    return segment._replace(owner=None)


class Places(Pieces):
    @cached_property
    def _hex_labels(self) -> HexLabels:
        return HexLabels(self)

    @cached_property
    def names(self) -> list[tuple[Label, Name]]:
        """The names of towns, one after the other so that none covers another."""
        return TownNames(self, self._hex_labels.first).all()

    @cached_property
    def labels(self) -> list[PlacedLabel]:
        """The labels of all land hexes but Cities and impassable ones; none where the scene wants none."""
        return self._hex_labels.beside(self.names) if self.scene.hex_labels else []
