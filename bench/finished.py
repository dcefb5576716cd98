"""The archive in every order and with every filter, and the pages of statistics, beside 100,000 finished games.

The games are copies of one that robots have played (``tests.many_games``), counted with figures that differ: numbers of
players, orders, points. Everybody lets everybody see their results.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Integer, String, cast, func, insert, literal, select, update

from bench.place import MANY, Place, place, real_games
from bench.players import PLAYERS, now
from bench.row import Row
from pbem.service import Office
from pbem.service.statistics import counting
from pbem.store.statuses import GameStatus
from pbem.store.tables import Account, CountedGame, Game, Rating, Result, Seat
from tests import servers
from tests.databases import Postgresql

GAMES = 100_000
ROUNDS = 15
MOST_MS = 60.0
PAGES = {
    "archive": "/archive",
    "archive of games of four": "/archive?players=4",
    "archive, most orders first": "/archive?order=longest",
    "archive, highest score first": "/archive?order=highest",
    "archive, closest finish of six on one map first": "/archive?order=closest&players=6&map=rust_belt",
    "archive of a map nobody has played, highest score first": "/archive?order=highest&map=france",
    f"archive, only mine of {MANY}, highest score first": "/archive?mine=1&order=highest",
    "statistics": "/statistics",
    "statistics of a map": "/statistics/rust_belt",
    "ratings": "/ratings",
    f"results of somebody with {MANY} games": "/players/{account}",
}


def measure() -> list[Row]:
    """Rows of both databases."""
    rows: list[Row] = []
    with real_games() as real, tempfile.TemporaryDirectory(prefix="pbem-finished-") as folder:
        with place(real, Path(folder, "s"), f"sqlite:///{folder}/{GAMES}.sqlite", GAMES) as made:
            rows += measured(made, "SQLite")
        with (
            servers.postgresql(on_disk=True) as url,
            place(real, Path(folder, "p"), Postgresql(url).fresh(), GAMES) as made,
        ):
            rows += measured(made, "PostgreSQL")
    return rows


def measured(made: Place, name: str) -> Iterator[Row]:
    """A row for each page on one kind of database."""
    began = time.perf_counter()
    account = count(made.office, made.templates.over)
    print(f"{GAMES:,} games on {name}: counted in {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    for words, address in PAGES.items():
        times = [made.page(address.format(account=account), made.many) for _ in range(ROUNDS + 1)][1:]
        yield Row(f"{words}, {GAMES:,} games, {name}", 1000 * statistics.median(times), "ms", limit=MOST_MS)


def count(office: Office, over: str) -> int:
    """Count the copies of a finished game; returns the account that plays in many."""
    counting.count_again(office, over, now())
    number = cast(func.substr(Game.id, 2), Integer)
    copies = (Game.status == GameStatus.OVER, Game.id.like("c%"), Game.id != over)  # its id is drawn by lot
    game = {
        "game_id": Game.id, "game": Game.game, "map": Game.map, "players": 2 + number % 5, "ended_at": Game.ended_at,
        "listed": literal(True), "rated": literal(True), "orders": 90 + number % 211, "best": 30 + number % 97,
        "margin": number % 23, "figures": literal([], CountedGame.figures.type),
    }  # fmt: skip
    result = {
        "game_id": Game.id, "number": Seat.number, "game": Game.game, "ended_at": Game.ended_at,
        "who": literal("a") + cast(Seat.account_id, String), "place": Seat.number + 1, "points": 60 - 5 * Seat.number,
        "out": literal(False), "nth": 1 + number % 40, "mu": literal(25_000_000), "sigma": literal(8_000_000),
    }  # fmt: skip
    rating = {
        "game": literal("age-of-steam"), "who": literal("a") + cast(Account.id, String), "account_id": Account.id,
        "mu": literal(25_000_000), "sigma": literal(8_000_000), "shown": Account.id * 7919 % 30_000_000,
        "games": literal(12), "last_at": Account.created_at,
    }  # fmt: skip
    with office.database.write() as session:
        session.execute(insert(CountedGame).from_select([*game], select(*game.values()).where(*copies)))
        seated = select(*result.values()).join_from(Game, Seat, Seat.game_id == Game.id)
        session.execute(insert(Result).from_select([*result], seated.where(*copies, Seat.account_id.is_not(None))))
        rated = select(*rating.values()).where(Account.address.like("p%@copies.invalid"))
        session.execute(insert(Rating).from_select([*rating], rated))
        session.execute(update(Account).values(statistics=True))
        if session.get_bind().dialect.name == "postgresql":
            session.connection().exec_driver_sql("ANALYZE")
        return session.scalars(select(Account.id).where(Account.address == PLAYERS[1].address)).one()
