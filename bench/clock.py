"""The clock's pass over ten thousand running games, on both databases: nothing due, some things due, after an outage.

The games are copies of one real one, each asked since another minute of the last day. Statements are counted: a pass
in which nothing is due asks one question for each kind of work.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, event, insert, select, update
from sqlalchemy.orm import undefer

from bench.players import now, open_game
from bench.row import Row
from pbem.service import Office, open_office
from pbem.service.base.task_hints import Hint, Hints
from pbem.service.turns import outages
from pbem.settings.settings import Settings
from pbem.store.statuses import Sending
from pbem.store.tables import Account, Game, Heartbeat, Letter, Seat
from pbem.store.upgrade import upgrade
from tests import servers
from workers import clock

GAMES = 10_000
PLAYERS = 2_000
RUNS = 5
DUE = 100
QUIET_S, REMINDING_S, OUTAGE_S = 0.02, 0.12, 1.0


def measure() -> list[Row]:
    """Rows of both databases."""
    with tempfile.TemporaryDirectory() as folder:
        rows = list(measured("SQLite", f"sqlite:///{folder}/bench.sqlite", folder))
    with tempfile.TemporaryDirectory() as folder, servers.postgresql(on_disk=True) as url:
        rows += measured("PostgreSQL", url, folder)
    return rows


def measured(name: str, url: str, folder: str) -> Iterator[Row]:
    """A quiet pass, a pass with reminders, and the pass after an outage."""
    hints: list[Hint] = []
    settings = Settings.read({"PBEM_DATA_DIR": str(Path(folder, "data")), "PBEM_DATABASE_URL": url})
    office = open_office(settings, Hints(hints.append))
    upgrade(office.database.engine)
    began = now()
    fill(office, began)
    clock.tick(office, began)
    times = [seconds(office, began + timedelta(seconds=15 * run)) for run in range(1, RUNS + 1)]
    with counted(office) as statements:
        clock.tick(office, began + timedelta(seconds=15 * (RUNS + 1)))
    note = f"{len(statements)} statements, nothing due"
    yield Row(
        f"the clock’s pass over {GAMES:,} running games, {name}",
        statistics.median(times),
        "s",
        limit=QUIET_S,
        note=note,
    )
    took = statistics.median(reminding(office, began + timedelta(minutes=3 + run)) for run in range(RUNS))
    yield Row(f"a pass with {DUE} reminders, {name}", took, "s", limit=REMINDING_S, note="all in one transaction")
    start, worked = time.perf_counter(), time.process_time()
    outages.beat(office, began + timedelta(days=2))
    took, worked = time.perf_counter() - start, time.process_time() - worked
    yield Row(
        f"clocks of {GAMES:,} games moved after an outage, {name}",
        took,
        "s",
        limit=OUTAGE_S,
        note=f"once per outage; {worked:.2f} s of the processor here",
    )
    office.database.close()


def seconds(office: Office, at: datetime) -> float:
    """How long one pass takes."""
    start = time.perf_counter()
    clock.tick(office, at)
    return time.perf_counter() - start


def fill(office: Office, at: datetime) -> None:
    """Copies of one game, with players who are in many of them; no letter waits."""
    first = open_game(office)
    with office.database.write() as session:
        game = session.scalars(select(Game).where(Game.id == first).options(undefer(Game.state))).one()
        seats = session.scalars(select(Seat).where(Seat.game_id == first).order_by(Seat.number)).all()
        whole, chair = columns(game), [columns(seat) for seat in seats]
        people = [{"address": f"p{n}@example.org", "name": f"P{n}", "created_at": at} for n in range(PLAYERS)]
        session.execute(insert(Account), people)
        ids = list(session.scalars(select(Account.id).where(Account.address.like("p%@example.org"))))
        games, places = [], []
        for number in range(GAMES):
            since = at - timedelta(minutes=number % 1440)
            times = {"deadline_at": since + timedelta(days=3), "remind_at": since + timedelta(days=2)}
            games.append({**whole, **times, "id": f"c{number:07}", "waiting_since": since, "counted_from": since})
            places += [
                {**seat, "game_id": f"c{number:07}", "account_id": ids[(7 * number + 500 * place) % PLAYERS]}
                for place, seat in enumerate(chair)
            ]
        session.execute(insert(Game), games)
        session.execute(insert(Seat), places)
        for letter in session.scalars(select(Letter)):
            letter.status, letter.sent_at = Sending.SENT, at
        session.merge(Heartbeat(id=outages.THE_ROW, at=at))


def columns(row: Game | Seat) -> dict[str, object]:
    """The values of a row without its own number."""
    return {c.key: getattr(row, c.key) for c in row.__table__.columns if (c.key, type(row)) != ("id", Seat)}


def reminding(office: Office, at: datetime) -> float:
    """How long a pass takes in which some games are due for a reminder; their letters count as sent then."""
    some = select(Game.id).where(Game.id.like("c%")).order_by(Game.id).limit(DUE)
    with office.database.write() as session:
        session.execute(update(Game).where(Game.id.in_(some)).values(remind_at=at, reminded_at=None))
    took = seconds(office, at)
    with office.database.write() as session:
        written = update(Letter).where(Letter.status == Sending.WAITING).values(status=Sending.SENT, sent_at=at)
        if len(session.scalars(written.returning(Letter.id)).all()) != DUE:
            raise RuntimeError("a reminder is missing, or something else was written")
    return took


@contextmanager
def counted(office: Office) -> Iterator[list[str]]:
    """The statements that are sent meanwhile, transactions' ends apart."""
    sent: list[str] = []

    def note(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith(("BEGIN", "COMMIT")):
            sent.append(statement)

    event.listen(office.database.engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(office.database.engine, "before_cursor_execute", note)
