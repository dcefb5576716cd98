"""A disk without room under the database of a running server: a sentence, nothing half, and on it goes afterwards."""

import contextlib
import os
import resource
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from sqlalchemy import select

from pbem.runtime import Server, free_port
from pbem.service import Office
from pbem.service.games import views
from pbem.store.tables import Game, Submission
from tests.databases import Sqlite
from tests.patience import PATIENCE
from tests.runtime.hammer import now
from tests.storm.faults import SmallDisk
from tests.storm.verdict import faults_of
from tests.table import Table

ROOM = 8192
"""Bytes by which a file may still grow: less than an order needs."""
Full = Callable[[Server], contextlib.AbstractContextManager[None]]


@contextlib.contextmanager
def by_limit(server: Server, wal: Path) -> Iterator[None]:
    """No file of the server's processes grows any more; anybody may set that for processes of their own."""
    assert server.processes is not None
    parents = [psutil.Process(child.process.pid) for child in server.processes.children]
    everybody = {process.pid for parent in parents for process in (parent, *parent.children(recursive=True))}
    before = {pid: resource.prlimit(pid, resource.RLIMIT_FSIZE) for pid in everybody}
    for pid, (_, hard) in before.items():
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (wal.stat().st_size + ROOM, hard))
    try:
        yield
    finally:
        for pid, limits in before.items():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)


def post(address: str, orders: str) -> int:
    """Submit orders to the API; the status of the answer, of which a refusal is a sentence."""
    body = b'{"orders": "%s"}' % orders.encode()
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        said = error.read().decode()
        assert "Traceback" not in said
        assert "database" in said
        return error.code


@pytest.mark.parametrize("kind", ["limit", "disk"])
def test_a_server_whose_disk_is_full_says_so_and_goes_on_when_there_is_room(kind: str, tmp_path: Path) -> None:
    disk = SmallDisk(tmp_path / "disk")
    mounted = kind == "disk" and disk.mounted
    folder = disk.folder if mounted else tmp_path
    try:
        _filled_and_emptied(folder, disk if mounted else None)
    finally:
        disk.close()


def _filled_and_emptied(folder: Path, disk: SmallDisk | None) -> None:
    url = Sqlite(folder).fresh()
    table = Table(url, folder / "var")
    table.now = now()
    table.start()
    environ = {
        **os.environ, "PBEM_DATA_DIR": str(folder / "var"), "PBEM_DATABASE_URL": url,
        "PBEM_SECRET_KEY": table.office.settings.secret_key, "PBEM_RATE_LIMITS": "off",
    }  # fmt: skip
    wal = Path(f"{url.removeprefix('sqlite:///')}-wal")
    with Server(environ, free_port(), logs=folder.parent / "logs") as server:
        assert post(_api(table, server), table.legal()) == 202
        _until_played(table, 1)  # everybody is at work
        address = _api(table, server)
        with disk.full() if disk else by_limit(server, wal):
            codes = [post(address, f"issue {n % 3}; nonsense {n} {'x' * 2000}") for n in range(12)]
            assert codes[-1] == 503
            assert set(codes) <= {202, 503}
            taken = codes.count(202)
            urllib.request.urlopen(f"http://127.0.0.1:{server.port}/games/{table.game}", timeout=PATIENCE).close()
        assert post(address, table.legal()) == 202
        _until_played(table, taken + 2)
        server.check()
    _nothing_half(table.office, taken + 2)
    table.close()


def _api(table: Table, server: Server) -> str:
    view = table.view()
    token = table.office.addresses.turn(view.id, view.waiting_for, view.version).rpartition("/")[2]
    return f"http://127.0.0.1:{server.port}/api/v1/turn/{token}"


def _until_played(table: Table, orders: int) -> None:
    """The worker deals with everything that was taken in, without being started anew."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        rows = table.submissions()
        if len(rows) == orders and all(row.status in ("played", "refused") for row in rows):
            return
        time.sleep(0.1)
    raise AssertionError([(row.status, row.text[:20]) for row in table.submissions()])


def _nothing_half(office: Office, orders: int) -> None:
    with office.read() as session:
        assert session.connection().exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        assert len(session.scalars(select(Submission.id)).all()) == orders
        game = session.scalars(select(Game)).one()
        assert list(faults_of(session, game)) == []
    assert views.game(office, game.id).version == 2
