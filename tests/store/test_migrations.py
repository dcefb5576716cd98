"""The tables of the code and those the migrations make are the same, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine, inspect, select

from pbem.store import upgrade as upgrading
from pbem.store.database import Database, open_engine
from pbem.store.tables import Account, Table
from tests import servers


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An engine on a database without any table."""
    if request.param == "sqlite":
        engine = open_engine(f"sqlite:///{tmp_path}/empty.sqlite")
        yield engine
        engine.dispose()
        return
    try:
        with servers.postgresql() as url:
            engine = open_engine(url)
            yield engine
            engine.dispose()
    except servers.Missing as missing:
        pytest.skip(f"no PostgreSQL: {missing}")


def test_the_migrations_make_the_tables_of_the_code(empty: Engine) -> None:
    assert upgrading.missing(empty) == ["0001", "0002"]
    upgrading.upgrade(empty)
    upgrading.upgrade(empty)
    assert upgrading.missing(empty) == []
    with empty.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Table.metadata) == []


def test_the_migrations_can_be_taken_back(empty: Engine) -> None:
    upgrading.upgrade(empty)
    config = upgrading._config()
    with empty.execution_options(pbem_writes=True).begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    assert inspect(empty).get_table_names() == ["alembic_version"]


def test_times_come_back_as_they_were_and_need_a_zone(empty: Engine) -> None:
    upgrading.upgrade(empty)
    database = Database(empty.url.render_as_string(hide_password=False))
    moment = datetime(2026, 11, 20, 18, 4, 5, 678901, tzinfo=timezone(timedelta(hours=5)))
    with database.write() as session:
        session.add(Account(address="a@x", name="A", created_at=moment))
    with database.read() as session:
        stored = session.scalars(select(Account)).one().created_at
    assert (stored, stored.tzinfo) == (moment, UTC)
    with pytest.raises(Exception, match="without zone"), database.write() as session:
        session.add(Account(address="b@x", name="B", created_at=moment.replace(tzinfo=None)))
    database.close()


def test_an_exception_rolls_the_whole_transaction_back(empty: Engine) -> None:
    upgrading.upgrade(empty)
    database = Database(empty.url.render_as_string(hide_password=False))
    with pytest.raises(ZeroDivisionError):
        _write_and_fail(database)
    with database.read() as session:
        assert session.scalars(select(Account)).all() == []
    database.close()


def _write_and_fail(database: Database) -> None:
    with database.write() as session:
        session.add(Account(address="a@x", name="A", created_at=datetime(2026, 1, 1, tzinfo=UTC)))
        session.flush()
        raise ZeroDivisionError
