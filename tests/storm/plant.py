"""PostgreSQL and Redis that can be pulled out of the wall and started again where they were."""

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from redis import Redis as Client

from tests import servers

FAST, IMMEDIATE = signal.SIGINT, signal.SIGQUIT
"""Ways to end PostgreSQL: roll back what runs, or leave it to the recovery of the next start."""
PATIENCE = 30.0


class Server:
    """One server process on a fixed port."""

    def __init__(self, name: str, words: Sequence[str], folder: Path, address: str, port: int) -> None:
        self.name, self.address, self.port = name, address, port
        self._words, self._folder = words, folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        log = self._folder / f"{self.name}.log"
        user = servers.unprivileged() if self.name == "postgresql" else None
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                self._words, cwd=self._folder, stdout=out, stderr=subprocess.STDOUT, **servers.run_as(user)
            )
        servers.answering(self._process, self.name, self.port, log, self.address)

    def stop(self, how: signal.Signals) -> None:
        """End it this way and wait for it."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None


class Redis(Server):
    """Redis without persistence: whoever stops it has emptied it."""

    def __init__(self, folder: Path, address: str, port: int) -> None:
        words = [servers.redis_program(), "--port", str(port), "--bind", address, "--protected-mode", "no"]
        words += ["--save", "", "--appendonly", "no", "--dir", str(folder)]
        super().__init__("redis", words, folder, address, port)

    @property
    def url(self) -> str:
        return f"redis://{self.address}:{self.port}/0"

    def asking(self) -> int:
        """How many clients wait for a task: workers that have nothing to do."""
        with Client(host=self.address, port=self.port) as client:
            return sum("brpop" in str(other["cmd"]) for other in client.client_list())


class Postgresql(Server):
    """PostgreSQL with a data directory below ``folder``; trusts whoever reaches ``address``."""

    def __init__(self, folder: Path, address: str, port: int) -> None:
        initdb, postgres = servers.postgres_programs()
        home = folder / "postgresql"
        data = home / "data"
        home.mkdir()
        data.mkdir(mode=0o700)
        user = servers.unprivileged()
        if user is not None:
            for path in (home, data):
                os.chown(path, user.pw_uid, user.pw_gid)
        make = [initdb, "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run(make, cwd=home, capture_output=True, check=True, **servers.run_as(user))
        with (data / "pg_hba.conf").open("a") as trusted:
            trusted.write(f"host all all {address}/24 trust\n")
        words = [postgres, "-D", str(data), "-p", str(port)]
        # a killed process loses nothing that it has handed to the system: only a power cut asks for fsync
        for setting in (f"listen_addresses={address}", f"unix_socket_directories={home}", "fsync=off"):
            words += ["-c", setting]
        super().__init__("postgresql", words, home, address, port)

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://postgres@{self.address}:{self.port}/postgres"


def clear(folder: Path) -> None:
    """Remove a folder that may hold files of another user."""
    shutil.rmtree(folder, ignore_errors=True)
