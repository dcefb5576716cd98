"""choochoo: while a pre-set action looks playable no mail goes out, and the move waits in the memory of a process.

A restart in that time loses it: nobody is told, and the game stands still for good.
"""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

from pbem.service.turns import standing_orders
from tests.table import Table

DIES_BEFORE_THE_COMMIT = """
import os, signal
from datetime import UTC, datetime
from sqlalchemy import event, select
from sqlalchemy.orm import Session
from pbem.service import open_office
from pbem.service.orders import submissions
from pbem.settings.settings import Settings
from pbem.store.tables import Move

def die(session):
    if session.scalars(select(Move.number).where(Move.number > 0)).all():
        os.kill(os.getpid(), signal.SIGKILL)

event.listen(Session, "before_commit", die)
submissions.play_waiting(open_office(Settings.read(os.environ)), {game!r}, datetime.now(UTC))
"""
LOOKS_ONCE = """
import os
from datetime import UTC, datetime
from pbem.service import open_office
from pbem.settings.settings import Settings
from workers import clock

office = open_office(Settings.read(os.environ))
clock.tick(office, datetime.now(UTC))
"""


def test_an_order_ahead_outlives_the_process_that_was_about_to_play_it(table: Table) -> None:
    """The process is killed after it has played and before it could commit; a fresh one finds all of it in rows."""
    table.now = datetime.now(UTC) - timedelta(minutes=1)
    first, second, third, _ = table.start().state.order
    table.play("issue 2", seat=second)
    table.send("issue 1", seat=first)
    killed = _process(table, DIES_BEFORE_THE_COMMIT.format(game=table.game))
    assert killed.returncode == -9, killed.stderr
    assert table.view().version == 0
    assert [order.orders for order in standing_orders.of_seat(table.office, table.game, second)] == ["issue 2"]
    for _ in range(2):  # the second look sends what the first has written
        fresh = _process(table, LOOKS_ONCE)
        assert fresh.returncode == 0, fresh.stderr
    assert [(move.seat, move.orders) for move in table.view().log[1:]] == [(first, "issue 1"), (second, "issue 2")]
    asked = table.letters("your-turn")[-1]
    assert table.view().seats[asked.seat_number or 0].seat == third
    table.now = datetime.now(UTC)
    assert (asked.status, table.view().waiting_for) in (("sent", third), ("waiting", third))
    assert asked.next_try_at <= table.now


def _process(table: Table, code: str) -> subprocess.CompletedProcess[str]:
    settings = table.office.settings
    environ = {
        "PBEM_DATA_DIR": str(settings.data_dir),
        "PBEM_DATABASE_URL": settings.database_url,
        "PBEM_PUBLIC_URL": settings.public_url,
        "PBEM_SECRET_KEY": settings.secret_key,
        "PYTHONPATH": ":".join(path for path in sys.path if path),
    }
    return subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False)
