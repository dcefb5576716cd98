"""Words on a page at their final size."""

from functools import lru_cache

from pbem.render.canvas import Point
from pbem.render.palette import HALO, Colour
from pbem.render.sketch import Sketch
from pbem.render.type import CAP, Mask, mask, stencil, width

LARGE_WEIGHT, LARGE_HALO = "medium", 2.6


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
    wide, shadow, cut = _word(text, weight, size, round(halo, 1))
    x, y = place
    start = round(x if align == "left" else x - wide / 2 if align == "middle" else x - wide)
    base = round(y + size * CAP / 2)
    if shadow is not None:
        page.tint(shadow, HALO, start + shadow.dx, base + shadow.dy)
    page.tint(cut, colour, start + cut.dx, base + cut.dy)
    return wide


@lru_cache(maxsize=1200)
def _word(text: str, weight: str, size: float, halo: float) -> tuple[float, Mask | None, Mask]:
    return width(text, weight, size), mask(text, weight, size, halo) if halo else None, mask(text, weight, size)


def write_large(page: Sketch, place: Point, text: str, size: float, colour: Colour, ground: Colour | None) -> None:
    """Write a large quiet label with the middle of its capitals at ``place``; ``ground``: what is laid around it."""
    x, y = place
    start, base = round(x - width(text, LARGE_WEIGHT, size) / 2), round(y + size * CAP / 2)
    if ground is not None:
        around = mask(text, LARGE_WEIGHT, size, LARGE_HALO)
        page.tint(around, ground, start + around.dx, base + around.dy)
    cut = stencil(text, LARGE_WEIGHT, size)
    page.tint(cut, colour, start + cut.dx, base + cut.dy)
