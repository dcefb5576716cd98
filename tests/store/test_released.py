"""What released versions have left, with a season in it, is opened by this one and goes on."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.engine import catalog
from pbem.engine.record import read_record, replay, verify
from pbem.mail.compose import compose
from pbem.service import Office, open_office
from pbem.service.base.task_hints import Hints
from pbem.service.games import views
from pbem.service.letter_views import correspondence
from pbem.service.orders import submissions
from pbem.settings.settings import Settings
from pbem.store import restore, upgrade
from pbem.store.database import open_engine
from pbem.store.revision import revisions
from pbem.store.tables import Game, Letter, Submission
from tests.databases import Postgresql, Sqlite
from tests.mail.arriving import arrived
from tests.store.filling import everything
from tests.store.released import BACKUP, DATABASE, KEY, RECORDS, kept
from tests.storm.verdict import faults_of
from workers import clock, work


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
