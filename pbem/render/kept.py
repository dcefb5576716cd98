"""The pictures drawn last, each by what was laid where and as a file: of the next picture of the same game only what
differs is drawn, numbered and compressed. The result is the same to the byte as without.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from struct import Struct
from threading import Lock
from typing import Self

from pbem.render.canvas import STRIP
from pbem.render.deflate import Deflated, deflated, redone
from pbem.render.encode import file_of, numbered, rows
from pbem.render.heap import give_back
from pbem.render.palette import Colour
from pbem.render.sketch import Box, Sketch, Touch

ROOM = 5_000_000
"""Bytes of pictures that are kept, some thirty: a worker draws the games of many tables in turns."""
SPARE = 10_000
"""Two areas are drawn as one where that draws at most so many pixels more."""
MOST = 0.5
"""Where more than this share differs, all is drawn."""
RECORD = Struct("<Q3B4i")
"""A touch: what is laid, its colour, its box."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A picture as it was drawn. ``laid``: its touches, as ``records`` has them; ``weight``: bytes, about."""

    laid: bytes
    pixels: Deflated
    weight: int

    @classmethod
    def of(cls, laid: bytes, pixels: Deflated) -> Self:
        """Weighed."""
        return cls(laid, pixels, len(laid) + sum(map(len, pixels.bands)))


class Gallery:
    """The pictures that were drawn last, one by each name; safe for threads.

    The last one of all is kept with its rows as they are: whoever draws the same game again need not unpack them.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._room, self._lock = room, Lock()
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()
        self._weight = 0
        self._open: tuple[Kept, bytearray] | None = None

    def png(self, name: Hashable, sketch: Sketch, colours: tuple[Colour, ...]) -> bytes:
        """The sketch as PNG with these colours; ``name``: what it shares with the pictures it differs little from."""
        place = name, sketch.width, sketch.height, colours
        with self._lock:
            known = self._kept.get(place)
            pixels = None
            if self._open is not None and self._open[0] is known:
                pixels, self._open = self._open[1], None
        found, pixels = drawn(sketch, colours, known, pixels)
        with self._lock:
            old = self._kept.pop(place, None)
            self._kept[place] = found
            self._weight += found.weight - (old.weight if old else 0)
            if pixels is not None:
                self._open = found, pixels
            self._make_room()
        return file_of(found.pixels, colours)

    def _make_room(self) -> None:
        while len(self._kept) > 1 and self._weight > self._room:
            _, oldest = self._kept.popitem(last=False)
            self._weight -= oldest.weight

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._kept.clear()
            self._weight, self._open = 0, None


def drawn(
    sketch: Sketch, colours: tuple[Colour, ...], before: Kept | None = None, pixels: bytearray | None = None
) -> tuple[Kept, bytearray | None]:
    """The sketch drawn, and its rows as they are, if they had to be made; ``before``: a picture of the same size with
    the same colours; ``pixels``: its rows, if they are at hand. They are drawn upon."""
    laid, wide = records(sketch.touches), sketch.width + 1
    if before is not None and laid == before.laid:
        return before, pixels
    size = sketch.width, sketch.height
    boxes = merged(differing(before.laid, laid), size) if before else [(0, 0, *size)]
    if before is None or sum(map(_area, boxes)) > MOST * sketch.width * sketch.height:
        page = bytearray(_all_rows(sketch, colours))
        found = Kept.of(laid, deflated(page, wide))
        give_back()
        return found, page
    page = before.pixels.rows() if pixels is None else pixels
    changed: set[int] = set()
    for box in boxes:
        left, top, right, bottom = box
        part = numbered(sketch.cut(box), colours).tobytes()
        across = right - left
        at, start = top * wide + left + 1, 0
        for row in range(top, bottom):
            new = part[start : start + across]
            if page[at : at + across] != new:
                page[at : at + across] = new
                changed.add(row)
            at += wide
            start += across
    return Kept.of(laid, redone(before.pixels, page, changed)), page


def records(touches: Sequence[Touch]) -> bytes:
    """What is laid where in which colour: the same for whatever looks the same."""
    pack = RECORD.pack
    return b"".join(
        [
            pack(0 if what is None else what.key, *colour, left, top, right, bottom)
            for what, colour, left, top, right, bottom in touches
        ]
    )


def _all_rows(sketch: Sketch, colours: tuple[Colour, ...]) -> bytes:
    """Drawn strip by strip, which takes less memory than a page, and no more time."""
    tops = range(0, sketch.height, STRIP)
    boxes = ((0, top, sketch.width, min(sketch.height, top + STRIP)) for top in tops)
    return b"".join(rows(sketch.cut(box), colours) for box in boxes)


def differing(before: bytes, after: bytes) -> list[Box]:
    """The boxes of what is in one picture alone, or lies in another order in the other; both as ``records``."""
    first, second = _each(before), _each(after)
    old, new = set(first), set(second)
    stayed, staying = [t for t in first if t in new], [t for t in second if t in old]
    found = [*(old - new), *(new - old)]
    if stayed != staying:
        found += _apart(stayed, staying)
    return [RECORD.unpack(one)[4:] for one in found]


def _each(laid: bytes) -> list[bytes]:
    return [laid[at : at + RECORD.size] for at in range(0, len(laid), RECORD.size)]


def _apart(first: list[bytes], second: list[bytes]) -> list[bytes]:
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
