"""The rows of a PNG, compressed in bands: a band whose pixels are those of another picture's is taken from there.

Each band is compressed by itself, with the rows before it as its dictionary, so nothing is lost at the seams. The same
rows always give the same bytes, whatever was at hand.
"""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class Deflated:
    """Rows, ``wide`` bytes each, and their bands as they are compressed."""

    rows: bytes
    wide: int
    bands: tuple[bytes, ...]

    def folded(self) -> Folded:
        """Without the rows."""
        return Folded(self.wide, self.bands)

    def zlib(self) -> bytes:
        """All bands in zlib's format."""
        return b"".join((HEAD, *self.bands, pack(">I", zlib_ng.adler32(self.rows))))


@dataclass(frozen=True, slots=True)
class Folded:
    """The bands alone, a twentieth of the rows, which can be had from them in a millisecond or two."""

    wide: int
    bands: tuple[bytes, ...]

    def unfolded(self) -> Deflated:
        """The same with its rows."""
        return Deflated(zlib_ng.decompress(b"".join(self.bands), -zlib_ng.MAX_WBITS), self.wide, self.bands)


def deflated(rows: bytes, wide: int, before: Deflated | None = None) -> Deflated:
    """The rows compressed; ``before``: rows that are mostly the same."""
    starts = range(0, len(rows), wide * BAND)
    if before is None or (before.wide, len(before.rows)) != (wide, len(rows)):
        return Deflated(rows, wide, tuple(_band(rows, wide, at) for at in starts))
    bands = zip(starts, before.bands, strict=True)
    return Deflated(
        rows,
        wide,
        tuple(band if _same(rows, before.rows, wide, at) else _band(rows, wide, at) for at, band in bands),
    )


def _same(rows: bytes, others: bytes, wide: int, at: int) -> bool:
    """Whether a band and what it is compressed with are the same in both."""
    start, end = max(0, at - wide * KNOWN), at + wide * BAND
    return rows[start:end] == others[start:end]


def _band(rows: bytes, wide: int, at: int) -> bytes:
    end = at + wide * BAND
    known = rows[max(0, at - wide * KNOWN) : at]
    press = zlib_ng.compressobj(LEVEL, zlib_ng.DEFLATED, -zlib_ng.MAX_WBITS, zdict=known)
    body = press.compress(rows[at:end])
    return body + press.flush(zlib_ng.Z_SYNC_FLUSH if end < len(rows) else zlib_ng.Z_FINISH)
