"""The board of an own map by how much robots have used it: six steps of one colour."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from typing_extensions import override

from pbem.engine import Sheet, Value
from pbem.rails.board import SIGNS, Label
from pbem.robot.balance.figures import Figures
from pbem.web.boards.painted import ROOM, PaintedBoard
from pbem.web.boards.pictures import sample

STEPS = 5
"""Above that of what is never used."""
DARK = 3
"""The step from which on words are light."""
LONG = 11
"""Letters from which on a name is written smaller."""
Places = Mapping[Label, tuple[Sequence[Label], str]]


class Placed(Value):
    x: int
    y: int
    name: str
    value: float
    dark: bool
    long: bool


def places(sheet: Sheet) -> Places:
    board = sample(sheet).board
    cities = {city.label: (city.hexes, city.name) for city in board.cities.values()}
    return cities | {label: ((label,), name) for label, name in board.towns.items()}


class HeatBoard(PaintedBoard):
    """``found``: the figures of the places, each of which has all its hexes."""

    def __init__(self, painting: Any, found: Figures, every: Places) -> None:
        super().__init__(painting)
        most = max((use.all for use in found.uses), default=0) or 1
        self._uses = {use.label: use for use in found.uses}
        self._every = every
        self._steps = {label: math.ceil(STEPS * part) for label, part in found.track.items()}
        for label, (hexes, _) in every.items():
            step = math.ceil(STEPS * self._uses[label].all / most)
            self._steps.update(dict.fromkeys(hexes, step))

    @property
    @override
    def box(self) -> tuple[int, int, int, int]:
        xs, ys = zip(*self.places.values(), strict=True)
        return min(xs) - ROOM, min(ys) - ROOM, max(xs) - min(xs) + 2 * ROOM, max(ys) - min(ys) + 2 * ROOM

    @override
    def _kind(self, label: Label, sign: str) -> str:
        if label in self._steps:
            return f"h{self._steps[label]}"
        return "hw" if SIGNS.get(sign) == "water" else "h0"

    def placed(self) -> Iterator[Placed]:
        for label, (_, name) in self._every.items():
            if label in self.places:
                x, y = self.places[label]
                yield Placed(x, y, name, self._uses[label].all, self._steps[label] >= DARK, len(name) >= LONG)
