"""Where cubes lie in a picture, for what is laid over it: on land, on towns and in the trays of Cities."""

from collections.abc import Iterator
from typing import NamedTuple

from pbem.rails.board import Label
from pbem.rails.scene import Scene
from pbem.render import palette as p
from pbem.render.canvas import Part
from pbem.render.geometry import Frame
from pbem.render.pieces import Pieces

SIDE = 0.40
"""Of a cube on land, in hex radii."""


class Lying(NamedTuple):
    """A cube, or some of one colour that a full tray shows as one: where it lies and its left upper corner and side."""

    at: Label
    colour: str
    x: float
    y: float
    side: float


def goods(scene: Scene, frame: Frame) -> Iterator[Lying]:
    """Every cube on the board of a scene, in px of the picture in which its frame lies."""
    pieces = Pieces(scene, frame)
    side = round(SIDE * pieces.lattice.r)
    for one in pieces.cubes:
        yield Lying(one.hex, one.colour, one.x - side / 2, one.y - side / 2, side)
    for city, furniture in pieces.furnished:
        x, y = pieces.middle(city)
        for part, across, down in furniture.parts:
            for colour, left, top, wide in _in(part):
                yield Lying(city.label, colour, x + across + left, y + down + top, wide)


def _in(part: Part) -> Iterator[tuple[str, float, float, float]]:
    """The cubes that a part is made of, from its middle: an edge, an area upon it, a letter upon that."""
    for edge, area, letter in zip(part.drawn, part.drawn[1:], part.drawn[2:], strict=False):
        if (edge.kind, area.kind, letter.kind) != ("box", "box", "text"):
            continue
        for colour, good in p.GOODS.items():
            if (edge.fill, area.fill, letter.text) == (good.edge, good.fill, good.letter):
                left, top, right, _ = edge.points
                yield colour, left + part.origin[0], top + part.origin[1], right - left
