"""Queries among what a statement returns of the rows that it has changed."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ScalarSelect, Select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler


class Besides(ScalarSelect[Any]):
    """The one value of a query that names the row: ``RETURNING …, (SELECT … WHERE other.game_id = letters.game_id)``.

    For SQLite SQLAlchemy leaves out the names of tables in all that is returned, in its queries too, where every column
    would be that of the innermost table.
    """

    inherit_cache = True

    def __init__(self, query: Select[Any]) -> None:
        super().__init__(query)


@compiles(Besides)
def _with_tables(besides: Besides, compiler: SQLCompiler, **how: Any) -> str:
    return compiler.visit_grouping(besides, **{**how, "include_table": True})  # type: ignore[no-untyped-call,no-any-return]
