"""On PostgreSQL whoever only reads cannot write and sees one state; a connection that is cut ends by itself."""

import contextlib
import time
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import DBAPIError, InternalError, OperationalError

from pbem.store.database import LOST_MS, Database, open_engine
from tests import servers
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


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    try:
        with servers.postgresql() as url:
            yield url
    except servers.Missing as missing:
        pytest.skip(f"no PostgreSQL here: {missing}")


def shown(engine: Engine, name: str) -> str:
    with engine.connect() as connection:
        return str(connection.scalar(text(f"SHOW {name}")))


def test_both_sides_notice_a_cut_link_within_half_a_minute(url: str) -> None:
    engine = open_engine(url)
    assert shown(engine, "tcp_keepalives_idle") == "10"
    assert shown(engine, "tcp_user_timeout") == str(LOST_MS)
    with engine.connect() as connection:
        ours = connection.connection.driver_connection.info.get_parameters()  # type: ignore[union-attr]
    assert (ours["keepalives_idle"], ours["tcp_user_timeout"]) == ("10", str(LOST_MS))
    engine.dispose()


def test_what_the_address_of_the_database_says_counts(url: str) -> None:
    engine = open_engine(f"{url}?keepalives_idle=77&connect_timeout=9")
    with engine.connect() as connection:
        ours = connection.connection.driver_connection.info.get_parameters()  # type: ignore[union-attr]
    assert (ours["keepalives_idle"], ours["connect_timeout"]) == ("77", "9")
    engine.dispose()


def test_whoever_sleeps_in_a_transaction_does_not_keep_its_locks(url: str) -> None:
    engine = open_engine(url)
    assert shown(engine, "idle_in_transaction_session_timeout") == "1min"
    with engine.connect() as connection:
        connection.execute(text("SET idle_in_transaction_session_timeout = 50"))
        driver = connection.connection.driver_connection
        connection.execute(text("SELECT pg_advisory_lock(1)"))
        time.sleep(0.3)
        with pytest.raises(DBAPIError, match="idle-in-transaction"):
            connection.execute(text("SELECT 1"))
        assert driver is not None
        driver.close()
    engine.dispose()
