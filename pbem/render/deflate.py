"""The rows of a PNG, compressed in bands: of a picture that differs little from another only those that differ.

Each band is compressed by itself, with the rows before it as its dictionary, so nothing is lost at the seams. The same
rows always give the same bytes, whatever was at hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from struct import pack

from zlib_ng import zlib_ng

LEVEL = 5
"""Of zlib-ng: smaller than zlib's sixth level, in well under half the time."""
HEAD = b"\x78\x5e"
"""Of zlib's format: deflate, a window of 32 KB, a quick level."""
BAND, KNOWN = 48, 12
"""Rows of a band, and rows before it that it is compressed with: more of either, and a small change costs more; fewer,
and the picture grows."""
MODULUS = 65521
"""Of the checksum Adler-32."""


@dataclass(frozen=True, slots=True)
class Deflated:
    """Rows, ``wide`` bytes each, as bands that are compressed, a twentieth of them; ``sums``: Adler-32 of each band."""

    wide: int
    high: int
    bands: tuple[bytes, ...]
    sums: tuple[int, ...]

    def rows(self) -> bytearray:
        """The rows as they are; takes a millisecond."""
        return bytearray(zlib_ng.decompress(b"".join(self.bands), -zlib_ng.MAX_WBITS, self.wide * self.high))

    def zlib(self) -> bytes:
        """All bands in zlib's format."""
        return b"".join((HEAD, *self.bands, pack(">I", self._sum())))

    def _sum(self) -> int:
        """Adler-32 of all rows, as zlib combines it."""
        low, high = 1, 0
        for number, one in enumerate(self.sums):
            size = self.wide * min(BAND, self.high - number * BAND)
            high = (high + (one >> 16) + size * (low - 1)) % MODULUS
            low = (low + (one & 0xFFFF) - 1) % MODULUS
        return high << 16 | low


def deflated(rows: bytes | bytearray, wide: int) -> Deflated:
    """The rows compressed."""
    return _joined(wide, len(rows) // wide, [_band(rows, wide, at) for at in range(0, len(rows), wide * BAND)])


def redone(before: Deflated, rows: bytes | bytearray, changed: Iterable[int]) -> Deflated:
    """The rows compressed; ``before``: the same but for the rows with these numbers."""
    bands = list(zip(before.bands, before.sums, strict=True))
    anew = {number for row in changed for number in (row // BAND, (row + KNOWN) // BAND)}
    for number in anew:
        if number < len(bands):
            bands[number] = _band(rows, before.wide, number * BAND * before.wide)
    return _joined(before.wide, before.high, bands)


def _joined(wide: int, high: int, bands: list[tuple[bytes, int]]) -> Deflated:
    return Deflated(wide, high, tuple(band for band, _ in bands), tuple(one for _, one in bands))


def _band(rows: bytes | bytearray, wide: int, at: int) -> tuple[bytes, int]:
    """A band with its checksum."""
    whole = memoryview(rows)
    end = at + wide * BAND
    known, mine = whole[max(0, at - wide * KNOWN) : at], whole[at:end]
    press = zlib_ng.compressobj(LEVEL, zlib_ng.DEFLATED, -zlib_ng.MAX_WBITS, zdict=known)
    body = press.compress(mine)
    rest = press.flush(zlib_ng.Z_SYNC_FLUSH if end < len(rows) else zlib_ng.Z_FINISH)
    return body + rest, zlib_ng.adler32(mine)
