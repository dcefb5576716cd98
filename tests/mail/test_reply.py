"""Replies as mail programs write them: the orders on top are read, and nothing else."""

import time
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from random import Random

import pytest
from mailparser_reply import EmailReplyParser
from mailparser_reply.constants import MAIL_LANGUAGES

from pbem.mail import reply
from pbem.mail.reply import LONGEST, TooLong, is_automatic, message_id
from pbem.service.email_in import replies

OURS = ("club@example.org", "orders+7-0123456789abcdef@play.example.org")
ORDERS = "issue 2\nbid max 8"
QUOTED = "> ISSUE SHARES. You have $3\n>\n> [issue 0] https://play.example.org/t/x?order=issue+0\n"


def mail(text: str, kind: str = "plain", **header: str) -> bytes:
    made = EmailMessage()
    made["From"], made["To"] = "Ana <ana@example.net>", OURS[1]
    for name, value in header.items():
        made[name.replace("_", "-")] = value
    made.set_content(text, subtype=kind)
    return made.as_bytes()


def written(raw: bytes) -> str:
    return reply.written(reply.parsed(raw), OURS)


REPLIES = {
    "only orders": ORDERS,
    "Gmail": f"{ORDERS}\n\nOn Fri, Nov 20, 2026 at 1:00 PM pbem <club@example.org> wrote:\n\n{QUOTED}",
    "Gmail, folded": f"{ORDERS}\n\nOn Fri, Nov 20, 2026 at 1:00 PM pbem <\nclub@example.org> wrote:\n\n{QUOTED}",
    "another sender": f"{ORDERS}\n\nOn Fri, Nov 20, 2026 at 1:00 PM Trains\n<t@example.com> wrote:\n\n{QUOTED}",
    "German": f"{ORDERS}\n\nAm Fr., 20. Nov. 2026 um 13:00 Uhr schrieb Trains <t@example.com>:\n\n{QUOTED}",
    "Portuguese": f"{ORDERS}\n\nEm sex., 20 de nov. de 2026 às 13:00, Trains <t@example.com> escreveu:\n\n{QUOTED}",
    "Spanish": f"{ORDERS}\n\nEl vie, 20 nov 2026 a las 13:00, Trains (<t@example.com>) escribió:\n\n{QUOTED}",
    "Polish": f"{ORDERS}\n\npt., 20 lis 2026 o 13:00 Trains <t@example.com> napisał(a):\n\n{QUOTED}",
    "Outlook": f"{ORDERS}\n\nFrom: Trains <t@example.com>\nSent: Friday\nTo: Ana\nSubject: [x] Turn 3\n\nISSUE SHARES.",
    "Outlook, a rule": f"{ORDERS}\n________________________________\nFrom: Trains\nSent: Friday\n\nISSUE SHARES.",
    "original message": f"{ORDERS}\n\n-----Original Message-----\nFrom: Trains\nSent: Friday\n\nISSUE SHARES.",
    "a telephone": f"{ORDERS}\n\n> On 20 Nov 2026, at 13:00, Trains wrote:\n> \n{QUOTED}",
    "below the quotation": f"On Fri, Nov 20, 2026 at 1:00 PM Trains wrote:\n{QUOTED}\n{ORDERS}\n",
    "below, our address above": f"On Friday pbem <club@example.org> wrote:\n\n{QUOTED}\n{ORDERS}\n",
    "below, folded": f"On Fri, Nov 20, 2026 at 1:00 PM pbem <\nclub@example.org> wrote:\n\n{QUOTED}\n{ORDERS}\n",
    "a signature": f"{ORDERS}\n-- \nAna, Lisbon\n",
    "forwarded": f"{ORDERS}\n\n---------- Forwarded message ---------\nFrom: Trains\nDate: Fri\n\nISSUE SHARES.",
    "Weitergeleitet": f"{ORDERS}\n\n-------- Weitergeleitete Nachricht --------\nVon: Trains\n\nISSUE SHARES.",
    "END": f"{ORDERS}\nEnd.\nI hope this works. bid max 99\n",
    "PGP": (
        f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{ORDERS}\n-----BEGIN PGP SIGNATURE-----\n\n"
        "iHUEARYKAB0WIQ\n=abcd\n-----END PGP SIGNATURE-----\n"
    ),
    "signs nobody sees": "\u200bissue\xa02\n\ufeffbid max 8\n",
}


def test_a_quotation_begins_where_the_library_says() -> None:
    texts = [*REPLIES.values(), "", "On Friday Ana wrote:\nx", "\n\nAm Fr., 20. Nov. 2026 um 13:00 Uhr schrieb T:\n"]
    for text in texts:
        first = EmailReplyParser(languages=list(MAIL_LANGUAGES)).read(text).replies[0]
        assert reply._reply(text) == ("" if first.headers else first.content)


def test_a_header_ends_with_the_first_empty_line_however_lines_end() -> None:
    luck = Random(1)
    pieces = (b"\r", b"\n", b"\r\n", b"From: a@x", b" more", b"x", b"\t", b":", b"Subject: y", b"\xc2\x85", b"\x0b")
    for _ in range(1_000):
        raw = b"".join(luck.choices(pieces, k=luck.randint(0, 12)))
        whole = BytesParser(policy=policy.compat32).parsebytes(raw, headersonly=True)
        assert reply.header(raw).items() == whole.items(), raw


@pytest.mark.parametrize("text", REPLIES.values(), ids=REPLIES)
def test_what_was_written_on_top_is_read(text: str) -> None:
    assert written(mail(text)) == ORDERS


@pytest.mark.parametrize(
    "more",
    [
        "- but not if Ben bids",
        "- bid max 6",
        "Thanks, but only if Ben drops out",
        "Take it back if Ben bids",
        "Best, Ana",
    ],
)
def test_lines_below_orders_are_left_to_who_reads_the_orders(more: str) -> None:
    assert written(mail(f"{ORDERS}\n\n{more}\n")) == f"{ORDERS}\n\n{more}"


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_what_pgp_has_signed_is_read_with_the_ends_of_lines_of_the_wire(ends: str) -> None:
    signed = REPLIES["PGP"].replace("\n", ends).encode()
    assert written(b"Content-Type: text/plain" + (ends * 2).encode() + signed) == ORDERS


def test_an_email_that_begins_with_the_header_of_another_says_nothing_of_its_own() -> None:
    assert written(mail("From: Ben <b@example.net>\nSent: Friday\nTo: Ana\nSubject: plans\n\nissue 2")) == ""


@pytest.mark.parametrize(
    ("charset", "said"), [("us-ascii", "\u201cissue 2\u201d"), ("iso-8859-1", "\u201cissue 2\u201d")]
)
def test_windows_calls_its_character_set_by_other_names(charset: str, said: str) -> None:
    head = f"Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    assert written(head.encode() + b"\x93issue 2\x94") == said


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("<div>issue 2</div><div><br></div><div>Ana</div>", "issue 2\n\nAna"),
        ("<div>issue 2</div><div>&nbsp;</div><div>Ana</div>", "issue 2\n\nAna"),
        ("<p>issue 2</p><p>Ana</p>", "issue 2\n\nAna"),
        ("issue 2<br><br>Ana", "issue 2\n\nAna"),
        ("<div>issue 2</div>\n<div>Ana</div>", "issue 2\nAna"),
    ],
)
def test_an_empty_line_of_html_is_one_of_the_answer(page: str, lines: str) -> None:
    assert written(mail(page, "html")) == lines


FORM = (
    "On Fri, Nov 20, 2026 at 1:00 PM pbem wrote:\n> Reply to this email with these lines at the top:\n>\n"
    "{filled}>\n> For example:\n>\n>   issue 2\n>   bid max 4\n>   action engineer\n"
)
BLANKS = ">   issue _\n>   bid max _\n>   action _ > _ > _\n"


@pytest.mark.parametrize(
    ("reply_text", "orders"),
    [
        ("issue 1\n\n" + FORM.format(filled=BLANKS), "issue 1"),
        (FORM.format(filled=BLANKS) + "\nissue 1\n", "issue 1"),
        (
            FORM.format(filled=">   issue 2\n>   bid max _\n>   action locomotive > _\n"),
            "issue 2\naction locomotive > _",
        ),
        (
            FORM.format(filled=">   issue _\nissue 3\n>   bid max _\nbid max 5\n>   action _ > _ > _\n"),
            "issue 3\nbid max 5",
        ),
        (FORM.format(filled=BLANKS), ""),
        (FORM.format(filled=""), ""),  # the example alone is nobody's order
    ],
)
def test_a_form_is_filled_in_above_between_below_and_in_its_quoted_lines(reply_text: str, orders: str) -> None:
    found = reply.written(reply.parsed(mail(reply_text)), OURS, form=replies.FORM)
    assert [line for line in found.splitlines() if line] == orders.splitlines()


def test_quoted_lines_count_in_no_other_letter() -> None:
    assert written(mail(FORM.format(filled=">   issue 2\n>   bid max 4\n"))) == ""


def test_lines_that_flow_are_put_together() -> None:
    flowed = (
        b"Content-Type: text/plain; format=flowed\r\n\r\n"
        + b"build L4 W-SE; M5 NW-E; O5 W-E; \r\nP7 N-S\r\nmove 1\r\n-- \r\nAna"
    )
    assert written(flowed) == "build L4 W-SE; M5 NW-E; O5 W-E; P7 N-S\nmove 1"


def test_html_is_read_where_there_is_no_text() -> None:
    page = (
        "<html><head><style>p { color: red }</style></head><body><div>issue 2<div>bid max&nbsp;8</div></div><br>"
        '<div>On Fri, Nov 20, 2026 at 1:00 PM Trains &lt;<a href="mailto:t@a.bc">t@a.bc</a>&gt; wrote:<br>'
        "<blockquote>issue 3</blockquote></div></body></html>"
    )
    assert written(mail(page, "html")) == ORDERS


def test_a_line_cut_in_two_is_whole_in_the_html_beside_it() -> None:
    order = "build L4 W-SE; M5 NW-E; O5 W-E; P7 N-S; Q6 SW-NE; R7 SW-NE; S8 N-S"
    made = EmailMessage()
    made.set_content(f"{order[:-4]}\n{order[-3:]}\n")
    made.add_alternative(f"<div>{order}</div>", subtype="html")
    assert written(made.as_bytes()) == order


def test_lines_that_flow_are_read_from_the_text_however_long_and_whatever_the_html_holds() -> None:
    """RFC 3676 says where such a line was cut; the HTML beside it may show it in other lines or with a signature."""
    order = "build L4 W-SE; M5 NW-E; O5 W-E; P7 N-S; Q6 SW-NE; R7 SW-NE; S8 N-S"
    made = EmailMessage()
    made.set_content(f"{order[:-4]} \n{order[-3:]}\nmove 1\n", params={"format": "flowed"})
    made.add_alternative(f"<div>{order}</div><div>move 2</div>", subtype="html")
    assert "format" in made.as_string()
    assert written(made.as_bytes()) == f"{order}\nmove 1"


NOTHING = (b"", b"\r\n\r\n", b"Content-Type: image/png\r\n\r\n\x89PNG", mail(QUOTED), mail("\n-- \nAna"))


@pytest.mark.parametrize("raw", NOTHING)
def test_where_nothing_was_written_there_is_nothing(raw: bytes) -> None:
    assert written(raw) == ""


def test_more_than_orders_can_be_is_not_read_in_part() -> None:
    with pytest.raises(TooLong):
        written(mail("issue 2\n" * LONGEST))
    assert written(mail(f"{ORDERS}\n\nOn Fri, Nov 20, 2026 Trains wrote:\n" + QUOTED * 1000)) == ORDERS


def test_four_thousand_characters_can_be_orders_and_one_more_is_too_long() -> None:
    longest = "issue 2\n" * 499 + "issue 12"
    assert len(longest) == 4_000
    assert written(mail(longest)) == longest
    with pytest.raises(TooLong):
        written(mail(longest + "3"))


@pytest.mark.parametrize(
    "header",
    [
        {"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}, {"List_Id": "<x.example.org>"},
        {"X_Pbem_Letter": "refused"}, {"Precedence": "auto_reply"}, {"X_Autoreply": "yes"}, {"X_Autorespond": "away"},
        {"X_Auto_Response_Suppress": "All"}, {"X_Auto_Response_Suppress": "OOF, AutoReply"}, {"Precedence": "junk"},
        {"Auto_Submitted": "auto-generated"}, {"Return_Path": "<>"}, {"X_Autoresponse": "1"}, {"X_Auto_Reply": "x"},
        {"Sender": "no-reply@example.net"}, {"Reply_To": "Do.Not.Reply@example.net"}, {"Precedence": " Bulk "},
    ],
)  # fmt: skip
def test_a_program_is_known_by_its_header(header: dict[str, str]) -> None:
    assert is_automatic(reply.parsed(mail("I am away", **header)))


@pytest.mark.parametrize(
    "sender",
    [
        b"NoReply@example.net",
        b"postmaster@example.net",
        b"MAILER-DAEMON",
        b"no_reply+7@example.net",
        b"bounces-12@a.example",
    ],
)
def test_a_program_is_known_by_a_sender_that_nobody_can_answer(sender: bytes) -> None:
    assert is_automatic(reply.parsed(mail("I am away").replace(b"ana@example.net", sender)))


def test_a_person_is_none() -> None:
    assert not is_automatic(reply.parsed(mail(ORDERS, Reply_To="ana@example.org", Return_Path="<ana@example.net>")))
    assert not is_automatic(reply.parsed(mail(ORDERS, X_Auto_Response_Suppress="None")))
    assert not is_automatic(reply.parsed(mail(ORDERS, Auto_Submitted="no", Message_ID="<1@example.net>")))
    assert message_id(reply.parsed(mail(ORDERS, Message_ID="<1@example.net>"))) == "<1@example.net>"
    assert message_id(reply.parsed(mail(ORDERS))) == ""


def test_who_has_sent_a_mail_stands_in_its_header() -> None:
    assert reply.sender(reply.parsed(mail(ORDERS))) == "ana@example.net"
    assert reply.sender(reply.parsed(b"Subject: x\n\nissue 2")) == ""
    assert len(reply.sender(reply.parsed(b"From: " + b"a" * 5000 + b"@b.example\n\nissue 2"))) <= reply.ADDRESS


CRUEL = ("On ", "a ", "\n", "From: a\n", ">", " \n", "Disclaimer: mail ", "Sent from my ", "- a\n", "_", "Am ", "Em\n")


@pytest.mark.parametrize("piece", CRUEL)
def test_no_text_keeps_the_reader_busy(piece: str) -> None:
    began = time.process_time()
    for ending in ("", " wrote:", "schrieb"):
        try:
            written(mail(piece * (60_000 // len(piece)) + ending))
        except TooLong:
            continue
    assert time.process_time() - began < 10
