"""Rally the Troops: notifications leave inside the transaction, so that somebody is told of what was rolled back."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from pbem.service.base.task_hints import Hint, Hints
from pbem.service.games import departures, votes
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.letters import talk
from pbem.service.orders import deadlines, submissions
from pbem.service.people import accounts, webhooks
from pbem.store.tables import Letter
from tests.rows import everything
from tests.table import START, Table


class DiskFull(Exception):
    """What a commit may end with."""


ACTS: dict[str, Callable[[Table], object]] = {
    "orders come in": lambda table: table.send(table.legal()),
    "orders are played": lambda table: submissions.play_waiting(table.office, table.game, table.now),
    "a time ends": lambda table: deadlines.deadline(table.office, table.game, table.later(days=4)),
    "a reminder is due": lambda table: deadlines.remind(table.office, table.game, START + timedelta(days=2, hours=12)),
    "a player resigns": lambda table: departures.resign(table.office, table.game, 1, table.now),
    "a vote is asked for": lambda table: votes.ask(table.office, table.game, 0, EndingEarly(), table.now),
    "a log-in link is asked for": lambda table: accounts.ask_login(table.office, "eva@example.org", table.now),
    "something is said": lambda table: talk.post(table.office, table.game, 1, "Hello", table.now),
    "a game is opened": lambda table: table.open(),
}


@pytest.mark.parametrize("act", ACTS)
def test_what_is_rolled_back_was_told_to_nobody(table: Table, act: str) -> None:
    table.start()
    if act == "orders are played":
        table.send(table.legal())
    ana = accounts.of_seat(table.office, table.game, 0)
    webhooks.add(table.office, ana, "json", "https://hooks.example.org/x", "", table.now)
    before, game = everything(table.office), table.game
    table.hints.clear()

    def fail(session: Session) -> None:
        if session.connection().get_execution_options().get("pbem_writes"):
            raise DiskFull

    event.listen(Session, "before_commit", fail)
    try:
        with pytest.raises(DiskFull):
            ACTS[act](table)
    finally:
        event.remove(Session, "before_commit", fail)
    assert table.hints == []
    assert everything(table.office) == before
    assert not table.office.settings.outbox_dir.exists()
    table.game = game
    ACTS[act](table)
    assert everything(table.office) != before, "without the fault it does something"


def test_a_worker_that_is_quick_finds_the_letter_it_is_told_of(table: Table) -> None:
    """A hint leaves after the commit: whoever gets it sees the row on a connection of its own."""
    found: list[bool] = []

    def look(hint: Hint) -> None:
        if hint.task.endswith("send"):
            with table.office.read() as session:
                found.append(session.get(Letter, hint.id) is not None)

    object.__setattr__(table.office, "hints", Hints(look))
    table.start_anew()
    assert found
    assert all(found)


def test_a_reminder_comes_once(table: Table) -> None:
    table.start()
    table.later(days=2, hours=1)
    assert [deadlines.remind(table.office, table.game, table.now) for _ in range(2)] == [True, False]
    assert len(table.letters("reminder")) == 1
    assert table.letters("reminder")[0].created_at - table.letters("your-turn")[0].created_at >= timedelta(days=2)
