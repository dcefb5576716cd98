"""Task hints: they tell workers that there is something to do. Losing one only costs time: the clock finds the row."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Self

from kombu.exceptions import OperationalError

from pbem.engine import Value
from pbem.settings.settings import Settings
from pbem.transport import broker

log = logging.getLogger(__name__)


class Hint(Value):
    """A task by name with the id it is about."""

    task: str
    id: str | int


play_hint = partial(Hint, broker.PLAY)
think_hint = partial(Hint, broker.THINK)
"""A robot is asked in this game, and its time has come."""
count_hint = partial(Hint, broker.COUNT)
send_hint = partial(Hint, broker.SEND)
teach_hint = partial(Hint, broker.TEACH)
"""This letter can be sent, and it takes thought to write it."""
tell_hint = partial(Hint, broker.TELL)
push_hint = partial(Hint, broker.PUSH)
make_hint = partial(Hint, broker.MAKE)
explain_hint = partial(Hint, broker.EXPLAIN)
try_hint = partial(Hint, broker.TRY)
"""About a game (to play, think, count), a letter (send, teach), a message to a webhook (tell) or to a device (push), a
file (make), a question whose answers are played on in thought (explain), a version of an own map (try)."""

EXPIRES = {broker.THINK: 60.0, broker.TEACH: 60.0, broker.MAKE: 60.0, broker.EXPLAIN: 60.0, broker.TRY: 60.0}
"""Seconds after which a hint is thrown away: of these the clock gives a new one at every look (for a letter one to any
worker), and they are not to pile up where no process takes them."""
SLOW, REST = 0.5, 5.0
"""Seconds. A broker that fails after more than the first is left alone for the second: a host that was cut off answers
nothing, and every request would wait for it anew."""


@dataclass(slots=True)
class Hints:
    """Hands task hints to ``take``; a broker that cannot be reached is only logged."""

    take: Callable[[Hint], None]
    _rests_until: float = 0.0

    @classmethod
    def to_broker(cls, settings: Settings) -> Self:
        app = broker.celery_app(settings, waits=False)

        def take(hint: Hint) -> None:
            app.send_task(hint.task, args=[hint.id], expires=EXPIRES.get(hint.task))

        return cls(take)

    def give(self, hints: Sequence[Hint]) -> None:
        """Pass on every hint, in order, as long as the broker takes them: nobody is to wait for each in turn."""
        began = time.monotonic()
        if began < self._rests_until:
            return
        for number, hint in enumerate(hints):
            try:
                self.take(hint)
            except (OperationalError, OSError) as error:
                left = ", ".join(f"{missed.task} {missed.id}" for missed in hints[number:])
                log.warning("no hint for %s: the broker cannot be reached (%s)", left, error)
                if time.monotonic() - began > SLOW:
                    self._rests_until = time.monotonic() + REST
                return
