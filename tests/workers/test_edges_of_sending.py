"""What a task and the clock do at their edges: how long they wait for the database, and whom they leave alone."""

import logging
from datetime import timedelta

import pytest
from sqlalchemy.exc import OperationalError

from pbem.engine import say
from pbem.service.letter_views import correspondence
from pbem.service.letters import providers, webhook_messages
from pbem.service.people import webhooks as own
from pbem.service.turns import outages
from pbem.transport import smtp, webhooks
from tests.sleeping import Clock
from tests.table import Table
from workers import clock as program
from workers import pictures, work

GONE = OperationalError("SELECT games", {}, Exception("the database is shutting down\nand tells why"))
HOST, WAY = "slow.example", "smtp://127.0.0.1"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(work, "time", made)
    monkeypatch.setattr(program, "time", made)
    return made


class Away:
    """A database that is there again ``after`` so many seconds."""

    def __init__(self, clock: Clock, after: float) -> None:
        self._clock, self._back = clock, clock.now + after
        self.done = 0

    def __call__(self) -> None:
        if self._clock.now < self._back:
            raise GONE
        self.done += 1


def test_a_task_looks_for_the_database_for_half_a_minute(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    act = Away(clock, 30.5)
    work.patiently(act)
    assert (act.done, clock.now) == (1, 1030.5)
    assert "shutting down" in caplog.messages[0]
    assert len(caplog.messages) == 61
    with pytest.raises(OperationalError):
        work.patiently(Away(clock, 31))
    assert clock.now == 1061


@pytest.mark.parametrize(
    ("worked", "passed", "beats"), [(15, 15, 0), (16, 16, 1), (16, 30.9, 1), (16, 31, 0), (16, 1, 0)]
)
def test_a_tick_with_much_to_do_is_no_outage_but_a_machine_that_slept_during_it_was(
    table: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch, worked: float, passed: float, beats: int
) -> None:
    told: list[object] = []

    def tick(*_: object) -> None:
        clock.sleep(worked)
        table.later(seconds=passed)

    monkeypatch.setattr(program, "tick", tick)
    monkeypatch.setattr(outages, "beat_on", lambda _, now: told.append(now))
    program._tick_and_beat(table.office)
    assert told == [table.now] * beats


def test_only_letters_that_show_the_board_of_a_game_that_was_dealt_have_a_picture(table: Table) -> None:
    table.start()
    drafts = [correspondence.letter(table.office, row.id, table.now) for row in table.letters()]
    pictured = {draft.view.envelope.kind for draft in drafts if pictures.picture(draft)}
    assert pictured == {"game-started", "your-turn"}


@pytest.mark.parametrize("answered", [True, False])
def test_the_host_of_a_webhook_is_met_as_one_that_answered_or_did_not(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, answered: bool
) -> None:
    def tell(*_: object) -> int:
        if not answered:
            raise webhooks.NotTold(say("There was no answer."))
        return 200

    caplog.set_level(logging.INFO, "workers.work")
    told: list[bool] = []
    table.start()
    own.add(table.office, table.host, "json", "https://hooks.slack.com/x", table.game, table.now)
    table.play()
    monkeypatch.setattr(webhooks, "tell", tell)
    monkeypatch.setattr(webhook_messages, "talked", lambda *_, done: told.append(done))
    work.tell(table.office, 1)
    assert told == [answered]
    numbers = [vars(record)["message_id"] for record in caplog.records if "was not taken" in record.getMessage()]
    assert numbers == ([] if answered else [1])


def test_a_provider_that_took_a_letter_slowly_rests(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()
    letter = table.letters("invitation")[0]
    monkeypatch.setattr(smtp, "post", lambda *_, **__: 20.0)
    work.send(table.office, letter.id)
    assert table.letters("invitation", "sent")[0].id == letter.id
    with table.office.read() as session:
        assert providers.resting(table.office, session, "example.org", table.now) == table.now + timedelta(seconds=30)
