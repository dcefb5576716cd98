"""Watches that whoever writes a game has locked it: every flush of a session is compared with what it has locked."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from operator import eq
from typing import Any

from sqlalchemy import BinaryExpression, Select, event, inspect
from sqlalchemy.orm import ORMExecuteState, Session

from pbem.store import tables
from pbem.store.tables import AuditEntry, Game, Move, Offer, Post, Seat, StandingOrderRow, Submission, Vote

OF_A_GAME = (Move, Submission, Seat, Vote, Offer, AuditEntry, Post, StandingOrderRow)
"""Rows that belong to the position of a game, its people or its log."""
FREE: dict[type[object], set[str]] = {Submission: {"seen_at"}}
"""Columns that nothing else depends on."""
MANY = "*"


@contextmanager
def watched() -> Iterator[None]:
    """While this lasts, a flush of rows of a game that was neither made nor locked by the transaction fails."""
    event.listen(Session, "do_orm_execute", _note_lock)
    event.listen(Session, "before_flush", _check)
    event.listen(Session, "after_transaction_end", _forget)
    try:
        yield
    finally:
        event.remove(Session, "do_orm_execute", _note_lock)
        event.remove(Session, "before_flush", _check)
        event.remove(Session, "after_transaction_end", _forget)


def _note_lock(state: ORMExecuteState) -> None:
    statement = state.statement
    if not isinstance(statement, Select) or statement._for_update_arg is None:
        return
    if not any(map(_of_game, statement.column_descriptions)):
        return
    clause, game_id = statement.whereclause, MANY
    if isinstance(clause, BinaryExpression) and clause.operator is eq and Game.id.expression.compare(clause.left):
        given = state.parameters if isinstance(state.parameters, dict) else {}
        game_id = given.get(clause.right.key, clause.right.value)
    state.session.info.setdefault("locked", set()).add(game_id)


def _of_game(description: Mapping[str, Any]) -> bool:
    """Whether something that is selected is the row of a game, or a column of it without objects of the session."""
    return description.get("entity") is Game or getattr(description["expr"], "table", None) is Game.__table__


def _check(session: Session, _context: Any, _objects: Any) -> None:
    locked: set[str] = session.info.setdefault("locked", set())
    locked |= {row.id for row in session.new if isinstance(row, Game) and row.id}
    for row in (*session.new, *session.dirty, *session.deleted):
        if isinstance(row, Game | tables.Table) and (game_id := _game_of(session, row)) and MANY not in locked:
            assert game_id in locked, (
                f"{row.__tablename__} of game {game_id} is written without its lock: {_changed(row)}"
            )


def _game_of(session: Session, row: object) -> str:
    """The game whose lock a change needs."""
    game_id = row.id if isinstance(row, Game) else row.game_id if isinstance(row, OF_A_GAME) else ""
    if not game_id or (row not in session.new and _changed(row) <= FREE.get(type(row), set())):
        return ""
    return str(game_id)


def _changed(row: object) -> set[str]:
    """The columns that are to be written."""
    state = inspect(row)
    return {name for name in state.mapper.column_attrs.keys() if state.attrs[name].history.has_changes()}  # noqa: SIM118


def _forget(session: Session, transaction: Any) -> None:
    if transaction.parent is None:
        session.info.pop("locked", None)
