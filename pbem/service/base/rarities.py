"""What is hardly ever there, an open offer of a seat for instance: one statement tells which of it there is.

Whoever plays a turn or sends a letter has to know all of it, and would otherwise ask many tables for nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from sqlalchemy import BindParameter, Executable, Exists, Select, bindparam, select
from sqlalchemy.orm import Session, aliased

from pbem.store.tables import Seat

GAME: BindParameter[Any] = bindparam("game")
HOST: BindParameter[Any] = bindparam("host")
_seat = aliased(Seat)
PLAYERS = select(_seat.account_id).where(_seat.game_id == GAME)
"""What the query of a rarity of games may name: the id of the game, the account of its host, those of its players."""


class Rarity:
    """Something that is hardly ever there, and a query that finds it."""

    def __init__(self, query: Select[int]) -> None:
        self.query = query

    def possible(self, session: Session, about: Hashable) -> bool:
        """Whether it is worth asking for: not when :meth:`Rarities.look` has found nothing of the kind.

        Who makes such a thing in the same transaction does not rely on it.
        """
        looks: dict[Rarity, set[Hashable]] = session.info.get(Rarities, {})
        return about not in looks.get(self, ())


class Rarities:
    """Rarities that are looked for together; the modules that know the tables add theirs when they are imported."""

    def __init__(self) -> None:
        self._all: list[Rarity] = []
        self._query: Executable | None = None

    def add(self, query: Select[int]) -> Rarity:
        """One more, found by this query."""
        self._all.append(Rarity(query))
        self._query = None
        return self._all[-1]

    def look(self, session: Session, about: Hashable, values: Mapping[str, Any]) -> bool:
        """Find out in one statement what there is of ``about``, for the rest of the transaction.

        Returns whether there is anything. ``values``: those of the parameters of all queries.
        """
        if self._query is None:
            self._query = select(*self.questions())
        return self.note(session, about, session.execute(self._query, dict(values)).one())

    def questions(self) -> list[Exists]:
        """Whether there is anything of each, for a statement that asks for something else as well."""
        return [rarity.query.exists() for rarity in self._all]

    def note(self, session: Session, about: Hashable, found: Sequence[bool]) -> bool:
        """The answers to these questions, for the rest of the transaction; returns whether there is anything."""
        absent = session.info.setdefault(Rarities, {})
        for rarity, is_there in zip(self._all, found, strict=True):
            if not is_there:
                absent.setdefault(rarity, set()).add(about)
        return any(found)


OF_GAMES = Rarities()
"""What few games have; ``about`` is the id of the game."""
