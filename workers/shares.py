"""Which games are whose, where several workers take hints from Redis: who has drawn a game draws it on with less.

Every worker takes from all queues, but first from those of its share, which it finds by looking who else is there: so
no order waits for a worker that is busy or gone, and nobody has to number workers. See
``docs/decisions/games-stay-with-a-worker.md``.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Sequence

from kombu.utils.scheduling import round_robin_cycle
from typing_extensions import override

from pbem import broker
from pbem.settings import Settings

PRESENT = "pbem-workers"
"""The sorted set in Redis of the workers that are there, each with the second at which it was last seen."""
LOOK_SECONDS = 2.0
"""How often a worker says that it is there, and looks who else is."""
GONE_SECONDS = 10.0
"""After how long unseen a worker counts as gone. Longer than the longest of most tasks: who plays does not look."""
OTHERS_EVERY = 25
"""Each time that a worker has taken so many hints it looks into the queues of others first: their worker may be
gone, and nobody is to wait behind all that comes in meanwhile."""
ANSWER_SECONDS = 1.0

log = logging.getLogger(__name__)


class Share:
    """The queues of games that are this worker's; ``present``: has it counted as there, and says who is."""

    def __init__(self, name: str, present: Callable[[str], Sequence[str]]) -> None:
        self.name, self._present = name, present
        self._workers: Sequence[str] = (name,)
        self._next = 0.0

    def look(self) -> None:
        """See who is there, if the last look was long ago. While nobody can say it, it stays as it was."""
        if time.monotonic() < self._next:
            return
        try:
            self._workers = sorted({*self._present(self.name), self.name})
        except broker.Away as away:
            log.info("games stay shared among %s workers: %s", len(self._workers), away)
        self._next = time.monotonic() + LOOK_SECONDS

    def has(self, queue: str) -> bool:
        """Whether hints of this queue are this worker's first of all: those of its games, and what is nobody's."""
        if queue not in broker.GAMES:
            return True
        return self._workers[broker.GAMES.index(queue) % len(self._workers)] == self.name


class OwnFirst(round_robin_cycle):
    """In which order a worker looks into queues, as kombu asks for it: its own in turns, then those of others."""

    def __init__(self, share: Share) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._share, self._taken = share, 0

    @override
    def consume(self, n: int) -> list[str]:
        queues: list[str] = super().consume(n)  # type: ignore[no-untyped-call]
        if not set(broker.GAMES).isdisjoint(queues):
            self._share.look()
        own = [queue for queue in queues if self._share.has(queue)]
        others = [queue for queue in queues if not self._share.has(queue)]
        # who has time to spare takes the same games of others again, and not now one and now another
        return own + sorted(others) if self._taken % OTHERS_EVERY else others + own

    @override
    def rotate(self, last_used: str) -> str:
        self._taken += 1
        super().rotate(last_used)  # type: ignore[no-untyped-call]
        return last_used


def share_of(settings: Settings) -> Share:
    """The share of this process among those that take from the same Redis."""
    return Share(uuid.uuid4().hex, lambda name: present(settings, name))


def present(settings: Settings, name: str) -> list[str]:
    """Note that this worker is there, and say who is. Raises :class:`broker.Away`."""
    with broker.asking(settings, ANSWER_SECONDS) as redis:
        now = redis.time()[0]  # clocks of machines differ
        with redis.pipeline() as several:
            several.zadd(PRESENT, {name: now})
            several.zremrangebyscore(PRESENT, "-inf", now - GONE_SECONDS)
            several.zrange(PRESENT, 0, -1)
            *_, names = several.execute()
    return [one.decode() for one in names]


def leave(settings: Settings, name: str) -> None:
    """This worker ends: its games are for the others at once. While Redis is away they find out by themselves."""
    try:
        with broker.asking(settings, ANSWER_SECONDS) as redis:
            redis.zrem(PRESENT, name)
    except broker.Away as away:
        log.info("%s", away)
