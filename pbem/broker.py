"""Where task hints go: Redis, or files in the data directory when no broker is set.

The queue is only a hint: rows in the database are the truth, and the clock finds what a lost task left.
"""

from __future__ import annotations

from celery import Celery

from pbem import filequeue
from pbem.settings import Settings

POLL_SECONDS = 0.05
PLAY, SEND, TELL = "pbem.play", "pbem.send", "pbem.tell"


def celery_app(settings: Settings) -> Celery:
    """A Celery application on the broker of the settings, for those who give hints and those who take them."""
    app = Celery("pbem", set_as_current=False)
    app.conf.update(
        broker_connection_retry_on_startup=True,
        broker_url=settings.broker_url or f"{filequeue.SCHEME}://localhost",
        broker_transport_options={} if settings.broker_url else _files(settings),
        task_ignore_result=True,
        task_acks_late=True,
        task_default_queue="pbem",
        task_publish_retry=False,
        worker_prefetch_multiplier=1,
        worker_send_task_events=False,
        worker_enable_remote_control=False,
        worker_hijack_root_logger=False,
        enable_utc=True,
        timezone="UTC",
    )
    return app


def _files(settings: Settings) -> dict[str, object]:
    folder = settings.data_dir / "broker"
    queue, control = folder / "queue", folder / "control"
    for path in (queue, control):
        path.mkdir(parents=True, exist_ok=True)
    return {
        "data_folder_in": str(queue),
        "data_folder_out": str(queue),
        "control_folder": str(control),
        "polling_interval": POLL_SECONDS,
    }
