"""One measured value beside its floor: what every file of ``bench/`` gives back from ``measure()``."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table.

    ``value`` is the median of several runs, in ``unit``. ``floor`` is what ``floor_value`` (same unit, measured
    in the same run) is the time or size of: the least the work could cost, or a peer doing the same work; empty
    without one. ``limit`` bounds ``value``, ``most`` bounds the ratio to the floor; a row without either only
    informs. ``at_least`` turns both round, for rates that should be high.
    """

    name: str
    value: float
    unit: str
    floor: str = ""
    floor_value: float | None = None
    limit: float | None = None
    most: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Value divided by floor, ``None`` without a floor."""
        return None if not self.floor_value else self.value / self.floor_value

    @property
    def ok(self) -> bool:
        """Whether the limits are kept."""
        return self._within(self.value, self.limit) and self._within(self.ratio, self.most)

    def _within(self, measured: float | None, bound: float | None) -> bool:
        if measured is None or bound is None:
            return True
        return measured >= bound if self.at_least else measured <= bound

    def to_json(self) -> dict[str, object]:
        """The row as ``bench/results.json`` holds it."""
        return {**asdict(self), "ratio": self.ratio, "ok": self.ok}
