"""A database with so many stored games, and what can be timed in it: for :mod:`bench.growth`."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from flask.testing import FlaskClient
from sqlalchemy import func, select, update

from bench.late import transplant
from bench.players import PLAYERS, now, open_game
from pbem import robot
from pbem.mail.compose import compose
from pbem.service import Office, open_office
from pbem.service.archive import archive
from pbem.service.base.task_hints import Hint, Hints
from pbem.service.base.tokens import SeatClaim
from pbem.service.games import opening, views
from pbem.service.letter_views import correspondence
from pbem.service.letters import outbox
from pbem.service.orders import submissions
from pbem.service.people import accounts, feeds
from pbem.service.statistics import counting
from pbem.service.turns import outages
from pbem.settings.settings import Settings
from pbem.store.database import Database
from pbem.store.statuses import GameStatus, Sending
from pbem.store.tables import Account, Game, Heartbeat, Letter
from pbem.store.upgrade import upgrade
from pbem.transport import broker
from pbem.web.app import create_app
from pbem.web.base.context import cookie_name
from tests import many_games
from workers import clock

DUE = 100
MANY = 200
FEW_LINES = 5
"""Lines of an archive page that ten stored games can fill."""
TOKEN = "known-to-the-benchmark"
BEGUN = 6
"""Orders played in the game that runs."""


@dataclass
class Place:
    """A database of one size with the games that are measured in it."""

    office: Office
    hints: list[Hint]
    templates: many_games.Templates
    live: str
    few: FlaskClient
    many: FlaskClient | None
    deep: str
    feed: str
    feed_of_many: str
    at: datetime
    dice: random.Random = field(default_factory=lambda: random.Random(1))

    def turn(self) -> float:
        """Seconds for one order: taken in, played, the letter to the next player written and composed."""
        view = views.game(self.office, self.live)
        order = robot.choose(view.sheet, view.state, self.dice)
        began = time.perf_counter()
        submissions.submit(
            self.office, self.live, submissions.NewSubmission(view.waiting_for, order, view.version, "api"), now()
        )
        submissions.play_waiting(self.office, self.live, now())
        post(self.office, self.hints)
        took = time.perf_counter() - began
        if views.game(self.office, self.live).version == view.version:
            raise RuntimeError(f"“{order}” was not played")
        return took

    def page(self, path: str, client: FlaskClient | None = None, headers: Mapping[str, str] | None = None) -> float:
        """Seconds for a page."""
        began = time.perf_counter()
        answer = (client or self.few).get(path, headers=headers)
        took = time.perf_counter() - began
        if answer.status_code != 200:
            raise RuntimeError(f"{path} answered {answer.status_code}")
        return took

    def metrics(self) -> float:
        """Seconds for the figures of the whole server."""
        return self.page("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})

    def turn_page(self) -> float:
        """Seconds for the page of the open question of the game that runs."""
        view = views.game(self.office, self.templates.running)
        return self.page(f"/t/{self.office.tokens.turn(view.id, view.waiting_for, view.version)}")

    def archived(self, mark: str = "") -> float:
        """Seconds for a short page of the archive without its HTML."""
        began = time.perf_counter()
        if len(archive.page(self.office, older_than=mark, size=FEW_LINES).games) != FEW_LINES:
            raise RuntimeError("the archive is shorter than a page")
        return time.perf_counter() - began

    def tick(self) -> float:
        """Seconds for a look of the clock, fifteen after the last."""
        self.at += timedelta(seconds=15)
        began = time.perf_counter()
        clock.tick(self.office, self.at)
        return time.perf_counter() - began

    def tick_with_work(self) -> float:
        """The same with reminders to be written."""
        with self.office.database.write() as session:
            ids = session.scalars(
                select(Game.id).where(Game.status == GameStatus.RUNNING, Game.id.like("c%")).limit(DUE)
            ).all()
            session.execute(update(Game).where(Game.id.in_(ids)).values(remind_at=self.at, reminded_at=None))
        took = self.tick()
        with self.office.database.write() as session:
            written = (
                update(Letter).where(Letter.status == Sending.WAITING).values(status=Sending.SENT, sent_at=self.at)
            )
            if len(session.scalars(written.returning(Letter.id)).all()) != DUE:
                raise RuntimeError("a reminder is missing, or something else was written")
        self.hints.clear()
        return took


@contextmanager
def place(real: Real, folder: Path, url: str, games: int) -> Iterator[Place]:
    """A database with so many games, in ``folder`` whatever else belongs to it."""
    hints: list[Hint] = []
    ours = {"PBEM_DATA_DIR": str(folder), "PBEM_DATABASE_URL": url, "PBEM_METRICS_TOKEN": TOKEN}
    settings = Settings.read(ours)
    office, start = open_office(settings, Hints(hints.append)), now()
    upgrade(office.database.engine)
    transplant(real.database.engine, office.database.engine)
    many_games.fill(office, real.templates, games, start)
    with office.database.write() as session:
        session.merge(Heartbeat(id=outages.THE_ROW, at=start))
        ann, ben = (
            session.scalars(select(Account.id).where(Account.address == one.address)).one() for one in PLAYERS[:2]
        )
    many = many_games.give_games(office, ben, MANY)[0] if games > MANY else ""
    yield Place(
        office=office,
        hints=hints,
        templates=real.templates,
        live=real.live,
        few=reader(office, SeatClaim(real.live, 0)),
        many=reader(office, SeatClaim(many, 0)) if many else None,
        feed=feeds.renew(office, ann, start).atom.removeprefix(office.addresses.root),
        feed_of_many=feeds.renew(office, ben, start).atom.removeprefix(office.addresses.root),
        deep=far_back(office),
        at=start,
    )
    office.database.close()


@dataclass(frozen=True, slots=True)
class Real:
    """Games that were really played, to be put into every place; no letter about them waits."""

    database: Database
    templates: many_games.Templates
    live: str


@contextmanager
def real_games() -> Iterator[Real]:
    """A game that is over, one that runs, one that waits, and one to play in."""
    hints: list[Hint] = []
    with tempfile.TemporaryDirectory(prefix="pbem-growth-") as folder:
        settings = Settings.read({"PBEM_DATA_DIR": folder, "PBEM_DATABASE_URL": f"sqlite:///{folder}/real.sqlite"})
        office = open_office(settings, Hints(hints.append))
        upgrade(office.database.engine)
        over, running, live = (begun(office, hints, orders) for orders in (None, BEGUN, 0))
        waiting = opening.open_game(
            office, None, opening.NewGame("Waiting", "age-of-steam", "rust_belt", PLAYERS), now()
        )
        post(office, hints)
        if not counting.count(office, over, now()):  # or all of its copies would wait to be counted
            raise RuntimeError("the finished game does not wait to be counted")
        yield Real(office.database, many_games.Templates(over, running, waiting), live)
        office.database.close()


def begun(office: Office, hints: list[Hint], orders: int | None) -> str:
    """A game in which robots have played so many orders; ``None``: to its end."""
    game, dice = open_game(office), random.Random(1)
    while orders != 0 and (view := views.game(office, game)).status == GameStatus.RUNNING:
        order = robot.choose(view.sheet, view.state, dice)
        submissions.submit(office, game, submissions.NewSubmission(view.waiting_for, order, view.version, "api"), now())
        submissions.play_waiting(office, game, now())
        post(office, hints)
        orders = None if orders is None else orders - 1
    post(office, hints)
    return game


def post(office: Office, hints: list[Hint]) -> None:
    """What a worker does with letters, but for the picture and the mail server."""
    while hints:
        hint = hints.pop(0)
        if hint.task != broker.SEND or not outbox.claim(office, int(hint.id), now()):
            continue
        view = correspondence.letter(office, int(hint.id), now()).view
        compose(view, None, office.settings.mail_from)
        outbox.sent(office, int(hint.id), now())


def reader(office: Office, claim: SeatClaim) -> FlaskClient:
    """The browser of somebody who is logged in."""
    client = create_app(office=office).test_client()
    client.set_cookie(cookie_name(office.settings), accounts.log_in_seat(office, claim, now()))
    return client


def far_back(office: Office) -> str:
    """The mark of an archive page in the middle of all finished games."""
    over = select(Game).where(Game.status == GameStatus.OVER).order_by(Game.ended_at.desc(), Game.id.desc())
    with office.read() as session:
        count = session.scalars(select(func.count()).select_from(over.subquery())).one()
        return archive.mark_after(session.scalars(over.offset(count // 2).limit(1)).one())
