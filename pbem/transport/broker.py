"""Where task hints go: Redis, or files in the data directory when no broker is set.

The queue is only a hint: rows in the database are the truth, and the clock finds what a lost task left.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from celery import Celery

from pbem.settings.settings import Settings
from pbem.transport import filequeue

POLL_SECONDS = 0.05
"""How often files are looked for where nobody can be woken."""
CONNECT_SECONDS, ANSWER_SECONDS = 2.0, 5.0
"""How long Redis has to take a connection and to answer: it may be away without saying so (a cut link)."""
HEALTH_SECONDS = 15
"""How often a connection that only waits is tried."""
PLAY, SEND, TELL, THINK, TEACH = "pbem.play", "pbem.send", "pbem.tell", "pbem.think", "pbem.teach"
MAKE = "pbem.make"
EXPLAIN = "pbem.explain"
TRY = "pbem.try"
PUSH = "pbem.push"
COUNT = "pbem.count"
QUEUE, ROBOTS = "pbem", "pbem-robots"
"""Robots think on a queue of their own, worked off by a process of its own: nobody waits behind them, nor behind emails
for which answers are played on in thought (``TEACH``), behind files that are made (``MAKE``), behind decisions that are
explained (``EXPLAIN``), or behind maps that are tried (``TRY``)."""


class Away(Exception):
    """Hints cannot be given; the text says why, without the address of the broker."""


def celery_app(settings: Settings, *, waits: bool = True) -> Celery:
    """A Celery application on the broker of the settings, for those who take hints and those who give them.

    Who takes hints ``waits`` for a broker that is away, however long; who gives them is told at once.
    """
    app = Celery("pbem", set_as_current=False)
    app.conf.update(
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,  # the broker comes back, and the worker is then wanted
        broker_url=settings.broker_url or f"{filequeue.SCHEME}://localhost",
        broker_transport_options=_redis(waits) if settings.broker_url else _files(settings),
        task_ignore_result=True,
        task_acks_late=True,
        task_default_queue=QUEUE,
        task_routes={task: {"queue": ROBOTS} for task in (THINK, TEACH, MAKE, EXPLAIN, TRY)},
        task_publish_retry=False,
        # With a limit of one task in hand, a worker counts a task that it could not confirm (Redis was stopped in the
        # middle of it) as in hand for ever, asks for no other, and never notices that its connection is gone: it is
        # alive and does nothing. The pool solo takes a task when it is done with one, limit or not.
        worker_prefetch_multiplier=0,
        worker_send_task_events=False,
        worker_enable_remote_control=False,
        worker_hijack_root_logger=False,
        enable_utc=True,
        timezone="UTC",
    )
    return app


def wake(settings: Settings) -> None:
    """Have a worker that waits for a hint look whether it is to end; with Redis it does so by itself."""
    if not settings.broker_url:
        for queue in (QUEUE, ROBOTS):
            filequeue.wake(_folders(settings)[1], queue)


def reach(settings: Settings, seconds: float) -> None:
    """See whether hints can be given, and wait no longer than this. Raises :class:`Away`."""
    if not settings.broker_url:
        queue, _ = _folders(settings)
        if not os.access(queue if queue.is_dir() else settings.data_dir, os.W_OK):
            raise Away("the folder of the local broker cannot be written to")
        return
    with asking(settings, seconds) as redis:
        redis.ping()


@contextmanager
def asking(settings: Settings, seconds: float) -> Iterator[Any]:
    """A connection to Redis, which has so long to answer. Raises :class:`Away`."""
    url = settings.broker_url.replace("redis+socket://", "unix://", 1)
    redis = import_module("redis")  # six megabytes that no process needs where hints are files
    once = redis.retry.Retry(redis.backoff.NoBackoff(), 0)
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=seconds, socket_timeout=seconds, retry=once) as client:
            yield client
    except (redis.RedisError, OSError) as error:
        raise Away(f"Redis cannot be reached ({type(error).__name__})") from error


def _folders(settings: Settings) -> tuple[Path, Path]:
    folder = settings.data_dir / "broker"
    return folder / "queue", folder / "control"


def _redis(waits: bool) -> dict[str, object]:
    """Without these a publish on a dead connection, or to a host that does not answer, waits for minutes."""
    options: dict[str, object] = {
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_timeout": ANSWER_SECONDS,
        "socket_keepalive": True,
        "health_check_interval": HEALTH_SECONDS,
        "priority_steps": [0],  # each step would be one more list to wait for, for every queue
    }
    return options if waits else {**options, "max_retries": 0}


def _files(settings: Settings) -> dict[str, object]:
    queue, control = _folders(settings)
    for path in (queue, control):
        path.mkdir(parents=True, exist_ok=True)
    return {
        "data_folder_in": str(queue),
        "data_folder_out": str(queue),
        "control_folder": str(control),
        "polling_interval": POLL_SECONDS,
    }
