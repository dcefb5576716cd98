"""A picture as a list of what is laid upon it, one over the other: it can be drawn whole, or any part of it.

What a part of the picture shows is decided by what is laid there and in which order, and by nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from struct import Struct
from typing import NamedTuple

from PIL import Image

from pbem.render.canvas import Ground, Part
from pbem.render.palette import PAPER, Colour
from pbem.render.type import Mask

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in px; the last two lie outside."""
Touch = tuple[Part | Ground | Mask | None, Colour, int, int, int, int]
"""What is laid (nothing: an area of a colour), in which colour (one that has its own: any), and its box."""

Laid = tuple[bytes, ...]
"""What is laid where in which colour, in parts, each a row of ``RECORD``: the same for whatever looks the same."""
RECORD = Struct("<Q3B4i")
"""A touch: the key of what is laid, its colour, its box."""


def records(touches: Sequence[Touch]) -> bytes:
    """A record of each."""
    pack = RECORD.pack
    return b"".join(
        [
            pack(0 if what is None else what.key, *colour, left, top, right, bottom)
            for what, colour, left, top, right, bottom in touches
        ]
    )


class Panel(NamedTuple):
    """What is laid in some place of many pages, with its records."""

    touches: tuple[Touch, ...]
    laid: Laid


class Sketch:
    """What is laid on paper of a size."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.touches: list[Touch] = []
        self._known: list[tuple[int, int, Laid]] = []

    def lay(self, part: Part, x: int, y: int) -> None:
        """Lay a part, its middle on (x, y)."""
        left, top = x + part.left, y + part.top
        self.touches.append((part, PAPER, left, top, left + part.across, top + part.down))

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

    def panel(self) -> Panel:
        """All that is laid, to be taken by other pages."""
        return Panel(tuple(self.touches), self.laid())

    def take(self, panel: Panel) -> None:
        """Lay what was laid on another page already."""
        start = len(self.touches)
        self.touches += panel.touches
        self._known.append((start, len(self.touches), panel.laid))

    def take_all(self, panels: Iterable[Panel]) -> None:
        """Lay several as one, each of one part."""
        start = len(self.touches)
        found: list[bytes] = []
        for panel in panels:
            self.touches += panel.touches
            found += panel.laid
        self._known.append((start, len(self.touches), (b"".join(found),)))

    def laid(self) -> Laid:
        """The records of all that is laid, in as many parts on pages that are made in the same way."""
        found: list[bytes] = []
        at = 0
        for start, end, known in self._known:
            found += [records(self.touches[at:start]), *known]
            at = end
        return (*found, records(self.touches[at:]))

    def picture(self) -> Image.Image:
        """The whole picture in full colour."""
        return self._drawn((0, 0, self.width, self.height), self.touches)

    def cut(self, box: Box) -> Image.Image:
        """What a part of the picture shows, in full colour."""
        left, top, right, bottom = box
        # most lies above or below
        there = [t for t in self.touches if t[5] > top and t[3] < bottom and t[2] < right and t[4] > left]
        return self._drawn(box, there)

    @staticmethod
    def _drawn(box: Box, touches: list[Touch]) -> Image.Image:
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
