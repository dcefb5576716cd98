"""Lists of games: the lobby of a player, on both databases, and the indexes they are found by."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from pbem.service import open_office
from pbem.service.archive import archive
from pbem.service.base.task_hints import Hints
from pbem.service.games import game_lists
from pbem.store.tables import Account, Game, Seat
from pbem.views.games import GameLine
from tests.table import Table

pytestmark = pytest.mark.postgresql  # the order of rows


def ids(lines: tuple[GameLine, ...]) -> list[str]:
    return [line.id for line in lines]


def account(table: Table, name: str) -> int:
    return table.only(select(Account.id).where(Account.address == f"{name}@example.org"))


def test_the_lobby_of_a_player_is_sorted_by_what_can_be_done(table: Table) -> None:
    running = table.start().id
    asked = table.view().names[table.view().waiting_for]
    invited = table.open()
    lobby = game_lists.lobby(table.office, account(table, "ben"))
    assert ids(lobby.invitations) == [invited]
    assert ids(lobby.your_turn if asked == "Ben" else lobby.waiting) == [running]
    assert [seat.name for seat in lobby.invitations[0].seats] == ["Ana", "Ben", "Chloé", "Davi"]
    assert lobby.invitations[0].seat is not None
    assert lobby.invitations[0].seat.name == "Ben"


def test_whoever_hosts_without_playing_sees_the_game_once(table: Table) -> None:
    with table.office.write() as session:
        host = Account(address="host@example.org", name="Host", created_at=table.now)
        session.add(host)
        session.flush()
        number = host.id
    game = table.start().id
    table.put(update(Game).values(host_id=number))
    lobby = game_lists.lobby(table.office, number)
    assert ids(lobby.waiting) == [game]
    assert lobby.waiting[0].seat is None


def test_of_the_finished_games_the_latest_are_shown_with_their_results(dealt: Table) -> None:
    with dealt.office.write() as session:
        first = session.get_one(Game, dealt.game)
        columns = [c.key for c in Game.__table__.columns if c.key not in ("id", "status", "ended_at")]
        values = {key: getattr(first, key) for key in columns}
        people = session.scalars(select(Seat).where(Seat.game_id == first.id)).all()
        for number in range(game_lists.FINISHED_SHOWN + 2):
            ended = dealt.now + timedelta(hours=number)
            session.add(Game(id=f"over{number}", status="over", ended_at=ended, **values))
            session.flush()
            for seat in people:
                named = {key: getattr(seat, key) for key in ("number", "account_id", "name", "colour", "status")}
                session.add(Seat(game_id=f"over{number}", **named))
    lobby = game_lists.lobby(dealt.office, account(dealt, "ana"))
    assert ids(lobby.finished) == [f"over{number}" for number in range(game_lists.FINISHED_SHOWN + 1, 1, -1)]
    assert all(len(line.standings) == 4 for line in lobby.finished)


def copies(table: Table, count: int) -> list[str]:
    """Finished games that are nothing but their rows."""
    with table.office.write() as session:
        row = session.get_one(Game, table.game)
        values = {column.name: getattr(row, column.name) for column in Game.__table__.c}
        values |= {"status": "over", "ended_at": table.now, "unlisted": False}
        ids = [f"copy{number}" for number in range(count)]
        session.execute(insert(Game), [{**values, "id": copy} for copy in ids])
    return ids


@pytest.mark.postgresql
def test_the_number_is_true_whatever_becomes_of_games(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_COUNTED", 3)
    table.start()
    ids = copies(table, 5)
    other = open_office(table.office.settings, Hints(lambda _: None))

    def numbers(**wanted: Any) -> set[tuple[int | None, int]]:
        pages = [archive.page(office, archive.Wanted(**wanted)) for office in (table.office, other)]
        return {(page.found, page.in_all) for page in pages}

    def change(which: list[str], **values: Any) -> None:
        table.put(update(Game).where(Game.id.in_(which)).values(**values))

    assert numbers() == numbers(map="rust_belt") == {(4, 4)}  # more than three
    change(ids[:2], unlisted=True)
    assert numbers() == {(3, 3)}
    table.put(delete(Game).where(Game.id == ids[2]))
    assert numbers() == numbers(map="rust_belt") == {(2, 2)}
    change([table.game], status="over", ended_at=table.now)
    assert numbers() == {(3, 3)}
    assert numbers(map="germany") == {(0, 3)}
    change(ids[:1], unlisted=False)
    assert numbers() == {(4, 4)}
    change(ids[3:], map="germany")
    assert (numbers(map="germany"), numbers(map="rust_belt")) == ({(2, 4)}, {(2, 4)})
    other.database.close()
