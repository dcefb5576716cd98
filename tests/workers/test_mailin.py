"""Mails that come back, from the wire to the rows; and everything else is refused."""

import smtplib
from collections.abc import Iterator
from dataclasses import replace

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.service import Office
from pbem.service.people import bounces
from tests.mail import test_returned as samples
from tests.mailserver import MailServer
from tests.patience import PATIENCE
from tests.servers import free_port
from tests.table import Table
from workers import mailin, work

# On the wire lines end with both signs.
POSTFIX, DELAYED, VACATION = (
    mail.replace(b"\n", b"\r\n") for mail in (samples.POSTFIX, samples.DELAYED, samples.VACATION)
)


@pytest.fixture
def table(fresh: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(work, "now", lambda: fresh.now)
    fresh.open()
    return fresh


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


class Receiver:
    """Notes return paths, and says 550 to Ben."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, to: str, _options: list[str]
    ) -> str:
        if to.startswith("ben"):
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(to)
        return "250 taken"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.paths.append(str(envelope.mail_from))
        return "250 taken"


@pytest.fixture
def receiver() -> Iterator[tuple[Receiver, str]]:
    made = Receiver()
    with MailServer(made) as server:
        yield made, server.url


def test_each_letter_has_a_return_path_of_its_own(table: Table, receiver: tuple[Receiver, str]) -> None:
    office = office_of(table, smtp_url=receiver[1])
    numbers = [row.id for row in table.letters() if row.account_id != 2]
    for number in numbers:
        work.send(office, number)
    assert receiver[0].paths == [address(table, number) for number in numbers]


def test_without_one_letters_come_back_to_their_sender(table: Table, receiver: tuple[Receiver, str]) -> None:
    office = office_of(table, smtp_url=receiver[1])
    office = replace(office, settings=replace(office.settings, return_path=""))
    work.send(office, next(row.id for row in table.letters() if row.account_id == 3))
    assert receiver[0].paths == ["pbem@play.example.org"]


def test_an_address_that_is_refused_at_once_gets_no_more_letters(table: Table, receiver: tuple[Receiver, str]) -> None:
    office = office_of(table, smtp_url=receiver[1])
    work.send(office, next(row.id for row in table.letters() if row.account_id == 2))
    view = bounces.unreachable(table.office, 2)
    assert view is not None
    assert view.answer == "550 5.1.1 no such mailbox"
