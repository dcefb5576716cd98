"""Rows for every table there is, with values that are awkward to carry, and everything a database holds as values."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine

from pbem.store.backup import Stored, stored_tables
from pbem.store.revision import revision

ROWS = 3
AWKWARD = ("Ånders “Öl” \U0001f682", 'a "quoted"\\ line\nand a second', "")
MOMENT = datetime(2026, 11, 20, 18, 4, 5, 678901, tzinfo=UTC)


_known: dict[tuple[str, str], list[Stored]] = {}
"""The tables of each revision in each kind of database: finding out takes longer than reading all rows."""


def tables(connection: Connection) -> list[Stored]:
    """What :func:`pbem.store.backup.stored_tables` finds, found once for each revision."""
    key = (connection.dialect.name, revision(connection))
    if key not in _known:
        _known[key] = stored_tables(connection)
    return _known[key]


def fill(connection: Connection, rows: int = ROWS) -> None:
    """Put some rows into every table; they point to each other as the tables want it."""
    metadata = sa.MetaData()
    metadata.reflect(connection)
    for stored in tables(connection):
        table = metadata.tables[stored.name]
        wanted = [{c.name: _value(c, kind, n) for c, kind in zip(table.c, stored.columns.values(), strict=True)}
                  for n in range(rows)]  # fmt: skip
        connection.execute(sa.insert(stored.typed), wanted)


def _value(column: sa.Column[Any], kind: str, number: int) -> Any:
    """A value for row ``number``: different in each, and of the length the column takes."""
    if column.nullable and number == 1 and not column.primary_key:
        return None
    if kind == "integer" or (kind == "text" and (column.primary_key or column.foreign_keys)):
        return number + 1 if kind == "integer" else f"row{number + 1}"
    match kind:
        case "text":
            longest = getattr(column.type, "length", None) or 400
            return f"{number}{AWKWARD[number % len(AWKWARD)]}"[:longest]
        case "time":
            return MOMENT + timedelta(days=number, microseconds=number)
        case "date":
            return date(2026, 2, 28) + timedelta(days=number)
        case "bytes":
            return bytes(range(256)) * (1 + 300 * number) if number != 2 else b""
        case "boolean":
            return number % 2 == 0
    return {"number": number, "list": [1, None, {"ü": "\ud800"}], "text": AWKWARD[number % len(AWKWARD)]}


def everything(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables as values of Python, in the order of their keys."""
    found = {}
    with engine.connect() as connection:
        for stored in tables(connection):
            table = stored.typed
            rows = [tuple(row) for row in connection.execute(sa.select(table))]
            places = [list(stored.columns).index(name) for name in stored.key]
            found[stored.name] = sorted(rows, key=lambda row: tuple(row[place] for place in places))
    return found
