"""INSERT with ON CONFLICT, which both databases have and SQLAlchemy has for each of them."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

DIALECTS = {"postgresql": postgresql, "sqlite": sqlite}


def upsert(session: Session, table: type[Any]) -> Any:
    """An INSERT that can be told what to do about rows that are there already."""
    return DIALECTS[session.get_bind().dialect.name].insert(table)


@cache
def _unless_known(dialect: str, table: Any, key: str) -> Any:
    return DIALECTS[dialect].insert(table).on_conflict_do_nothing(index_elements=[key]).returning(table)


def insert_unless_known(session: Session, table: type[Any], key: str, values: dict[str, Any]) -> Any:
    """The new row; ``None`` when there is one with its key. ``key``: the name of a column that is unique."""
    made: Any = table
    insert = _unless_known(session.get_bind().dialect.name, made, key)
    return session.scalars(insert, [values]).one_or_none()
