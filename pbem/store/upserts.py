"""INSERT with ON CONFLICT, which both databases have and SQLAlchemy has for each of them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sqlalchemy.orm import Session


def upsert(session: Session, table: type[Any]) -> Any:
    """An INSERT that can be told what to do about rows that are there already."""
    return insert_into(session.get_bind().dialect.name, table)


def insert_into(dialect: str, table: type[Any]) -> Any:
    """The same by the name of the database, for statements that are made once and know nothing of the session."""
    rows: Any = table
    return _dialect(dialect).insert(rows.__table__)


def _dialect(name: str) -> Any:
    """What SQLAlchemy has for one of the databases; that of the other takes two megabytes in every process."""
    return import_module(f"sqlalchemy.dialects.{name}")


def insert_unless_known(session: Session, table: type[Any], key: str, values: dict[str, Any]) -> int | None:
    """The id of the new row; ``None`` when there is one with its key. ``key``: the name of a column that is unique.

    What the session has not written yet is written before: the row may point to it.
    """
    session.flush()
    insert = upsert(session, table).values(values).on_conflict_do_nothing(index_elements=[key])
    number: int | None = session.connection().execute(insert.returning(table.__table__.c.id)).scalar()
    return number
