"""The whole server on one machine: web, one worker and the clock, with the tables brought up to date first."""

import shutil
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from pbem.runtime.processes import Ended, Part, Processes, start_parts
from pbem.runtime.start import upgrade
from pbem.settings.environment import ALONE
from pbem.settings.settings import COUNTS, Settings
from pbem.store.database import open_engine

WORKER = (
    "-m", "celery", "--quiet", "--app", "workers.app", "worker", "--pool", "solo", "--loglevel", "WARNING",
    "--without-gossip", "--without-mingle", "--without-heartbeat",
)  # fmt: skip
THINKING = ("--queues", "pbem-robots")
"""What makes a worker the one in which robots think."""
NICE = 10
"""How much the process in which robots think stands back behind the others."""


@dataclass(slots=True)
class Server:
    """Use as ``with Server(environ, port) as server``; ready when the ``with`` is entered.

    ``environ`` holds the PBEM_ variables, all of them: no process looks for others in a file ``.env``. Without
    PBEM_PUBLIC_URL the address the server listens on is taken. Raises :class:`Ended` when the port is in use.
    """

    environ: Mapping[str, str]
    port: int
    host: str = "127.0.0.1"
    logs: Path | None = None
    threads: int = 4
    processes: Processes | None = None

    def __enter__(self) -> Self:
        environ = {**self.environ, **ALONE}
        if not environ.get("PBEM_PUBLIC_URL"):
            environ["PBEM_PUBLIC_URL"] = url(self.host, self.port)
        settings = Settings.read(environ)
        refuse_taken(self.host, self.port)
        migrate(settings)
        if settings.metrics_token and not environ.get(COUNTS):
            environ[COUNTS] = str(_emptied(settings.data_dir / "metrics"))
        self.processes = Processes(environ, self.logs)
        try:
            start_parts(self.processes, self._parts(takes_mails=bool(settings.mailin_port or settings.imap_url)))
            self.processes.until_listening(_reached(self.host), self.port)
        except BaseException:
            self.processes.end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.processes is not None:
            self.processes.end()

    def _parts(self, *, takes_mails: bool) -> list[Part]:
        web = (
            "--config", "python:pbem.runtime.webserver", "pbem.web:create_app()",
            "--bind", _joined(self.host, self.port),
            "--threads", str(self.threads), "--log-level", "warning",
        )  # fmt: skip
        module, *words = WORKER[1:]
        return [
            Part("web", "gunicorn", web),
            Part("worker", module, words),
            Part("robots", module, (*words, *THINKING), NICE),
            Part("clock", "workers.clock"),
            *([Part("mailin", "workers.mailin")] if takes_mails else []),
        ]

    def check(self) -> None:
        """Raises :class:`pbem.runtime.Ended` when a part has ended by itself."""
        if self.processes is not None:
            self.processes.check()


def url(host: str, port: int) -> str:
    """How a browser on this machine reaches the server."""
    return f"http://{_joined(_reached(host), port)}"


def refuse_taken(host: str, port: int) -> None:
    """Raises :class:`Ended` when nobody could listen there, for whoever answers there would be taken for ours."""
    if not 0 < port < 65536:
        raise Ended(f"{port} is not a port; expected a number from 1 to 65535.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise Ended(
            f"{_joined(host, port)} cannot be used: {error.strerror}. Choose another port with --port."
        ) from error


def _reached(host: str) -> str:
    """An address of this machine, for one that means all of them."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # nosec B104 # noqa: S104 - nothing is bound


def _joined(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _emptied(folder: Path) -> Path:
    """A folder with nothing in it: what processes counted that have ended is of no use."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def migrate(settings: Settings) -> None:
    engine = open_engine(settings.database_url)
    try:
        upgrade(engine)
    finally:
        engine.dispose()
