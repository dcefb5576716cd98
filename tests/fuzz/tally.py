"""What a run came to."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Self

from typing_extensions import override

SHOWN = 20


@dataclass
class Tally:
    """Answers by status and by endpoint, and every one that was wrong."""

    statuses: Counter[int] = field(default_factory=Counter)
    endpoints: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")

    @property
    def requests(self) -> int:
        return self.statuses.total()

    def add(self, other: Self) -> None:
        """Count the requests of another run as well."""
        self.statuses += other.statuses
        self.endpoints += other.endpoints
        self.faults += other.faults
        self.slowest = max(self.slowest, other.slowest)

    @override
    def __str__(self) -> str:
        counts = "  ".join(f"{status}: {count:,}" for status, count in sorted(self.statuses.items()))
        endpoints = f" to {len(self.endpoints)} endpoints" if self.endpoints else ""
        shown = [f"{self.requests:,} requests{endpoints}, {len(self.faults)} faults", counts]
        if self.slowest[1]:
            shown.append(f"slowest: {self.slowest[0]:.2f} s of the processor, {self.slowest[1][:200]}")
        return "\n".join([*shown, *self.faults[:SHOWN]])
