"""A worker on the local broker ends when it is told to, not when it next looks."""

import os
import subprocess
import sys
from pathlib import Path

from pbem.settings.environment import NAMES
from pbem.transport import broker, filequeue

TOLD = "import workers.app; from celery.signals import worker_shutting_down; worker_shutting_down.send(None)"


def test_a_worker_that_is_told_to_end_wakes_itself_for_both_times_that_celery_still_waits(tmp_path: Path) -> None:
    environ = {**os.environ, **dict.fromkeys(NAMES, ""), "PBEM_DATA_DIR": str(tmp_path)}
    control = tmp_path / "broker" / "control"
    control.mkdir(parents=True)
    bell = filequeue.WakeUpPipe(control, broker.QUEUE, 0.01)
    subprocess.run([sys.executable, "-c", TOLD], env=environ, check=True, timeout=120)
    assert [bell.heard(0) for _ in range(3)] == [True, True, False]
    bell.close()
