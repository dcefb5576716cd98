"""The pictures drawn last, each as a sketch and as a file: of the next picture of the same game only what differs is
drawn, numbered and compressed. The result is the same to the byte as without.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from threading import Lock

from pbem.render.canvas import STRIP
from pbem.render.deflate import Deflated, Folded, deflated
from pbem.render.encode import file_of, numbered, rows
from pbem.render.heap import give_back
from pbem.render.palette import Colour
from pbem.render.sketch import Box, Sketch, Touch

ROOM = 5_000_000
"""Bytes of pictures that are kept: two with their pixels, about two million each, and some ten without."""
OPEN = 2
"""How many of the last ones are kept with their pixels. Those of the others are unpacked when they are needed."""
TOUCH = 200
"""Bytes of what is known of one touch, about."""
SPARE = 10_000
"""Two areas are drawn as one where that draws at most so many pixels more."""
MOST = 0.5
"""Where more than this share differs, all is drawn."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A picture as it was drawn."""

    touches: tuple[Touch, ...]
    colours: tuple[Colour, ...]
    pixels: Deflated


@dataclass(frozen=True, slots=True)
class Packed:
    """The same without its pixels as they are."""

    touches: tuple[Touch, ...]
    colours: tuple[Colour, ...]
    pixels: Folded

    @classmethod
    def of(cls, kept: Kept) -> Packed:
        """It takes no time: the pixels are in the bands of the file."""
        return cls(kept.touches, kept.colours, kept.pixels.folded())

    def unpacked(self) -> Kept:
        """Takes a millisecond or two."""
        return Kept(self.touches, self.colours, self.pixels.unfolded())


def weight(one: Kept | Packed) -> int:
    """Bytes, about."""
    rows = len(one.pixels.rows) if isinstance(one, Kept) else 0
    return rows + sum(map(len, one.pixels.bands)) + TOUCH * len(one.touches)


class Gallery:
    """The pictures that were drawn last, one by each name; safe for threads."""

    def __init__(self, room: int = ROOM) -> None:
        self._room, self._lock = room, Lock()
        self._kept: OrderedDict[Hashable, Kept | Packed] = OrderedDict()

    def png(self, name: Hashable, sketch: Sketch, colours: tuple[Colour, ...]) -> bytes:
        """The sketch as PNG with these colours; ``name``: what it shares with the pictures it differs little from."""
        place = name, sketch.width, sketch.height, colours
        with self._lock:
            known = self._kept.get(place)
        found = drawn(sketch, colours, known.unpacked() if isinstance(known, Packed) else known)
        with self._lock:
            self._kept[place] = found
            self._kept.move_to_end(place)
            self._pack()
        return file_of(found.pixels, colours)

    def _pack(self) -> None:
        for place, one in list(self._kept.items())[:-OPEN]:
            if isinstance(one, Kept):
                self._kept[place] = Packed.of(one)
        while len(self._kept) > 1 and sum(map(weight, self._kept.values())) > self._room:
            self._kept.popitem(last=False)

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._kept.clear()


def drawn(sketch: Sketch, colours: tuple[Colour, ...], before: Kept | None = None) -> Kept:
    """The sketch drawn; ``before``: a picture of the same size with the same colours."""
    touches, wide = tuple(sketch.touches), sketch.width + 1
    size = sketch.width, sketch.height
    boxes = merged(differing(before.touches, touches), size) if before else [(0, 0, *size)]
    if before is None or sum(map(_area, boxes)) > MOST * sketch.width * sketch.height:
        pixels = deflated(_all_rows(sketch, colours), wide, before.pixels if before else None)
        give_back()
        return Kept(touches, colours, pixels)
    page = bytearray(before.pixels.rows)
    for box in boxes:
        left, top, right, bottom = box
        part = numbered(sketch.cut(box), colours).tobytes()
        across = right - left
        for number, at in enumerate(range(top * wide + left + 1, bottom * wide, wide)):
            page[at : at + across] = part[number * across : (number + 1) * across]
    return Kept(touches, colours, deflated(bytes(page), wide, before.pixels))


def _all_rows(sketch: Sketch, colours: tuple[Colour, ...]) -> bytes:
    """Drawn strip by strip, which takes less memory than a page, and no more time."""
    tops = range(0, sketch.height, STRIP)
    boxes = ((0, top, sketch.width, min(sketch.height, top + STRIP)) for top in tops)
    return b"".join(rows(sketch.cut(box), colours) for box in boxes)


def differing(before: tuple[Touch, ...], after: tuple[Touch, ...]) -> list[Box]:
    """The boxes of what is in one sketch alone, or lies in another order in the other."""
    old, new = set(before), set(after)
    stayed, staying = [t for t in before if t in new], [t for t in after if t in old]
    found = [*(old - new), *(new - old)]
    if stayed != staying:
        found += _apart(stayed, staying)
    return [touch[2:] for touch in found]


def _apart(first: list[Touch], second: list[Touch]) -> list[Touch]:
    """What lies between the ends that two lists have in common."""
    start = next((n for n, (one, other) in enumerate(zip(first, second, strict=False)) if one != other), None)
    start = min(len(first), len(second)) if start is None else start
    one, other = first[start:], second[start:]
    while one and other and one[-1] == other[-1]:
        one.pop()
        other.pop()
    return one + other


def merged(boxes: Iterable[Box], size: tuple[int, int]) -> list[Box]:
    """Boxes within a picture of a size, as fewer boxes that cover them."""
    found: list[Box] = []
    for box in sorted(boxes, key=_top):
        left, top, right, bottom = max(0, box[0]), max(0, box[1]), min(size[0], box[2]), min(size[1], box[3])
        if left >= right or top >= bottom:
            continue
        room = (right - left) * (bottom - top) + SPARE
        at = 0
        while at < len(found):
            a, b, c, d = found[at]
            x, y, far, low = min(a, left), min(b, top), max(c, right), max(d, bottom)
            if (far - x) * (low - y) <= room + (c - a) * (d - b):
                del found[at]
                left, top, right, bottom = x, y, far, low
                room, at = (far - x) * (low - y) + SPARE, 0
            else:
                at += 1
        found.append((left, top, right, bottom))
    return found


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _top(box: Box) -> int:
    return box[1]
