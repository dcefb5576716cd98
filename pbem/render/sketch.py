"""A picture as a list of what is laid upon it, one over the other: it can be drawn whole, or any part of it.

What a part of the picture shows is decided by what is laid there and in which order, and by nothing else.
"""

from functools import lru_cache

from PIL import Image
from typing_extensions import override

from pbem.render.canvas import Ground, Part, Point
from pbem.render.palette import HALO, PAPER, Colour
from pbem.render.type import CAP, Mask, mask, stencil, width

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in px; the last two lie outside."""
Touch = tuple[Part | Ground | Mask | None, Colour, int, int, int, int]
"""What is laid (nothing: an area of a colour), in which colour (one that has its own: any), and its box."""


class Sketch:
    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.touches: list[Touch] = []

    def lay(self, part: Part, x: int, y: int) -> None:
        """Lay a part, its middle on (x, y)."""
        left, top = x + part.left, y + part.top
        self.touches.append((part, PAPER, left, top, left + part.across, top + part.down))

    def middle(self, touch: Touch) -> tuple[int, int]:
        """Where the middle of a part lies that was laid."""
        part, _, left, top, _, _ = touch
        assert isinstance(part, Part)
        return left - part.left, top - part.top

    def ground(self, ground: Ground, left: int, top: int) -> None:
        """Lay a ground, its left upper corner on (left, top)."""
        width, height = ground.size
        self.touches.append((ground, PAPER, left, top, left + width, top + height))

    def tint(self, mask: Mask, colour: Colour, left: int, top: int) -> None:
        """Lay a colour where the mask lets it through; its left upper corner on (left, top)."""
        self.touches.append((mask, colour, left, top, left + mask.across, top + mask.down))

    def rectangle(self, corners: Box, colour: Colour) -> None:
        """Fill an area; the corners are inside, as Pillow has it."""
        left, top, right, bottom = corners
        self.touches.append((None, colour, left, top, right + 1, bottom + 1))

    def frame(self, corners: Box, colour: Colour, wide: int = 1) -> None:
        """A line along the inside of an area, whose corners are inside."""
        left, top, right, bottom = corners
        self.rectangle((left, top, right, top + wide - 1), colour)
        self.rectangle((left, bottom - wide + 1, right, bottom), colour)
        self.rectangle((left, top, left + wide - 1, bottom), colour)
        self.rectangle((right - wide + 1, top, right, bottom), colour)

    def picture(self) -> Image.Image:
        return self.drawn((0, 0, self.width, self.height), self.touches)

    @staticmethod
    def drawn(box: Box, touches: list[Touch]) -> Image.Image:
        """What a part of a picture shows in full colour, on which nothing else is laid."""
        x, y, far, low = box
        page = Image.new("RGB", (far - x, low - y), PAPER)
        for what, colour, left, top, right, bottom in touches:
            place = left - x, top - y
            if isinstance(what, Part):
                page.paste(what.image, place, what.image)
            elif isinstance(what, Ground):
                what.onto(page, place)
            elif isinstance(what, Mask):
                page.paste(colour, place, what.image)
            else:
                page.paste(colour, (*place, right - x, bottom - y))
        return page


class Outlines(Sketch):
    """A sketch for those who write elements and need no pixels: of a part it notes the middle alone."""

    @override
    def lay(self, part: Part, x: int, y: int) -> None:
        self.touches.append((part, PAPER, x, y, x, y))

    @override
    def middle(self, touch: Touch) -> tuple[int, int]:
        return touch[2], touch[3]


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
