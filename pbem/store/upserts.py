"""INSERT with ON CONFLICT, which both databases have and SQLAlchemy has for each of them."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from sqlalchemy.orm import Session


def upsert(session: Session, table: type[Any]) -> Any:
    """An INSERT that can be told what to do about rows that are there already."""
    return insert_into(session.get_bind().dialect.name, table)


def insert_into(dialect: str, table: type[Any]) -> Any:
    """The same by the name of the database, for statements that are made once and know nothing of the session.

    What SQLAlchemy has for the other database takes two megabytes in every process.
    """
    rows: Any = table
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(rows.__table__)


def insert_unless_known(session: Session, table: type[Any], key: str, values: dict[str, Any]) -> int | None:
    """The id of the new row; ``None`` when there is one with its key. ``key``: the name of a column that is unique."""
    return insert_all_unless_known(session, table, key, [values]).get(values[key])


def insert_all_unless_known(
    session: Session, table: type[Any], key: str, rows: Sequence[dict[str, Any]]
) -> dict[str, int]:
    """The ids of the new rows by their keys. Each of ``rows`` has values for the same columns.

    What the session has not written yet is written before: the rows may point to it.
    """
    if not rows:
        return {}
    session.flush()
    columns = table.__table__.c
    insert = upsert(session, table).on_conflict_do_nothing(index_elements=[key]).returning(columns[key], columns.id)
    return {row[0]: row[1] for row in session.connection().execute(insert, rows)}
