"""The Celery application: ``celery --app workers.app worker``. Tasks carry ids only and may run twice."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from celery.signals import setup_logging, worker_process_init, worker_shutting_down

from pbem.runtime.start import begin
from pbem.service import Office, open_office
from pbem.transport import broker
from workers import copies, explaining, trying, work

settings = begin("worker")
app = broker.celery_app(settings)


@cache
def office() -> Office:
    """The office of this process, opened at the first task (after the pool has forked)."""
    return open_office(settings)


def _logs_already(**_: Any) -> None:
    """Celery sets nothing up where somebody listens to this signal."""


def _wake_up(**_: Any) -> None:
    for _again in range(2):  # it waits once more when it has seen that it is to end
        broker.wake(settings)


def _forget_the_parents_connections(**_: Any) -> None:
    office.cache_clear()


def _task(name: str, act: Callable[[Office, Any], None]) -> None:

    def run(number: Any) -> None:
        work.patiently(partial(act, office(), number))

    app.task(run, name=name)


for name, act in (
    (broker.PLAY, work.play), (broker.SEND, work.send), (broker.TELL, work.tell), (broker.THINK, work.think),
    (broker.COUNT, work.count), (broker.TEACH, work.send), (broker.MAKE, copies.make),
    (broker.EXPLAIN, explaining.explain), (broker.PUSH, work.push), (broker.TRY, trying.try_out),
):  # fmt: skip
    _task(name, act)
setup_logging.connect(_logs_already)
worker_shutting_down.connect(_wake_up)
worker_process_init.connect(_forget_the_parents_connections)
