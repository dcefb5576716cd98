"""Letters that are answered by mail: from the wire to the move, and to the letter that says what was played."""

import contextlib
import smtplib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from email.utils import parseaddr

import pytest
from sqlalchemy import select

from pbem.mail.compose import compose
from pbem.mail.reader import Found
from pbem.render import letter_png
from pbem.service import Office
from pbem.service.base import queries
from pbem.service.base.urls import Addresses
from pbem.service.email_in import replies
from pbem.service.games import views
from pbem.service.letter_views import correspondence
from pbem.service.letters import refusals, talk
from pbem.service.orders import submissions
from pbem.store.statuses import MoveCause
from pbem.store.tables import Letter, StandingOrderRow
from tests import rows
from tests.mail.arriving import arrived
from tests.patience import PATIENCE
from tests.servers import free_port
from tests.service.actors import resign, take
from tests.table import Table, memory
from workers import mailin, mailroom, pictures, work
from workers.readers import NO_HEAD, Reading


@pytest.fixture
def table(fresh: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    with memory.before_changes():
        fresh.start()
    monkeypatch.setattr(work, "now", lambda: fresh.now)
    settings = replace(fresh.office.settings, orders_address="orders@play.example.org", mailin_port=free_port())
    addresses = Addresses(settings.public_url, fresh.office.tokens, settings.orders_address)
    fresh.office = replace(fresh.office, settings=settings, addresses=addresses)
    return fresh


@pytest.fixture
def wire(table: Table) -> Iterator[smtplib.SMTP]:
    server = mailin.Listener(table.office)
    server.start()
    with smtplib.SMTP("127.0.0.1", table.office.settings.mailin_port, timeout=PATIENCE) as client:
        yield client
    server.stop()


def question(table: Table, kind: str = "your-turn") -> Letter:
    table.send_all()
    return table.letters(kind)[-1]


def as_mail(office: Office, table: Table, row: Letter) -> EmailMessage:
    return arrived(compose(correspondence.letter(office, row.id, table.now).view, None))


def in_one_line(table: Table, row: Letter) -> str:
    body = as_mail(table.office, table, row).get_body(("plain",))
    assert body is not None
    return " ".join(str(body.get_content()).split())


def _texts(table: Table, kind: str) -> list[str]:
    return [in_one_line(table, row) for row in table.letters(kind)]


def answered(
    table: Table, row: Letter, text: str, number: int = 1, header: Mapping[str, str] | None = None
) -> EmailMessage:
    """A reply to a letter, as a mail program makes it."""
    letter = as_mail(table.office, table, row)
    reply = EmailMessage()
    reply["From"], reply["To"], reply["Subject"] = letter["To"], letter["Reply-To"], f"Re: {letter['Subject']}"
    reply["Message-ID"], reply["In-Reply-To"] = f"<{number}@example.net>", letter["Message-ID"]
    for name, value in (header or {}).items():
        reply[name] = value
    body = letter.get_body(("plain",))
    assert body is not None
    quoted = "".join(f"> {line}\n" for line in body.get_content().splitlines())
    reply.set_content(f"{text}\n\nOn Fri, Nov 20, 2026 at 1:00 PM pbem <pbem@play.example.org> wrote:\n\n{quoted}")
    return reply


def send(wire: smtplib.SMTP, mail: EmailMessage, sender: str = "ana@example.net") -> None:
    wire.send_message(mail, sender, [parseaddr(str(mail["To"]))[1]])


def played(table: Table) -> list[str]:
    submissions.play_waiting(table.office, table.game, table.now)
    return [move.orders for move in table.view().log[1:]]


def test_orders_on_top_of_an_answer_are_played_and_told(table: Table, wire: smtplib.SMTP) -> None:
    row = question(table)
    send(wire, answered(table, row, "issue 2"))
    assert played(table) == ["issue 2"]
    assert [one.via for one in table.submissions()] == ["mail"]
    (letter,) = table.letters("played")
    assert letter.account_id == row.account_id
    assert "Your orders were played." in in_one_line(table, letter)
    assert "issued 2 shares" in in_one_line(table, letter)


def test_orders_under_the_word_try_are_answered_and_change_nothing(table: Table, wire: smtplib.SMTP) -> None:
    row, before = question(table), _all_but_letters(table)
    for _ in range(2):
        send(wire, answered(table, row, "Try:\nissue 2\nissue 1"))
    assert played(table) == []
    assert _all_but_letters(table) == before
    (letter,) = table.letters("tried")
    assert (letter.account_id, letter.version) == (row.account_id, 0)
    draft = correspondence.letter(table.office, letter.id, table.now)
    assert [move.orders for move in draft.view.moves] == ["issue 2", "issue 1"]
    mail = as_mail(table.office, table, letter)
    assert parseaddr(str(mail["Reply-To"]))[1]
    assert "Tried, not played." in in_one_line(table, letter)
    assert "issued 2 shares and have $20" in in_one_line(table, letter)
    picture = pictures.picture(draft)
    assert picture is not None
    assert picture == letter_png(views.scene_after(draft.view.game, draft.before))  # type: ignore[arg-type]
    send(wire, answered(table, letter, "issue 2", number=2))
    assert played(table) == ["issue 2"]


def test_what_cannot_be_tried_is_answered_with_the_sentence_of_the_judge(table: Table, wire: smtplib.SMTP) -> None:
    row = question(table)
    send(wire, answered(table, row, "try issue 99"))
    (letter,) = table.letters("tried")
    said = correspondence.letter(table.office, letter.id, table.now).view
    assert said.own.sentence.startswith("You cannot issue 99 shares")
    assert said.moves == ()
    send(wire, answered(table, row, "try\ndance", number=2))
    assert "cannot be read" in table.read(table.letters("tried")[-1]).own.sentence
    assert played(table) == []


def test_letters_about_tried_orders_are_as_many_as_about_refused(table: Table, wire: smtplib.SMTP) -> None:
    row = question(table)
    for number in range(refusals.MOST + 3):
        send(wire, answered(table, row, f"try\nissue {number}", number=number))
        table.send_all()
    assert len(table.letters("tried", "sent")) == refusals.MOST
    (waiting,) = table.letters("tried", "waiting")
    assert table.read(waiting).own.text == f"issue {refusals.MOST + 2}"
    table.later(hours=1)
    assert "tried" in table.send_all()


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("help", "Reply with one of these lines: issue 0 issue 1"),
        ("Status.", "The position: Age of Steam, "),
        ("log", "The log of the game."),
        ("rules?", "Rules of this map. It is your turn: Issue shares"),
        ("help\n\nSent from my iPhone", "say …: tells everybody in the game"),
    ],
)
def test_one_word_is_answered_and_nothing_is_played(table: Table, wire: smtplib.SMTP, word: str, said: str) -> None:
    row = question(table)
    mail = answered(table, row, word)
    send(wire, mail)
    send(wire, mail)
    (text,) = _texts(table, "told")
    assert said in text
    assert played(table) == []
    assert table.submissions() == []


@pytest.mark.parametrize("word", ["help", "status", "board"])
def test_who_is_not_asked_gets_an_answer_to_a_word_too(table: Table, wire: smtplib.SMTP, word: str) -> None:
    table.send_all()
    row = next(row for row in table.letters("game-started") if _not_asked(table, row))
    send(wire, answered(table, row, word))
    (text,) = _texts(table, "board" if word == "board" else "told")
    asked = next(seat.name for seat in table.view().seats if seat.seat == table.view().waiting_for)
    assert f"The game is waiting for {asked}." in text
    assert f"{asked} answers by" in text
    assert "After that" not in text
    assert word == "help" or "The position: Age of Steam, " in text


def test_talk_and_a_note_come_once_with_an_email_that_comes_twice(table: Table, wire: smtplib.SMTP) -> None:
    row = question(table)
    mail = answered(table, row, "issue 2\n\nsay Good luck, all!\nissue 3 would be too much.\nnote Ben bids high")
    send(wire, mail)
    send(wire, mail)
    assert played(table) == ["issue 2"]
    (post,) = talk.said(table.office, table.game)
    assert post.text == "Good luck, all!\nissue 3 would be too much."
    assert row.account_id is not None
    assert talk.note(table.office, table.game, row.account_id) == "Ben bids high"


def test_orders_are_played_though_the_talk_beside_them_is_too_long(table: Table, wire: smtplib.SMTP) -> None:
    send(wire, answered(table, question(table), "issue 2\nsay " + "so " * 1000))
    assert played(table) == ["issue 2"]
    assert talk.said(table.office, table.game) == ()
    assert "This is longer than 2000 characters." in _texts(table, "not-taken")[0]


def test_undo_takes_back_what_was_sent_last(table: Table, wire: smtplib.SMTP) -> None:
    with table.office.write() as session:
        queries.game(session, table.game).grace_seconds = 600
    row = question(table)
    send(wire, answered(table, row, "issue 2"))
    assert played(table) == ["issue 2"]
    send(wire, answered(table, row, "undo", 2))
    assert table.view().waiting_for == table.view().log[1].seat
    assert table.view().log[-1].cause == MoveCause.TAKEN_BACK


def test_orders_that_only_begin_like_the_word_are_no_trial() -> None:
    assert replies.to_try("try\nissue 2") == "issue 2"
    assert replies.to_try("\n TRY : issue 2") == "issue 2"
    assert replies.to_try("try") == ""
    assert [replies.to_try(text) for text in ("issue 2\ntry", "trying", "try-out", "")] == [None] * 4


def _all_but_letters(table: Table) -> list[str]:
    return [row for row in rows.everything(table.office) if not row.startswith("letters ")]


def test_what_cannot_be_played_is_answered_with_a_letter_that_can_be_answered(table: Table, wire: smtplib.SMTP) -> None:
    row = question(table)
    send(wire, answered(table, row, "issue 2\nThanks a lot"))
    assert played(table) == []
    (letter,) = table.letters("refused")
    assert "> Thanks a lot" in in_one_line(table, letter)
    send(wire, answered(table, letter, "issue 1", 2))
    assert played(table) == ["issue 1"]


def test_orders_for_a_whole_turn_wait_and_are_told(table: Table, wire: smtplib.SMTP) -> None:
    send(wire, answered(table, planning(table), "issue 2\nbid max 4"))
    assert played(table) == []
    (text,) = _texts(table, "played")
    assert "Your orders wait for their moment." in text
    assert "“bid max 4” waits" in text


def test_orders_for_a_turn_that_is_over_are_for_no_other_one(table: Table, wire: smtplib.SMTP) -> None:
    row = planning(table)
    mail = answered(table, row, "issue 2\nbid max 4")
    while table.asked().sheet.turn(table.asked().state) == 1:
        table.play()
    before = len(played(table))
    send(wire, mail)
    assert len(played(table)) == before
    assert [one.status for one in table.submissions()][-1] == "refused"
    assert len(table.letters("refused")) == 1
    assert table.rows(select(StandingOrderRow)) == []


def test_a_form_that_cannot_be_played_comes_back_with_a_way_to_send_it_again(table: Table, wire: smtplib.SMTP) -> None:
    send(wire, answered(table, planning(table), "issue many\nbid max _\naction _ > _ > _"))
    assert played(table) == []
    (refused,) = table.letters("refused")
    text = in_one_line(table, refused)
    assert "You can still give orders for this turn before you are asked." in text
    assert "It is not your turn now" not in text
    assert "?plan" in text
    send(wire, answered(table, refused, "issue 2\nbid max _\naction _ > _ > _", 2))
    assert played(table) == []
    assert [row.orders for row in table.rows(select(StandingOrderRow))] == ["issue 2"]


def planning(table: Table) -> Letter:
    """The letter by which somebody who is not asked can order a whole turn."""
    table.start(title="Planned", planning=True)
    table.send_all()
    return next(row for row in table.letters("planning") if row.game_id == table.game and _not_asked(table, row))


def _not_asked(table: Table, row: Letter) -> bool:
    view = table.view()
    return all(seat.seat != view.waiting_for for seat in view.seats if seat.number == row.seat_number)


@pytest.mark.parametrize("header", [{"Auto-Submitted": "auto-replied"}, {"Precedence": "junk"}])
def test_programs_get_no_answer(table: Table, wire: smtplib.SMTP, header: dict[str, str]) -> None:
    before = len(table.letters())
    send(wire, answered(table, question(table), "I am away until Monday", header=header))
    send(wire, answered(table, question(table), "issue 2", 2), sender="")
    send(wire, answered(table, question(table), "issue 2", 3), sender="no-reply@example.net")
    assert [one.text for one in table.submissions()] == []
    assert len(table.letters()) == before


@pytest.mark.parametrize("report", ["disposition-notification", "delivery-status", "feedback-report"])
def test_receipts_and_reports_of_people_get_no_answer(table: Table, wire: smtplib.SMTP, report: str) -> None:
    row = question(table)
    before, mail = len(table.letters()), answered(table, row, "It was displayed on the screen.\nissue 2")
    mail.make_mixed()
    mail.replace_header("Content-Type", f'multipart/report; report-type={report}; boundary="{mail.get_boundary()}"')
    send(wire, mail, sender="ana@example.net")
    assert table.submissions() == []
    assert len(table.letters()) == before


def test_who_had_the_seat_before_is_told_in_one_line_and_plays_nothing(table: Table, wire: smtplib.SMTP) -> None:
    row = question(table)
    mail = answered(table, row, "issue 2")
    resign(table, row.seat_number or 0)
    take(table)
    send(wire, mail)
    assert table.submissions() == []
    (letter,) = table.letters("not-taken")
    assert letter.account_id == row.account_id
    assert "Somebody else has the seat" in _texts(table, "not-taken")[0]


def test_more_than_orders_can_be_is_answered_once_and_nothing_is_played(table: Table, wire: smtplib.SMTP) -> None:
    mail = answered(table, question(table), "issue 2\n" * 2000)
    for _ in range(2):
        send(wire, mail)
    assert played(table) == []
    (text,) = _texts(table, "refused")
    assert "too much text above the quotation" in text


def test_what_cannot_be_taken_comes_again(table: Table, wire: smtplib.SMTP, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> int:
        raise ZeroDivisionError

    row = question(table)
    monkeypatch.setattr(replies, "take", broken)
    with pytest.raises(smtplib.SMTPDataError) as caught:
        send(wire, answered(table, row, "issue 2"))
    assert caught.value.smtp_code == 451


def test_only_whose_mails_took_too_long_is_to_wait(table: Table, request: pytest.FixtureRequest) -> None:
    table.office = replace(table.office, settings=replace(table.office.settings, rate_limits=True))
    wire: smtplib.SMTP = request.getfixturevalue("wire")
    row = question(table)
    other = next(one for one in table.letters("invitation") if one.account_id != row.account_id)
    replies.was_read(table.office, row.account_id, 21_000, table.now)
    with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
        send(wire, answered(table, row, "issue 2"))
    ((code, why),) = caught.value.recipients.values()
    assert (code, b"took too long to read" in why) == (452, True)
    assert replies.expected(table.office, other.id, table.now) == replies.Expected((), other.account_id)
    table.now += timedelta(hours=1, seconds=1)
    send(wire, answered(table, row, "issue 2"))
    assert played(table) == ["issue 2"]


def test_only_the_address_of_the_letter_will_do_however_it_is_written(table: Table, wire: smtplib.SMTP) -> None:
    own = table.office.addresses.reply(question(table).id)
    wire.ehlo()
    assert wire.docmd("MAIL", "FROM:<ana@example.net>")[0] == 250
    assert wire.docmd("RCPT", f"TO:<{own.upper()}>")[0] == 250
    for spoiled in (own.replace("+", "+9"), own.replace("orders", "bounce"), own.replace("+", ""), own[1:]):
        assert wire.docmd("RCPT", f"TO:<{spoiled}>")[0] == 550


@pytest.mark.parametrize(("milliseconds", "counted"), [(1.0, []), (10.0, []), (11.0, [11]), (2500.0, [2500])])
def test_what_reading_takes_is_counted_where_it_is_more_than_ordinary(
    table: Table, milliseconds: float, counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    row, noted = question(table), []
    monkeypatch.setattr(replies, "was_read", lambda _office, account, spent, _now: noted.append((account, spent)))
    with contextlib.closing(mailroom.Mailroom(table.office)) as room:
        found = Reading(NO_HEAD, Found(text="issue 2", seconds=milliseconds / 1000))
        monkeypatch.setattr(room.readers, "read", lambda *_: found)
        room.read(row.id, "orders", b"")
    assert noted == [(row.account_id, spent) for spent in counted]
