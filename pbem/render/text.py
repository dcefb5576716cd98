"""Words on a page at their final size."""

from __future__ import annotations

from pbem.render.canvas import Point
from pbem.render.palette import HALO, Colour
from pbem.render.sketch import Sketch
from pbem.render.type import CAP, mask, width


def write(
    page: Sketch,
    place: Point,
    text: str,
    weight: str,
    size: float,
    colour: Colour,
    *,
    align: str = "middle",
    halo: float = 0,
) -> float:
    """Write a text with the middle of its capitals at ``place``; ``align``: ``left``, ``middle`` or ``right``.

    ``halo``: px of light around the letters. Returns the width of the text in px.
    """
    wide = width(text, weight, size)
    x, y = place
    start = round(x - {"left": 0.0, "middle": wide / 2, "right": wide}[align])
    base = round(y + size * CAP / 2)
    if halo:
        cut = mask(text, weight, size, round(halo, 1))
        page.tint(cut, HALO, start + cut.dx, base + cut.dy)
    cut = mask(text, weight, size)
    page.tint(cut, colour, start + cut.dx, base + cut.dy)
    return wide
