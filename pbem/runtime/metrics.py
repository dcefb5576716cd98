"""The metrics that processes count themselves, for Prometheus. Figures about rows are no business of theirs: see
``pbem.service.operator.server_metrics``.

Several processes answer requests, and each counts for itself. Where ``PROMETHEUS_MULTIPROC_DIR`` names a folder (it is
read as the library is imported), all who have it keep their counts there, and any web process tells the sum.
"""

import os

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.multiprocess import MultiProcessCollector

from pbem.settings.settings import COUNTS

OTHER = "other"
"""The route of requests for addresses that do not exist."""

_OWN = CollectorRegistry()
"""Not the library's own registry, which is everybody's."""

_REQUESTS = Histogram(
    "pbem_request_seconds",
    "Time to answer a request, by the address as the program has it.",
    ["route"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=_OWN,
)
_ANSWERS = Counter("pbem_answers", "Requests answered, by address and status.", ["route", "status"], registry=_OWN)
_PLAYS = Histogram(
    "pbem_play_seconds",
    "Time a worker or the clock took to play an order, commit included.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=_OWN,
)
_LETTERS = Counter("pbem_letter_tries", "Letters handed to the mail server.", ["outcome"], registry=_OWN)


def answered(route: str, status: int, seconds: float) -> None:
    """A request was answered. ``route``: the rule of the address, empty for none."""
    _REQUESTS.labels(route or OTHER).observe(seconds)
    _ANSWERS.labels(route or OTHER, str(status)).inc()


def played(number: int, seconds: float) -> None:
    """Orders were played, all of them together in this time."""
    for _ in range(number):
        _PLAYS.observe(seconds / number)


def letter(outcome: str) -> None:
    """A letter was handed to the mail server. ``outcome``: taken refused broken."""
    _LETTERS.labels(outcome).inc()


def shared() -> CollectorRegistry | None:
    """What all processes with the same folder have counted; ``None`` where none is named."""
    if not os.environ.get(COUNTS):
        return None
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
