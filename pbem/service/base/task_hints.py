"""Task hints: they tell workers that there is something to do. Losing one only costs time: the clock finds the row."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kombu.exceptions import OperationalError

from pbem.settings.settings import Settings
from pbem.transport import broker

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hint:
    """A task by name with the id it is about."""

    task: str
    id: str | int


def play_hint(game_id: str) -> Hint:
    """There are orders waiting in this game."""
    return Hint(broker.PLAY, game_id)


def think_hint(game_id: str) -> Hint:
    """A robot is asked in this game, and its time has come."""
    return Hint(broker.THINK, game_id)


def count_hint(game_id: str) -> Hint:
    """This game is over, and is to be counted for statistics and ratings."""
    return Hint(broker.COUNT, game_id)


def send_hint(letter_id: int) -> Hint:
    """This letter can be sent."""
    return Hint(broker.SEND, letter_id)


def teach_hint(letter_id: int) -> Hint:
    """This letter can be sent, and it takes thought to write it."""
    return Hint(broker.TEACH, letter_id)


def tell_hint(message_id: int) -> Hint:
    """This message to a webhook can be sent."""
    return Hint(broker.TELL, message_id)


def make_hint(copy_id: int) -> Hint:
    """This file of a finished game is to be made."""
    return Hint(broker.MAKE, copy_id)


def explain_hint(explanation_id: int) -> Hint:
    """Answers to this question are to be played on in thought for a while."""
    return Hint(broker.EXPLAIN, explanation_id)


EXPIRES = {broker.THINK: 60.0, broker.TEACH: 60.0, broker.MAKE: 60.0, broker.EXPLAIN: 60.0}
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
    def to_broker(cls, settings: Settings) -> Hints:
        """Hints that become Celery tasks."""
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
