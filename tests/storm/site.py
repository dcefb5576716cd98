"""The whole server of a storm: PostgreSQL, Redis, mail, two web processes, three workers and the clock."""

import os
import secrets
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage
from pathlib import Path
from types import TracebackType
from typing import Self

from pbem.service import Office, open_office
from pbem.settings.environment import NAMES
from pbem.settings.settings import Settings
from tests import servers
from tests.storm.faults import SmallDisk
from tests.storm.hosts import Hosts
from tests.storm.plant import FAST, Postgresql, Redis, clear
from tests.storm.postbox import Outbox, Postbox
from tests.storm.sending import Wire
from tests.storm.supervisor import Part, Supervisor, procfile, run_once

ROOT = Path(__file__).parents[2]
WEBS = ("web1", "web2")

HASTE = "python -c 'from workers import clock; clock.EVERY = {}; clock.main()'"
"""The clock of the Procfile, looking more often, so that a short storm need not wait for it."""


class Site:
    """Use as ``with Site(workers, deliver) as site``. ``deliver`` is given every letter that arrives.

    The last worker has no mail server: its letters go into an outbox folder, from which they are collected. Without
    ``hosts`` all is on loopback; with them the workers are on hosts of their own. ``clock_every``: see
    :class:`tests.storm.plan.Plan`. Raises
    :class:`tests.servers.Missing` where something cannot be had.
    """

    def __init__(
        self,
        workers: Sequence[str],
        deliver: Callable[[EmailMessage], None],
        hosts: Hosts | None = None,
        clock_every: float = 0.0,
    ) -> None:
        self.workers, self._clock_every = workers, clock_every
        self.folder = Path(tempfile.mkdtemp(prefix="pbem-storm-"))
        self.folder.chmod(0o755)
        self.hosts = hosts
        self.keep = True
        """Whether the folder with the logs and the database is left, for whoever wants to know what happened."""
        address = hosts.address if hosts is not None else "127.0.0.1"
        database, broker, mail, *self.ports = servers.free_ports(3 + len(WEBS), address)
        self.database = Postgresql(self.folder, address, database)
        self.broker = Redis(self.folder, address, broker)
        self.postbox = Postbox(address, mail, deliver)
        self.wires = [Wire(address, port) for port in self.ports]
        self.disk = SmallDisk(self.folder / workers[-1])
        self.outbox = Outbox(self.disk.folder / "outbox", self.postbox)
        self.supervisor = Supervisor(ROOT, self.folder / "logs")
        self._environ = self._surroundings()

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if not self.keep:
            clear(self.folder)

    def office(self) -> Office:
        """An office of our own on the same tables, for what is done past the server."""
        return open_office(Settings.read({name: self._environ.get(name, "") for name in NAMES}))

    def close(self) -> None:
        self.supervisor.stop()
        self.outbox.stop()
        self.postbox.stop()
        self.disk.close()
        for server in (self.broker, self.database):
            server.stop(FAST)

    def logs(self) -> Mapping[str, str]:
        """What every process has written."""
        return {path.stem: path.read_text(errors="replace") for path in (self.folder / "logs").glob("*.log")}

    def _surroundings(self) -> dict[str, str]:
        ours = {
            "PYTHONPATH": str(ROOT),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PBEM_DATA_DIR": str(self.folder / "data"),
            "PBEM_DATABASE_URL": self.database.url,
            "PBEM_BROKER_URL": self.broker.url,
            "PBEM_SMTP_URL": self.postbox.url,
            "PBEM_PUBLIC_URL": f"http://{self.database.address}:{self.ports[0]}",
            "PBEM_SECRET_KEY": secrets.token_urlsafe(32),
            "PBEM_MAIL_FROM": "pbem <pbem@storm.invalid>",
            "WEB_CONCURRENCY": "1",
            "OMP_NUM_THREADS": "1",
        }
        return {**os.environ, **dict.fromkeys(NAMES, ""), **ours}

    def _start(self) -> None:
        self.database.start()
        servers.ready(self.database.address, self.database.port)
        self.broker.start()
        self.postbox.start()
        self.outbox.start()
        commands = procfile(ROOT / "Procfile")
        run_once(commands["release"], ROOT, self._environ)
        for name, port in zip(WEBS, self.ports, strict=True):
            self._add(name, commands["web"], {"PORT": str(port), "BIND": self.database.address})
        for name in self.workers:
            extra = {"PBEM_SMTP_URL": "", "PBEM_DATA_DIR": str(self.disk.folder)} if name == self.workers[-1] else {}
            self._add(name, commands["worker"], extra)
        self._add("clock", commands["clock"] if not self._clock_every else HASTE.format(self._clock_every), {})
        self.supervisor.watch()

    def _add(self, name: str, command: str, extra: Mapping[str, str]) -> None:
        before = self.hosts.before(name) if self.hosts is not None else ()
        environ = {**self._environ, "PGAPPNAME": name, **extra}
        self.supervisor.add(Part(name, command, environ, before))
