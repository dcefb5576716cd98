"""SQLite under web, workers and clock as processes of their own: each order once, and nobody ever hears of a lock."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.service import Office
from pbem.service.orders import submissions
from pbem.store import restore
from pbem.store.backup import back_up
from pbem.store.database import open_engine
from pbem.store.tables import Game, Letter, Move, Submission
from tests.databases import Sqlite
from tests.runtime import hammer
from tests.runtime.hammer import now
from tests.storm.verdict import faults_of
from tests.table import Table

SHEETS = (("age-of-steam", "rust_belt"), ("steam-power", "northern_england"), ("age-of-steam", "germany"))
FEW = ("submit", "submit", "work", "work", "clock", "read")
MANY = (*FEW, "submit", "submit", "work", "clock", "read", "read")


def test_six_processes_at_once_play_every_order_once(tmp_path: Path) -> None:
    _hammered(tmp_path, FEW, seconds=2, games=3)


@pytest.mark.slow
def test_twelve_processes_at_once_play_every_order_once(tmp_path: Path) -> None:
    _hammered(tmp_path, MANY, seconds=60, games=12)


def _hammered(folder: Path, roles: tuple[str, ...], seconds: int, games: int) -> None:
    table = Table(Sqlite(folder).fresh(), folder / "data")
    table.now = now() - timedelta(minutes=1)
    for number in range(games):
        game, board = SHEETS[number % len(SHEETS)]
        table.start(title=f"Game {number}", game=game, map=board)
    url = table.office.settings.database_url
    with _at_work(roles, url, str(folder / "data"), seconds) as started:
        back_up(table.office.database.engine, folder / "meanwhile.backup", hammer.KEY, now())
        said = _heard(started, seconds)
    sent = {number for one in said for number in one["sent"]}
    did = sum((Counter(one["did"]) for one in said), Counter[str]())
    assert min(did[name] for name in ("sent", "letters", "ticks", "looked")) > 0, did
    _finish(table.office)
    _judge(table.office, sent)
    table.close()
    _judge_backup(folder)


@contextmanager
def _at_work(roles: tuple[str, ...], url: str, data: str, seconds: int) -> Iterator[subprocess.Popen[str]]:
    """Start all and let them go at the same moment."""
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.runtime.hammer", url, data, str(seconds), *roles],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        start_new_session=True,
    )
    assert started.stdout is not None
    ready = started.stdout.readline()
    assert ready == "ready\n", started.communicate()
    try:
        yield started
    finally:
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGKILL)
        started.communicate()


def _heard(started: subprocess.Popen[str], seconds: int) -> list[dict[str, Any]]:
    """What they did, when they are done."""
    out, errors = started.communicate(timeout=seconds + 240)
    assert "Error" not in errors, errors
    assert "locked" not in errors, errors
    assert started.returncode == 0
    said: list[dict[str, Any]] = json.loads(out)
    return said


def _judge_backup(folder: Path) -> None:
    """What was backed up while all were at work is a state that was."""
    url = Sqlite(folder).fresh()
    engine = open_engine(url)
    with engine.execution_options(pbem_writes=True).begin() as connection:
        restore.put(connection, folder / "meanwhile.backup", (hammer.KEY,))
    engine.dispose()
    office = hammer.office_of(url, str(folder / "data"))
    with office.read() as session:
        _replayed(session)
        played = select(Submission).where(Submission.status == "played")
        for row in session.scalars(played):
            assert session.get(Move, (row.game_id, row.move_number)) is not None
    office.database.close()


def _replayed(session: Session) -> None:
    for game in session.scalars(select(Game)):
        assert list(faults_of(session, game)) == []


def _finish(office: Office) -> None:
    """Play what the workers had no time for."""
    with office.read() as session:
        waiting = session.scalars(select(Submission.game_id).where(Submission.status == "waiting").distinct()).all()
    for game_id in waiting:
        submissions.play_waiting(office, game_id, now())


def _judge(office: Office, sent: set[int]) -> None:
    with office.read() as session:
        assert session.connection().exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        rows = session.scalars(select(Submission)).all()
        assert {row.id for row in rows} == sent, "an order that was taken in is gone, or one is there that nobody sent"
        assert Counter(row.status for row in rows).keys() <= {"played", "refused"}
        moves = session.execute(select(Move.game_id, Move.number).where(Move.cause == "player")).all()
        first = Counter((row.game_id, row.move_number) for row in rows if row.status == "played")
        assert first
        later = {
            (row.game_id, (row.move_number or 0) + n) for row in rows for n in range(1, row.moves) if row.move_number
        }
        assert set(first) | later == {(game, number) for game, number in moves}, "a move without an order, or twice"
        _replayed(session)
        assert session.scalars(select(Letter.id).where(Letter.status == "failed")).all() == []
        keys = session.scalars(select(Letter.message_id).where(Letter.status == "sent")).all()
        assert len(keys) == len(set(keys)) > 0
