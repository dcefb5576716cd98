"""What a storm is to be, and what the players have sent and were answered."""

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


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked for. The storm ends when ``submissions`` have been acknowledged and there were ``faults``, or after
    ``minutes``.

    ``every_kind``: it does not end before every kind of fault has happened; a kind whose moment did not come is tried
    again.

    ``clock_every``: seconds between two looks of the clock, where they are not those of the server.

    ``hosts``: the workers run in network namespaces of their own and one of them is cut off. ``patient``: the two
    minutes of a letter in the hands of a dead worker and the waits after refusals are waited for; else they are cut
    short when all is calm again.
    """

    games: int = 200
    submissions: int = 10_000
    faults: int = 100
    minutes: float = 45.0
    seed: int = 1
    hosts: bool = False
    patient: bool = True
    workers: int = 3
    every_kind: bool = False
    clock_every: float = 0.0

    @property
    def workers_named(self) -> tuple[str, ...]:
        """Their names; the last one has no mail server, its letters go into an outbox folder."""
        return tuple(f"worker{number}" for number in range(1, self.workers + 1))

    @property
    def seconds(self) -> float:
        """The longest time of playing."""
        return self.minutes * 60


SHORT = Plan(games=4, submissions=60, faults=12, minutes=10, every_kind=True, patient=False, workers=2, clock_every=3.0)
"""What the test suite can afford. It takes half a minute; the minutes are for a machine that has much other work."""
