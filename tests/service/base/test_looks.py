"""In one look nothing is read twice, and what was written meanwhile is read anew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from pbem.service.base import looks, queries
from pbem.service.games import answering, members, views
from pbem.service.letters import talk
from pbem.service.people import accounts
from pbem.service.turns import audit_log
from pbem.store.tables import Account
from tests.table import Table


@contextmanager
def reading(table: Table) -> Iterator[list[str]]:
    """The statements that are read by meanwhile, ``BEGIN`` left out."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith("BEGIN"):
            found.append(statement)

    engine = table.office.database.engine
    event.listen(engine, "before_cursor_execute", note)
    yield found
    event.remove(engine, "before_cursor_execute", note)


def look_around(table: Table) -> tuple[object, ...]:
    """Everything that the page of a game asks, by the first player."""
    office, game = table.office, table.game
    return (
        views.game(office, game),
        views.seat_of(office, game, table.host),
        members.company(office, game, 0, table.host, table.now),
        talk.said(office, game),
        talk.note(office, game, table.host),
        audit_log.of_game(office, game),
        accounts.of_seat(office, game, 0),
        accounts.how_a_seat_reads(office, game, 0),
    )


@pytest.fixture
def game(table: Table) -> Table:
    """Orders were played, missed and taken back; people talk, vote and are away."""
    table.start()
    table.play()
    talk.post(table.office, table.game, 1, "Nice link!", table.now)
    talk.write_note(table.office, table.game, table.host, "Buy shares.", table.now)
    return table


def test_one_look_tells_the_same_as_many(game: Table) -> None:
    many = look_around(game)
    with game.office.one_look():
        assert look_around(game) == many


def test_in_one_look_nothing_is_read_a_second_time(game: Table) -> None:
    with reading(game) as statements, game.office.one_look():
        first = look_around(game)
        read = len(statements)
        assert look_around(game)[0] is first[0]
    assert read <= 11
    assert not [
        one for one in statements[read:] if "games.id = " in one or "FROM seats" in one or "FROM accounts" in one
    ]


def test_what_is_written_in_a_look_is_read_anew(game: Table) -> None:
    with game.office.one_look():
        assert talk.note(game.office, game.game, game.host) == "Buy shares."
        talk.write_note(game.office, game.game, game.host, "Sell.", game.now)
        assert talk.note(game.office, game.game, game.host) == "Sell."


def test_a_look_that_has_ended_is_over(game: Table) -> None:
    with game.office.one_look():
        before = views.game(game.office, game.game)
    game.play()
    assert views.game(game.office, game.game).version == before.version + 1
    with game.office.one_look():
        assert views.game(game.office, game.game).version == before.version + 1


def test_rows_that_are_at_hand_are_not_read_again(game: Table) -> None:
    with game.office.one_look(), game.office.read() as session:
        ids = {seat.account_id for seat in queries.seats(session, game.game) if seat.account_id is not None}
        with reading(game) as statements:
            assert {account.id for account in queries.accounts(session, ids).values()} == ids
        assert statements == []
    with game.office.read() as session:
        assert set(queries.accounts(session, ids)) == ids
        assert session.get_one(Account, game.host).id == game.host


def test_one_statement_tells_what_there_is_about_a_game(game: Table) -> None:
    with game.office.one_look(), game.office.read() as session, reading(game) as statements:
        kinds = ("votes", "offers", "posts", "notes", "standing_orders", "missed", "absences", "rematch")
        assert {kind for kind in kinds if looks.may_have(session, game.game, kind)} == {"posts", "notes"}
        assert len(statements) == 1


def test_a_single_question_in_one_look_sees_its_state(game: Table) -> None:
    office, version = game.office, game.view().version
    seat = game.view().waiting_for
    with office.one_look():
        before = answering.player(office, game.game, seat).game.version
    assert before == version
    game.play()
    assert answering.player(office, game.game, seat).game.version == game.view().version > version
