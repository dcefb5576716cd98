"""Reports as mail servers write them, and what is none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.returned import Report, reports

POSTFIX = b"""\
Return-Path: <>
Date: Fri, 20 Nov 2026 18:04:01 +0000 (UTC)
From: MAILER-DAEMON@mail.example.net (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: bounce+12-0011223344556677@play.example.org
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="B7A1.1795197841/mail.example.net"

This is a MIME-encapsulated message.

--B7A1.1795197841/mail.example.net
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--B7A1.1795197841/mail.example.net
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.net
X-Postfix-Queue-ID: B7A1
Arrival-Date: Fri, 20 Nov 2026 18:04:00 +0000 (UTC)

Final-Recipient: rfc822; ben@example.net
Original-Recipient: rfc822;ben@example.net
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.example.net
Diagnostic-Code: smtp; 550 5.1.1 <ben@example.net>: Recipient address rejected:
    User unknown in virtual mailbox table

--B7A1.1795197841/mail.example.net
Content-Description: Undelivered Message
Content-Type: message/rfc822

Subject: [Coal by post] Turn 1: issue shares
X-Pbem-Letter: your-turn

Action: failed
Status: 5.9.9
--B7A1.1795197841/mail.example.net--
"""
EXCHANGE = b"""\
From: postmaster@corp.example.com
To: bounce+12-0011223344556677@play.example.org
Content-Type: multipart/report; report-type=delivery-status;\r
\tboundary="_002_c2f2_"
MIME-Version: 1.0
Subject: Undeliverable: Turn 1

--_002_c2f2_
Content-Type: text/html; charset="us-ascii"

<p>The email address you entered couldn't be found.</p>
--_002_c2f2_
Content-Type: message/delivery-status

Reporting-MTA: dns;AM0PR01.prod.outlook.example
Received-From-MTA: dns;mail.example.org

Final-recipient: RFC822;ben@corp.example.com
Action: FAILED
Status: 5.1.10
Diagnostic-code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup
X-Display-Name: Ben

--_002_c2f2_--
"""
DELAYED = POSTFIX.replace(b"Action: failed\nStatus: 5.1.1", b"Action: delayed\nStatus: 4.4.1").replace(
    b"smtp; 550 5.1.1", b"X-Postfix; 450 4.4.1"
)
EXPIRED = POSTFIX.replace(b"Action: failed\nStatus: 5.1.1", b"Action: failed\nStatus: 4.4.7 (delivery time expired)")
DELIVERED = POSTFIX.replace(b"Action: failed\nStatus: 5.1.1", b"Action: relayed\nStatus: 2.0.0")
FULL = POSTFIX.replace(b"Status: 5.1.1", b"Status: 5.2.2")
NO_DIAGNOSIS = b"\n".join(line for line in FULL.splitlines() if b"Diagnostic" not in line and b"    User" not in line)
VACATION = b"""\
From: ben@example.net
To: bounce+12-0011223344556677@play.example.org
Subject: Out of office
Auto-Submitted: auto-replied
Content-Type: text/plain

I am away. Status: 5.1.1. Action: failed.
"""
QMAIL = b"""\
From: MAILER-DAEMON@mail.example.net
Subject: failure notice

Hi. This is the qmail-send program at mail.example.net.
<ben@example.net>:
Sorry, no mailbox here by that name. (#5.1.1)
"""


def test_a_report_of_postfix_is_read() -> None:
    answer = "550 5.1.1 <ben@example.net>: Recipient address rejected: User unknown in virtual mailbox table"
    assert reports(POSTFIX) == (Report("failed", "5.1.1", answer),)
    assert reports(POSTFIX)[0].back


def test_a_report_of_exchange_is_read() -> None:
    (report,) = reports(EXCHANGE)
    assert (report.action, report.status, report.back) == ("failed", "5.1.10", True)
    assert report.answer.startswith("550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found")


@pytest.mark.parametrize("raw", [POSTFIX, EXCHANGE])
def test_line_ends_do_not_matter(raw: bytes) -> None:
    assert reports(raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")) == reports(raw)


def test_a_letter_that_is_late_is_not_back_and_one_that_was_given_up_is() -> None:
    assert [(r.action, r.status, r.back) for r in reports(DELAYED)] == [("delayed", "4.4.1", False)]
    assert [(r.action, r.status, r.back) for r in reports(EXPIRED)] == [("failed", "4.4.7", True)]
    assert [(r.action, r.status, r.back) for r in reports(DELIVERED)] == [("relayed", "2.0.0", False)]


def test_a_report_without_an_answer_has_its_code() -> None:
    assert reports(NO_DIAGNOSIS) == (Report("failed", "5.2.2", ""),)


@pytest.mark.parametrize("raw", [VACATION, QMAIL, b"", b"\0\xff", b"Content-Type: message/delivery-status\n\nhello"])
def test_what_is_no_report_has_none(raw: bytes) -> None:
    assert reports(raw) == ()


def test_the_letter_that_came_back_is_not_taken_for_a_report() -> None:
    assert len(reports(POSTFIX)) == 1


def test_only_so_many_parts_and_recipients_are_looked_at() -> None:
    part = b"--b\nContent-Type: message/delivery-status\n\nAction: failed\nStatus: 5.1.1\n\n"
    many = b"Content-Type: multipart/report; boundary=b\n\n" + part * 2000 + b"--b--\n"
    assert 1 <= len(reports(many)) <= 50
    block = b"Action: failed\nStatus: 5.1.1\n\n" * 2000
    long = b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n" + block
    assert 1 <= len(reports(long)) <= 50


def test_an_endless_answer_is_cut_and_has_no_line_ends() -> None:
    (report,) = reports(POSTFIX.replace(b"User unknown", b"User \x07unknown " * 5000))
    assert len(report.answer) <= 500
    assert report.answer.isprintable()


@settings(max_examples=150)
@given(st.binary(max_size=60), st.integers(0, len(POSTFIX)), st.integers(0, 80))
def test_no_bytes_break_the_reading(junk: bytes, at: int, cut: int) -> None:
    for raw in (junk, POSTFIX[:at] + junk + POSTFIX[at + cut :], POSTFIX[:at]):
        for report in reports(raw):
            assert report.status[0] in "245"
            assert "\n" not in report.answer
