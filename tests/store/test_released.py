"""A database of every released version, with a season in it, is brought up to date and goes on."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from pbem.mail.compose import compose
from pbem.service import Office
from pbem.service.base.task_hints import Hints
from pbem.service.letters import correspondence
from pbem.service.reading import views
from pbem.service.table import submissions
from pbem.settings import Settings
from pbem.store import restore, upgrade
from pbem.store.database import open_engine
from pbem.store.revision import revisions
from pbem.store.tables import Game, Letter, Submission
from tests.databases import Postgresql, Sqlite
from tests.mail.arriving import arrived
from tests.store.filling import RENAMED, everything
from tests.store.released import FOLDER, KEY, kept
from tests.storm.replaying import faults_of
from workers import clock, work


@pytest.fixture(params=["sqlite", "postgresql"])
def maker(request: pytest.FixtureRequest) -> Sqlite | Postgresql:
    made: Sqlite | Postgresql = request.getfixturevalue(request.param)
    return made


@pytest.fixture(params=kept())
def office(request: pytest.FixtureRequest, maker: Sqlite | Postgresql, tmp_path: Path) -> Iterator[Office]:
    """The database as the version left it, upgraded by this one."""
    url = maker.made(f"of {request.param}", lambda url: brought_up_to_date(url, request.param))
    settings = {"PBEM_DATA_DIR": str(tmp_path), "PBEM_DATABASE_URL": url, "PBEM_SECRET_KEY": KEY}
    opened = Office.open(Settings.read(settings), Hints(lambda _hint: None))
    yield opened
    opened.database.close()


def brought_up_to_date(url: str, revision: str) -> None:
    """Make the database of a version and upgrade it; no row is lost."""
    engine = open_engine(url)
    with engine.execution_options(pbem_writes=True).begin() as connection:
        as_it_was(connection, revision)
    before = {RENAMED.get(name, name): len(rows) for name, rows in everything(engine).items()}
    assert before["games"] > 10
    upgrade.upgrade(engine)
    assert {name: len(rows) for name, rows in everything(engine).items() if name in before} == before
    engine.dispose()


def as_it_was(connection: Connection, revision: str) -> None:
    """Put a kept database into an empty one, with the tables of its own version."""
    with gzip.open(FOLDER / f"{revision}.backup") as packed:
        lines = restore.Lines(packed, (KEY,), any_key=False)
        assert lines.header.revision == revision
        room = restore._make_room(connection, revision)
        restore._fill(connection, room, lines, {}, lambda *_: None)


def test_every_version_before_this_one_is_kept() -> None:
    """When this fails, go back to before the newest migration, run ``python -m tests.store.released``, come back."""
    assert set(revisions()[:-1]) <= set(kept())


def test_a_season_of_an_older_version_is_read_replayed_and_played_on(office: Office) -> None:
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


def test_letters_of_an_older_version_can_be_sent_and_the_clock_goes_on(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    with office.read() as session:
        rows = session.scalars(select(Letter).where(Letter.status == "waiting")).all()
        latest = max(row.next_try_at for row in session.scalars(select(Letter))) + timedelta(minutes=1)
        before = set(session.scalars(select(Letter.id).where(Letter.status == "sent")))
        failed = session.scalars(select(Letter.id).where(Letter.status == "failed")).all()
    monkeypatch.setattr(work, "now", lambda: latest)
    for row in rows:
        draft = correspondence.letter(office, row.id, latest)
        assert arrived(compose(draft.view, None))["X-Pbem-Letter"] == row.kind
    clock.tick(office, latest)
    with office.read() as session:
        assert session.scalars(select(Submission.id).where(Submission.status.in_(["waiting", "stuck"]))).all() == []
        assert session.scalars(select(Letter.id).where(Letter.status == "failed")).all() == failed
        sent = set(session.scalars(select(Letter.id).where(Letter.status == "sent"))) - before
    assert len(sent) == len(list(office.settings.outbox_dir.glob("*.eml"))) > 0
