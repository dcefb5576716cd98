"""Hints are names of tasks and numbers: who can write to the broker can have rows looked at, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.runtime.server import THINKING
from pbem.settings.settings import Settings
from pbem.transport import broker


@pytest.mark.parametrize("url", ["", "redis://localhost:6379/0"])
def test_nothing_but_json_is_taken_from_the_broker(tmp_path: Path, url: str) -> None:
    app = broker.celery_app(Settings.read({"PBEM_DATA_DIR": str(tmp_path), "PBEM_BROKER_URL": url}))
    assert set(app.conf.accept_content) == {"json"}
    assert (app.conf.task_serializer, app.conf.worker_enable_remote_control) == ("json", False)


@pytest.mark.parametrize("url", ["", "redis://localhost:6379/0"])
def test_robots_think_in_the_process_that_takes_from_their_queue_and_in_no_other(tmp_path: Path, url: str) -> None:
    app = broker.celery_app(Settings.read({"PBEM_DATA_DIR": str(tmp_path), "PBEM_BROKER_URL": url}))
    assert set(app.amqp.queues.consume_from) == {broker.QUEUE}
    for task, queue in (
        (broker.THINK, broker.ROBOTS),
        (broker.TEACH, broker.ROBOTS),
        (broker.MAKE, broker.ROBOTS),
        (broker.PLAY, broker.QUEUE),
    ):
        assert app.amqp.router.route({}, task)["queue"].name == queue
    assert THINKING == ("--queues", broker.ROBOTS)
    assert f"--queues {broker.ROBOTS} " in (Path(__file__).parents[2] / "Procfile").read_text()
