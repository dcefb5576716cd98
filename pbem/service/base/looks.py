"""One look at the database: a session that only reads, in which nothing is read twice.

Pages ask many functions of the service, and most of them begin with the game and its seats. In one look these come from
what was read before, and one statement tells for all rarer tables whether there is anything about the game at all.
Outside of one look everything here reads as if it were not there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, and_, literal_column, select
from sqlalchemy.orm import Session

from pbem.store.database import ReadSession
from pbem.store.statuses import MoveCause
from pbem.store.tables import Absence, Game, Move, Note, Offer, Post, Seat, StandingOrderRow, Vote

KNOWN = "pbem.known"
MISSED = (MoveCause.DEADLINE, MoveCause.CARETAKER)
"""Why orders were played for somebody who did not answer."""
T = TypeVar("T")


def begin(session: ReadSession) -> None:
    """Let this session read everything once, and keep it."""
    session.info[KNOWN] = {}
    session.kept = []


def once(session: Session, key: tuple[object, ...], read: Callable[[], T]) -> T:
    """What ``read`` gives, in one look read once for a key."""
    known: dict[tuple[object, ...], T] | None = session.info.get(KNOWN)
    if known is None:
        return read()
    if key not in known:
        known[key] = read()
    return known[key]


def keep(session: Session, key: tuple[object, ...], value: object) -> None:
    """In one look: what :func:`once` gives for a key from now on, read with something else."""
    session.info[KNOWN][key] = value


def is_one(session: Session) -> bool:
    """Whether this is one look."""
    return KNOWN in session.info


def may_have(session: Session, game_id: str, what: str) -> bool:
    """Whether there may be anything of a kind about a game: the name of a table, ``missed`` or ``rematch``."""
    if not is_one(session):
        return True
    told: bool | None = session.info[KNOWN].get((what, game_id))
    return once(session, ("kinds", game_id), lambda: _kinds(session, game_id))[what] if told is None else told


def tell(session: Session, game_id: str, what: str, is_there: bool) -> None:
    """Whoever has found out with another statement whether there is anything of a kind tells it to one look."""
    session.info[KNOWN][what, game_id] = is_there


def is_rematch(game_id: str) -> ColumnElement[bool]:
    """Whether a game is another of the same people, opened from this one.

    Hardly any game is: PostgreSQL, which plans a statement before it knows the value, takes the index for it only where
    it is told that the value is not the one that all others have.
    """
    return and_(Game.rematch_of == game_id, Game.rematch_of != literal_column("''"))


def _kinds(session: Session, game_id: str) -> dict[str, bool]:
    missed = select(Move.number).where(Move.game_id == game_id, Move.cause.in_(MISSED))
    away = select(Absence.id).join(Seat, Seat.account_id == Absence.account_id).where(Seat.game_id == game_id)
    found: dict[str, Any] = {
        table.__tablename__: select(table.game_id).where(table.game_id == game_id).exists()
        for table in (Vote, Offer, Post, Note, StandingOrderRow)
    }
    found |= {
        "missed": missed.exists(),
        "absences": away.exists(),
        "rematch": select(Game.id).where(is_rematch(game_id)).exists(),
    }
    row = session.execute(select(*(exists.label(name) for name, exists in found.items()))).one()
    return {name: bool(there) for name, there in row._mapping.items()}
