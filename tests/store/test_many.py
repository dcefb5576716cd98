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
from pbem.store.tables import Account, Heartbeat
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
