"""A worker outlives its broker: when Redis is stopped in the middle of a task and comes back empty, it works on."""

import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.runtime import Processes
from pbem.runtime.server import WORKER
from pbem.service.base.task_hints import Hints, play_hint
from pbem.settings.environment import NAMES
from pbem.settings.settings import Settings
from tests import servers
from tests.databases import Sqlite
from tests.patience import PATIENCE
from tests.storm.plant import Redis
from tests.table import Table

OUTAGES = 3


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(Sqlite(tmp_path).fresh(), tmp_path)
    made.start()
    yield made
    made.close()


def until(happened: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "it has not happened"
        time.sleep(0.05)


def waiting(table: Table) -> bool:
    return any(row.status == "waiting" for row in table.submissions())


def test_a_worker_whose_broker_goes_takes_the_tasks_of_the_next_one(table: Table, tmp_path: Path) -> None:
    try:
        redis = Redis(tmp_path, "127.0.0.1", servers.free_port())
        redis.start()
    except servers.Missing as missing:
        pytest.skip(str(missing))
    settings = table.office.settings
    ours = {
        "PBEM_DATA_DIR": str(tmp_path),
        "PBEM_DATABASE_URL": settings.database_url,
        "PBEM_BROKER_URL": redis.url,
        "PBEM_SECRET_KEY": settings.secret_key,
    }
    environ = {**os.environ, **dict.fromkeys(NAMES, ""), **ours}
    table.office.hints.take = Hints.to_broker(Settings.read(ours)).take
    holder = sqlite3.connect(settings.database_url.removeprefix("sqlite:///"), isolation_level=None)
    try:
        with Processes(environ, tmp_path / "logs") as processes:
            processes.start("worker", [sys.executable, *WORKER])
            table.send(table.legal())
            until(lambda: not waiting(table))
            for _ in range(OUTAGES):
                holder.execute("BEGIN IMMEDIATE")
                table.office.hints.give([play_hint(table.game)])
                time.sleep(0.5)  # the worker has this task, or that of a letter, and waits for the lock
                redis.stop(signal.SIGKILL)
                holder.execute("ROLLBACK")
                time.sleep(0.5)  # it has done the task, and cannot tell the broker
                redis.start()
                table.send(table.legal())
                until(lambda: not waiting(table))
            processes.check()
    finally:
        holder.close()
        redis.stop(signal.SIGKILL)
