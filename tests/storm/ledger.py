"""What the players have sent and what they were answered: what the server can be held to."""

import threading
from collections import Counter
from dataclasses import dataclass, field

ACKNOWLEDGED, TURNED_AWAY, UNANSWERED = "acknowledged", "turned away", "unanswered"


@dataclass(frozen=True, slots=True)
class Order:
    """Orders of a seat for one position of a game: sent any number of times, they are one submission."""

    game: str
    seat: str
    version: int
    text: str


@dataclass(slots=True)
class Ledger:
    """Written by many threads. ``acknowledged``: the numbers that were given to an order; there is to be one."""

    answers: Counter[str] = field(default_factory=Counter)
    ways: Counter[str] = field(default_factory=Counter)
    codes: Counter[int] = field(default_factory=Counter)
    acknowledged: dict[Order, set[int]] = field(default_factory=dict)
    slowest: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answered(self, order: Order, way: str, code: int, number: int, seconds: float) -> None:
        """A request was answered; ``number`` is that of the submission, 0 when it was turned away."""
        with self._lock:
            self.answers[ACKNOWLEDGED if number else TURNED_AWAY] += 1
            self.ways[way] += 1
            self.codes[code] += 1
            self.slowest = max(self.slowest, seconds)
            if number:
                self.acknowledged.setdefault(order, set()).add(number)

    def unanswered(self, way: str) -> None:
        """Nobody knows what became of a request."""
        with self._lock:
            self.answers[UNANSWERED] += 1
            self.ways[way] += 1

    @property
    def orders(self) -> int:
        """Different orders that have been acknowledged."""
        return len(self.acknowledged)

    @property
    def requests(self) -> int:
        return self.answers.total()
