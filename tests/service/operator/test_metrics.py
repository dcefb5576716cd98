"""How things stand, read from the rows of both databases."""

from __future__ import annotations

import pytest

from pbem.service.operator import server_metrics
from pbem.service.turns import outages
from tests.table import Table

pytestmark = pytest.mark.postgresql  # sums and times


def test_what_waits_and_what_the_last_hour_was_like(table: Table) -> None:
    table.start()
    outages.beat(table.office, table.now)
    table.send_all()
    table.send(table.legal())
    table.later(seconds=90)
    table.play("issue 99")
    table.awake(minutes=1)
    found = server_metrics.look(table.office, table.now)
    assert (found.orders.number, found.letters.number, found.stuck) == (0, 2, 0)
    assert (found.beat, found.letters.seconds) == (table.now - table.now, 60)
    lately = server_metrics.lately(table.office, table.now)
    assert {status: number for status, number in lately.submissions.items() if number} == {"played": 1, "refused": 1}
    assert [wait.total_seconds() for wait in lately.waits] == [90]
    assert sum(lately.letters.values()) == len(table.letters())
    assert server_metrics.games(table.office)["running"] == 1
    table.awake(hours=2)
    assert sum(server_metrics.lately(table.office, table.now).letters.values()) == 0


def test_nothing_is_counted_where_there_is_nothing(table: Table) -> None:
    found = server_metrics.look(table.office, table.now)
    assert (found.beat, found.orders, found.letters.seconds) == (None, server_metrics.Backlog(0), 0)
    assert server_metrics.lately(table.office, table.now).waits == ()
