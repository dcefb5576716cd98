"""What is done often costs the same however many games are stored: SQLite counts its steps and says how it looks."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from sqlite3 import Connection as SqliteConnection
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Connection, event, insert, select, update

from pbem.mail.compose import compose
from pbem.service.archive import archive
from pbem.service.base.tokens import SeatClaim, TurnClaim
from pbem.service.games import views
from pbem.service.letter_views import correspondence
from pbem.service.letters import outbox
from pbem.service.orders import submissions
from pbem.service.people import accounts, feeds
from pbem.store.tables import Game, Heartbeat, Letter
from pbem.transport import broker
from pbem.web.app import create_app
from pbem.web.base.context import cookie_name
from tests import many_games, templates
from tests.databases import Sqlite
from tests.table import Table
from workers import clock

FEW, MANY = 150, 3_000
MINE = 80
DUE = 15
TICK = 10
MORE, APART = 1.2, 20
"""How many more steps are no growth: ids and times are found at other places of an index."""
SMALL = ("heartbeats", "alembic_version", "sqlite_master", "webhooks", "unreachable", "each_name", "each_title",
         "open_tables", "counted_here")  # fmt: skip
"""Tables that do not grow with the games (of open tables there are as many as wait for players), the names of all
players, each once, and the games that the archive counts, which end at a limit."""
WHOLE = re.compile(r"^SCAN (?!CONSTANT|\d)(\w+)")


@dataclass
class Place:
    """A running game, its host and his browser, among so many stored games."""

    table: Table
    browser: FlaskClient
    deep: str
    feed: str
    claimed: int = 0

    def get(self, path: str) -> None:
        answer = self.browser.get(path)
        assert answer.status_code == 200, path

    def turn(self) -> None:
        """An order, from taking in to the letter."""
        table = self.table
        number = table.send(table.legal())
        submissions.play_waiting(table.office, table.game, table.now)
        assert views.submission(table.office, number).status == "played"
        asked = [int(hint.id) for hint in table.hints if hint.task == broker.SEND]
        table.hints.clear()
        for number in asked:
            assert outbox.claim(table.office, number, table.now)
            compose(correspondence.letter(table.office, number, table.now).view, None, "a@example.org")
            outbox.sent(table.office, number, table.now)

    def turn_page(self) -> str:
        view = self.table.view()
        return f"/t/{self.table.office.tokens.make(TurnClaim(view.id, view.waiting_for, view.version))}"

    def tick(self) -> None:
        clock.tick(self.table.office, self.table.later(seconds=1))

    def reminders_due(self) -> None:
        """Let some of the copied games be due for a reminder at the next look."""
        with self.table.office.write() as session:
            running = select(Game.id).where(Game.status == "running", Game.id.like("c%")).order_by(Game.id).limit(DUE)
            ids = list(session.scalars(running))
            assert len(ids) == DUE
            session.execute(update(Game).where(Game.id.in_(ids)).values(remind_at=self.table.now))


@dataclass
class Work:
    """What the database did: its steps, :data:`TICK` at a time, and the statements with their values."""

    steps: int = 0
    statements: list[tuple[str, Any]] = field(default_factory=list)

    def step(self) -> None:
        """So many more."""
        self.steps += 1

    def whole_tables(self, connection: Connection) -> list[tuple[str, str]]:
        """The tables that were read from end to end, each with the statement that did."""
        return [
            (table, statement) for statement, given in self.statements for table in scans(connection, statement, given)
        ]


@pytest.fixture(scope="module")
def places(sqlite: Sqlite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Place, Place]]:
    """The same game among few and among many; there are more in either than the archive counts."""
    tables = [Table(sqlite.fresh(), tmp_path_factory.mktemp("data")) for _ in range(2)]
    few, many = (place(table, games) for table, games in zip(tables, (FEW, MANY), strict=True))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(archive, "MOST_COUNTED", FEW // 2)
        yield few, many
    for table in tables:
        table.close()


def place(table: Table, games: int) -> Place:
    """Open a game, let one be over, and store copies of both."""
    over = table.start().id
    table.play()
    table.put(update(Game).values(status="over", ended_at=table.now))
    running = table.start().id
    table.play()
    waiting = table.open()
    table.game = running
    with table.office.write() as session:
        session.execute(update(Letter).values(status="sent", sent_at=table.now))
        session.execute(insert(Heartbeat), [{"id": 1, "at": table.now}])
    table.hints.clear()
    many_games.fill(table.office, many_games.Templates(over, running, waiting), games, table.now)
    many_games.give_games(table.office, table.host, MINE)
    browser = templates.shared(create_app(office=table.office, clock=lambda: table.now)).test_client()
    browser.set_cookie(
        cookie_name(table.office.settings), accounts.log_in_seat(table.office, SeatClaim(running, 0), table.now)
    )
    feed = feeds.renew(table.office, table.host, table.now - timedelta(days=1)).atom
    middle = archive.page(table.office, size=games // 3).older
    return Place(table, browser, middle, feed.removeprefix(table.office.addresses.root))


def work(at: Place, act: Callable[[Place], None]) -> Work:
    """Do it and say what the database had to do; nothing may have read a whole table."""
    done = Work()
    with watched(at, done):
        act(at)
    assert done.statements
    with at.table.office.database.engine.connect() as connection:
        assert not done.whole_tables(connection)
    return done


@contextmanager
def watched(at: Place, done: Work) -> Iterator[None]:
    def note(_connection: Connection, _cursor: object, statement: str, values: Any, *_: object) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
            done.statements.append((statement, values))

    def count(connection: SqliteConnection, *_: object) -> None:
        connection.set_progress_handler(done.step, TICK)

    def stop(connection: SqliteConnection, *_: object) -> None:
        connection.set_progress_handler(None, TICK)

    engine = at.table.office.database.engine
    listeners = (("before_cursor_execute", note), ("checkout", count), ("checkin", stop))
    for name, listener in listeners:
        event.listen(engine, name, listener)
    try:
        yield
    finally:
        for name, listener in listeners:
            event.remove(engine, name, listener)


def scans(connection: Connection, statement: str, values: Any) -> list[str]:
    """The tables that this statement would read from end to end."""
    plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
    whole = (WHOLE.match(line[-1]) for line in plan)
    return [found[1] for found in whole if found and found[1] not in SMALL]


def same_work(places: tuple[Place, Place], act: Callable[[Place], None]) -> Work:
    """Done among many games it takes no more than among few; returns what it took among many."""
    few, many = (work(at, act) for at in places)
    assert len(many.statements) == len(few.statements)
    assert many.steps <= few.steps * MORE + APART
    return many


def test_the_check_sees_a_table_that_is_read_from_end_to_end(places: tuple[Place, Place]) -> None:
    with places[0].table.office.database.engine.connect() as connection:
        assert scans(connection, "SELECT commitment FROM games WHERE commitment = ?", ("x",)) == ["games"]
        assert scans(connection, "SELECT count(*) FROM games", ()) == ["games"]
        assert scans(connection, "SELECT title FROM games WHERE id = ?", ("x",)) == []


def test_the_check_sees_work_that_grows(places: tuple[Place, Place]) -> None:
    def count_running(at: Place) -> None:
        with at.table.office.read() as session:
            session.scalars(select(Game.title).where(Game.status == "running")).all()

    few, many = (work(at, count_running) for at in places)
    assert many.steps > few.steps * MORE + APART


def test_a_turn_costs_the_same_among_many_games(places: tuple[Place, Place]) -> None:
    assert len(same_work(places, Place.turn).statements) < 32


def test_a_look_of_the_clock_costs_the_same_among_many_games(places: tuple[Place, Place]) -> None:
    assert len(same_work(places, Place.tick).statements) < 25


def test_reminders_cost_the_same_among_many_games(places: tuple[Place, Place]) -> None:
    for at in places:
        at.reminders_due()
    assert len(same_work(places, Place.tick).statements) < 25 + 9 * DUE
    for at in places:
        with at.table.office.write() as session:
            waiting = update(Letter).where(Letter.status == "waiting").values(status="sent").returning(Letter.kind)
            assert session.scalars(waiting).all() == ["reminder"] * DUE
        at.table.hints.clear()


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/archive",
        "/archive?map=rust_belt",
        "/archive?map=sicily",
        "/archive?q=nobody+at+all",
        "/archive?q=nobody+at+all&map=rust_belt",
        "/letters",
        "/letters?older=99",
        "/new",
        "/account",
    ],
)
def test_a_page_costs_the_same_among_many_games(places: tuple[Place, Place], path: str) -> None:
    same_work(places, lambda at: at.get(path))


@pytest.mark.parametrize(
    "path",
    [
        lambda at: f"/archive?older={at.deep}",
        lambda at: f"/games/{at.table.game}",
        lambda at: at.turn_page(),
        lambda at: at.feed,
    ],
    ids=["archive far back", "game", "turn", "feed"],
)
def test_a_page_costs_the_same_among_many(places: tuple[Place, Place], path: Callable[[Place], str]) -> None:
    same_work(places, lambda at: at.get(path(at)))
