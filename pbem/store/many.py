"""Statements about many rows at once, on both databases.

What they are given is one parameter, as JSON: one for each value costs the drivers more than everything else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
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
    insert,
    select,
    update,
)
from sqlalchemy.orm import Session
from sqlalchemy.sql.dml import ReturningInsert

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


def insert_many(session: Session, table: Table, rows: Sequence[Mapping[str, Any]], key: str) -> dict[str, int]:
    """Insert rows with values for the same columns, the others by their defaults; the ids of the new rows by ``key``,
    the name of a column of strings that is unique.

    Values are as in :func:`update_many`, and truth values, and objects and lists for columns of JSON. What the session
    has not written yet is written before: the rows may point to it.
    """
    session.flush()
    names = tuple(rows[0])
    values = json.dumps([[_plain(row[name]) for name in names] for row in rows])
    insert = _insert(dialect_of(session), table, names, key)
    return {found: number for number, found in session.connection().execute(insert, {"given": values})}


def _plain(value: Any) -> Any:
    """A time is the text that SQLite keeps, and what is kept as JSON is text as well: what may stand in it is then no
    concern of who reads the parameter."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(" ", "microseconds")[:TO_THE_MICROSECOND]
    return json.dumps(value) if isinstance(value, (dict, list)) else value


@cache
def _update(dialect: str, table: Table, names: tuple[str, ...]) -> Update:
    columns = _columns(table, (*table.primary_key.columns.keys(), *names), KNOWN)
    of = _on_postgresql() if dialect == "postgresql" else _on_sqlite()
    key, *values = (of(place, column) for place, column in enumerate(columns))
    return update(table).where(columns[0] == key).values(dict(zip(columns[1:], values, strict=True)))


def _columns(table: Table, names: Iterable[str], types: tuple[type[Any], ...]) -> list[Column[Any]]:
    columns = [table.c[name] for name in names]
    for column in columns:
        if not isinstance(column.type, types):
            raise TypeError(f"{table.name}.{column.name} cannot be set for many rows at once")
    return columns


@cache
def _insert(dialect: str, table: Table, names: tuple[str, ...], key: str) -> ReturningInsert[Any]:
    columns = _columns(table, names, (*KNOWN, Boolean, JSON))
    of = _on_postgresql() if dialect == "postgresql" else _on_sqlite()
    values = select(*(of(place, column) for place, column in enumerate(columns)))
    return insert(table).from_select(columns, values).returning(table.c.id, table.c[key])


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
        return text if isinstance(column.type, String) else cast(text, column.type)

    return value


def _text() -> ColumnElement[str]:
    return bindparam("given", type_=String)


def _list() -> ColumnElement[Any]:
    return cast(_text(), JSON)
