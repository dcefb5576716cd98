"""The task that plays orders sends the letter to whoever is next, after its commit, while the mail server is quick."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlalchemy import event, select
from sqlalchemy.exc import OperationalError

from pbem import broker, smtp
from pbem.engine.chance import SeededChance
from pbem.mail.compose import compose
from pbem.service import Office
from pbem.service.base.work import AtHand
from pbem.service.letters import correspondence
from pbem.service.outbox import letters, providers, talk
from pbem.service.table import submissions
from pbem.store.tables import GameNotification, Letter, Stop, Unreachable
from tests.sleeping import Clock
from tests.table import NAMES, Table, memory
from workers import work
from workers.pictures import picture

MINUTE = timedelta(minutes=1)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(work, "time", made)
    return made


def takes(clock: Clock, seconds: float) -> Callable[..., float]:
    """A mail server that takes so long for a letter."""

    def post(*_: object) -> float:
        clock.sleep(seconds)
        return seconds

    return post


@pytest.fixture
def table(fresh: Table, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Table:
    """A game that has begun; what was to be sent has left, and quickly."""
    with memory.before_changes():
        fresh.start()
    for name in ("_resting", "_hung", "_quick"):
        monkeypatch.setattr(work, name, {})
    monkeypatch.setattr(work, "now", lambda: fresh.now)
    monkeypatch.setattr(smtp, "post", takes(clock, 0.1))
    for row in fresh.letters(status="waiting"):
        work.send(fresh.office, row.id)
    fresh.hints.clear()
    return fresh


def play(table: Table) -> Letter:
    """An order comes in and is played; the letter to whoever is asked next."""
    table.send(table.legal())
    table.hints.clear()
    work.play_and_send(table.office, table.game)
    return table.letters("your-turn")[-1]


def sent_as(table: Table) -> set[str]:
    """The Message-IDs of the letters that were sent."""
    return {row.message_id for row in table.letters(status="sent")}


def sent_by_a_task(table: Table) -> list[int]:
    """The letters that are left to tasks of their own."""
    return [int(hint.id) for hint in table.hints if hint.task == broker.SEND]


def test_the_letter_to_whoever_is_asked_next_is_sent_by_the_task_that_plays(table: Table) -> None:
    row = play(table)
    assert (row.status, row.version, row.attempts) == ("sent", 1, 1)
    assert (row.claimed_until, row.sent_at) == (None, table.now)
    assert row.message_id.startswith(f"<{table.game}.v1.")
    assert table.hints == []


def test_a_process_that_has_sent_nothing_yet_leaves_the_letter_to_a_task_of_its_own(table: Table) -> None:
    work._quick.clear()
    row = play(table)
    assert (row.status, row.attempts, sent_by_a_task(table)) == ("waiting", 0, [row.id])
    work.send(table.office, row.id)
    assert play(table).status == "sent"


@pytest.mark.parametrize(("took", "status"), [(0.9, "sent"), (1.0, "waiting")])
def test_while_the_mail_server_takes_a_second_for_a_letter_orders_do_not_wait_for_it(
    table: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch, took: float, status: str
) -> None:
    monkeypatch.setattr(smtp, "post", takes(clock, took))
    assert play(table).status == "sent"
    row = play(table)
    assert (row.status, sent_by_a_task(table)) == (status, [] if status == "sent" else [row.id])


def test_after_a_letter_that_was_not_taken_the_next_is_left_to_a_task_of_its_own(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> float:
        raise smtp.NotTaken("try later", "ana@example.org")

    with monkeypatch.context() as patched:
        patched.setattr(smtp, "post", refuses)
        row = play(table)
        assert (row.status, row.attempts, row.last_error) == ("waiting", 1, "try later")
        assert row.next_try_at > table.now
    assert play(table).status == "waiting"


def test_nothing_is_sent_before_the_commit(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def post(*_: object) -> float:
        with table.office.read() as session:  # a connection of its own
            letter = session.scalars(select(Letter).order_by(Letter.id.desc()).limit(1)).one()
        seen.append((table.submissions()[-1].status, table.view().version, letter.version, letter.claimed_until))
        return 0.1

    monkeypatch.setattr(smtp, "post", post)
    play(table)
    assert seen == [("played", 1, 1, table.now + 2 * MINUTE)]


def test_what_a_transaction_has_left_at_hand_says_the_same_as_the_rows(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, made = correspondence.taken, []

    def noted(office: Office, row: Letter, thread: str, at_hand: AtHand, now: datetime) -> correspondence.Draft:
        made.append(taken(office, row, thread, at_hand, now))
        return made[-1]

    monkeypatch.setattr(correspondence, "taken", noted)
    for _ in range(4):
        row = play(table)
        read = correspondence.letter(table.office, row.id, table.now)
        emails = [compose(draft.view, picture(draft), "pbem@example.org") for draft in (made[-1], read)]
        assert emails[0] == emails[1]
        assert made[-1].view.envelope.thread_id in sent_as(table)
    assert len(made) == 4


def test_when_the_commit_fails_nothing_is_sent(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[object] = []

    def gone(_connection: object) -> None:
        raise OperationalError("COMMIT", {}, Exception("the disk is full"))

    monkeypatch.setattr(smtp, "post", lambda *mail: posted.append(mail))
    table.send(table.legal())
    event.listen(table.office.database.engine, "commit", gone)
    with pytest.raises(OperationalError):
        work.play_and_send(table.office, table.game)
    event.remove(table.office.database.engine, "commit", gone)
    assert (posted, table.view().version, len(table.letters("your-turn"))) == ([], 0, 1)


def test_a_letter_whose_sender_dies_can_be_sent_by_others_two_minutes_later(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> float:
        raise KeyboardInterrupt

    monkeypatch.setattr(smtp, "post", killed)
    with pytest.raises(KeyboardInterrupt):
        play(table)
    row = table.letters("your-turn")[-1]
    assert (row.status, row.attempts) == ("waiting", 1)
    assert not letters.claim(table.office, row.id, table.later(seconds=119))
    assert letters.claim(table.office, row.id, table.later(seconds=1))


def test_of_several_orders_that_wait_the_last_alone_is_followed_by_a_letter_at_once(table: Table) -> None:
    view = table.view()
    first = table.send(table.legal())
    table.send("issue 1", seat=next(one.seat for one in view.seats if one.seat != view.waiting_for), version=9)
    work.play_and_send(table.office, table.game)
    assert [row.status for row in table.submissions()] == ["played", "refused"]
    row = table.letters("your-turn")[-1]
    assert (row.status, sent_by_a_task(table), first) == ("waiting", [row.id], 1)


def test_letters_to_everybody_are_left_to_tasks_of_their_own(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.send(table.legal())
    sheet = type(table.view().sheet)
    with monkeypatch.context() as patched:
        patched.setattr(sheet, "over", lambda *_: True)
        patched.setattr(sheet, "standings", lambda *_: ())
        table.hints.clear()
        work.play_and_send(table.office, table.game)
    rows = table.letters("game-over")
    assert [row.status for row in rows] == ["waiting"] * len(NAMES)
    assert sent_by_a_task(table) == [row.id for row in rows]


# what may keep a letter back ----------------------------------------------------------------------------------


def asked_next(table: Table) -> int:
    """The account of whoever is asked after the next order."""
    view = table.view()
    moves, dice = view.sheet.parse(view.state, table.legal(), {}), SeededChance(b"", "")
    asked = view.sheet.to_act(view.sheet.play(view.state, view.waiting_for, moves, dice).state)
    return next(seat.number for seat in view.seats if seat.seat == asked) + 1


def stopped(table: Table, reader: int) -> None:
    with table.office.write() as session:
        session.add(Stop(account_id=reader, game_id="", kind="your-turn", since=table.now))


def unreachable(table: Table, reader: int) -> None:
    with table.office.write() as session:
        session.add(Unreachable(account_id=reader, status="5.1.1", answer="", since=table.now))


def slow_host(table: Table, _reader: int) -> None:
    providers.talked(table.office, "example.org", providers.SLOW, table.now, done=True)


def older_letter(table: Table, reader: int) -> None:
    with table.office.write() as session:
        session.add(
            Letter(
                kind="game-started", key="older", account_id=reader, game_id=table.game, data={}, created_at=table.now,
                next_try_at=table.now,
            )
        )  # fmt: skip


def daily(table: Table, reader: int) -> None:
    with table.office.write() as session:
        session.add(GameNotification(account_id=reader, game_id=table.game, mails="digest"))


@pytest.mark.parametrize(
    ("obstacle", "status"),
    [
        (stopped, "withdrawn"),
        (unreachable, "withdrawn"),
        (slow_host, "waiting"),
        (older_letter, "waiting"),
        (daily, "waiting"),
    ],
)
def test_what_may_keep_a_letter_back_is_left_to_the_task_that_looks_closer(
    table: Table, obstacle: Callable[[Table, int], None], status: str
) -> None:
    obstacle(table, asked_next(table))
    row = play(table)
    assert (row.status, row.attempts, row.claimed_until) == ("waiting", 0, None)
    assert sent_by_a_task(table) == ([] if row.held else [row.id])
    work.send(table.office, row.id)
    assert table.letters("your-turn")[-1].status == status


def test_what_was_said_in_the_game_is_in_a_letter_that_is_sent_at_once(table: Table) -> None:
    talk.post(table.office, table.game, 0, "All aboard!", table.now)
    assert (play(table).talk_up_to, play(table).talk_up_to) == (1, 1)


def test_the_clock_plays_and_sends_nothing_meanwhile(table: Table) -> None:
    table.send(table.legal())
    work.play(table.office, table.game)
    assert table.letters("your-turn")[-1].status == "waiting"
    assert submissions.play_waiting(table.office, table.game, table.now) == 0
