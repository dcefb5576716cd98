"""Where everything that is placed by rule lies in one picture: what stands on the board, hex labels, town names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from pbem.rails.board import Label
from pbem.rails.scene import Scene
from pbem.rails.track import Segment
from pbem.render.coins import span
from pbem.render.geometry import Frame, Point
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


def differing(one: Mapping[Label, object], other: Mapping[Label, object]) -> set[Label]:
    """Of which hexes two tables tell different things."""
    return {key for key in one.keys() | other.keys() if one.get(key) != other.get(key)}


def differing_hexes(one: Pieces, other: Pieces) -> frozenset[Label]:
    """The hexes with other track, or another town."""
    now, then = one.scene, other.scene
    return frozenset(differing(now.track, then.track) | differing(now.towns, then.towns))


class HexLabels:
    """The labels of one picture; ``before``: those of another of the same board and frame, of which those stay where
    nothing that decides them is other."""

    def __init__(self, pieces: Pieces, before: HexLabels | None = None) -> None:
        self.pieces = pieces
        self._around: dict[Label, Surroundings] = dict(before._around) if before else {}
        self.changed = differing_hexes(pieces, before.pieces) | self._newly(before) if before else frozenset()
        """The hexes on which something else stands than before."""
        for label in self.changed:
            self._around.pop(label, None)
        self._first = self._placed_first(before)
        self._beside: dict[Label, PlacedLabel] = {}
        self._beside_taken: Taken = {}

    def _newly(self, before: HexLabels) -> frozenset[Label]:
        """The hexes around which something else is marked, or lies, than before."""
        found = {*differing(self._cubes, before._cubes), *differing(self._coins, before._coins)}
        found |= differing(self._banded, before._banded)
        beside = (self.pieces.city_hexes ^ before.pieces.city_hexes) | (self._ringed ^ before._ringed)
        neighbours = self.pieces.board.neighbours
        return frozenset(found).union(beside, *({one for one in neighbours[hex_] if one} for hex_ in beside))

    @property
    def first(self) -> list[PlacedLabel]:
        return list(self._first.values())

    def _placed_first(self, before: HexLabels | None) -> dict[Label, PlacedLabel]:
        self._first_taken = taken = self._taken(self.pieces.tag_boxes)
        near, built = self.pieces.near, self.pieces.city_hexes
        found: dict[Label, PlacedLabel] = {}
        if before is not None and built == before.pieces.city_hexes:
            found = dict(before._first)
            shown = [label for label in self.changed | differing(taken, before._first_taken) if label in found]
        else:
            shown = [label for label in self.pieces.plan.labelled if label in near and label not in built]
        for label in shown:
            found[label] = self._cleared(self._label(label, self._surroundings(label)), taken)
        return found

    def beside(self, names: Sequence[tuple[Label, Name]], before: HexLabels | None = None) -> list[PlacedLabel]:
        """The labels of all land hexes but Cities and impassable ones, clear of these town names and large where
        there is room."""
        taken = self._taken([moved(name.box, *self.pieces.at(town)) for town, name in names] + self.pieces.tag_boxes)
        kept: Mapping[Label, PlacedLabel] = {}
        if before is not None and before._beside:
            other = self.changed | differing(taken, before._beside_taken)
            kept = {
                label: placed
                for label, placed in before._beside.items()
                if label not in other and self._first.get(label) == before._first.get(label)
            }
        self._beside_taken = taken
        self._beside = {
            label: kept.get(label) or self._large(small, taken) or self._cleared(small, taken)
            for label, small in self._first.items()
        }
        return list(self._beside.values())

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


RUNG = 0.12
"""Half the width of a ferry, in hex radii."""
HEX = 1.2
"""How far what lies on a hex reaches from its middle, with the room beside its track, in hex radii."""
ASIDE = HEX + 1
"""What lies farther from where a name can come than this does not move it."""


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
    """The names of one picture; ``labels``: where hex labels would stand without them; ``before``: those of another of
    the same board and frame, of which those stay near which nothing is other."""

    def __init__(self, pieces: Pieces, labels: HexLabels, before: TownNames | None = None) -> None:
        self.pieces = pieces
        self._changed = labels.changed
        self.labels = {label.label: label for label in labels.first}
        self._kept = {} if before is None else dict(before.found)
        self._named = {**pieces.plan.special, **pieces.scene.towns}
        self._other = [] if before is None else self._others(before)
        self.found: dict[Label, Name] = {}

    def all(self) -> list[tuple[Label, Name]]:
        """The names of towns, one after the other so that none covers another."""
        placed: list[Box] = []
        for label in sorted(self.pieces.near & set(self._named)):
            text = self._named[label]
            name = self._name(label, text, placed) if text else None
            if name is not None:
                self.found[label] = name
                placed.append(moved(name.box, *self.pieces.at(label)))
            if name is not (kept := self._kept.get(label)):
                self._other += [moved(one.box, *self.pieces.at(label)) for one in (name, kept) if one]
        return list(self.found.items())

    def _name(self, label: Label, text: str, placed: list[Box]) -> Name:
        wide = reach(self.pieces.lattice, text)
        if (kept := self._kept.get(label)) is not None:
            r = self.pieces.lattice.r
            field = _Field(self.pieces.at(label), wide, (REACH_X * r, REACH_Y * r))
            if not any(field.meets(box, ASIDE * r) for box in self._other):
                return kept
        return place_name(self.pieces.lattice, text, self._near(label, placed, wide))

    def _others(self, before: TownNames) -> list[Box]:
        """Whatever lies elsewhere than before, or is other."""
        named = differing(self._named, before._named)
        hexes = named | self._changed | (self.pieces.city_hexes ^ before.pieces.city_hexes)
        found: list[Box] = [(x, y, x, y) for x, y in map(self.pieces.at, hexes)]
        found += {*self._boxes} ^ {*before._boxes}
        found += [(x, y, x, y) for x, y, _ in {*self._coins} ^ {*before._coins}]
        for label in differing(self.labels, before.labels):
            found += [one.box for one in (self.labels.get(label), before.labels.get(label)) if one]
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
    """One scene in one frame: names keep clear of labels, then labels of names.

    ``before``: another scene of the same board in the same frame. What stands where it stood is not placed again.
    """

    def __init__(
        self, scene: Scene, frame: Frame, near: frozenset[Label] | None = None, before: Places | None = None
    ) -> None:
        super().__init__(scene, frame, near)
        self._before = before

    @cached_property
    def _hex_labels(self) -> HexLabels:
        return HexLabels(self, self._before._hex_labels if self._before else None)

    @cached_property
    def _town_names(self) -> TownNames:
        return TownNames(self, self._hex_labels, self._before._town_names if self._before else None)

    @cached_property
    def names(self) -> list[tuple[Label, Name]]:
        """The names of towns, one after the other so that none covers another."""
        return self._town_names.all()

    @cached_property
    def labels(self) -> list[PlacedLabel]:
        """The labels of all land hexes but Cities and impassable ones; none where the scene wants none."""
        if not self.scene.hex_labels:
            return []
        return self._hex_labels.beside(self.names, self._before._hex_labels if self._before else None)

    def settled(self) -> Places:
        """The same with everything placed, so that the one before is no longer needed."""
        _ = self.names, self.labels
        self._before = None
        return self
