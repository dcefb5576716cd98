"""On PostgreSQL whoever only reads cannot write, and sees one state from the first statement to the last."""

from __future__ import annotations

import contextlib

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import InternalError, OperationalError

from pbem.store.database import Database
from tests.databases import Postgresql
from tests.servers import free_port


def test_a_transaction_that_reads_cannot_write_on_postgresql(postgresql: Postgresql) -> None:
    database = Database(postgresql.fresh())
    with database.read() as session, pytest.raises(InternalError, match="read-only transaction"):
        session.execute(text("DELETE FROM heartbeats"))
    database.close()


def test_a_transaction_that_reads_sees_one_state_on_postgresql(postgresql: Postgresql) -> None:
    database = Database(postgresql.fresh())
    count = text("SELECT count(*) FROM heartbeats")
    with database.read() as session:
        before = session.scalar(count)
        with database.write() as other:
            other.execute(text("INSERT INTO heartbeats (id, at) VALUES (7, now())"))
        assert session.scalar(count) == before
    with database.read() as session:
        assert session.scalar(count) == (before or 0) + 1
    database.close()


def test_columns_on_postgresql_are_described_to_who_looks_and_none_where_a_statement_has_no_rows(
    postgresql: Postgresql,
) -> None:
    database = Database(postgresql.fresh())
    with database.read() as session:
        cursor = session.connection().connection.cursor()
        cursor.execute("SELECT 1 AS one, 'x' AS two")
        assert [column[0] for column in cursor.description] == ["one", "two"]
        assert [column[0] for column in cursor.description[1:]] == ["two"]
        assert len(cursor.description) == 2
        cursor.execute("SET LOCAL statement_timeout = 0")
        assert cursor.description is None
        assert session.execute(text("SELECT 1 AS one, 'x' AS two")).mappings().all() == [{"one": 1, "two": "x"}]
    database.close()


def test_what_was_asked_often_stays_prepared_on_postgresql_when_a_look_ends_whether_well_or_not(
    postgresql: Postgresql,
) -> None:
    database = Database(postgresql.fresh())
    often, prepared = (
        text("SELECT count(*) FROM heartbeats WHERE id < 0"),
        text("SELECT statement FROM pg_prepared_statements"),
    )
    for _ in range(8):
        with pytest.raises(ZeroDivisionError), database.read() as session:
            1 / session.scalar(often)  # it is 0
    with database.read() as session:
        assert often.text in session.scalars(prepared).all()
    database.close()


def test_a_connection_that_the_server_has_ended_is_replaced(postgresql: Postgresql) -> None:
    database, other = Database(url := postgresql.fresh()), Database(url)
    own = text("SELECT pg_backend_pid()")

    def number() -> int:
        with database.read() as session:
            return int(session.execute(own).scalar_one())

    before = number()
    assert number() == before
    with other.write() as session:
        session.execute(text("SELECT pg_terminate_backend(:it, 5000)"), {"it": before})
    assert number() != before
    database.close()
    other.close()


@pytest.mark.parametrize("last", ["SELECT count(*) FROM heartbeats", "DELETE FROM heartbeats"])
def test_a_connection_that_is_lost_after_the_last_look_raises_nothing(postgresql: Postgresql, last: str) -> None:
    """Whether the transaction is whole or was refused a statement: what was read is right, or its error was raised."""
    database, other = Database(url := postgresql.fresh()), Database(url)
    own = text("SELECT pg_backend_pid()")
    with database.read() as session:
        number = session.execute(own).scalar_one()
        with contextlib.suppress(InternalError):
            session.execute(text(last))
        with other.write() as ending:
            ending.execute(text("SELECT pg_terminate_backend(:it, 5000)"), {"it": number})
    with database.read() as session:
        assert session.execute(own).scalar_one() != number
    database.close()
    other.close()


def test_a_look_that_could_not_connect_does_not_try_again_at_its_end() -> None:
    """Its caller has been told, and answers somebody; whoever listens there waits for nothing more."""
    tried: list[object] = []
    database = Database(f"postgresql+psycopg://nobody@127.0.0.1:{free_port()}/nothing")
    event.listen(database.engine, "do_connect", lambda *words: tried.append(words))
    with database.read() as session, pytest.raises(OperationalError):
        session.execute(text("SELECT 1"))
    assert len(tried) == 1
    database.close()
