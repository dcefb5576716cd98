"""What a task and the clock do at their edges: how long they wait for the database, and whom they leave alone."""

from __future__ import annotations

import logging
from datetime import timedelta

import pytest
from sqlalchemy.exc import OperationalError

from pbem.engine.text import say
from pbem.service.letter_views import correspondence
from pbem.service.letters import outbox, providers, webhook_messages
from pbem.service.people import webhooks as own
from pbem.service.turns import outages
from pbem.store.tables import Letter
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


@pytest.fixture
def table(fresh: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(work, "now", lambda: fresh.now)
    monkeypatch.setattr(work, "_resting", {})
    monkeypatch.setattr(work, "_hung", {})
    return fresh


class Away:
    """A database that is there again ``after`` so many seconds."""

    def __init__(self, clock: Clock, after: float) -> None:
        self._clock, self._back = clock, clock.now + after
        self.done = 0

    def __call__(self) -> None:
        if self._clock.now < self._back:
            raise GONE
        self.done += 1


def test_a_task_looks_for_the_database_twice_a_second_for_half_a_minute(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    act = Away(clock, 30.5)
    work.patiently(act)
    assert (act.done, clock.now) == (1, 1030.5)
    assert "shutting down" in caplog.messages[0]
    assert len(caplog.messages) == 61
    with pytest.raises(OperationalError):
        work.patiently(Away(clock, 31))
    assert clock.now == 1061


def test_that_a_letter_was_taken_is_noted_while_it_is_in_our_hands(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    act = Away(clock, 45.5)
    work._note("letter 7", act)
    assert (act.done, clock.now) == (1, 1045.5)
    assert caplog.messages[0] == "letter 7 was taken, which cannot be noted yet: the database is away"
    with pytest.raises(OperationalError):
        work._note("letter 7", Away(clock, 46))
    assert clock.now == 1091


def test_the_clock_waits_a_moment_for_the_database_and_goes_on_with_the_next(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    seen = []

    def act(number: int) -> None:
        seen.append(number)
        if number == 1:
            raise GONE

    program._each([1, 2], act)
    assert (seen, clock.now) == ([1, 2], 1000.5)
    assert "shutting down" in caplog.messages[0]


def test_the_clock_looks_every_fifteen_seconds_and_chooses_letters_anew_after_ten() -> None:
    assert [program.EVERY, program.EVEN.total_seconds(), program.ROUND] == [15, 15, 10]
    assert [program.HEAD_START.total_seconds(), work.REST.total_seconds()] == [5, 10]


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


def test_a_round_of_letters_is_over_when_its_time_is_up_or_the_clock_ends(table: Table, clock: Clock) -> None:
    postman = program.DeliveryThread(table.office)
    postman._until = clock.now
    assert not postman._round_is_over()
    clock.sleep(0.1)
    assert postman._round_is_over()
    postman._until = clock.now
    postman._ended.set()
    assert postman._round_is_over()


def due(table: Table) -> Letter:
    """The letter that can be sent first."""
    return table.letters(status="waiting")[0]


SLOW = providers.SLOW.total_seconds()


@pytest.mark.parametrize(
    ("away", "took", "last", "talked", "rests", "hung"),
    [
        (False, 0.0, None, True, False, None),  # a refusal is an answer
        (False, SLOW, None, True, False, None),
        (True, 0.0, None, None, True, None),  # nobody there: not to be blamed on the provider of the reader
        (True, SLOW - 0.1, HOST, None, True, HOST),
        (True, SLOW, HOST, False, False, HOST),  # it hangs for one provider
        (True, SLOW, "other.example", False, True, HOST),  # and now for the next one
    ],
)
def test_who_gave_no_answer_is_left_alone_the_provider_or_the_server(
    table: Table,
    monkeypatch: pytest.MonkeyPatch,
    away: bool,
    took: float,
    last: str | None,
    talked: bool | None,
    rests: bool,
    hung: str | None,
) -> None:
    told: list[tuple[str, timedelta, bool]] = []
    not_asked: list[str] = []
    monkeypatch.setattr(providers, "talked", lambda _office, host, took, _now, *, done: told.append((host, took, done)))
    monkeypatch.setattr(providers, "not_asked", lambda _office, host, _now: not_asked.append(host))
    if last:
        work._hung[WAY] = last
    work._not_taken(table.office, WAY, smtp.NotTaken("no", f"ana@{HOST}", away=away, took=took))
    assert told == ([] if talked is None else [(HOST, timedelta(seconds=took), talked)])
    assert not_asked == ([HOST] if talked is None else [])
    assert work._resting == ({WAY: table.now + work.REST} if rests else {})
    assert work._hung.get(WAY) == hung


@pytest.mark.parametrize(("seconds", "sent"), [(0.1, False), (0, True)])
def test_a_server_that_rests_is_sent_nothing_until_its_rest_is_over(table: Table, seconds: float, sent: bool) -> None:
    table.start()
    letter = due(table)
    work._resting[str(table.office.settings.outbox_dir)] = table.now + timedelta(seconds=seconds)
    work.send(table.office, letter.id)
    assert (due(table).id != letter.id) is sent


def test_a_letter_in_other_hands_is_not_sent_a_second_time(table: Table) -> None:
    table.start()
    letter = due(table)
    assert outbox.claim(table.office, letter.id, table.now)
    work.send(table.office, letter.id)
    assert due(table).id == letter.id


def test_a_refusal_for_good_is_told_and_logged_with_the_letter(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> float:
        raise smtp.NotTaken("550 ana is nobody", "ana@example.org", for_good=True)

    table.start()
    monkeypatch.setattr(smtp, "post", refuse)
    letter = due(table)
    work.send(table.office, letter.id)
    (record,) = [record for record in caplog.records if "was not taken" in record.getMessage()]
    assert vars(record)["letter"] == letter.id
    assert [row.id for row in table.letters(status="failed")] == [letter.id]


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
    monkeypatch.setattr(webhooks, "target", lambda *_, **__: None)
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
