"""Late games of five on the Rust Belt, which several benchmarks play on to real emails.

Robots have played them once, and they are kept in ``late_games.json.gz``: every run plays the same orders, whatever
robots would do today. They are different games, so that nothing a process keeps of one position helps with the next.
``python -m bench.late`` plays new ones; figures from before and after that cannot be compared.
"""

import gzip
import json
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, Integer, event, insert, null, select

from bench.players import now, play_out
from pbem.engine import catalog, replace
from pbem.engine.record import Record, read_record, write_record
from pbem.service import open_office
from pbem.service.base.task_hints import Hints
from pbem.settings.settings import Settings
from pbem.store.database import Database
from pbem.store.tables import Table
from pbem.store.upgrade import upgrade
from tests.late_game import LateGame, late_game

KEPT = Path(__file__).with_name("late_games.json.gz")
GAMES = 12
PLAYERS = 5
FULL = 64
"""Pieces of track on the board at the end, at the least: as many as people lay, or nearly."""


@dataclass(frozen=True, slots=True)
class Stock:
    """A database with late games, to be copied into those that are measured."""

    database: Database
    games: tuple[LateGame, ...]

    def copy_to(self, url: str) -> None:
        """Put all games into the database at this URL, which has no tables yet."""
        target = Database(url)
        upgrade(target.engine)
        transplant(self.database.engine, target.engine)
        target.close()


@contextmanager
def stock(games: int = GAMES) -> Iterator[Stock]:
    """So many of the kept games, each at the first order of its last turn but one."""
    with tempfile.TemporaryDirectory(prefix="pbem-late-") as folder:
        settings = Settings.read({"PBEM_DATA_DIR": folder, "PBEM_DATABASE_URL": f"sqlite:///{folder}/late.sqlite"})
        office = open_office(settings, Hints(lambda _: None))
        event.listen(office.database.engine, "connect", _without_waiting)
        upgrade(office.database.engine)
        late = tuple(late_game(office, now(), record) for record in records()[:games])
        yield Stock(office.database, late)
        office.database.close()


def _without_waiting(connection: sqlite3.Connection, _record: object) -> None:
    """Nothing is measured while the games are played to where they begin, and no power cut matters."""
    connection.execute("PRAGMA synchronous = OFF")


def records() -> list[Record]:
    """The kept games."""
    return [read_record(json.dumps(stored)) for stored in json.loads(gzip.decompress(KEPT.read_bytes()))]


def transplant(source: Engine, target: Engine) -> None:
    """Copy all rows into empty tables; new rows get numbers after theirs."""
    with source.connect() as old, target.execution_options(pbem_writes=True).begin() as new:
        for table in Table.metadata.sorted_tables:
            rows = [dict(row) for row in old.execute(select(table)).mappings()]
            if rows:
                new.execute(insert(table), rows)
            if rows and target.dialect.name == "postgresql" and isinstance(table.c.get("id", null()).type, Integer):
                number = f"pg_get_serial_sequence('{table.name}', 'id')"
                new.exec_driver_sql(f"SELECT setval({number}, (SELECT max(id) FROM {table.name}))")


def keep_new_games() -> None:
    """Let robots play until there are enough games with a full board, and keep those."""
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    found: list[dict[str, Any]] = []
    number = 0
    while len(found) < GAMES:
        number += 1
        record, end = play_out(sheet, PLAYERS, number)
        if len(sheet.position(end)["track"]) >= FULL:
            bare = tuple(replace(entry, chance=None, digest="") for entry in record.turns)
            found.append(write_record(replace(record, turns=bare)))
    KEPT.write_bytes(gzip.compress(json.dumps(found).encode(), 9, mtime=0))


if __name__ == "__main__":
    keep_new_games()
