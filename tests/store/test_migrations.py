"""The tables of the code and those the migrations make are the same, on both databases."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, column, func, inspect, select, text
from sqlalchemy import table as table_called
from sqlalchemy.dialects import sqlite
from sqlalchemy.orm import Session

from pbem.settings import NAMES
from pbem.store import database, restore, revision
from pbem.store import upgrade as upgrading
from pbem.store.database import Database, open_engine
from pbem.store.revision import Busy
from pbem.store.tables import Account, AuditEntry, Game, Seat, Submission, Table, Vote
from tests.databases import Postgresql, Sqlite
from tests.store.filling import RENAMED, everything, fill, tables


@pytest.fixture(params=["sqlite", "postgresql"])
def maker(request: pytest.FixtureRequest) -> Sqlite | Postgresql:
    made: Sqlite | Postgresql = request.getfixturevalue(request.param)
    return made


@pytest.fixture
def empty(maker: Sqlite | Postgresql) -> Iterator[Engine]:
    """An engine on a database without any table."""
    engine = open_engine(maker.bare())
    yield engine
    engine.dispose()


@pytest.fixture
def migrated(maker: Sqlite | Postgresql) -> Iterator[Engine]:
    """An engine on a database with all tables, and no row in them."""
    engine = open_engine(maker.fresh())
    yield engine
    engine.dispose()


def test_the_migrations_make_the_tables_of_the_code(empty: Engine) -> None:
    assert revision.missing(empty) == [f"{number:04}" for number in range(1, len(LANDED) + 1)]
    upgrading.upgrade(empty)
    upgrading.upgrade(empty)
    assert revision.missing(empty) == []
    with empty.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Table.metadata) == []


LANDED = {
    "0001_the_first_tables.py": "333f4b6dae417e81686de75a964ecd41d25934c94c5bfa26ff6caa640f8b9f8e",
    "0002_games_that_live_for_weeks.py": "f73cd41abfcc3edef89894a2b63211e12e1420707a725f9fc4877db59c490c7e",
    "0003_nothing_is_lost.py": "ccf537815f47cd4aef20e4e72942759cc5be468df77e0ccca4ec03f42f878644",
    "0004_nobody_holds_up_others.py": "ba640afc76f5bf1cdfca22f01dd44018d1af74c202f73a3644c691d1c7a7524a",
    "0005_what_is_voted_on.py": "ad8ef5199f5c5c5b9ce2848065aff3f91c44c0d24ba69e1fc4db753e080eeeb6",
    "0006_names_are_found.py": "f1dfbdcf8b447743ddbf5dd3504370c055d050bac3aeb29621c272e635cfb6e0",
    "0007_robots_have_seats.py": "eeb4a7aaa2f4d2c0364cc8071972e01cfdcae1847989c9491972e716d94c58d3",
    "0008_a_game_can_be_a_lesson.py": "4fe449b9760319ec1eabedc6b54ddc735b1adf1c27f76c01691e6f3967060a8a",
    "0009_tables_are_open.py": "219bbe3d2a62d27b7a1065e2e6c57670bd6b92cd735bef26af790ab8748e9c02",
    "0010_games_are_counted.py": "95c58666c232c71218abaafb7dcbe12f4dd4c2512d86d52dd08cb65742649b9b",
    "0011_positions_have_remarks.py": "88710af6f0216460d4d49691d7c461af5789e10a0afd5c521736838868e5a4db",
    "0012_games_are_copied.py": "c90a48e51e3986c02cb9b83bdf29d40da793b1caa24497e0af8f834a7ced7e4f",
    "0013_posts_have_a_source.py": "5cc1b7c1d5f5055df0fd2a8d663f12ded6231fa88fe86edfed4d7619ed67afe2",
    "0014_leagues.py": "761ae5f9439216588451c6f69393f0006ec593d10259e6ed7fd2f3a43ed5174e",
    "0015_copies_are_found.py": "9e0fb2c5675637001483784fbb375210cce7fa434c49d5cac73a75cbb2aff495",
    "0016_games_are_found.py": "2d5c190f125fccaa44328fe44fe9822f7b733b4dd6c644831243182d100603f6",
    "0017_people_have_languages.py": "0272ca7c1f7d3997341be1033bfecaa165f330286052449a89ebbdd40a0814bc",
    "0018_answers_from_elsewhere.py": "f7dcc41c0b6bbd57c7c5f9de0202469e3a38d963a7f87fbceafa48a37e47fd36",
    "0019_the_operator_acts.py": "ca492ecb5edf5b5fbd655c5d2d84b1843b7a2bc54a8180385a50d286744f08e4",
    "0020_accounts_are_merged.py": "b27c77e0b07a24da0498cb6b82f5920dd05163004005dd77273316edd0f7b1ea",
    "0021_few_games_have_a_moment.py": "275444699ec43b3c5995109b045413eaff5c3e4c4401df497fea717cd6369fbd",
    "0022_emails_and_the_archive.py": "879a2bfac8b474c78d642284ac7b1937eba99abc40dc387c597a49c3c5be961e",
    "0023_the_operator_starts_jobs.py": "97f491059c7ced48332d4eed9b49d514c2f4e31db127ef2bd6036ab0454ddc67",
    "0024_people_choose_how_boards_look.py": "23ee4344c18aa29cba15c9811476977c2b554916e1d89147259bec672195c126",
    "0025_indexes_of_few_games.py": "c37c8743b6630e577dd417085d8f5e941a6848700c737a540e4cf321b4768088",
}
"""What ``sha256sum`` says of each migration. Add a line with every new one, and change none: a database that has run a
migration does not run it again, and would lack what is added to it later. What is missing goes into the next."""


def test_a_migration_that_has_landed_never_changes() -> None:
    folder = Path(upgrading.__file__).parent / "migrations" / "versions"
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("0*.py")}
    assert {name: found.get(name) for name in LANDED} == LANDED
    assert set(sorted(found)[:-1]) <= set(LANDED), "every migration but one that is being written has its line"


def test_the_revisions_are_those_alembic_runs() -> None:
    script = ScriptDirectory.from_config(upgrading._config())
    assert revision.revisions() == tuple(found.revision for found in script.walk_revisions())[::-1]


def test_processes_of_a_server_do_not_load_what_they_do_not_need(tmp_path: Path) -> None:
    """What changes tables, the client of Redis where hints are files, what SQLAlchemy has for the other database."""
    engine = open_engine(f"sqlite:///{tmp_path}/pbem.sqlite")
    upgrading.upgrade(engine)
    engine.dispose()
    spared = "alembic", "redis", "sqlalchemy.dialects.postgresql"
    look = f"import sys, pbem.web.app, workers.app, workers.clock; print([n for n in {spared} if n in sys.modules])"
    environ = {**dict.fromkeys(NAMES, ""), "PBEM_DATABASE_URL": str(engine.url), "PBEM_DATA_DIR": str(tmp_path)}
    seen = subprocess.check_output([sys.executable, "-c", look], env={**os.environ, **environ}, text=True)
    assert seen == "[]\n"


def test_the_migrations_can_be_taken_back(empty: Engine) -> None:
    upgrading.upgrade(empty)
    config = upgrading._config()
    with empty.execution_options(pbem_writes=True).begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    assert inspect(empty).get_table_names() == ["alembic_version"]


def test_times_come_back_as_they_were_and_need_a_zone(migrated: Engine) -> None:
    database = Database(migrated.url.render_as_string(hide_password=False))
    moment = datetime(2026, 11, 20, 18, 4, 5, 678901, tzinfo=timezone(timedelta(hours=5)))
    with database.write() as session:
        session.add(Account(address="a@x", name="A", created_at=moment))
    with database.read() as session:
        stored = session.scalars(select(Account)).one().created_at
    assert (stored, stored.tzinfo) == (moment, UTC)
    with pytest.raises(Exception, match="without zone"), database.write() as session:
        session.add(Account(address="b@x", name="B", created_at=moment.replace(tzinfo=None)))
    database.close()


def test_an_exception_rolls_the_whole_transaction_back(migrated: Engine) -> None:
    database = Database(migrated.url.render_as_string(hide_password=False))
    with pytest.raises(ZeroDivisionError):
        _write_and_fail(database)
    with database.read() as session:
        assert session.scalars(select(Account)).all() == []
    database.close()


def _write_and_fail(database: Database) -> None:
    with database.write() as session:
        session.add(Account(address="a@x", name="A", created_at=datetime(2026, 1, 1, tzinfo=UTC)))
        session.flush()
        raise ZeroDivisionError


def test_rows_from_before_get_values_that_change_nothing(empty: Engine) -> None:
    config = upgrading._config()
    with empty.execution_options(pbem_writes=True).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        moment = datetime(2026, 1, 1, tzinfo=UTC)
        old = MetaData()
        old.reflect(connection)
        account = {"id": 1, "address": "a@x", "name": "A", "zone": "UTC", "created_at": moment}
        game = {
            "id": "g", "title": "G", "game": "age-of-steam", "map": "rust_belt", "options": {}, "host_id": 1,
            "status": "running", "seed": b"", "commitment": "", "version": 0, "state": b"", "phase": "", "turn": 1,
            "to_act": "red", "turn_seconds": 60, "opened_at": moment,
        }  # fmt: skip
        seat = {"game_id": "g", "number": 0, "account_id": 1, "name": "A", "colour": "red", "status": "accepted"}
        connection.execute(old.tables["accounts"].insert(), account)
        connection.execute(old.tables["games"].insert(), game)
        connection.execute(old.tables["seats"].insert(), seat)
    upgrading.upgrade(empty)
    database = Database(empty.url.render_as_string(hide_password=False))
    with database.read() as session:
        found = session.scalars(select(Game)).one()
        assert (found.grace_seconds, found.unlisted, found.ended_early, found.at_zero) == (0, False, False, "default")
        assert session.scalars(select(Seat)).one().holder == 0
        assert session.scalars(select(Account)).one().substitute is False
    database.close()


VOTES = {
    "take-back": (17, {"move": 17}),
    "end": (None, {}),
    "remove": (2, {"seat": 2}),
    "pause": (date(2026, 12, 24).toordinal(), {"until": "2026-12-24"}),
}
"""What stood in the one column of each kind of vote up to 0004, and what stands there since."""


def test_what_votes_are_about_and_the_audit_log_are_moved_and_moved_back(empty: Engine) -> None:
    upgrading.upgrade(empty, "0004")
    config, moment = upgrading._config(), datetime(2026, 1, 1, tzinfo=UTC)
    with empty.execution_options(pbem_writes=True).begin() as connection:
        fill(connection)
        old = MetaData()
        old.reflect(connection)
        connection.execute(old.tables["ballots"].delete())
        connection.execute(old.tables["votes"].delete())
        for number, (kind, (about, _)) in enumerate([*VOTES.items(), ("take-back", (None, {}))], 1):
            vote = {"id": number, "game_id": "row1", "kind": kind, "asked_by": 0, "version": 17, "about": about}
            connection.execute(old.tables["votes"].insert(), {**vote, "status": "open", "asked_at": moment})
        entries = connection.execute(select(old.tables["deeds"])).all()
    upgrading.upgrade(empty)
    with Session(empty.execution_options(pbem_writes=True)) as session:
        found = session.scalars(select(Vote).order_by(Vote.id)).all()
        assert [(vote.kind, vote.proposal) for vote in found] == [
            *((kind, proposal) for kind, (_, proposal) in VOTES.items()),
            ("take-back", {}),
        ]
        assert [entry.id for entry in session.scalars(select(AuditEntry).order_by(AuditEntry.id))] == [1, 2, 3]
        new = AuditEntry(game_id="row1", kind="opened", data={}, at=moment)
        session.add(new)
        session.flush()
        assert new.id == 4
    with empty.execution_options(pbem_writes=True).begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0004")
    with empty.begin() as connection:
        old = MetaData()
        old.reflect(connection)
        votes = old.tables["votes"]
        abouts = connection.scalars(select(votes.c.about).order_by(votes.c.id)).all()
        assert abouts == [*(about for about, _ in VOTES.values()), None]
        assert connection.execute(select(old.tables["deeds"])).all() == entries


def test_renamed_tables_keep_their_rows_there_and_back(empty: Engine) -> None:
    upgrading.upgrade(empty, "0004")
    config, renamed = upgrading._config(), RENAMED.items()
    with empty.execution_options(pbem_writes=True).begin() as connection:
        fill(connection)
    before, names = everything(empty), _names(empty)
    ahead = _column(empty, "games", "ahead_at")
    upgrading.upgrade(empty)
    after = everything(empty)
    kept = {new: [row[: len(before[old][0])] for row in after[new]] for old, new in renamed}  # columns may have come
    assert kept == {new: before[old] for old, new in renamed}
    assert set(RENAMED).isdisjoint(after)
    assert _column(empty, "games", "standing_order_at") == ahead
    with empty.execution_options(pbem_writes=True).begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0004")
    assert {old: everything(empty)[old] for old in RENAMED} == {old: before[old] for old in RENAMED}
    assert (_column(empty, "games", "ahead_at"), _names(empty)) == (ahead, names)


def test_what_belongs_to_a_renamed_table_is_named_after_it(migrated: Engine) -> None:
    """In a database that was upgraded as in a new one: constraints, indexes and, in PostgreSQL, counters."""
    own = sqlite.dialect().identifier_preparer
    wanted = {
        name: {
            *(str(own.format_constraint(one)) for one in Table.metadata.tables[name].constraints),
            *(str(own.format_index(one)) for one in Table.metadata.tables[name].indexes),
        }
        for name in RENAMED.values()
    }
    assert {name: _names(migrated)[name] for name in wanted} == wanted
    if migrated.dialect.name == "postgresql":
        with migrated.connect() as connection:
            counters = connection.scalars(text("SELECT sequencename FROM pg_sequences")).all()
        counted = {name for name in RENAMED.values() if name != "game_notifications"}
        assert {f"{name}_id_seq" for name in counted} <= set(counters)
        assert {f"{name}_id_seq" for name in RENAMED}.isdisjoint(counters)


def _names(engine: Engine) -> dict[str, set[str]]:
    """Names of constraints and indexes by table."""
    look = inspect(engine)
    return {
        table: {
            str(one["name"])
            for one in (
                look.get_pk_constraint(table),
                *look.get_foreign_keys(table),
                *look.get_unique_constraints(table),
                *(index for index in look.get_indexes(table) if "duplicates_constraint" not in index),
            )
        }
        for table in look.get_table_names()
    }


def _column(engine: Engine, table: str, name: str) -> Sequence[object]:
    with engine.connect() as connection:
        return connection.scalars(select(column(name)).select_from(table_called(table)).order_by(column("id"))).all()


def test_tables_change_under_an_older_process_that_is_at_work(empty: Engine) -> None:
    """It goes on, and all it has written is there; no lock of a migration ends one of its transactions."""
    upgrading.upgrade(empty, "0002")
    with empty.execution_options(pbem_writes=True).begin() as connection:
        fill(connection)
        if connection.dialect.name == "postgresql":
            restore._count_on(connection, tables(connection))
        before = connection.scalar(select(func.count()).select_from(Submission))
    url = empty.url.render_as_string(hide_password=False)
    words = [sys.executable, "-m", "tests.store.older", url]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, text=True, cwd=Path(__file__).parents[2], **pipes) as older:  # type: ignore[call-overload]
        assert older.stdout.readline() == "ready\n"
        upgrading.upgrade(empty)
        time.sleep(0.2)  # it works on, on the new tables
        said, errors = older.communicate("\n", timeout=60)
    assert (older.returncode, errors) == (0, "")
    written = json.loads(said)
    assert len(written) > 5
    with empty.connect() as connection:
        numbers = set(connection.scalars(select(Submission.id)))
    assert set(written) <= numbers
    assert len(numbers) == len(written) + (before or 0)


def test_tables_that_somebody_uses_all_the_time_are_left_as_they_are(
    empty: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upgrading, "PATIENCE", 0.5)
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    upgrading.upgrade(empty, "0001")
    other = open_engine(empty.url.render_as_string(hide_password=False))
    with other.execution_options(pbem_writes=True).begin() as connection:
        connection.exec_driver_sql("UPDATE accounts SET name = 'somebody'")
        again = open_engine(empty.url.render_as_string(hide_password=False))
        with pytest.raises(Busy, match="Try again later"):
            upgrading.upgrade(again)
        again.dispose()
    other.dispose()
    assert revision.missing(empty)[0] == "0002"
