"""A mail on its way in, after DATA: it is put together from what has come, in pieces as large as they come.

aiosmtpd reads a mail line by line, and lets the other conversations go on after each: that took a third of the time of
a mail. What is refused is the same, in the same words.
"""

from __future__ import annotations

LINE_TOO_LONG = "500 Line too long (see RFC5321 4.5.3.1.6)"
TOO_LARGE = "552 Error: Too much mail data"

_LINE = b"\r\n"
_END = b"\r\n.\r\n"


class Refused(Exception):
    """The mail is not taken; the text is the answer."""


class Arriving:
    """What has come of one mail. ``largest``: bytes of it; ``longest``: bytes of a line with its end."""

    def __init__(self, largest: int, longest: int) -> None:
        self._largest, self._longest = largest, longest
        self._came = bytearray(_LINE)  # the dot that ends a mail stands alone on a line, which may be the first
        self._looked_at = 0
        self._refused = ""

    def add(self, piece: bytes) -> bytes | None:
        """Take in what came next. Returns what came after the end of the mail, ``None`` before it has come."""
        self._came += piece
        end = self._came.find(_END, self._looked_at)
        if end >= 0:
            after = bytes(self._came[end + len(_END) :])
            del self._came[end + len(_LINE) :]
            return after
        if len(self._came) > len(_LINE) + self._largest + len(_END):
            self._refused = self._refused or self._fault() or TOO_LARGE
            del self._came[: 1 - len(_END)]
        self._looked_at = max(0, len(self._came) + 1 - len(_END))
        return None

    def content(self) -> bytes:
        """The mail when its end has come, without the dots that lines had because of that one (RFC 5321, 4.5.2).

        Raises :class:`Refused`.
        """
        if refused := self._refused or self._fault():
            raise Refused(refused)
        return bytes(self._came).replace(b"\r\n.", _LINE)[len(_LINE) :]

    def _fault(self) -> str:
        """Why it is not taken, as far as it has come."""
        if max(map(len, bytes(self._came).split(_LINE))) > self._longest - len(_LINE):
            return LINE_TOO_LONG
        return TOO_LARGE if len(self._came) > len(_LINE) + self._largest else ""
