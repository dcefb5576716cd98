"""Many rows in one statement: what is written is what the tables' own types read again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import cast

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from pbem.store import many
from pbem.store.database import Database
from pbem.store.tables import Account, Heartbeat, Letter
from tests.databases import Postgresql, Sqlite

ACCOUNTS = cast("sa.Table", Account.__table__)
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
PRECISE = datetime(2026, 11, 22, 12, 0, 0, 5, tzinfo=UTC)
ELSEWHERE = datetime(2026, 11, 22, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
NAMES = ("name", "quiet_from", "deleted_at")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    cluster: Sqlite | Postgresql = request.getfixturevalue(request.param)
    opened = Database(cluster.fresh())
    with opened.write() as session:
        session.add_all(Account(address=f"{n}@example.org", name=f"N{n}", created_at=NOON) for n in range(1, 5))
        session.flush()
        yield session
    opened.close()


def rows(session: Session) -> list[tuple[object, ...]]:
    columns = [ACCOUNTS.c[name] for name in ("id", *NAMES)]
    return [tuple(row) for row in session.execute(sa.select(*columns).order_by(ACCOUNTS.c.id))]


def test_each_row_gets_its_own_values_and_the_others_stay(session: Session) -> None:
    many.update_many(
        session, ACCOUNTS, NAMES, [(1, "it's 1", 60, PRECISE), (2, "2", None, None), (4, "ä", 0, ELSEWHERE)]
    )
    assert rows(session) == [
        (1, "it's 1", 60, PRECISE), (2, "2", None, None), (3, "N3", None, None), (4, "ä", 0, ELSEWHERE),
    ]  # fmt: skip


def test_a_time_is_kept_as_the_tables_keep_it_themselves(session: Session) -> None:
    first, second = session.scalars(sa.select(Account).order_by(Account.id).limit(2))
    first.deleted_at = NOON
    session.flush()
    many.update_many(session, ACCOUNTS, ("deleted_at",), [(second.id, NOON)])
    found = session.execute(sa.text("SELECT count(DISTINCT CAST(deleted_at AS varchar)) FROM accounts WHERE id < 3"))
    assert found.scalar() == 1


def test_new_rows_are_the_same_as_those_that_are_written_one_by_one(session: Session) -> None:
    strange = {"it's": ["ä", "\x00", "\ud800", 1.5, None, {"deep": True}]}
    rows = [
        {"key": f"k{n}", "kind": "test", "account_id": n, "data": strange, "held": n == 1, "next_try_at": ELSEWHERE,
         "created_at": NOON, "version": None} for n in (1, 2)
    ]  # fmt: skip
    session.add_all(Letter(**row | {"key": f"{row['key']} alone"}) for row in rows)
    ids = many.insert_many(session, cast("sa.Table", Letter.__table__), rows, "key")
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
            many.insert_many(session, cast("sa.Table", Letter.__table__), [row], "key")


def test_no_rows_are_no_statement(session: Session) -> None:
    told: list[object] = []
    sa.event.listen(session, "do_orm_execute", told.append)
    many.update_many(session, ACCOUNTS, NAMES, [])
    assert told == []


def test_a_column_of_another_kind_is_refused(session: Session) -> None:
    at = cast("sa.Table", Heartbeat.__table__)
    odd = sa.Table("odd", sa.MetaData(), sa.Column("id", sa.Integer, primary_key=True), sa.Column("x", sa.JSON))
    with pytest.raises(TypeError, match=r"odd\.x cannot be set"):
        many.update_many(session, odd, ("x",), [(1, {})])
    many.update_many(session, at, ("at",), [(1, NOON)])


def test_strings_are_given_to_a_statement_as_rows(session: Session) -> None:
    dialect = many.dialect_of(session)
    given = many.given(dialect)
    query = sa.select(Account.id).join(given, Account.name == given.c.value).order_by(Account.id)
    wanted = many.as_parameter(["N3", "nobody", 'with "quotes"', "N1"])
    assert session.scalars(query, {"given": wanted}).all() == [1, 3]
    assert session.scalars(query, {"given": many.as_parameter([])}).all() == []
