"""A database of every released version, with a season in it, is brought up to date and goes on.

The same migrations make the tables of all of them, in the same order. Where the rows are the same as well, and what
PostgreSQL numbers by, one database is as good as the other, and what was done with it is not done again.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, inspect, select, text

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

_contents: dict[tuple[type, str], bytes] = {}
"""What tells the content of each upgraded database from others, by the kind of database and the version."""
_judged: set[tuple[str, type, bytes]] = set()
"""What has been done with which content."""


@dataclass(frozen=True)
class Version:
    """A released version, and which database it has left."""

    revision: str
    maker: Sqlite | Postgresql
    folder: Path

    def judge(self, act: Callable[[Office], None]) -> None:
        """Upgrade its database, and do something with it that has not been done with the very same content."""
        which = type(self.maker), self.revision
        url = "" if which in _contents else self._upgraded()
        done = act.__name__, type(self.maker), _contents[which]
        if done in _judged:
            return
        settings = {"PBEM_DATA_DIR": str(self.folder), "PBEM_DATABASE_URL": url or self._upgraded()}
        office = Office.open(Settings.read({**settings, "PBEM_SECRET_KEY": KEY}), Hints(lambda _hint: None))
        act(office)
        office.database.close()
        _judged.add(done)

    def _upgraded(self) -> str:
        known = revisions()
        for before, revision in zip(("", *known), known[: known.index(self.revision) + 1], strict=False):
            self.maker.make(f"empty {revision}", partial(_migrate, revision), of=before and f"empty {before}")
        return self.maker.made(f"of {self.revision}", self._bring_up_to_date, of=f"empty {self.revision}")

    def _bring_up_to_date(self, url: str) -> None:
        """Make the database as the version left it and upgrade it; no row is lost."""
        engine = open_engine(url)
        with engine.execution_options(pbem_writes=True).begin() as connection:
            as_it_was(connection, self.revision)
        before = {RENAMED.get(name, name): count for name, count in counts(engine).items()}
        assert before["games"] > 10
        upgrade.upgrade(engine)
        after = counts(engine)
        assert {name: after[name] for name in before} == before
        _contents[type(self.maker), self.revision] = content_of(engine)
        engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def maker(request: pytest.FixtureRequest) -> Sqlite | Postgresql:
    made: Sqlite | Postgresql = request.getfixturevalue(request.param)
    return made


@pytest.fixture(params=kept())
def version(request: pytest.FixtureRequest, maker: Sqlite | Postgresql, tmp_path: Path) -> Version:
    return Version(request.param, maker, tmp_path)


def counts(engine: Engine) -> dict[str, int]:
    """How many rows each table has."""
    with engine.connect() as connection:
        names = inspect(connection).get_table_names()
        return {name: connection.scalar(text(f'SELECT count(*) FROM "{name}"')) or 0 for name in names}


def content_of(engine: Engine) -> bytes:
    """A digest of all rows, and of how far PostgreSQL has numbered them."""
    content = sha256(repr(everything(engine)).encode())
    if engine.dialect.name == "postgresql":
        with engine.connect() as connection:
            found = connection.execute(text("SELECT sequencename, last_value FROM pg_sequences ORDER BY 1")).all()
        content.update(repr(found).encode())
    return content.digest()


def _migrate(to: str, url: str) -> None:
    engine = open_engine(url)
    upgrade.upgrade(engine, to)
    engine.dispose()


def as_it_was(connection: Connection, revision: str) -> None:
    """Put a kept database into an empty one with the tables of its own version."""
    with gzip.open(FOLDER / f"{revision}.backup") as packed:
        lines = restore.Lines(packed, (KEY,), any_key=False)
        assert lines.header.revision == revision
        room = restore._make_room(connection, revision)
        restore._fill(connection, room, lines, {}, lambda *_: None)


def test_every_version_before_this_one_is_kept() -> None:
    """When this fails, go back to before the newest migration, run ``python -m tests.store.released``, come back."""
    assert set(revisions()[:-1]) <= set(kept())


def test_a_season_of_an_older_version_is_read_replayed_and_played_on(version: Version) -> None:
    version.judge(read_replay_and_play_on)


def read_replay_and_play_on(office: Office) -> None:
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


def test_letters_of_an_older_version_can_be_sent_and_the_clock_goes_on(version: Version) -> None:
    version.judge(write_what_waits_and_send)


def write_what_waits_and_send(office: Office) -> None:
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
