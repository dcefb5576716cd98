"""A cursor of psycopg that describes the columns of a result only to who looks at them.

SQLAlchemy asks for the description after every statement, three hundred columns a turn, and looks into it the first
time it reads the rows of a statement alone. Imported where the database is PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

from psycopg import Column, Cursor
from typing_extensions import override


class LazyCursor(Cursor[Any]):
    """The same as psycopg's in all else."""

    @property
    @override
    def description(self) -> Any:
        result = self.pgresult
        if not result or not result.nfields:
            return super().description
        return Columns(result.nfields, lambda: [Column(self, place) for place in range(result.nfields)])


class Columns(Sequence[Column]):
    """A description that is made when it is looked at, while its result is the one that the cursor is at."""

    def __init__(self, number: int, make: Callable[[], list[Column]]) -> None:
        self._number, self._make = number, make
        self._made: list[Column] | None = None

    @override
    def __len__(self) -> int:
        return self._number

    @overload
    def __getitem__(self, place: int) -> Column: ...
    @overload
    def __getitem__(self, place: slice) -> list[Column]: ...
    @override
    def __getitem__(self, place: int | slice) -> Column | list[Column]:
        if self._made is None:
            self._made = self._make()
        return self._made[place]
