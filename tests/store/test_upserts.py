"""Rows that are inserted unless their keys are known."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from pbem.store.database import Database
from pbem.store.tables import Account, Letter
from pbem.store.upserts import insert_all_unless_known
from tests.databases import Postgresql, Sqlite

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
ELSEWHERE = datetime(2026, 11, 22, 23, 30, tzinfo=timezone(timedelta(hours=-5)))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    cluster: Sqlite | Postgresql = request.getfixturevalue(request.param)
    opened = Database(cluster.fresh())
    with opened.write() as session:
        session.add_all(Account(address=f"{n}@example.org", name=f"N{n}", created_at=NOON) for n in range(1, 5))
        session.flush()
        yield session
    opened.close()


def test_new_rows_are_the_same_as_those_that_are_written_one_by_one(session: Session) -> None:
    strange = {"it's": ["ä", "\x00", "\ud800", 1.5, None, {"deep": True}]}
    rows = [
        {"key": f"k{n}", "kind": "test", "account_id": n, "data": strange, "held": n == 1, "next_try_at": ELSEWHERE,
         "created_at": NOON, "version": None} for n in (1, 2)
    ]  # fmt: skip
    session.add_all(Letter(**row | {"key": f"{row['key']} alone"}) for row in rows)
    ids = insert_all_unless_known(session, Letter, "key", rows)
    names = [column.key for column in Letter.__table__.c if column.key not in ("id", "key")]
    for row in rows:
        together = session.get_one(Letter, ids[str(row["key"])])
        alone = session.scalars(sa.select(Letter).where(Letter.key == f"{row['key']} alone")).one()
        assert [getattr(together, name) for name in names] == [getattr(alone, name) for name in names]
        assert (together.key, together.data, together.held) == (row["key"], strange, row["held"])


def test_what_is_too_long_for_its_column_is_not_cut_off(session: Session) -> None:
    row = {"key": "k" * 201, "kind": "test", "account_id": 1, "data": {}, "next_try_at": NOON, "created_at": NOON}
    if session.get_bind().dialect.name == "postgresql":  # SQLite knows no lengths
        with pytest.raises(sa.exc.DataError):
            insert_all_unless_known(session, Letter, "key", [row])


def test_a_row_whose_key_is_known_is_left_out(session: Session) -> None:
    rows: list[dict[str, object]] = [
        {"key": key, "kind": "test", "account_id": 1, "data": {}, "next_try_at": NOON, "created_at": NOON}
        for key in ("a", "b", "a")
    ]
    assert insert_all_unless_known(session, Letter, "key", rows[:1]).keys() == {"a"}
    assert insert_all_unless_known(session, Letter, "key", rows).keys() == {"b"}
    assert insert_all_unless_known(session, Letter, "key", rows) == {}
    assert session.scalars(sa.select(Letter.key).order_by(Letter.id)).all() == ["a", "b"]
