"""``docs/hosting.md``, "Two machines": PostgreSQL and Redis as it configures them, a worker with the settings it makes.

The first machine is another address of loopback here, which the second one, 127.0.0.1, asks; the worker has a folder of
its own.
"""

import os
import queue
import random
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
import redis
from sqlalchemy import make_url

from bench.players import now, open_game
from bench.postbox import Arrival, receiving
from pbem import robot
from pbem.runtime.processes import Processes
from pbem.runtime.server import WORKER, migrate
from pbem.service import open_office
from pbem.service.games import views
from pbem.service.orders import submissions
from pbem.settings.settings import Settings
from tests import servers
from tests.docs.test_deploy import HOSTING
from tests.patience import PATIENCE

FIRST, SECOND, HERE, THERE = "10.0.0.1", "10.0.0.2", "127.0.0.2", "127.0.0.1"
PAGE = HOSTING.partition("### Two machines")[2].partition("\n##")[0]
FOR_THE_TESTS = "host all postgres 127.0.0.1/32 trust\n"


@dataclass(frozen=True)
class Machines:
    """The settings of both."""

    first: dict[str, str]
    second: dict[str, str]


def written(file: str) -> list[str]:
    """The lines that the page writes into a file, with addresses of this machine."""
    lines = re.findall(rf'^    echo "(.*)" >>? \S*{re.escape(file)}$', PAGE, re.MULTILINE)
    assert lines, file
    return [line.replace(FIRST, HERE).replace(SECOND, THERE) for line in lines]


def passed_through(words: str, settings: str) -> str:
    """What the page's ``sed`` makes of the settings."""
    found = re.search(rf"sed (?:-i )?['\"](s,{words}.*?,)['\"]", PAGE)
    assert found is not None
    script = found[1].replace("$word", "secret").replace(FIRST, HERE)
    return subprocess.run(["sed", script], input=settings, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    with ExitStack() as stack:
        try:
            listen = [line.replace("'", "").replace(" = ", "=") for line in written("pbem.conf")]
            hba = FOR_THE_TESTS + "\n".join(written("pg_hba.conf")) + "\n"
            url = make_url(stack.enter_context(servers.postgresql(more=listen, hba=hba)))
            lines = [line.replace("$word", "secret") for line in written("redis.conf")]
            more = [part for line in lines for part in (f"--{line.split()[0]}", *line.split()[1:])]
            port = make_url(stack.enter_context(servers.redis(more=more))).port
        except servers.Missing as missing:
            pytest.skip(str(missing))
        with psycopg.connect(f"host=127.0.0.1 port={url.port} user=postgres dbname=postgres", autocommit=True) as made:
            made.execute("CREATE ROLE pbem LOGIN PASSWORD 'word' NOSUPERUSER NOCREATEDB NOCREATEROLE")
            made.execute("CREATE DATABASE pbem OWNER pbem")
        settings = (
            f"PBEM_DATABASE_URL=postgresql+psycopg://pbem:word@localhost:{url.port}/pbem\n"
            f"PBEM_BROKER_URL=redis://localhost:{port}/0\nPBEM_SECRET_KEY=a key that only tests know\n"
        )
        first = passed_through("redis://localhost", settings)
        second = passed_through("@localhost", first)
        yield Machines(*(dict(line.split("=", 1) for line in text.split("\n") if line) for text in (first, second)))


def test_nobody_comes_in_without_a_password(machines: Machines) -> None:
    url = make_url(machines.second["PBEM_DATABASE_URL"])
    assert url.host == HERE
    for account in ("user=pbem password=guess", "user=another"):
        with pytest.raises(psycopg.OperationalError, match=r"password authentication failed|no pg_hba.conf entry"):
            psycopg.connect(f"host={HERE} port={url.port} dbname=pbem {account}")
    broker = make_url(machines.second["PBEM_BROKER_URL"])
    assert broker.host == HERE
    with pytest.raises(redis.AuthenticationError):
        redis.Redis(HERE, broker.port or 0).ping()


def test_a_worker_on_the_second_machine_plays_orders_and_sends_emails(machines: Machines, tmp_path: Path) -> None:
    arrivals: queue.Queue[Arrival] = queue.Queue()
    with ExitStack() as stack:
        mail = {"PBEM_SMTP_URL": f"smtp://127.0.0.1:{stack.enter_context(receiving(arrivals.put))}"}
        settings = Settings.read({**machines.first, **mail, "PBEM_DATA_DIR": str(tmp_path / "first")})
        migrate(settings)
        office = open_office(settings)
        stack.callback(office.database.close)
        outside = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
        environ = {**outside, **machines.second, **mail, "PBEM_DATA_DIR": str(tmp_path / "second")}
        processes = stack.enter_context(Processes(environ, tmp_path / "logs"))
        processes.python("worker", *WORKER)
        game, dice = open_game(office), random.Random(1)
        for version in range(2):
            assert asked(arrivals, game, version), (tmp_path / "logs" / "worker.log").read_text()
            view = views.game(office, game)
            order = robot.choose(view.sheet, view.state, dice)
            submissions.submit(
                office, game, submissions.NewSubmission(view.waiting_for, order, view.version, "api"), now()
            )
        assert asked(arrivals, game, 2)
        processes.check()


def asked(arrivals: queue.Queue[Arrival], game: str, version: int) -> bool:
    """Whether the email about this position arrives."""
    while True:
        try:
            arrival = arrivals.get(timeout=PATIENCE)
        except queue.Empty:
            return False
        if (arrival.game, arrival.version, arrival.kind) == (game, version, "your-turn"):
            return True
