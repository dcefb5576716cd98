"""The clock keeps a process of the lowest priority running while there are reviews to work on."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from pbem.service.statistics import counting, reviews
from tests.patience import PATIENCE
from tests.reviewed import decisions, put
from tests.table import Table
from workers import background, reviewing


@pytest.fixture
def over(table: Table) -> Table:
    """A game that is over and waits for its review."""
    table.start()
    table.play_on(1000)
    counting.count(table.office, table.game, table.now)
    return table


def test_one_process_runs_while_reviews_wait_and_ends_with_the_clock(
    over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviewing, "COMMAND", ("sleep", "60"))
    reviewer, before = reviewing.Reviewer(over.office), set(psutil.Process().children())
    for _ in range(3):
        reviewer.look(over.now)
    (child,) = set(psutil.Process().children()) - before
    assert (child.nice(), os.getsid(child.pid)) == (19, child.pid)
    session = Path(f"/proc/{child.pid}/autogroup")
    assert not session.exists() or session.read_text().endswith("nice 19\n"), "its own counts only inside it"
    reviewer.end()
    assert not child.is_running()


def test_no_process_runs_while_none_waits(over: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "COMMAND", ("sleep", "60"))
    put(over, decisions(over))
    before = set(psutil.Process().children())
    reviewing.Reviewer(over.office).look(over.now)
    assert set(psutil.Process().children()) <= before


def test_the_command_works_off_what_there_is_and_ends(tmp_path: Path) -> None:
    environ = {**os.environ, "PBEM_DATA_DIR": str(tmp_path), "PBEM_DATABASE_URL": f"sqlite:///{tmp_path}/pbem.sqlite"}
    done = subprocess.run([sys.executable, "-m", "workers.reviewing"], env=environ, timeout=PATIENCE, check=False)
    assert done.returncode == 0


def test_no_unit_is_begun_while_an_order_waits_for_a_worker(over: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    number = over.game
    over.start()
    over.send(over.asked().default())
    over.later(seconds=5)
    rested = []

    def play_meanwhile(seconds: float) -> None:
        assert reviews.opened(over.office, number).read == 0
        rested.append(seconds)
        over.play()

    class Ended(Exception):
        """Enough has been seen."""

    def end(*_: object) -> None:
        raise Ended

    monkeypatch.setattr("workers.background.time.sleep", play_meanwhile)
    monkeypatch.setattr(reviews, "keep", end)
    with pytest.raises(Ended):
        reviewing.review(over.office, number)
    assert rested == [background.REST]
