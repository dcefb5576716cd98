"""What a status can be is known to the tables, and stored as the word it always was."""

from __future__ import annotations

from enum import StrEnum

import pytest
from sqlalchemy import Engine, create_engine, select, text, update
from sqlalchemy.exc import StatementError
from sqlalchemy.orm import Session

from pbem.store.statuses import GameStatus, SeatStatus
from pbem.store.tables import Game, Seat, Table

COLUMNS = {
    f"{table.name}.{column.name}": column
    for table in Table.metadata.tables.values()
    for column in table.columns
    if column.name in ("status", "cause") and table.name not in ("returned", "unreachable")
}


def test_every_status_and_cause_is_a_column_of_known_words() -> None:
    kinds = {name: getattr(column.type, "enum_class", None) for name, column in COLUMNS.items()}
    assert len(kinds) == 10
    assert [name for name, kind in kinds.items() if kind is None or not issubclass(kind, StrEnum)] == []


@pytest.fixture
def engine() -> Engine:
    """The tables with one seat, and nothing that looks after what it points to."""
    made = create_engine("sqlite://")
    Table.metadata.create_all(made)
    with Session(made) as session:
        session.add(Seat(game_id="g", number=0, name="Ana", status=SeatStatus.INVITED))
        session.commit()
    return made


def test_a_status_is_stored_as_its_word_and_read_as_one_of_its_kind(engine: Engine) -> None:
    with Session(engine) as session:
        seat = session.scalars(select(Seat)).one()
        assert seat.status is SeatStatus.INVITED
        seat.status = SeatStatus.ACCEPTED
        session.commit()
        assert session.scalar(text("SELECT status FROM seats")) == "accepted"


def test_a_word_that_is_no_status_is_not_stored(engine: Engine) -> None:
    with (
        Session(engine) as session,
        pytest.raises(StatementError, match="vanished"),
    ):
        session.execute(update(Seat).values(status="vanished"))
    with Session(engine) as session, pytest.raises(StatementError, match="played"):
        session.execute(select(Game.id).where(Game.status == "played"))
    assert "played" not in list(GameStatus)
