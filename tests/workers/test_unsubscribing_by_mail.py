"""A mail to the address that an email names in its header stops emails like it: the secret in the address proves it."""

import re
import smtplib
from email.message import EmailMessage

from sqlalchemy import select

from pbem.service.base import NewLetter
from pbem.service.letters import kinds
from pbem.service.letters.kinds.accounts import WebhookStopped
from pbem.service.people import accounts
from pbem.store.tables import Stop
from tests.table import Table
from tests.workers.test_answers import as_mail, question, send, table, wire

__all__ = ["table", "wire"]  # fixtures


def stops(table: Table) -> list[tuple[int, str, str]]:
    """What readers want no more: the account, the game, and the kind."""
    return [(stop.account_id, stop.game_id, stop.kind) for stop in table.rows(select(Stop))]


def unsubscribing(mail: EmailMessage) -> tuple[str, EmailMessage]:
    """The address that the header ``List-Unsubscribe`` of a letter has, and the mail that a program sends there."""
    (address,) = re.findall("<mailto:([^?>]+)[?]subject=unsubscribe>", mail["List-Unsubscribe"])
    asking = EmailMessage()
    asking["From"], asking["To"], asking["Subject"] = "Somebody <x@example.net>", address, "unsubscribe"
    asking["Auto-Submitted"] = "auto-generated"
    return address, asking


def test_a_mail_to_the_address_in_the_header_unsubscribes_whoever_sends_it(table: Table, wire: smtplib.SMTP) -> None:
    row = question(table)
    _, asking = unsubscribing(as_mail(table.office, table, row))
    before = len(table.letters())
    for _ in range(2):
        send(wire, asking, sender="")
    assert stops(table) == [(row.account_id, table.game, "")]
    assert (len(table.letters()), table.submissions()) == (before, [])


def test_a_mail_about_a_letter_without_a_game_unsubscribes_from_its_kind(table: Table, wire: smtplib.SMTP) -> None:
    with table.office.work(table.now) as work_:
        work_.write(NewLetter(WebhookStopped("example.net", "", ""), "webhook-stopped:1", 2))
    _, asking = unsubscribing(as_mail(table.office, table, table.letters("webhook-stopped")[0]))
    send(wire, asking)
    assert stops(table) == [(2, "", "webhook-stopped")]


def test_only_the_secret_in_the_address_unsubscribes(table: Table, wire: smtplib.SMTP) -> None:
    row = question(table)
    address, _ = unsubscribing(as_mail(table.office, table, row))
    number, _, seal = address.partition("@")[0].partition("+")[2].partition("-")
    others = table.office.addresses.reply(row.id), table.office.addresses.unsubscribe_by_mail(row.id + 1)
    wire.ehlo()
    assert wire.docmd("MAIL", "FROM:<ana@example.net>")[0] == 250
    assert wire.docmd("RCPT", f"TO:<{address.upper()}>")[0] == 250
    for forged in (f"orders+{int(number) + 1}-{seal}", f"orders+{number}-{'0' * len(seal)}", f"bounce+{number}-{seal}"):
        assert wire.docmd("RCPT", f"TO:<{forged}@play.example.org>")[0] == 550
    assert address not in others
    asking = EmailMessage()
    asking["From"], asking["To"], asking["Subject"] = "ana@example.org", others[0], "unsubscribe"
    asking.set_content("")
    wire.rset()
    send(wire, asking)
    assert stops(table) == []


def test_a_mail_that_unsubscribes_from_a_letter_that_is_gone_changes_nothing(table: Table, wire: smtplib.SMTP) -> None:
    asking = EmailMessage()
    asking["From"], asking["To"] = "ana@example.org", table.office.addresses.unsubscribe_by_mail(10_000)
    send(wire, asking)
    assert stops(table) == []


def test_letters_that_were_asked_for_cannot_be_unsubscribed_and_all_others_can(table: Table) -> None:
    """As docs/hosting.md says: the log-in link, the test email, and the last one of an account."""
    asked_for = {kind for kind, declared in kinds.every().items() if declared.always_sent}
    assert asked_for == {"login", "test", "account-deleted"}
    accounts.ask_login(table.office, "ana@example.org", table.now)
    for row in table.letters():
        has = as_mail(table.office, table, row)["List-Unsubscribe"] is not None
        assert has is (row.kind not in asked_for), row.kind
    assert "login" in {row.kind for row in table.letters()}
