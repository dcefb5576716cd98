"""One measured value with its limit: what every file of ``bench/`` gives back from ``measure()``."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table.

    ``value`` is in ``unit``. ``limit`` is what it may be at most, or has to be ``at_least``; a row without one only
    informs. ``timed``: the limit is for the reference machine, and ``pace`` (:mod:`bench.calibration`) says how many
    times as long as there everything takes here.
    """

    name: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = False
    timed: bool = True
    note: str = ""
    pace: float = 1.0

    @property
    def limit_here(self) -> float | None:
        """The limit on this machine."""
        if self.limit is None or not self.timed:
            return self.limit
        return self.limit / self.pace if self.at_least else self.limit * self.pace

    @property
    def ok(self) -> bool:
        """Whether the limit is kept."""
        limit = self.limit_here
        return limit is None or (self.value >= limit if self.at_least else self.value <= limit)
