"""Computing with columns of times in statements, to the microsecond, on both databases."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Integer, cast, func

MICROSECONDS = 1_000_000
WHOLE_SECONDS = len("2026-11-22 19:00:00")
"""What of a time that SQLite keeps as text its own functions are given: they know nothing below a millisecond."""


@dataclass(frozen=True, slots=True)
class Moments:
    """What is the same question in two languages; ``dialect``: sqlite or postgresql."""

    dialect: str

    def seconds(self, start: ColumnElement[Any], end: ColumnElement[Any]) -> ColumnElement[int]:
        """Whole seconds from one time to one that is not before it."""
        if self.dialect == "postgresql":
            return cast(func.floor(func.date_part("epoch", end - start)), Integer)
        return (_microseconds(end) - _microseconds(start)) // MICROSECONDS

    def later(
        self, moment: ColumnElement[Any], start: ColumnElement[Any], end: ColumnElement[Any], but: ColumnElement[int]
    ) -> ColumnElement[datetime]:
        """A time, later by the time from ``start`` to ``end`` but so many seconds."""
        if self.dialect == "postgresql":
            return moment + (end - start) - func.make_interval(0, 0, 0, 0, 0, 0, but)
        at = _microseconds(moment) + _microseconds(end) - _microseconds(start) - but * MICROSECONDS
        seconds = func.strftime("%Y-%m-%d %H:%M:%S", at // MICROSECONDS, "unixepoch")
        return seconds.op("||")(func.printf(".%06d", at % MICROSECONDS))


def _microseconds(moment: ColumnElement[Any]) -> ColumnElement[int]:
    """A time of SQLite as microseconds since 1970."""
    whole = cast(func.strftime("%s", func.substr(moment, 1, WHOLE_SECONDS)), Integer)
    return whole * MICROSECONDS + cast(func.substr(moment, WHOLE_SECONDS + 2), Integer)
