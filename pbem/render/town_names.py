"""Where the names of towns stand: beside them, clear of track, signs, cubes and each other."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rails.board import Label
from pbem.render.cubes import CUBE_SIDE
from pbem.render.geometry import Point
from pbem.render.names import Name, Near, place_name
from pbem.render.palette import COIN, TOWN_TRACK
from pbem.render.pieces import Pieces, PlacedLabel, moved
from pbem.render.printed import is_shut, special_hexes, special_name


class TownNames:
    """The names of one picture; ``labels``: where hex labels would stand without them."""

    def __init__(self, pieces: Pieces, labels: Sequence[PlacedLabel]) -> None:
        self.pieces, self.labels = pieces, labels

    def all(self) -> list[tuple[Label, Name]]:
        """The names of towns, one after the other so that none covers another."""
        found: list[tuple[Label, Name]] = []
        named = {label: special_name(self.pieces.board, label) for label in special_hexes(self.pieces.board)}
        named.update(self.pieces.scene.towns)
        for label in sorted(self.pieces.near & set(named)):
            if named[label]:
                found.append((label, place_name(self.pieces.lattice, named[label], self._near(label, found))))
        return found

    def _near(self, town: Label, placed: list[tuple[Label, Name]]) -> Near:
        x0, y0 = self.pieces.at(town)
        r = self.pieces.lattice.r
        reach_x, reach_y = 3.4 * r, 2.2 * r

        def close(x: float, y: float) -> bool:
            return abs(x - x0) < reach_x and abs(y - y0) < reach_y

        hexes = [(label, *self.pieces.at(label)) for label in self._within(town)]
        tracks = tuple(
            (x - x0, y - y0, segment._replace(owner=None))
            for label, x, y in hexes
            for segment in self.pieces.scene.track.get(label, ())
        )
        cities = tuple((x - x0, y - y0) for label, x, y in hexes if label in self.pieces.city_hexes)
        boxes = [box for box in self.pieces.sign_boxes if close(box[0], box[1]) or close(box[2], box[3])]
        boxes += self.pieces.tag_boxes
        boxes += [moved(name.box, *self.pieces.at(label)) for label, name in placed]
        half = (CUBE_SIDE / 2 + 0.04) * r
        boxes += [(c.x - half, c.y - half, c.x + half, c.y + half) for c in self.pieces.cubes if close(c.x, c.y)]
        discs = [(c.x - x0, c.y - y0, COIN / 2 * r) for c in self.pieces.coins if close(c.x, c.y)]
        discs += [
            (x - x0, y - y0, TOWN_TRACK[0] * r)
            for label, x, y in hexes
            if label in self.pieces.scene.towns and label != town
        ]
        return Near(
            tracks,
            cities,
            tuple(moved(box, -x0, -y0) for box in boxes if close(box[0], box[1]) or close(box[2], box[3])),
            tuple(
                moved(label.box, -x0, -y0) for label in self.labels if label.label != town and close(label.x, label.y)
            ),
            tuple(discs),
            self._rivers_near(town, hexes),
            is_shut(self.pieces.scene, town),
        )

    def _rivers_near(self, town: Label, hexes: list[tuple[Label, int, int]]) -> tuple[tuple[Point, ...], ...]:
        x0, y0 = self.pieces.at(town)
        return tuple(
            tuple((x + dx - x0, y + dy - y0) for dx, dy in self.pieces.river(label))
            for label, x, y in hexes
            if len(self.pieces.river(label)) > 1
        )

    def _within(self, town: Label) -> list[Label]:
        """The hexes within two steps of a town."""
        found = {town: None}
        for _ in range(2):
            for label in list(found):
                found.update({n: None for n in self.pieces.board.neighbours[label] if n is not None})
        return list(found)
