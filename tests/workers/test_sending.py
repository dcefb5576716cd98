"""Letters leave: by SMTP or into the outbox, with the board, and are tried again when the server is away."""

from dataclasses import replace
from datetime import datetime
from datetime import time as hour
from email import message_from_bytes, policy

import pytest

from pbem.service.base import Office
from pbem.service.base.task_hints import Hints
from pbem.service.games import views
from pbem.service.orders import deadlines, submissions
from pbem.service.people import accounts, notifications
from pbem.store.tables import Game
from pbem.views.letters import Email
from tests.mailserver import Receiver, posting
from tests.table import Table
from workers import clock, work


def test_without_a_server_letters_lie_in_the_outbox(table: Table) -> None:
    table.open()
    for row in table.letters():
        work.send(table.office, row.id)
        work.send(table.office, row.id)
    files = sorted(table.office.settings.outbox_dir.iterdir())
    assert len(files) == 3
    assert all(path.suffix == ".eml" for path in files)
    message = message_from_bytes(files[0].read_bytes(), policy=policy.default)
    assert message["X-Pbem-Letter"] == "invitation"
    assert [row.status for row in table.letters()] == ["sent"] * 3
    assert {str(message_from_bytes(path.read_bytes())["Message-ID"]) for path in files} == {
        row.message_id for row in table.letters()
    }


def test_the_log_names_each_letter_that_was_taken_and_its_game(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    table.open()
    accounts.ask_login(table.office, "ana@example.org", table.now)
    caplog.set_level("INFO", "workers.work")
    rows = [table.letters("invitation")[0], table.letters("login")[0]]
    for row in rows:
        work.send(table.office, row.id)
    told = [(vars(record)["letter"], vars(record)["game"]) for record in caplog.records]
    assert told == [(rows[0].id, table.game), (rows[1].id, None)]


def test_a_question_reaches_the_server_with_its_board_and_links(table: Table) -> None:
    view = table.start()
    receiver = Receiver()
    with posting(table, receiver) as office:
        for row in table.letters(status="waiting"):
            work.send(office, row.id)
    assert [str(letter["X-Pbem-Letter"]) for letter in receiver.letters] == ["game-started"] * 3 + ["your-turn"]
    asked = receiver.letters[-1]
    body = asked.get_body(("plain",))
    assert body is not None
    text = body.get_content().replace("\r\n", "\n")
    assert "\nhttps://play.example.org/t/" in text
    assert f": {table.legal()}\n" in text
    pictures = [part for part in asked.walk() if part.get_content_type() == "image/png"]
    assert len(pictures) == 1
    assert view.names[view.waiting_for] in str(asked["To"])


def test_the_board_comes_as_each_reader_wants_it(table: Table) -> None:
    table.start()
    receiver = Receiver()
    rows = [row for row in table.letters("game-started") if row.seat_number != table.number_asked()]
    with posting(table, receiver) as office:
        for row, pictures in zip(rows, notifications.PICTURES, strict=True):
            notifications.tell(table.office, row.account_id, notifications.Telling("turn", 6, hour(18), (), pictures))
            work.send(office, row.id)
    assert [[part.get_content_type() for part in letter.walk()] for letter in receiver.letters] == [
        ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"],
        ["multipart/alternative", "text/plain", "text/html"],
        ["text/plain"],
    ]
    html = receiver.letters[1].get_body(("html",))
    assert html is not None
    assert f"https://play.example.org/games/{table.game}" in html.get_content()
    assert "The board in words" in html.get_content()


def test_a_mailbox_that_does_not_exist_is_given_up(table: Table) -> None:
    table.open(["Ana", "Nobody", "Ben"])
    with posting(table, Receiver()) as office:
        for row in table.letters():
            work.send(office, row.id)
    assert [(row.kind, row.status) for row in table.letters()] == [
        ("invitation", "failed"),
        ("invitation", "sent"),
        ("mail-returned", "waiting"),
    ]
    assert "no such mailbox" in table.letters()[0].last_error


def test_an_error_of_ours_is_noted_with_the_letter_and_raised(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open()

    def broken(*_: object) -> Email:
        raise ZeroDivisionError("an error of ours")

    monkeypatch.setattr(work, "compose", broken)
    with pytest.raises(ZeroDivisionError):
        work.send(table.office, table.letters()[0].id)
    assert table.letters()[0].last_error == "ZeroDivisionError: an error of ours"
    assert table.letters()[0].status == "waiting"


def test_one_tick_of_the_clock_finds_everything_that_was_missed(table: Table) -> None:
    table.start()
    table.send(table.legal())
    clock.tick(table.office, table.later(minutes=1))
    assert table.view().version == 1
    clock.tick(table.office, table.later(seconds=15))
    assert not table.letters(status="waiting")
    clock.tick(table.office, table.awake(hours=48))
    clock.tick(table.office, table.later(seconds=15))
    assert [row.kind for row in table.letters(status="sent")][-1] == "reminder"
    clock.tick(table.office, table.awake(hours=24))
    assert [move.cause for move in table.view().log] == ["start", "player", "deadline"]
    clock.tick(table.office, table.later(seconds=15))
    assert [(row.kind, row.version) for row in table.letters(status="withdrawn")] == [("your-turn", 0)]
    assert not table.letters(status="waiting")


def test_errors_stop_no_clock(table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    sick = table.start().id
    healthy = table.start().id
    deadline = deadlines.deadline

    def broken(office: Office, game_id: str, now: datetime) -> bool:
        if game_id == sick:
            raise ZeroDivisionError("an error of ours")
        return deadline(office, game_id, now)

    monkeypatch.setattr(deadlines, "deadline", broken)
    clock.tick(table.office, table.later(hours=72))
    assert f"the clock could not deal with {sick}" in caplog.text
    assert [views.game(table.office, number).version for number in (sick, healthy)] == [0, 1]


def test_a_reminder_that_fails_stops_no_other_one(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    sick = table.start().id
    healthy = table.start().id
    with table.office.write() as session:
        session.get_one(Game, sick).holidays = ["no day at all"]
    clock.tick(table.office, table.later(hours=48))
    assert f"the clock could not deal with {sick}" in caplog.text
    assert [row.game_id for row in table.letters("reminder")] == [healthy]


def test_a_lost_hint_is_logged_and_nothing_more(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    def away(_: object) -> None:
        raise ConnectionRefusedError

    office = replace(table.office, hints=Hints(away))
    table.start()
    number = submissions.submit(
        office, table.game, submissions.NewSubmission(table.view().waiting_for, table.legal(), 0, "page"), table.now
    )
    assert "the broker cannot be reached" in caplog.text
    assert number == table.submissions()[0].id
    clock.tick(table.office, table.later(seconds=10))
    assert table.view().version == 1
