"""On PostgreSQL whoever only reads cannot write, and sees one state from the first statement to the last."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from sqlalchemy.exc import InternalError

from pbem.store.database import Database
from tests.databases import Postgresql


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
