"""Connections to PostgreSQL end by themselves when the other side has gone without a word."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from pbem.store.database import LOST_MS, open_engine
from tests import servers


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
