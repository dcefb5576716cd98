"""Rows of a backup that the database does not take."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.store import backup, restore
from pbem.store.database import open_engine
from tests.databases import Sqlite

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def test_rows_that_do_not_fit_are_told_in_the_words_of_the_database_alone(sqlite: Sqlite) -> None:
    engine = open_engine(sqlite.fresh())
    with engine.execution_options(pbem_writes=True).begin() as connection:
        head = next(table for table in backup.stored_tables(connection) if table.name == "heartbeats")
        row = [{"id": 9, "at": NOON}[name] for name in head.columns]
        with pytest.raises(restore.BadBackup) as caught:
            restore._insert(connection, head, [row, row])
    engine.dispose()
    assert str(caught.value) == (
        "Rows of the table heartbeats do not fit into this database: UNIQUE constraint failed: heartbeats.id."
    )
