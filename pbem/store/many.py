"""Statements about many rows at once, on both databases.

What they are given is one parameter, as JSON: one for each value costs the drivers more than everything else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    DateTime,
    Integer,
    String,
    Table,
    TableValuedAlias,
    Update,
    bindparam,
    cast,
    func,
    update,
)
from sqlalchemy.orm import Session

from pbem.store.tables.base import UtcTime

KNOWN = (UtcTime, Integer, String)
TO_THE_MICROSECOND = len("2026-11-22 19:00:00.000000")


def dialect_of(session: Session) -> str:
    """sqlite or postgresql."""
    return session.get_bind().dialect.name


def given(dialect: str) -> TableValuedAlias:
    """The strings of the parameter ``given`` (see :func:`as_parameter`) as rows with a column ``value``."""
    if dialect == "postgresql":
        return func.json_array_elements_text(_list()).table_valued("value", name="given")
    return func.json_each(_text()).table_valued("value", name="given")


def as_parameter(values: Iterable[str]) -> str:
    """Strings as the parameter of a statement with :func:`given`."""
    return json.dumps(list(values))


def update_many(session: Session, table: Table, names: tuple[str, ...], rows: Sequence[Sequence[Any]]) -> None:
    """Set the columns with these names; each of ``rows`` is the key of a row and then a value for each name.

    Values are aware times, whole numbers, strings and ``None``. Raises ``TypeError`` for columns of other types.
    """
    if rows:
        values = json.dumps([[_plain(value) for value in row] for row in rows])
        session.execute(_update(dialect_of(session), table, names), {"given": values})


def _plain(value: Any) -> Any:
    """A time is the text that SQLite keeps."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(" ", "microseconds")[:TO_THE_MICROSECOND]
    return value


@cache
def _update(dialect: str, table: Table, names: tuple[str, ...]) -> Update:
    columns = [*table.primary_key.columns, *(table.c[name] for name in names)]
    for column in columns:
        if not isinstance(column.type, KNOWN):
            raise TypeError(f"{table.name}.{column.name} cannot be set for many rows at once")
    of = _on_postgresql() if dialect == "postgresql" else _on_sqlite()
    key, *values = (of(place, column) for place, column in enumerate(columns))
    return update(table).where(columns[0] == key).values(dict(zip(columns[1:], values, strict=True)))


def _on_sqlite() -> Callable[[int, Column[Any]], ColumnElement[Any]]:
    """How the value at a place of a row is read."""
    row = func.json_each(_text()).table_valued("value", name="given")
    return lambda place, _: func.json_extract(row.c.value, f"$[{place}]")


def _on_postgresql() -> Callable[[int, Column[Any]], ColumnElement[Any]]:
    row = func.json_array_elements(_list()).table_valued("value", name="given")

    def value(place: int, column: Column[Any]) -> ColumnElement[Any]:
        text: ColumnElement[Any] = row.c.value.op("->>")(place)
        if isinstance(column.type, UtcTime):
            return func.timezone("UTC", cast(text, DateTime))
        return cast(text, column.type)

    return value


def _text() -> ColumnElement[str]:
    return bindparam("given", type_=String)


def _list() -> ColumnElement[Any]:
    return cast(_text(), JSON)
