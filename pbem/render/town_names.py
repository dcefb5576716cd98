"""Where the names of towns stand: beside them, clear of track, signs, cubes and each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from pbem.rails.board import Label
from pbem.rails.track import Segment
from pbem.render.cubes import CUBE_SIDE
from pbem.render.geometry import Point
from pbem.render.large_labels import PlacedLabel
from pbem.render.names import REACH_X, REACH_Y, Name, Near, place_name, reach
from pbem.render.palette import COIN, TOWN_TRACK
from pbem.render.pieces import Box, Pieces, moved
from pbem.render.printed import is_shut
from pbem.render.spans import span

RUNG = 0.12
"""Half the width of a ferry, in hex radii."""
HEX = 1.2
"""How far what lies on a hex reaches from its middle, with the room beside its track, in hex radii."""


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
        (x0, y0), r = pieces.at(town), pieces.lattice.r
        wide, high = reach
        west, north, east, south = x0 - wide, y0 - high, x0 + wide, y0 + high
        left, top, right, bottom = x0 - REACH_X * r, y0 - REACH_Y * r, x0 + REACH_X * r, y0 + REACH_Y * r
        far, low = wide + HEX * r, high + HEX * r
        hexes = [one for one in pieces.plan.two_steps(town) if abs(one[1]) < far and abs(one[2]) < low]
        boxes = [
            moved((a, b, c, d), -x0, -y0)
            for a, b, c, d in (*self._boxes, *placed)
            if a < east and c > west and b < south and d > north
            if (left < a < right and top < b < bottom) or (left < c < right and top < d < bottom)
        ]
        near = [self.labels[one] for one in pieces.plan.in_reach(town) if one != town and one in self.labels]
        labels = [
            moved((a, b, c, d), -x0, -y0)
            for _, x, y, (a, b, c, d), _, _ in near
            if a < east and c > west and b < south and d > north and left < x < right and top < y < bottom
        ]
        discs = [
            (x - x0, y - y0, room)
            for x, y, room in self._coins
            if west - room < x < east + room and north - room < y < south + room
            if left < x < right and top < y < bottom
        ]
        rings = pieces.scene.towns
        discs += [(x, y, TOWN_TRACK[0] * r) for label, x, y in hexes if label in rings and label != town]
        return Near(
            tuple((x, y, _unowned(segment)) for label, x, y in hexes for segment in track.get(label, ())),
            tuple((x, y) for label, x, y in hexes if label in pieces.city_hexes),
            tuple(boxes),
            tuple(labels),
            tuple(discs),
            pieces.plan.rivers_near(town),
            is_shut(pieces.scene, town),
        )

    @cached_property
    def _boxes(self) -> list[Box]:
        """What names should not cover: signs, prices, cubes."""
        half = (CUBE_SIDE / 2 + 0.04) * self.pieces.lattice.r
        cubes = [(c.x - half, c.y - half, c.x + half, c.y + half) for c in self.pieces.cubes]
        return [*self.pieces.sign_boxes, *self.pieces.tag_boxes, *cubes]

    @cached_property
    def _coins(self) -> list[tuple[int, int, float]]:
        coins = [(coin.x, coin.y, COIN / 2 * self.pieces.lattice.r) for coin in self.pieces.coins]
        return [*coins, *self._rungs()]

    def _rungs(self) -> Iterator[tuple[int, int, float]]:
        """Ferries and direct links, as discs along them."""
        lattice = self.pieces.lattice
        for link in self.pieces.scene.links:
            way, (x, y) = span(lattice, link, self.pieces.at)
            for px, py in way.points:
                yield round(x + px), round(y + py), RUNG * lattice.r


@lru_cache(maxsize=512)
def _unowned(segment: Segment) -> Segment:
    """The same piece of track, whoever has it."""
    return segment._replace(owner=None)
