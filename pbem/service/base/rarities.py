"""What most games do not have, an open offer of a seat for instance: one statement tells which of it there is.

Whoever plays a turn has to know all of it, and would otherwise ask many tables for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from sqlalchemy import BindParameter, Executable, Select, bindparam, select
from sqlalchemy.orm import Session

from pbem.store.tables import Game

GAME: BindParameter[Any] = bindparam("game")
HOST: BindParameter[Any] = bindparam("host")
PLAYERS: BindParameter[Any] = bindparam("players", expanding=True)
"""What the query of a rarity may name: the id of the game, the account of its host, the accounts of its players."""
FOUND = "rarities"
"""Where a session remembers them, by game."""


class Rarity:
    """Something that few games have: a query that finds it. Made once, where the module is that knows the table."""

    _all: ClassVar[list[Rarity]] = []

    def __init__(self, query: Select[int]) -> None:
        self.query = query
        self._all.append(self)

    def possible(self, session: Session, game_id: str) -> bool:
        """Whether it is worth asking for: not when :func:`look_for_all` has found nothing of the kind.

        Who makes such a thing in the same transaction does not rely on it.
        """
        found = session.info.get(FOUND, {}).get(game_id)
        return found is None or self in found


def look_for_all(session: Session, game: Game, players: Sequence[int]) -> None:
    """Find out in one statement which rarities there are in a game, for the rest of the transaction."""
    asked = {"game": game.id, "host": game.host_id, "players": players}
    there = session.execute(_query(len(Rarity._all)), asked).one()
    found = {rarity for rarity, is_there in zip(Rarity._all, there, strict=True) if is_there}
    session.info.setdefault(FOUND, {})[game.id] = found


@cache
def _query(number: int) -> Executable:
    return select(*(rarity.query.exists() for rarity in Rarity._all[:number]))
