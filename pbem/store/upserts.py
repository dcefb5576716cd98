"""INSERT with ON CONFLICT, which both databases have and SQLAlchemy has for each of them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from sqlalchemy import ColumnElement, Row
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


@cache
def _unless_known(dialect: str, table: Any, key: str, also: tuple[ColumnElement[Any], ...]) -> Any:
    rows = table.__table__
    return _dialect(dialect).insert(rows).on_conflict_do_nothing(index_elements=[key]).returning(rows.c.id, *also)


def insert_unless_known(session: Session, table: type[Any], key: str, values: dict[str, Any]) -> int | None:
    """The id of the new row; ``None`` when there is one with its key. ``key``: the name of a column that is unique.

    What the session has not written yet is written before: the row may point to it.
    """
    found = insert_and_look(session, table, key, values)
    number: int | None = None if found is None else found[0]
    return number


def insert_and_look(
    session: Session, table: type[Any], key: str, values: dict[str, Any], *also: ColumnElement[Any]
) -> Row[Any] | None:
    """The same, and what the row then brings to light: values of it, or :class:`~pbem.store.returning.Besides`.

    Statements are kept by these: they are made once.
    """
    session.flush()
    rows: Any = table
    insert = _unless_known(session.get_bind().dialect.name, rows, key, also)
    found: Row[Any] | None = session.connection().execute(insert, values).one_or_none()
    return found
