"""What gunicorn does around the web: ``gunicorn --config python:pbem.runtime.webserver "pbem.web:create_app()"``.

Its processes count requests in a folder that they share (see ``pbem.runtime.metrics``). It is made here, before any of
them starts, and goes with the last one; one that the environment names already, for workers and clock as well, is
taken. Nothing here may import the library that counts: it looks at the environment as it is imported.
"""

import os
import shutil
import tempfile
from typing import Any

from pbem.settings.environment import BadSetting, surroundings
from pbem.settings.settings import COUNTS

_made = ""
control_socket_disable = True
"""Nobody talks to the running server but by its port (a setting of gunicorn, as is the next)."""
worker_class = "pbem.runtime.webworker.WebWorker"
"""Slow clients keep no thread (see there)."""


def on_exit(_server: Any) -> None:
    if _made:
        shutil.rmtree(_made, ignore_errors=True)


def _folder() -> str:
    """A folder for counts, if somebody may see them and has named none."""
    try:
        wanted = bool(surroundings().get("PBEM_METRICS_TOKEN"))
    except BadSetting:  # the processes say it
        wanted = False
    return tempfile.mkdtemp(prefix="pbem-metrics-") if wanted and not os.environ.get(COUNTS) else ""


if _made := _folder():
    os.environ[COUNTS] = _made
