"""The pictures drawn last, each by what was laid where and as a file: of the next picture of the same game only what
differs is drawn, numbered and compressed. The result is the same to the byte as without.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Self

from pbem.render.canvas import STRIP
from pbem.render.deflate import Deflated, Rows, deflated, first_row, section_of
from pbem.render.encode import file_of, numbered, rows
from pbem.render.heap import give_back
from pbem.render.palette import Colour
from pbem.render.sketch import RECORD, Box, Laid, Sketch

ROOM = 5_000_000
"""Bytes of pictures that are kept, some thirty: a worker draws the games of many tables in turns."""
SPARE = 10_000
"""Two areas are drawn as one where that draws at most so many pixels more."""
MOST = 0.5
"""Where more than this share differs, all is drawn."""


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """A picture as it was drawn. ``laid``: its touches, as a sketch has them; ``weight``: bytes, about."""

    laid: Laid
    pixels: Deflated
    weight: int

    @classmethod
    def of(cls, laid: Laid, pixels: Deflated) -> Self:
        """Weighed."""
        return cls(laid, pixels, sum(map(len, laid)) + sum(map(len, pixels.bands)))


class Gallery:
    """The pictures that were drawn last, one by each name; safe for threads.

    Of the last one of all those rows stay unpacked that have changed: in the next picture of the game they often do.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._room, self._lock = room, Lock()
        self._kept: OrderedDict[Hashable, DrawnPicture] = OrderedDict()
        self._weight = 0
        self._open: tuple[DrawnPicture, Rows] | None = None

    def png(self, name: Hashable, sketch: Sketch, colours: tuple[Colour, ...]) -> bytes:
        """The sketch as PNG with these colours; ``name``: what it shares with the pictures it differs little from."""
        place = name, sketch.width, sketch.height, colours
        with self._lock:
            known = self._kept.get(place)
            rows = None
            if self._open is not None and self._open[0] is known:
                rows, self._open = self._open[1], None
        found, rows = drawn(sketch, colours, known, rows)
        with self._lock:
            old = self._kept.pop(place, None)
            self._kept[place] = found
            self._weight += found.weight - (old.weight if old else 0)
            if rows is not None:
                self._open = found, rows
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
    sketch: Sketch, colours: tuple[Colour, ...], before: DrawnPicture | None = None, rows: Rows | None = None
) -> tuple[DrawnPicture, Rows | None]:
    """The sketch drawn, and what of it was unpacked; ``before``: a picture of the same size with the same colours;
    ``rows``: what is unpacked of that one. It is drawn upon."""
    laid = sketch.laid()
    if before is not None and laid == before.laid:
        return before, rows
    size = sketch.width, sketch.height
    boxes = merged(differing(before.laid, laid), size) if before else []
    if before is None or sum(map(_area, boxes)) > MOST * sketch.width * sketch.height:
        found = DrawnPicture.of(laid, deflated(_all_rows(sketch, colours), sketch.width + 1))
        give_back()
        return found, None
    rows = rows or Rows(before.pixels)
    rows.unpack((top, bottom) for _, top, _, bottom in boxes)
    changed: set[int] = set()
    for box in boxes:
        _paint(rows, box, numbered(sketch.cut(box), colours).tobytes(), changed)
    return DrawnPicture.of(laid, rows.redone(changed)), rows


def _paint(rows: Rows, box: Box, part: bytes, changed: set[int]) -> None:
    """Put the pixels of a part of the picture into its rows, and note which rows that has changed."""
    left, top, right, bottom = box
    across, wide, start = right - left, rows.pixels.wide, 0
    for number in range(section_of(top), section_of(bottom - 1) + 1):
        page, first = rows.section(number), first_row(number)
        at = (max(top, first) - first) * wide + left + 1
        for row in range(max(top, first), min(bottom, first_row(number + 1))):
            new = part[start : start + across]
            if page[at : at + across] != new:
                page[at : at + across] = new
                changed.add(row)
            at += wide
            start += across


def _all_rows(sketch: Sketch, colours: tuple[Colour, ...]) -> bytes:
    """Drawn strip by strip, which takes less memory than a page, and no more time."""
    tops = range(0, sketch.height, STRIP)
    boxes = ((0, top, sketch.width, min(sketch.height, top + STRIP)) for top in tops)
    return b"".join(rows(sketch.cut(box), colours) for box in boxes)


def differing(before: Laid, after: Laid) -> set[Box]:
    """The boxes of what is in one picture alone, or lies in another order in the other."""
    if len(before) != len(after):
        before, after = (b"".join(before),), (b"".join(after),)
    found: set[bytes] = set()
    for first, second in zip(before, after, strict=True):
        if first != second:
            found.update(_differing(_each(first), _each(second)))
    return {RECORD.unpack(one)[4:] for one in found}


def _differing(first: list[bytes], second: list[bytes]) -> Iterator[bytes]:
    old, new = set(first), set(second)
    yield from old ^ new
    stayed, staying = [t for t in first if t in new], [t for t in second if t in old]
    if stayed != staying:
        yield from _apart(stayed, staying)


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
    for box in sorted(boxes, key=_from_above):
        left, top, right, bottom = max(0, box[0]), max(0, box[1]), min(size[0], box[2]), min(size[1], box[3])
        if left >= right or top >= bottom:
            continue
        room = (right - left) * (bottom - top) + SPARE
        at = 0
        while at < len(found):
            a, b, c, d = found[at]
            x, y = left if left < a else a, top if top < b else b
            far, low = right if right > c else c, bottom if bottom > d else d
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


def _from_above(box: Box) -> tuple[int, int]:
    return box[1], box[0]
