"""Which rows are locked, and how, in the words of PostgreSQL: SQLite has one lock for all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Select, event, make_url
from sqlalchemy.orm import ORMExecuteState, Session

from pbem.service.base import queries
from pbem.service.base.work import NewLetter
from pbem.service.letters import outbox, providers, webhook_messages
from pbem.service.letters.kinds.accounts import DeliveryTest
from pbem.service.orders import submissions
from pbem.service.people import webhooks
from pbem.service.turns import outages
from tests.table import Table

SLOW = "slow.example.org"
DIALECT = make_url("postgresql+psycopg://").get_dialect()()


@contextmanager
def watched() -> Iterator[list[str]]:
    """The locks that are taken while this lasts: table, and how."""
    found: list[str] = []

    def note(state: ORMExecuteState) -> None:
        if not isinstance(state.statement, Select):
            return
        text = " ".join(str(state.statement.compile(dialect=DIALECT)).split())
        if lock := re.search(r" FROM (\w+).*? (FOR [A-Z ]+?)(?: OF (\w+))?$", text):
            found.append(f"{lock.group(3) or lock.group(1)} {lock.group(2)}")

    event.listen(Session, "do_orm_execute", note)
    try:
        yield found
    finally:
        event.remove(Session, "do_orm_execute", note)


def claim_letter(table: Table) -> None:
    assert outbox.claim(table.office, table.letters("your-turn")[0].id, table.now)


def send_letter(table: Table) -> None:
    outbox.sent(table.office, table.letters("your-turn")[0].id, table.now)


def fail_letter(table: Table) -> None:
    outbox.failed(table.office, table.letters("your-turn")[0].id, "450", table.now)


def claim_message(table: Table) -> None:
    webhook = webhooks.add(table.office, 1, "slack", "https://hooks.slack.com/x", "", table.now)
    webhooks.test(table.office, 1, webhook, table.now)
    assert webhook_messages.claim(table.office, 1, table.now)


def tell_message(table: Table) -> None:
    webhook_messages.told(table.office, 1, 200, table.now)


def lock_account(table: Table) -> None:
    with table.office.write() as session:
        queries.account(session, 1)


def lock_game(table: Table) -> None:
    with table.office.write() as session:
        queries.locked(session, table.game)


def refuse(table: Table) -> None:
    submissions.play_waiting(table.office, table.game, table.now)


def look(table: Table) -> None:
    with table.office.game(table.game, table.now) as work:
        work.game.holidays = ["2001-01-01"]  # other clocks are moved by one UPDATE, which locks as NO_KEY
    outages.beat(table.office, table.later(hours=1))


def probe(table: Table) -> None:
    with table.office.write() as session:
        providers.resting(table.office, session, SLOW, table.now)


def rest(table: Table) -> None:
    outages.beat(table.office, table.now)
    providers.talked(table.office, SLOW, providers.SLOW, table.now, done=True)
    table.send("issue 99", via="api")
    with table.office.work(table.now) as work:
        work.write(NewLetter(DeliveryTest(), "x", 1))


NO_KEY, WHOLE, SKIPS = "FOR NO KEY UPDATE", "FOR UPDATE", "FOR UPDATE SKIP LOCKED"


@pytest.mark.parametrize(
    ("act", "locks"),
    [
        (claim_letter, {f"letters {SKIPS}"}),
        (send_letter, set()),
        (fail_letter, {f"letters {WHOLE}"}),
        (claim_message, {f"webhook_messages {SKIPS}", f"webhooks {WHOLE}", f"accounts {NO_KEY}"}),
        (tell_message, {f"webhook_messages {WHOLE}", f"webhooks {WHOLE}"}),
        (lock_account, {f"accounts {NO_KEY}"}),
        (lock_game, {f"games {NO_KEY}"}),
        (refuse, {f"games {NO_KEY}", f"letters {SKIPS}"}),
        (look, {f"heartbeats {WHOLE}", f"games {NO_KEY}"}),
        (probe, {f"allowances {WHOLE}"}),
    ],
)
def test_rows_are_locked_so_that_letters_can_point_to_them_and_workers_do_not_wait_for_each_other(
    table: Table, act: Callable[[Table], None], locks: set[str]
) -> None:
    table.start()
    for letter in table.letters("game-started"):
        if outbox.claim(table.office, letter.id, table.now):
            outbox.sent(table.office, letter.id, table.now)
    rest(table)
    if act is tell_message:
        claim_message(table)
    with watched() as found:
        act(table)
    assert set(found) == locks
