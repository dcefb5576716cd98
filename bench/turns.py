"""One turn after the other, late in games of five on the Rust Belt: from the POST to the letter at the mail server.

All in one process, with real letters over SMTP and the board drawn: what the processor does for a turn (the mail server
has a process of its own and PostgreSQL its own ones: neither is counted), and how many statements it takes. Where all
kept games are over too soon for a measurement they are played again, in a new database by a new process, which knows
nothing of what was drawn and read before.
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context

from flask.testing import FlaskClient
from sqlalchemy import Connection, event

from bench.late import Stock, stock
from bench.postbox import receiving_elsewhere
from bench.row import Row
from pbem.engine.record import Entry
from pbem.service import Office, open_office
from pbem.service.base.task_hints import Hint, Hints
from pbem.service.base.tokens import TurnClaim
from pbem.settings.settings import Settings
from pbem.transport import broker
from pbem.web.app import create_app
from tests import servers
from tests.databases import Postgresql
from tests.late_game import LateGame
from workers import work

SECONDS = 10.0
"""How long turns are played at least, all kept games of them."""
PROCESSOR_MS, STATEMENTS = 25.0, 25


@dataclass
class Server:
    """Web, worker and outbox in this process; ``hints`` is the queue of tasks."""

    office: Office
    hints: list[Hint]
    web: FlaskClient

    def turn(self, game: LateGame, version: int, entry: Entry) -> None:
        """One order, posted as programs do, and everything that it causes."""
        token = self.office.tokens.make(TurnClaim(game.id, entry.player, version))
        answer = self.web.post(f"/api/v1/turn/{token}", json={"orders": entry.orders})
        if answer.status_code != 202:
            raise RuntimeError(f"“{entry.orders}” was answered by {answer.status_code}: {answer.text}")
        while self.hints:
            hint = self.hints.pop(0)
            if hint.task == broker.PLAY:
                work.play(self.office, str(hint.id))
            elif hint.task == broker.SEND:
                work.send(self.office, int(hint.id))


@dataclass
class Played:
    """What turns cost: seconds of the processor of each, seconds for all, statements of each."""

    processor: list[float] = field(default_factory=list)
    wall: float = 0.0
    statements: list[int] = field(default_factory=list)
    letters: int = 0

    def add(self, other: Played) -> None:
        """The same orders have been played again."""
        self.processor += other.processor
        self.wall += other.wall
        self.statements += other.statements
        self.letters += other.letters


def measure() -> list[Row]:
    """Rows of both databases."""
    with stock() as games:
        with tempfile.TemporaryDirectory() as folder:
            files = (f"sqlite:///{folder}/{number}.sqlite" for number in itertools.count(1))
            rows = list(measured(games, "SQLite", files.__next__))
        with servers.postgresql(on_disk=True) as url:
            rows += measured(games, "PostgreSQL", Postgresql(url).bare)
    return rows


def measured(games: Stock, name: str, bare: Callable[[], str]) -> Iterator[Row]:
    """The rows of one database; ``bare``: the URL of a new one."""
    played, times = Played(), 0
    while played.wall < SECONDS:
        url, times = bare(), times + 1
        games.copy_to(url)
        with ProcessPoolExecutor(1, get_context("spawn")) as another:
            played.add(another.submit(played_through, games.games, url).result())
    turns = len(played.processor)
    if played.letters < turns:
        raise RuntimeError(f"{turns} turns, but {played.letters} letters")
    mean = 1000 * statistics.mean(played.processor)
    note = f"{turns} turns and {played.letters} letters in {played.wall:.1f} s; mean {mean:.1f} ms"
    if times > 1:
        note += f"; all games {times} times"
    turn = "late turn of five, POST to SMTP"
    cost = 1000 * statistics.median(played.processor)
    yield Row(f"processor time of one {turn}, {name}", cost, "ms", limit=PROCESSOR_MS, note=note)
    statements = statistics.median(played.statements)
    yield Row(f"SQL of one {turn}, {name}", statements, "statements", limit=STATEMENTS, timed=False)


def played_through(games: tuple[LateGame, ...], url: str) -> Played:
    """All games to their end in this process; the first one warms the caches and does not count."""
    with serving(url) as (server, taken):
        first, *others = games
        play(server, [first])
        before = taken()
        played = play(server, others)
        played.letters = taken() - before
    return played


@contextmanager
def serving(url: str) -> Iterator[tuple[Server, Callable[[], int]]]:
    """A server on a database with games, and how many letters its mail server has taken."""
    with tempfile.TemporaryDirectory() as folder, receiving_elsewhere() as (port, taken):
        hints: list[Hint] = []
        ours = {
            "PBEM_DATA_DIR": folder,
            "PBEM_DATABASE_URL": url,
            "PBEM_SMTP_URL": f"smtp://127.0.0.1:{port}",
            "PBEM_RATE_LIMITS": "off",  # all orders come from one address
        }
        office = open_office(Settings.read(ours), Hints(hints.append))
        yield Server(office, hints, create_app(office=office, patience=0).test_client()), taken
        office.database.close()


def play(server: Server, games: Sequence[LateGame]) -> Played:
    """Play games to their end."""
    played = Played()
    began = time.perf_counter()
    with counting(server.office, played):
        for game in games:
            for version, entry in enumerate(game.orders, game.version):
                played.statements.append(0)
                start = time.process_time()
                server.turn(game, version, entry)
                played.processor.append(time.process_time() - start)
    played.wall = time.perf_counter() - began
    return played


@contextmanager
def counting(office: Office, played: Played) -> Iterator[None]:
    """Count the statements of the turn that is played, but those that only begin a transaction."""

    def statement(_connection: Connection, _cursor: object, words: str, *_: object) -> None:
        played.statements[-1] += not words.startswith("BEGIN")

    engine = office.database.engine
    event.listen(engine, "before_cursor_execute", statement)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", statement)
