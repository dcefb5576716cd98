"""A worker on the local broker takes a hint when it is given, and ends when it is told to."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from pbem import filequeue
from pbem.runtime import Processes
from pbem.runtime.server import WORKER
from pbem.settings import NAMES

PATIENCE = 120.0
LOOKS = 2.0
"""Seconds after which Celery looks by itself whether it is to end, and then once more."""


def listens(pipe: Path) -> bool:
    """Whether somebody waits to be woken."""
    try:
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True


def test_a_worker_that_waits_ends_when_it_is_told_to(tmp_path: Path) -> None:
    environ = {**os.environ, **dict.fromkeys(NAMES, ""), "PBEM_DATA_DIR": str(tmp_path)}
    with Processes(environ, tmp_path / "logs") as processes:
        worker = processes.python("worker", *WORKER)
        until = time.monotonic() + PATIENCE
        while not listens(tmp_path / "broker" / "control" / filequeue.pipe("pbem")):
            if time.monotonic() > until:
                pytest.fail("the worker waits for nothing")
            processes.check()
            time.sleep(0.02)
        told = time.monotonic()
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(PATIENCE) == 0
        assert time.monotonic() - told < LOOKS
