"""The rows of a PNG, compressed in bands: of a picture that differs little from another only those that differ.

Each band is compressed by itself, with the rows before it as its dictionary, so that little is lost at the seams. The
first of a section has none: who needs a few rows unpacks their sections alone. The same rows always give the same
bytes, whatever was at hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from struct import pack

from zlib_ng import zlib_ng

LEVEL = 5
"""Of zlib-ng: smaller than zlib's sixth level, in well under half the time."""
HEAD = b"\x78\x5e"
"""Of zlib's format: deflate, a window of 32 KB, a quick level."""
END = b"\x03\x00"
"""Of a deflate, when nothing more comes."""
BAND, KNOWN = 48, 12
"""Rows of a band, and rows before it that it is compressed with: more of either, and a small change costs more; fewer,
and the picture grows."""
SECTION = 5
"""Bands of a section, and of the first one fewer, see ``SHORT``."""
ROWS = SECTION * BAND
"""Rows of a section."""
SHORT = ROWS - 144
"""Rows that the first section lacks: it ends with the headline of a page, which nearly every order changes."""
MODULUS = 65521
"""Of the checksum Adler-32."""


@dataclass(frozen=True, slots=True)
class Deflated:
    """Rows, ``wide`` bytes each, as bands that are compressed, a twentieth of them; ``sums``: Adler-32 of each band."""

    wide: int
    high: int
    bands: tuple[bytes, ...]
    sums: tuple[int, ...]

    def section(self, number: int, bands_of_it: int = SECTION) -> bytearray:
        """The rows of a section as they are, or of so many of its bands."""
        first = first_row(number)
        end = min(first + bands_of_it * BAND, first_row(number + 1), self.high)
        bands, size = self.bands[first // BAND : -(-end // BAND)], self.wide * (end - first)
        return bytearray(zlib_ng.decompress(b"".join((*bands, END)), -zlib_ng.MAX_WBITS, size))

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


@dataclass(slots=True)
class Rows:
    """The rows of a picture, unpacked as far as they are needed; who changes some says which by ``redone``."""

    pixels: Deflated
    _sections: dict[int, bytearray] = field(default_factory=dict)

    def unpack(self, areas: Iterable[tuple[int, int]]) -> None:
        """Make ready what can be changed next, rows from the first to before the second, and what depends on them.

        A section is unpacked from its beginning, but no further than to the last band that is needed.
        """
        needed: dict[int, int] = {}
        for top, bottom in areas:
            for number in range(section_of(top), section_of(bottom - 1) + 1):
                last = _next(min(bottom, first_row(number + 1)) - 1)
                needed[number] = max(needed.get(number, 0), last + 1 - first_row(number) // BAND)
        for number, bands in needed.items():
            first, end = first_row(number), min(first_row(number + 1), self.pixels.high)
            size = self.pixels.wide * min(bands * BAND, end - first)
            if len(self._sections.get(number, b"")) < size:
                self._sections[number] = self.pixels.section(number, bands)

    def section(self, number: int) -> bytearray:
        """The rows of a section that are unpacked, which may be changed."""
        return self._sections[number]

    def redone(self, changed: Iterable[int]) -> Deflated:
        """The rows compressed, after those with these numbers were changed."""
        before = self.pixels
        bands, sums = list(before.bands), list(before.sums)
        anew = {number for row in changed for number in (row // BAND, _next(row))}
        for number in anew:
            if number < len(bands):
                section = section_of(number * BAND)
                rows, at = self.section(section), (number * BAND - first_row(section)) * before.wide
                bands[number], sums[number] = _band(rows, before.wide, at, last=number == len(bands) - 1)
        self.pixels = Deflated(before.wide, before.high, tuple(bands), tuple(sums))
        return self.pixels


def section_of(row: int) -> int:
    """The number of the section with this row."""
    return (row + SHORT) // ROWS


def first_row(section: int) -> int:
    """The first row of a section."""
    return max(0, section * ROWS - SHORT)


def _next(row: int) -> int:
    """The band that has this row in itself or in its dictionary."""
    after = row + KNOWN
    return after // BAND if section_of(after) == section_of(row) else row // BAND


def deflated(rows: bytes | bytearray, wide: int) -> Deflated:
    """The rows compressed."""
    whole, high = memoryview(rows), len(rows) // wide
    starts = [first_row(number) for number in range(section_of(high - 1) + 1)]
    sections = [whole[start * wide : end * wide] for start, end in pairwise((*starts, high))]
    spots = [(section, at) for section in sections for at in range(0, len(section), wide * BAND)]
    bands = [_band(section, wide, at, last=number == len(spots)) for number, (section, at) in enumerate(spots, 1)]
    return Deflated(wide, high, tuple(band for band, _ in bands), tuple(one for _, one in bands))


def _band(section: bytearray | memoryview, wide: int, at: int, *, last: bool) -> tuple[bytes, int]:
    """The band that begins there in its section, with its checksum; ``last``: of the picture."""
    whole = memoryview(section)
    known, mine = whole[max(0, at - wide * KNOWN) : at], whole[at : at + wide * BAND]
    press = zlib_ng.compressobj(LEVEL, zlib_ng.DEFLATED, -zlib_ng.MAX_WBITS, zdict=known)
    body = press.compress(mine)
    return body + press.flush(zlib_ng.Z_FINISH if last else zlib_ng.Z_SYNC_FLUSH), zlib_ng.adler32(mine)
