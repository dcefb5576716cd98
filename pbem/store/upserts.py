"""INSERT with ON CONFLICT, which both databases have and SQLAlchemy has for each of them."""

from __future__ import annotations

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session


def upsert(session: Session, table: type[Any]) -> Any:
    """An INSERT that can be told what to do about rows that are there already."""
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    return dialect.insert(table)
