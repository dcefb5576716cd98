"""Indexes of games that hold few of them: what is counted and found in them is true, and no row is looked at for it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import delete, insert, update

from pbem.service import open_office
from pbem.service.archive import archive
from pbem.service.base.task_hints import Hints
from pbem.store.tables import Game
from tests.table import Table


def copies(table: Table, count: int) -> list[str]:
    """Finished games that are nothing but their rows."""
    with table.office.write() as session:
        row = session.get_one(Game, table.game)
        values = {column.name: getattr(row, column.name) for column in Game.__table__.c}
        values |= {"status": "over", "ended_at": table.now, "unlisted": False}
        ids = [f"copy{number}" for number in range(count)]
        session.execute(insert(Game), [{**values, "id": copy} for copy in ids])
    return ids


@pytest.mark.postgresql
def test_the_number_is_true_in_every_process_whatever_becomes_of_games(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_COUNTED", 3)
    table.start()
    ids = copies(table, 5)
    other = open_office(table.office.settings, Hints(lambda _: None))

    def numbers(**wanted: Any) -> set[tuple[int | None, int]]:
        pages = [archive.page(office, archive.Wanted(**wanted)) for office in (table.office, other)]
        return {(page.found, page.in_all) for page in pages}

    def change(which: list[str], **values: Any) -> None:
        with table.office.write() as session:
            session.execute(update(Game).where(Game.id.in_(which)).values(**values))

    assert numbers() == numbers(map="rust_belt") == {(4, 4)}  # more than three
    change(ids[:2], unlisted=True)
    assert numbers() == {(3, 3)}
    with table.office.write() as session:
        session.execute(delete(Game).where(Game.id == ids[2]))
    assert numbers() == numbers(map="rust_belt") == {(2, 2)}
    change([table.game], status="over", ended_at=table.now)
    assert numbers() == {(3, 3)}
    assert numbers(map="germany") == {(0, 3)}
    change(ids[:1], unlisted=False)
    assert numbers() == {(4, 4)}
    change(ids[3:], map="germany")
    assert (numbers(map="germany"), numbers(map="rust_belt")) == ({(2, 4)}, {(2, 4)})
    other.database.close()
