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
