"""What is drawn on a canvas, as values: Pillow makes pixels of it at once, :mod:`~pbem.render.svg` elements.

Places are px from the canvas's origin, kept as 32-bit floats: every kept part of a picture holds what it is made of.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import NamedTuple

from pbem.render.palette import INK, Colour


class Drawn(NamedTuple):
    """One thing that is drawn. ``points``: x, y, x, y … as its kind needs them.

    ``polygon``: its corners. ``line``: a way of straight pieces, ``size`` px wide. ``stroke``: a smooth way with ends
    square to it, or ``round``. ``flow``: a way of changing width, after every point its width. ``disc``: its middle,
    ``size`` is its radius. ``box``: its left upper and right lower corner, ``size`` is the radius of its corners.
    ``text``: the middle of its capitals, ``size`` that of the type. ``word``: the start of its baseline; its colour is
    said where it is laid, ``grow`` px of it lie around the letters.
    """

    kind: str
    points: array[float]
    size: float = 0.0
    fill: Colour = INK
    round: bool = False
    text: str = ""
    weight: str = ""
    grow: float = 0.0

    def placed(self, place: Callable[[float, float], tuple[float, float]]) -> Drawn:
        """The same with its points somewhere else; not for a flow."""
        return self._replace(points=packed(map(place, self.points[::2], self.points[1::2])))


def packed(points: Iterable[tuple[float, ...]]) -> array[float]:
    """Points, or points with widths, one after the other."""
    return array("f", [number for point in points for number in point])
