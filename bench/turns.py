"""Turns a second through service and worker, letters written but no pictures drawn, beside bare commits a second."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from pathlib import Path

from sqlalchemy import text

from bench.players import now, open_game
from bench.row import Row
from pbem import broker, robot
from pbem.mail.compose import compose
from pbem.service import Office
from pbem.service.base.task_hints import Hint, Hints
from pbem.service.letters import correspondence
from pbem.service.outbox import letters
from pbem.service.reading import views
from pbem.service.table import submissions
from pbem.settings import Settings
from pbem.statuses import GameStatus
from pbem.store.upgrade import upgrade
from tests import servers

RUNS = 3
TURNS = 60
COMMITS = 300


def measure() -> list[Row]:
    """One row for each database."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [row("SQLite", f"sqlite:///{folder}/bench.sqlite", folder)]
    with tempfile.TemporaryDirectory() as folder, servers.postgresql(on_disk=True) as url:
        rows.append(row("PostgreSQL", url, folder))
    return rows


def row(name: str, url: str, folder: str) -> Row:
    """Medians of several runs, floor and value taken in turn."""
    hints: list[Hint] = []
    settings = Settings.read({"PBEM_DATA_DIR": str(Path(folder, "data")), "PBEM_DATABASE_URL": url})
    office = Office.open(settings, Hints(hints.append))
    upgrade(office.database.engine)
    pairs = [(turns(office, hints, run), commits(office)) for run in range(RUNS)]
    office.database.close()
    played, bare = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    note = "a turn is taken in, played and its letter written, each with its own transaction"
    return Row(f"turns through service and worker, {name}", played, "/s", "bare commits", bare, note=note)


def turns(office: Office, hints: list[Hint], run: int) -> float:
    """Orders a second from taking in to the written letter; choosing the orders is not counted."""
    dice = random.Random(run)
    game, spent = "", 0.0
    for _ in range(TURNS):
        if not game or views.game(office, game).status == GameStatus.OVER:
            game = open_game(office)
            post(office, hints)
        view = views.game(office, game)
        order = robot.choose(view.sheet, view.state, dice)
        began = time.perf_counter()
        submissions.submit(office, game, submissions.NewSubmission(view.waiting_for, order, view.version, "api"), now())
        submissions.play_waiting(office, game, now())
        post(office, hints)
        spent += time.perf_counter() - began
        if views.game(office, game).version == view.version:
            raise RuntimeError(f"“{order}” was not played")
    return TURNS / spent


def post(office: Office, hints: list[Hint]) -> None:
    """What a worker does with letters, but for the picture and the mail server."""
    while hints:
        hint = hints.pop(0)
        if hint.task != broker.SEND or not letters.claim(office, int(hint.id), now()):
            continue
        view = correspondence.letter(office, int(hint.id), now()).view
        email = compose(view, None, office.settings.mail_from)
        letters.sent(office, int(hint.id), email.message_id, now())


def commits(office: Office) -> float:
    """The least a transaction costs here: one small row, committed."""
    with office.database.write() as session:
        session.execute(text("CREATE TABLE IF NOT EXISTS bench (body TEXT)"))
    began = time.perf_counter()
    for number in range(COMMITS):
        with office.database.write() as session:
            session.execute(text("INSERT INTO bench (body) VALUES (:body)"), {"body": f"commit {number}"})
    return COMMITS / (time.perf_counter() - began)
