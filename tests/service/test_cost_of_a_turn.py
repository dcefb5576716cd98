"""What a turn and the page of a game cost in things that can be counted: they are the same on every machine.

:data:`LIMITS` holds the most that is allowed: who makes something cheaper lowers its line, so that it cannot creep
back. Processor time is measured by ``make bench``. A turn is one order late in a game of five with all that it causes:
it is taken in, then the tasks of the worker run until the letters are noted as sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Connection, event, update

from pbem.engine.flow import Flow
from pbem.engine.record import Entry
from pbem.engine.storage import Codec
from pbem.render.deflate import Deflated
from pbem.service.base.tokens import SeatClaim, TurnClaim
from pbem.service.orders import submissions
from pbem.service.people import accounts
from pbem.store.statuses import Sending
from pbem.store.tables import Letter
from pbem.transport import broker
from pbem.web.app import create_app
from pbem.web.base.context import cookie_name
from tests.databases import Sqlite
from tests.late_game import late_game
from tests.table import Table
from workers import work


@dataclass(slots=True)
class Counts:
    """``statements`` of SQL, savepoints included; ``commits`` of what may write; stored states ``decoded``;
    orders ``played`` by the rules, tries included; PNG files ``drawn``."""

    statements: int = 0
    commits: int = 0
    decoded: int = 0
    played: int = 0
    drawn: int = 0

    def above(self, limit: Counts) -> dict[str, str]:
        """What is more than allowed."""
        most = asdict(limit)
        return {name: f"{count}, at most {most[name]}" for name, count in asdict(self).items() if count > most[name]}


LIMITS = {
    "turn": Counts(statements=23, commits=4, decoded=3, played=1, drawn=1),
    "turn from the API": Counts(statements=25, commits=4, decoded=3, played=1, drawn=1),
    "turn from the form": Counts(statements=25, commits=4, decoded=3, played=1, drawn=1),
    "last turn": Counts(statements=90, commits=13, decoded=3, played=1, drawn=1),
    "page": Counts(statements=5),
    "page of a player": Counts(statements=8),
}


@dataclass
class Late:
    """A game of five near its end, the orders that are still to come, anybody's browser and that of a player."""

    table: Table
    orders: list[Entry]
    version: int
    anybody: FlaskClient
    player: FlaskClient

    def turn(self) -> None:
        """Take in the next order, and do what the worker has to do."""
        self._submit()
        self._work()

    def turn_from_the_api(self) -> None:
        """The same, sent by a program."""
        token, entry = self._asked(), self._next()
        answer = self.anybody.post(f"/api/v1/turn/{token}", json={"orders": entry.orders})
        assert answer.status_code == 202, answer.text
        self._work()

    def turn_from_the_form(self) -> None:
        """The same with the form of the turn page; the worker has not played when the page answers."""
        token, entry = self._asked(), self._next()
        answer = self.anybody.post(f"/t/{token}", data={"orders": entry.orders})
        assert answer.status_code == 303, answer.text
        self._work()

    def page(self) -> None:
        """The page of the game as anybody sees it."""
        assert self.anybody.get(f"/games/{self.table.game}").status_code == 200

    def page_of_a_player(self) -> None:
        """The same as a player sees it who is logged in."""
        assert self.player.get(f"/games/{self.table.game}").status_code == 200

    def last_turn(self) -> None:
        """The last order of all: everybody gets a letter with the result."""
        assert len(self.orders) == 1
        self.turn()
        assert self.table.view().status == "over"

    def to_the_last_order(self) -> None:
        """Play all orders but the last; the letters about them count as sent."""
        while len(self.orders) > 1:
            self._submit()
            submissions.play_waiting(self.table.office, self.table.game, self.table.now)
        self.table.hints.clear()
        with self.table.office.write() as session:
            session.execute(update(Letter).values(status=Sending.SENT, sent_at=self.table.now))

    def _submit(self) -> None:
        version, entry = self.version, self._next()
        new = submissions.NewSubmission(entry.player, entry.orders, version, "page")
        submissions.submit(self.table.office, self.table.game, new, self.table.now)

    def _asked(self) -> str:
        return self.table.office.tokens.make(TurnClaim(self.table.game, self.orders[0].player, self.version))

    def _next(self) -> Entry:
        self.version += 1
        return self.orders.pop(0)

    def _work(self) -> None:
        while self.table.hints:
            hint = self.table.hints.pop(0)
            if hint.task == broker.PLAY:
                work.play(self.table.office, str(hint.id))
            elif hint.task == broker.SEND:
                work.send(self.table.office, int(hint.id))


@pytest.fixture(scope="module")
def late(sqlite: Sqlite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Late]:
    """Tests play on in it, each a few orders."""
    table = Table(sqlite.fresh(), tmp_path_factory.mktemp("data"))
    game = late_game(table.office, table.now)
    table.game = game.id
    table.hints.clear()
    app = create_app(office=table.office, clock=lambda: table.now, patience=0)
    player = app.test_client()
    session = accounts.log_in_seat(table.office, SeatClaim(game.id, 0), table.now)
    player.set_cookie(cookie_name(table.office.settings), session)
    yield Late(table, list(game.orders), game.version, app.test_client(), player)
    table.close()


@contextmanager
def counted(late: Late, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counts]:
    """What is done meanwhile."""
    counts, engine = Counts(), late.table.office.database.engine

    def statement(_connection: Connection, _cursor: object, text: str, *_: object) -> None:
        counts.statements += not text.startswith("BEGIN")

    def commit(connection: Connection) -> None:
        counts.commits += "pbem_writes" in connection.get_execution_options()

    def noted(name: str, work: Callable[..., object]) -> Callable[..., object]:
        def does(*words: object, **more: object) -> object:
            setattr(counts, name, getattr(counts, name) + 1)
            return work(*words, **more)

        return does

    with monkeypatch.context() as patched:
        patched.setattr(work, "now", lambda: late.table.now)
        patched.setattr(Codec, "decode", noted("decoded", Codec.decode))
        patched.setattr(Flow, "play", noted("played", Flow.play))
        patched.setattr(Deflated, "zlib", noted("drawn", Deflated.zlib))
        event.listen(engine, "before_cursor_execute", statement)
        event.listen(engine, "commit", commit)
        try:
            yield counts
        finally:
            event.remove(engine, "before_cursor_execute", statement)
            event.remove(engine, "commit", commit)


def cost(late: Late, monkeypatch: pytest.MonkeyPatch, act: Callable[[Late], None]) -> Counts:
    """What something costs the second time: the first may fill what a process keeps."""
    act(late)
    with counted(late, monkeypatch) as counts:
        act(late)
    return counts


@pytest.mark.parametrize(
    ("name", "act"),
    [
        ("turn", Late.turn),
        ("turn from the API", Late.turn_from_the_api),
        ("turn from the form", Late.turn_from_the_form),
        ("page", Late.page),
        ("page of a player", Late.page_of_a_player),
    ],
)
def test_what_is_done_often_costs_no_more_than_it_did(
    late: Late, monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[Late], None]
) -> None:
    assert cost(late, monkeypatch, act).above(LIMITS[name]) == {}


def test_the_end_of_a_game_costs_no_more_than_it_did(late: Late, monkeypatch: pytest.MonkeyPatch) -> None:
    late.to_the_last_order()
    with counted(late, monkeypatch) as counts:
        late.last_turn()
    assert counts.above(LIMITS["last turn"]) == {}


def test_more_than_the_limit_is_told_by_name() -> None:
    assert Counts(statements=3, commits=1).above(Counts(statements=2, commits=1)) == {"statements": "3, at most 2"}
