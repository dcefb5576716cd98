"""A unit of work, and a look: what it holds, and what is written meanwhile."""

import socket
import time
from pathlib import Path

import pytest
from sqlalchemy import event, select

from pbem.service.base import NewLetter, NoSuch, Work
from pbem.service.base.task_hints import Hints, play_hint, send_hint
from pbem.service.games import answering, members, views
from pbem.service.letters import outbox, talk
from pbem.service.letters.kinds.accounts import DeliveryTest
from pbem.service.letters.kinds.games import GameOver
from pbem.service.people import accounts
from pbem.service.turns import audit_log
from pbem.service.turns.entries import chance_at
from pbem.settings.settings import Settings
from pbem.store.tables import Letter
from pbem.transport import broker
from tests import servers
from tests.table import Table


def fail(table: Table) -> None:
    """Work that gives a hint and then fails."""
    with table.office.work(table.now) as work:
        work.hints.append(play_hint("lost"))
        work.lock("nonsense")


def test_hints_leave_after_the_commit_and_not_when_it_fails(table: Table) -> None:
    table.hints.clear()
    with pytest.raises(NoSuch):
        fail(table)
    assert table.hints == []
    with table.office.work(table.now) as work:
        work.hints.append(play_hint("given"))
        assert table.hints == []
    assert table.hints == [play_hint("given")]


def test_a_game_that_is_not_there_has_no_work(table: Table) -> None:
    with pytest.raises(NoSuch), table.office.game("nonsense", table.now):
        pytest.fail("the work began")


def test_a_look_at_a_game_finds_what_a_unit_of_work_finds_and_waits_for_nobody(dealt: Table) -> None:
    with dealt.office.game(dealt.game, dealt.now) as work, dealt.office.look(dealt.game, dealt.now) as look:
        assert (look.game.id, look.now, look.sheet) == (work.game.id, work.now, work.sheet)
        assert [seat.number for seat in look.seats] == [0, 1, 2, 3]
        assert look.state is look.state
        assert look.seat_of(dealt.host) is look.numbered(0)
        with pytest.raises(AttributeError):
            setattr(look, "state", look.state)  # noqa: B010 - mypy knows that it cannot be set
    with pytest.raises(NoSuch), dealt.office.look("nonsense", dealt.now):
        pytest.fail("there was something to see")


def test_a_seat_that_is_not_there_is_not_found(dealt: Table) -> None:
    with dealt.office.game(dealt.game, dealt.now) as work:
        for wrong in ("", "gold"):
            with pytest.raises(NoSuch):
                work.seat(wrong)
        with pytest.raises(NoSuch):
            work.numbered(9)
        assert work.seat_of(None) is None
        assert work.seat_of(dealt.host) is work.numbered(0)


def test_a_savepoint_that_fails_sets_the_state_back(dealt: Table) -> None:
    with dealt.office.game(dealt.game, dealt.now) as work:
        before, place = work.state, work.sheet.place(work.state)
        savepoint = work.session.begin_nested()
        moves = (work.sheet.default(before),)
        work.state = work.sheet.play(before, work.game.to_act, moves, chance_at(work)).state
        assert work.sheet.place(work.state) != place
        work.session.flush()
        savepoint.rollback()
        assert work.sheet.place(work.state) == place


def written(work: Work) -> list[str]:
    return list(work.session.scalars(select(Letter.key).where(Letter.kind == "test").order_by(Letter.id)))


def test_a_letter_is_there_when_letters_are_finished_and_only_once(dealt: Table) -> None:
    with dealt.office.work(dealt.now) as work:
        work.write(NewLetter(DeliveryTest(), "twice", dealt.host), NewLetter(DeliveryTest(), "twice", dealt.host))
        work.write(NewLetter(DeliveryTest(), "twice", dealt.host))
        assert written(work) == []
        outbox.finish(work)
        assert written(work) == ["twice"]
        work.write(NewLetter(DeliveryTest(), "twice", dealt.host), NewLetter(DeliveryTest(), "other", dealt.host))
    with dealt.office.work(dealt.now) as work:
        assert written(work) == ["twice", "other"]


@pytest.mark.postgresql
def test_the_letters_of_a_transaction_take_one_statement_and_stay_in_order(table: Table) -> None:
    statements: list[str] = []
    event.listen(
        table.office.database.engine, "before_cursor_execute", lambda *words: statements.append(words[2].split("(")[0])
    )
    table.start_anew()
    assert [letter.kind for letter in table.letters()] == ["invitation"] * 3 + ["game-started"] * 4 + ["your-turn"]
    assert [line.strip() for line in statements].count("INSERT INTO letters") == 2  # opening the game, and its start


def fail_in_part(work: Work, host: int) -> None:
    """Write a letter, give a hint and fail, in a part of the transaction that is undone alone."""
    with work.savepoint():
        work.write(NewLetter(DeliveryTest(), "lost", host))
        outbox.finish(work)
        work.hints.append(play_hint("lost"))
        raise NoSuch("for no reason")


def test_a_part_that_fails_is_undone_with_its_letters_and_hints(dealt: Table) -> None:
    dealt.hints.clear()
    with dealt.office.work(dealt.now) as work:
        work.write(NewLetter(DeliveryTest(), "kept", dealt.host))
        with pytest.raises(NoSuch):
            fail_in_part(work, dealt.host)
        with work.savepoint():
            work.write(NewLetter(DeliveryTest(), "kept too", dealt.host))
    assert [letter.key for letter in dealt.letters("test")] == ["kept", "kept too"]
    assert dealt.hints == [send_hint(letter.id) for letter in dealt.letters("test")]


def test_a_letter_to_a_seat_is_about_the_position_and_nobody_gets_one_for_a_free_seat(dealt: Table) -> None:
    with dealt.office.game(dealt.game, dealt.now) as work:
        taken, free = work.seats[0], work.seats[1]
        free.account_id = None
        work.write_to(taken, GameOver(), "to-the-player")
        work.write_to(free, GameOver(), "to-nobody")
        outbox.finish(work)
        (letter,) = work.session.scalars(select(Letter).where(Letter.key.startswith("to-"))).all()
        assert (letter.account_id, letter.seat_number) == (taken.account_id, taken.number)
        assert (letter.game_id, letter.version) == (dealt.game, work.game.version)
        assert letter.next_try_at == dealt.now


def look_around(table: Table) -> tuple[object, ...]:
    """Everything that the page of a game asks, by the first player."""
    office, game = table.office, table.game
    return (
        views.game(office, game),
        views.seat_of(office, game, table.host),
        members.company(office, game, 0, table.host, table.now),
        talk.said(office, game),
        talk.note(office, game, table.host),
        audit_log.of_game(office, game),
        accounts.of_seat(office, game, 0),
        accounts.how_a_seat_reads(office, game, 0),
    )


@pytest.fixture
def game(dealt: Table) -> Table:
    """Orders were played, missed and taken back; people talk, vote and are away."""
    dealt.play()
    talk.post(dealt.office, dealt.game, 1, "Nice link!", dealt.now)
    talk.write_note(dealt.office, dealt.game, dealt.host, "Buy shares.", dealt.now)
    return dealt


def test_one_look_tells_the_same_as_many(game: Table) -> None:
    many = look_around(game)
    with game.office.one_look():
        assert look_around(game) == many


def test_what_is_written_in_a_look_is_read_anew(game: Table) -> None:
    with game.office.one_look():
        assert talk.note(game.office, game.game, game.host) == "Buy shares."
        talk.write_note(game.office, game.game, game.host, "Sell.", game.now)
        assert talk.note(game.office, game.game, game.host) == "Sell."


def test_a_look_that_has_ended_is_over(game: Table) -> None:
    with game.office.one_look():
        before = views.game(game.office, game.game)
    game.play()
    assert views.game(game.office, game.game).version == before.version + 1
    with game.office.one_look():
        assert views.game(game.office, game.game).version == before.version + 1


def test_a_single_question_in_one_look_sees_its_state(game: Table) -> None:
    office, version = game.office, game.view().version
    seat = game.view().waiting_for
    with office.one_look():
        before = answering.player(office, game.game, seat).game.version
    assert before == version
    game.play()
    assert answering.player(office, game.game, seat).game.version == game.view().version > version


AT_ONCE = 60


def test_a_broker_that_is_away_costs_no_time(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    url = f"redis://127.0.0.1:{servers.free_port()}/0"
    hints = Hints.to_broker(Settings.read({"PBEM_DATA_DIR": str(tmp_path), "PBEM_BROKER_URL": url}))
    began = time.monotonic()
    hints.give([play_hint("abc"), send_hint(1), send_hint(2)])
    assert time.monotonic() - began < AT_ONCE
    (line,) = [record.getMessage() for record in caplog.records if record.name == "pbem.service.base.task_hints"]
    assert line.startswith("no hint for pbem.play abc, pbem.send 1, pbem.send 2: the broker cannot be reached")


def test_a_silent_broker_keeps_only_one_request_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "ANSWER_SECONDS", 3.0)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        chosen = {"PBEM_DATA_DIR": str(tmp_path), "PBEM_BROKER_URL": f"redis://127.0.0.1:{mute.getsockname()[1]}/0"}
        hints = Hints.to_broker(Settings.read(chosen))
        spans = []
        for _ in range(3):
            began = time.monotonic()
            hints.give([play_hint("abc")])
            spans.append(time.monotonic() - began)
    assert spans[0] > 2.5
    assert max(spans[1:]) < 2.5


def test_hints_reach_a_broker_that_has_been_away_meanwhile(tmp_path: Path) -> None:
    port = servers.free_port()
    chosen = {"PBEM_DATA_DIR": str(tmp_path), "PBEM_BROKER_URL": f"redis://127.0.0.1:{port}/0"}
    hints = Hints.to_broker(Settings.read(chosen))
    hints.give([play_hint("abc")])
    try:
        with servers.redis(port) as url:
            hints.give([play_hint("abc")])
            assert servers.length(url, broker.QUEUE) == 1
    except servers.Missing as missing:
        pytest.skip(str(missing))
