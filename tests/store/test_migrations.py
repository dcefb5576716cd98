"""The tables of the code and those the migrations make are the same, on both databases; a status is a known word."""

import gzip
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from functools import partial
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, func, inspect, select, text, update
from sqlalchemy.exc import StatementError
from sqlalchemy.orm import Session

from pbem.engine import catalog
from pbem.engine.record import read_record, replay, verify
from pbem.mail.compose import compose
from pbem.service import Office, open_office
from pbem.service.base.task_hints import Hints
from pbem.service.games import views
from pbem.service.letter_views import correspondence
from pbem.service.orders import submissions
from pbem.settings.environment import NAMES
from pbem.settings.settings import Settings
from pbem.store import database, restore, revision, upgrade
from pbem.store import upgrade as upgrading
from pbem.store.database import Database, open_engine
from pbem.store.revision import Busy, revisions
from pbem.store.statuses import GameStatus, SeatStatus
from pbem.store.tables import Account, Game, Letter, Seat, Submission, Table
from tests.databases import Postgresql, Sqlite
from tests.mail.arriving import arrived
from tests.store.filling import everything, fill, tables
from tests.store.later_version import LATER, later_version
from tests.store.released import BACKUP, DATABASE, KEY, RECORDS, kept
from tests.storm.verdict import faults_of
from workers import clock, work

COLUMNS = {
    f"{table.name}.{column.name}": column
    for table in Table.metadata.tables.values()
    for column in table.columns
    if column.name in ("status", "cause") and table.name not in ("returned", "unreachable")
}


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
    "0001_first_release.py": "c568a6d5f0c25edf7f1ff2edaa7d5623971e24e3366b9a75536b5c1d67546d35",
    "0002_explanations.py": "350663a4d481f7f5ffe8e09f7aed0aab27e43646f303fcaced1d8948a907a9ba",
    "0003_full_leagues.py": "3a1f399918215f0a7e2a2e078d23f2ef11587db009078a37e248e917b8dce4d5",
    "0004_devices.py": "41309a08358f3e3fe4244dc0670e918016371694b776046f1ceae46b7f4b7915",
    "0005_programs.py": "801923c72f0ed1203f7bf76de2579c03f40cae808ee5ce66462611757beb5487",
    "0006_reviews.py": "c1ee65fdd9054eb3b54361a95b9ad5b4e1a81cfe65f55072a5c09b52d415f30f",
    "0007_own_maps.py": "350b0ee5219cba484c6340bba62f81ffc86213ae5c0195c24ad0c40ed61790c9",
    "0008_complaints.py": "6ca6b05a5bc59aff283d126915e3e8656346ba349897f9a89ebf661db6a94d96",
    "0009_reports_and_puzzles.py": "63f87a331ade785eb2a6f845521c5846580e56fb02cce5290ead14b130653833",
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


def test_tables_change_under_an_older_process(empty: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on, and all it has written is there; no lock of a migration ends one of its transactions."""
    upgrading.upgrade(empty)
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
        later_version(tmp_path, monkeypatch)
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


def test_tables_in_use_are_left_as_they_are(empty: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrading, "PATIENCE", 0.5)
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    upgrading.upgrade(empty)
    later_version(tmp_path, monkeypatch)
    other = open_engine(empty.url.render_as_string(hide_password=False))
    with other.execution_options(pbem_writes=True).begin() as connection:
        connection.exec_driver_sql("UPDATE accounts SET name = 'somebody'")
        again = open_engine(empty.url.render_as_string(hide_password=False))
        with pytest.raises(Busy, match="Try again later"):
            upgrading.upgrade(again)
        again.dispose()
    other.dispose()
    assert revision.missing(empty) == [LATER]


def test_every_status_and_cause_is_a_column_of_known_words() -> None:
    kinds = {name: getattr(column.type, "enum_class", None) for name, column in COLUMNS.items()}
    assert len(kinds) == 15
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


@pytest.fixture(params=["sqlite", "postgresql"])
def office(request: pytest.FixtureRequest, version: Path, tmp_path: Path) -> Iterator[Office]:
    """A server of today on what a version has left: SQLite goes on with its file, PostgreSQL with its backup."""
    maker: Sqlite | Postgresql = request.getfixturevalue(request.param)
    url = maker.made(f"of {version.name}", partial(_as_it_was, version))
    engine = open_engine(url)
    upgrade.upgrade(engine)
    engine.dispose()
    settings = {"PBEM_DATA_DIR": str(tmp_path), "PBEM_DATABASE_URL": url, "PBEM_SECRET_KEY": KEY}
    made = open_office(Settings.read(settings), Hints(lambda _hint: None))
    yield made
    made.database.close()


@pytest.fixture(params=kept(), ids=lambda folder: folder.name)
def version(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.param
    return folder


def _as_it_was(version: Path, url: str) -> None:
    """Put the database of a version there, without migrating it."""
    if url.startswith("sqlite"):
        Path(url.removeprefix("sqlite:///")).write_bytes(gzip.decompress((version / DATABASE).read_bytes()))
        return
    engine = open_engine(url)
    with engine.execution_options(pbem_writes=True).begin() as connection:
        restore.put(connection, version / BACKUP, (KEY,))
    engine.dispose()


def test_a_version_with_every_older_revision_of_the_tables_is_kept() -> None:
    """When this fails, go back to before the newest migration and run ``python -m tests.store.released VERSION``."""
    there = {restore.check(folder / BACKUP, (KEY,)).header.revision for folder in kept()}
    assert there
    assert set(revisions()[:-1]) <= there


def test_a_backup_is_the_database_it_was_made_of(version: Path, sqlite: Sqlite) -> None:
    restored, found = (
        open_engine(sqlite.bare()),
        open_engine(sqlite.made(f"of {version.name}", partial(_as_it_was, version))),
    )
    with restored.execution_options(pbem_writes=True).begin() as connection:
        restore.put(connection, version / BACKUP, (KEY,))
    upgrade.upgrade(found)
    assert everything(restored) == everything(found)
    restored.dispose()
    found.dispose()


def test_records_of_a_version_are_replayed_to_the_same_positions(version: Path) -> None:
    lines = gzip.decompress((version / RECORDS).read_bytes()).decode().splitlines()
    assert len(lines) > 10
    for line in lines:
        record = read_record(line)
        sheet = catalog.sheet(record.game, record.map)
        assert [played.refusal for played in replay(sheet, record) if played.refusal] == []
        if record.seed:
            assert verify(sheet, record).faults == ()


def test_a_season_of_an_older_version_is_read_replayed_and_played_on(office: Office) -> None:
    """Every game, the orders that wait, and one more order."""
    with office.read() as session:
        games = session.scalars(select(Game).order_by(Game.id)).all()
        assert {game.status for game in games} == {"open", "running", "over", "cancelled"}
        assert [fault for game in games if game.started_at for fault in faults_of(session, game)] == []
        waiting = session.scalars(select(Submission.id).where(Submission.status == "waiting")).all()
        now = session.scalars(select(Submission.received_at).order_by(Submission.received_at.desc())).first()
    assert waiting
    assert now is not None
    for game in games:
        assert views.game(office, game.id).id == game.id
        if game.status == "running":
            played = submissions.play_waiting(office, game.id, now)
            view = views.game(office, game.id)
            if view.status == "running" and not played:
                order = str(view.sheet.default(view.state))
                number = submissions.submit(
                    office, game.id, submissions.NewSubmission(view.waiting_for, order, view.version, "page"), now
                )
                submissions.play_waiting(office, game.id, now)
                assert views.submission(office, number).status == "played"
    assert {views.submission(office, number).status for number in waiting} == {"played"}


def test_letters_of_an_older_version_can_be_sent_and_the_clock_goes_on(office: Office) -> None:
    """Compose every waiting email, and let the clock tick when the last of them is due."""
    with office.read() as session:
        rows = session.scalars(select(Letter).where(Letter.status == "waiting")).all()
        latest = max(row.next_try_at for row in session.scalars(select(Letter))) + timedelta(minutes=1)
        before = set(session.scalars(select(Letter.id).where(Letter.status == "sent")))
        failed = session.scalars(select(Letter.id).where(Letter.status == "failed")).all()
    for row in rows:
        draft = correspondence.letter(office, row.id, latest)
        assert arrived(compose(draft.view, None))["X-Pbem-Letter"] == row.kind
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "now", lambda: latest)
        clock.tick(office, latest)
    with office.read() as session:
        assert session.scalars(select(Submission.id).where(Submission.status.in_(["waiting", "stuck"]))).all() == []
        assert session.scalars(select(Letter.id).where(Letter.status == "failed")).all() == failed
        sent = set(session.scalars(select(Letter.id).where(Letter.status == "sent"))) - before
    assert len(sent) == len(list(office.settings.outbox_dir.glob("*.eml"))) > 0
