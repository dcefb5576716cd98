"""How large a storm is to be."""

from dataclasses import dataclass


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
