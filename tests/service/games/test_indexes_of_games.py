"""Indexes of games that hold few of them: what is counted and found in them is true, and no row is looked at for it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import Connection, delete, event, insert, inspect, select, update

from pbem.service import open_office
from pbem.service.archive import archive
from pbem.service.base import looks
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


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("wanted", "index"),
    [
        (archive.Wanted(), "ix_games_status_ended_at_id"),
        (archive.Wanted(map="rust_belt"), "ix_games_status_map_ended_at_id"),
    ],
)
def test_games_are_counted_without_a_look_at_their_rows(table: Table, wanted: archive.Wanted, index: str) -> None:
    table.start()
    copies(table, 1)
    counts: list[tuple[str, Any]] = []

    def note(_connection: object, _cursor: object, statement: str, values: Any, *_: object) -> None:
        if statement.startswith("SELECT count(*)"):
            counts.append((statement, values))

    engine = table.office.database.engine
    event.listen(engine, "before_cursor_execute", note)
    archive.page(table.office, wanted)
    event.remove(engine, "before_cursor_execute", note)
    with engine.connect() as connection:
        look = in_index_alone if engine.dialect.name == "postgresql" else reads_no_row
        assert look(connection, index, *counts[-1])


def in_index_alone(connection: Connection, index: str, statement: str, values: Any) -> bool:
    """Whether PostgreSQL would use nothing but the index."""
    connection.exec_driver_sql("SET LOCAL enable_seqscan = off")  # or it would take the table, which has one page here
    plan = connection.exec_driver_sql(f"EXPLAIN {statement}", values).scalars()
    return any(f"Index Only Scan Backward using {index}" in line for line in plan)


def reads_no_row(connection: Connection, index: str, statement: str, values: Any) -> bool:
    """Whether the program that SQLite makes of it goes through the index and reads no column of the table."""
    program = connection.exec_driver_sql(f"EXPLAIN {statement}", values).mappings().all()
    tables = connection.exec_driver_sql("SELECT rootpage, name FROM sqlite_master").mappings()
    pages = {row["rootpage"]: row["name"] for row in tables}
    opened = {step["p1"]: pages[step["p2"]] for step in program if step["opcode"] == "OpenRead"}
    read = {opened.get(step["p1"]) for step in program if step["opcode"] == "Column"}
    return index in opened.values() and "games" not in read


def test_the_check_sees_a_look_at_rows(table: Table) -> None:
    index = "ix_games_status_ended_at_id"
    first = "SELECT count(*) FROM (SELECT id FROM games WHERE status = 'over' AND unlisted IS 0"
    with table.office.database.engine.connect() as connection:
        assert reads_no_row(connection, index, f"{first} ORDER BY ended_at LIMIT 9)", ())
        assert not reads_no_row(connection, index, f"{first} AND title = 'x' ORDER BY ended_at LIMIT 9)", ())


@pytest.mark.postgresql
def test_no_turn_writes_the_indexes_of_few_games(table: Table) -> None:
    """They hold games that are over and listed, or rematches, and no other."""
    dialect = table.office.database.engine.dialect.name
    found = inspect(table.office.database.engine).get_indexes("games")
    where = {one["name"]: str(one.get("dialect_options", {}).get(f"{dialect}_where", "")) for one in found}
    for name in ("ix_games_status_ended_at_id", "ix_games_status_map_ended_at_id"):
        assert "'over'" in where[name]
        assert "unlisted IS" in where[name]
    assert "rematch_of" in where["ix_games_rematch_of"]


@pytest.mark.postgresql
def test_rematches_are_found_by_their_index_before_the_game_is_known(table: Table) -> None:
    """PostgreSQL plans what it is often asked once, for every value, and all games but few have none there."""
    table.start()
    copies(table, 200)
    engine = table.office.database.engine
    asked = str(select(Game.id).where(looks.is_rematch("x")).compile(engine))
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            once = f"SELECT EXISTS ({re.sub(r'%.*?VARCHAR', '$1', asked)})"
            for statement in (
                "ANALYZE games",
                "SET LOCAL plan_cache_mode = force_generic_plan",
                f"PREPARE p AS {once}",
            ):
                connection.exec_driver_sql(statement)
            plan = connection.exec_driver_sql("EXPLAIN EXECUTE p('x')").all()
        else:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {asked}", ("x",)).all()
    assert "ix_games_rematch_of" in str(plan)
