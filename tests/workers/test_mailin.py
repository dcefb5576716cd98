"""Mails that come back, from the wire to the rows; and everything else is refused."""

import smtplib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pbem.service import Office
from pbem.service.people import bounces
from tests.mail import test_returned as samples
from tests.mailserver import MailServer, Receiver
from tests.patience import PATIENCE
from tests.servers import free_port
from tests.table import Table
from workers import mailin, work

# On the wire lines end with both signs.
POSTFIX, DELAYED, VACATION = (
    mail.replace(b"\n", b"\r\n") for mail in (samples.POSTFIX, samples.DELAYED, samples.VACATION)
)


@pytest.fixture
def table(table: Table) -> Table:
    table.open()
    return table


def office_of(table: Table, **changes: object) -> Office:
    settings = replace(table.office.settings, return_path="bounce@play.example.org", mailin_port=free_port(), **changes)  # type: ignore[arg-type]
    return replace(table.office, settings=settings)


@pytest.fixture
def listening(table: Table) -> Iterator[Office]:
    office = office_of(table)
    server = mailin.Listener(office)
    server.start()
    yield office
    server.stop()


@pytest.fixture
def wire(listening: Office) -> Iterator[smtplib.SMTP]:
    with smtplib.SMTP("127.0.0.1", listening.settings.mailin_port, timeout=PATIENCE) as client:
        yield client


def address(table: Table, letter: int) -> str:
    return f"bounce+{table.office.tokens.numbered('bounce', letter)}@play.example.org"


def invitation(table: Table, account: int) -> int:
    table.send_all()
    return next(row.id for row in table.letters("invitation") if row.account_id == account)


def test_a_report_stops_the_mails_to_its_reader(table: Table, wire: smtplib.SMTP) -> None:
    wire.sendmail("", [address(table, invitation(table, 2)).upper()], POSTFIX)
    assert bounces.unreachable(table.office, 2) is not None
    assert bounces.unreachable(table.office, 3) is None
    assert [row.account_id for row in table.letters("mail-returned")] == [1]


@pytest.mark.parametrize("mail", [DELAYED, VACATION, b"", b"\xff\xfe\0\r\n.\r\nx"])
def test_what_reports_no_failure_is_taken_and_forgotten(table: Table, wire: smtplib.SMTP, mail: bytes) -> None:
    before = len(table.letters())
    wire.sendmail("", [address(table, invitation(table, 2))], mail)
    assert bounces.unreachable(table.office, 2) is None
    assert len(table.letters()) == before


@pytest.mark.parametrize(
    "forge",
    [
        lambda own: "ben@example.org",
        lambda own: "bounce@play.example.org",
        lambda own: "bounce+x@play.example.org",
        lambda own: own.replace("+1", "+2"),
        lambda own: own.replace("play.", "other."),
        lambda own: own.replace("bounce", "orders"),
        lambda own: own.replace("@", "0@"),
        lambda own: "postmaster",
    ],
)
def test_an_address_no_letter_was_sent_from_is_refused(table: Table, wire: smtplib.SMTP, forge: object) -> None:
    with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
        wire.sendmail("", [forge(address(table, 1))], POSTFIX)  # type: ignore[operator]
    ((code, _),) = caught.value.recipients.values()
    assert code == 550


def test_a_mail_that_is_too_large_is_refused(table: Table, wire: smtplib.SMTP) -> None:
    number = invitation(table, 2)
    with pytest.raises(smtplib.SMTPResponseException) as caught:
        wire.sendmail("", [address(table, number)], POSTFIX + b"y\r\n" * 600_000)
    assert caught.value.smtp_code == 552
    assert bounces.unreachable(table.office, 2) is None


def test_what_cannot_be_noted_now_is_to_come_again(
    table: Table, wire: smtplib.SMTP, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(bounces, "returned", broken)
    with pytest.raises(smtplib.SMTPDataError) as caught:
        wire.sendmail("", [address(table, invitation(table, 2))], POSTFIX)
    assert caught.value.smtp_code == 451
    assert "could not be noted" in caplog.text


def test_each_letter_has_a_return_path_of_its_own_and_without_one_comes_back_to_its_sender(table: Table) -> None:
    numbers = [row.id for row in table.letters() if row.account_id != 2]
    with MailServer(receiver := Receiver()) as server:
        office = office_of(table, smtp_url=server.url)
        work.send(office, numbers[0])
        work.send(replace(office, settings=replace(office.settings, return_path="")), numbers[1])
    assert receiver.paths == [address(table, numbers[0]), "pbem@play.example.org"]
