"""Where the names of towns stand: beside them, clear of track, signs, cubes and each other."""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from pbem.rails.board import Label
from pbem.rails.track import Segment
from pbem.render.geometry import Point
from pbem.render.large_labels import PlacedLabel
from pbem.render.names import REACH_X, REACH_Y, Name, Near, place_name, reach
from pbem.render.palette import COIN, TOWN_TRACK
from pbem.render.pieces import CUBE_SIDE, Box, Pieces, moved
from pbem.render.printed import is_shut
from pbem.render.spans import span

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
        """The box, measured from the middle."""
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
        """The names of towns, one after the other so that none covers another."""
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
