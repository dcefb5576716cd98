"""A picture as PNG, compressed in strips of rows.

What is laid in a strip decides all of it, and the strips drawn last are kept: an order of a game changes few, so most
of its next picture is there already. Whether something was at hand changes no byte.
"""

from collections import OrderedDict
from hashlib import blake2b
from struct import Struct
from threading import Lock
from typing import NamedTuple

from zlib_ng import zlib_ng

from pbem.render.encode import LEVEL, file_of, rows
from pbem.render.palette import Colour
from pbem.render.sketch import Sketch, Touch

HEAD = b"\x78\x5e"
"""Of zlib's format: deflate, a window of 32 KB, a quick level."""
ROWS, KNOWN = 48, 12
"""Rows of a strip, and rows before it that it is compressed with: more of either, and a small change costs more; fewer,
and the picture grows."""
KEPT = 1500
"""Strips that are kept, some 4 KB each: those of some sixty pictures."""
MODULUS = 65521
"""Of the checksum Adler-32."""
RECORD = Struct("<Q3B4i")
"""A touch: the key of what is laid, its colour, its box."""


class Strip(NamedTuple):
    """Rows that are compressed, their length, and the Adler-32 of them."""

    packed: bytes
    size: int
    checksum: int


_kept: OrderedDict[bytes, Strip] = OrderedDict()
_lock = Lock()


def png(sketch: Sketch, colours: tuple[Colour, ...]) -> bytes:
    """The sketch as PNG with these colours, at most 256, and no others."""
    look = repr((sketch.width, sketch.height, colours)).encode()
    strips = [_strip(sketch, colours, look, number, laid) for number, laid in enumerate(_laid(sketch))]
    packed = b"".join((HEAD, *(strip.packed for strip in strips), _checksum(strips).to_bytes(4, "big")))
    return file_of((sketch.width, sketch.height), packed, colours)


def forget() -> None:
    with _lock:
        _kept.clear()


def _laid(sketch: Sketch) -> list[list[Touch]]:
    """What is laid in each strip and in the rows before it that it is compressed with."""
    found: list[list[Touch]] = [[] for _ in range(0, sketch.height, ROWS)]
    for touch in sketch.touches:
        _, _, _, top, _, bottom = touch
        for strip in found[max(0, top // ROWS) : max(0, (bottom + KNOWN - 1) // ROWS + 1)]:
            strip.append(touch)
    return found


def _strip(sketch: Sketch, colours: tuple[Colour, ...], look: bytes, number: int, laid: list[Touch]) -> Strip:
    records = [RECORD.pack(0 if what is None else what.key, *colour, *box) for what, colour, *box in laid]
    key = blake2b(b"".join((look, number.to_bytes(2, "big"), *records)), digest_size=16).digest()
    with _lock:
        kept = _kept.get(key)
        if kept is not None:
            _kept.move_to_end(key)
            return kept
    drawn = _drawn(sketch, colours, number * ROWS, laid)
    with _lock:
        _kept[key] = drawn
        if len(_kept) > KEPT:
            _kept.popitem(last=False)
    return drawn


def _drawn(sketch: Sketch, colours: tuple[Colour, ...], top: int, laid: list[Touch]) -> Strip:
    """The strip from a row on."""
    first, end = max(0, top - KNOWN), min(sketch.height, top + ROWS)
    whole = rows(sketch.drawn((0, first, sketch.width, end), laid), colours)
    start = (top - first) * (sketch.width + 1)
    press = zlib_ng.compressobj(LEVEL, zlib_ng.DEFLATED, -zlib_ng.MAX_WBITS, zdict=whole[:start])
    packed = press.compress(whole[start:]) + press.flush(
        zlib_ng.Z_FINISH if end == sketch.height else zlib_ng.Z_SYNC_FLUSH
    )
    return Strip(packed, len(whole) - start, zlib_ng.adler32(whole[start:]))


def _checksum(strips: list[Strip]) -> int:
    """Adler-32 of all rows, as zlib combines it."""
    low, high = 1, 0
    for strip in strips:
        high = (high + (strip.checksum >> 16) + strip.size * (low - 1)) % MODULUS
        low = (low + (strip.checksum & 0xFFFF) - 1) % MODULUS
    return high << 16 | low
