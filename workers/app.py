"""The Celery application: ``celery --app workers.app worker``. Tasks carry ids only and may run twice."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from celery.signals import setup_logging, worker_process_init, worker_shutting_down

from pbem.runtime.start import begin
from pbem.service import Office, open_office
from pbem.transport import broker
from workers import copies, work

settings = begin("worker")
app = broker.celery_app(settings)


@cache
def office() -> Office:
    """The office of this process, opened at the first task (after the pool has forked)."""
    return open_office(settings)


def play(game_id: str) -> None:
    """Play the orders that wait in this game."""
    work.patiently(partial(work.play, office(), game_id))


def send(letter_id: int) -> None:
    """Send this letter if it is to be sent and nobody else does."""
    work.patiently(partial(work.send, office(), letter_id))


def tell(message_id: int) -> None:
    """Send this message to its webhook if it is to be sent and nobody else does."""
    work.patiently(partial(work.tell, office(), message_id))


def think(game_id: str) -> None:
    """Let the robot that is asked in this game think."""
    work.patiently(partial(work.think, office(), game_id))


def count(game_id: str) -> None:
    """Count this finished game for statistics and ratings."""
    work.patiently(partial(work.count, office(), game_id))


def make(copy_id: int) -> None:
    """Make this file of a finished game, unless somebody does."""
    work.patiently(partial(copies.make, office(), copy_id))


def _logs_already(**_: Any) -> None:
    """Celery sets nothing up where somebody listens to this signal."""


def _wake_up(**_: Any) -> None:
    for _again in range(2):  # it waits once more when it has seen that it is to end
        broker.wake(settings)


def _forget_the_parents_connections(**_: Any) -> None:
    office.cache_clear()


app.task(play, name=broker.PLAY)
app.task(send, name=broker.SEND)
app.task(tell, name=broker.TELL)
app.task(think, name=broker.THINK)
app.task(count, name=broker.COUNT)
app.task(send, name=broker.TEACH)
app.task(make, name=broker.MAKE)
setup_logging.connect(_logs_already)
worker_shutting_down.connect(_wake_up)
worker_process_init.connect(_forget_the_parents_connections)
