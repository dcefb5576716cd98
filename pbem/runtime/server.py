"""The whole server on one machine: web, one worker and the clock, with the tables brought up to date first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from pbem.runtime.processes import Processes
from pbem.settings import Settings
from pbem.store.database import open_engine
from pbem.store.upgrade import upgrade

WORKER = (
    "-m", "celery", "--quiet", "--app", "workers.app", "worker", "--pool", "solo", "--loglevel", "WARNING",
    "--without-gossip", "--without-mingle", "--without-heartbeat",
)  # fmt: skip


@dataclass(slots=True)
class Server:
    """Use as ``with Server(environ, port) as server``; ready when the ``with`` is entered.

    ``environ`` holds the PBEM_ variables; without PBEM_PUBLIC_URL the address the server listens on is taken.
    """

    environ: Mapping[str, str]
    port: int
    host: str = "127.0.0.1"
    logs: Path | None = None
    threads: int = 4
    processes: Processes | None = None

    def __enter__(self) -> Self:
        environ = {**self.environ}
        if not environ.get("PBEM_PUBLIC_URL"):
            environ["PBEM_PUBLIC_URL"] = f"http://{self.host}:{self.port}"
        settings = Settings.read(environ)
        migrate(settings)
        self.processes = Processes(environ, self.logs)
        try:
            self._start(self.processes)
            if settings.mailin_port:
                self.processes.python("mailin", "-m", "workers.mailin")
        except BaseException:
            self.processes.end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.processes is not None:
            self.processes.end()

    def _start(self, processes: Processes) -> None:
        processes.python("worker", *WORKER)
        processes.python("clock", "-m", "workers.clock")
        processes.python(
            "web", "-m", "gunicorn", "pbem.web:create_app()", "--bind", f"{self.host}:{self.port}",
            "--threads", str(self.threads), "--log-level", "warning",
        )  # fmt: skip
        processes.until_listening(self.port)

    def check(self) -> None:
        """Raises :class:`pbem.runtime.Ended` when a part has ended by itself."""
        if self.processes is not None:
            self.processes.check()


def migrate(settings: Settings) -> None:
    """Bring the tables up to date."""
    engine = open_engine(settings.database_url)
    try:
        upgrade(engine)
    finally:
        engine.dispose()
