"""Mails that kept parsers busy, nested without end, or failed: each made in code, as bytes of at most a megabyte."""

import encodings.aliases
from collections.abc import Callable

TOP = b"From: Ana <ana@example.net>\r\nMessage-ID: <spoiled@example.net>\r\n"
HTML = b"Content-Type: text/html; charset=utf-8\r\n\r\n"
MEGABYTE = 1_000_000
ORDERS = b"issue 2\r\n"
CHARSETS = sorted({
    *encodings.aliases.aliases, *encodings.aliases.aliases.values(), "idna", "undefined", "mbcs", "oem", "x-unknown",
    "unknown-8bit", "utf_8_sig", "", "''", "\\xff", "a b", "../../x", "x" * 5000,
})  # fmt: skip


def html(page: bytes) -> bytes:
    """A mail with this page and nothing beside."""
    return TOP + HTML + page


def in_charset(charset: str, body: bytes = ORDERS, encoding: str = "8bit") -> bytes:
    """A text that says to be in this character set."""
    head = f'Content-Type: text/plain; charset="{charset}"\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n'
    return TOP + head.encode() + body


def nested(depth: int) -> bytes:
    """Parts in parts."""
    opened = (b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(depth))
    return TOP + b"".join(opened) + b"\r\n" + ORDERS


def forwarded(depth: int) -> bytes:
    """Mails in mails."""
    return TOP + b"Content-Type: message/rfc822\r\n\r\n" * depth + ORDERS


def pieces(piece: bytes) -> bytes:
    """The same again and again, up to a megabyte."""
    return piece * (MEGABYTE // len(piece))


def _report(block: bytes) -> bytes:
    return (
        b"Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        + block
    )


NASTY: dict[str, Callable[[], bytes]] = {
    "a tag in a tag": lambda: html(b"<a " * 33_333),
    "declarations": lambda: html(b"<![" * 200_000),
    "a marked section": lambda: html(b"<![CDATA[" * 20_000),
    "comments": lambda: html(b"<!--" * 200_000),
    "processing instructions": lambda: html(b"<?" * 200_000),
    "end tags": lambda: html(b"</" * 200_000),
    "end tags with names": lambda: html(b"</a " * 200_000),
    "attributes": lambda: html(b"<a " + b"".join(b"a%d=1 " % n for n in range(10_000)) + b">"),
    "an attribute without end": lambda: html(b"<a b='" + b"x" * 500_000),
    "quotes": lambda: html(b'<a b="c" \'' * 50_000),
    "references": lambda: html(b"&" * 500_000),
    "numbered references": lambda: html(b"&#x" * 200_000),
    "a large number": lambda: html(b"&#" + b"9" * 100_000 + b";"),
    "scripts": lambda: html(b"<script>" * 50_000),
    "a deep page": lambda: html(b"<div>" * 150_000),
    "no page but NUL": lambda: html(b"\0" * 500_000),
    "a hundred parts in parts": lambda: nested(100) + b"x\r\n" * 200_000,
    "ten thousand parts in parts": lambda: nested(10_000),
    "mails in mails": lambda: forwarded(30_000),
    "a few mails in mails": lambda: forwarded(400),
    "many parts": lambda: TOP + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + pieces(b"--b\r\n\r\n\r\n"),
    "many attachments": lambda: (
        TOP
        + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
        + pieces(b"--b\r\nContent-Disposition: attachment\r\n\r\n\r\n")
    ),
    "a boundary without end": lambda: TOP + b"Content-Type: multipart/mixed; boundary=" + b"b" * 500_000 + b"\r\n\r\n",
    "a digest": lambda: TOP + b"Content-Type: multipart/digest; boundary=b\r\n\r\n" + pieces(b"--b\r\n\r\n"),
    "many headers": lambda: TOP + pieces(b"A: b\r\n") + b"\r\n" + ORDERS,
    "one long header": lambda: TOP + b"Subject: " + b"x" * 1_000_000 + b"\r\n\r\n" + ORDERS,
    "one folded header": lambda: TOP + b"Subject: x\r\n" + pieces(b" x\r\n") + b"\r\n" + ORDERS,
    "no end of the header": lambda: TOP + b"A" * 1_000_000,
    "a value in pieces": lambda: (
        TOP
        + b"Content-Type: text/plain;\r\n"
        + b"".join(b" a*%d=b;\r\n" % n for n in range(60_000))
        + b"\r\n\r\n"
        + ORDERS
    ),
    "a value in encoded pieces": lambda: (
        TOP
        + b"Content-Type: text/plain;\r\n"
        + b"".join(b" charset*%d*=idna'x'%%ff%%00;\r\n" % n for n in range(3_000))
        + b"\r\n\r\n"
        + ORDERS
    ),
    "a value twice": lambda: TOP + b"Content-Type: text/plain; charset*0=a; charset*0*=idna''%ff; charset=\r\n\r\nx",
    "many parameters": lambda: TOP + b"Content-Type: text/plain" + b"; a" * 300_000 + b"\r\n\r\n" + ORDERS,
    "quotes in parameters": lambda: TOP + b'Content-Type: text/plain; a="' + b'\\"' * 400_000 + b"\r\n\r\n" + ORDERS,
    "semicolons": lambda: TOP + b"Content-Type: text/plain" + b";" * 900_000 + b"\r\n\r\n" + ORDERS,
    "encoded words": lambda: TOP + b"Subject: " + b"=?idna?q?=ff?= " * 60_000 + b"\r\n\r\n" + ORDERS,
    "encoded words of programs": lambda: TOP + b"Auto-Submitted: =?utf-7?q?+2AA-?=\r\n\r\n" + ORDERS,
    "eight bits in every header": lambda: (
        b"From: \xff\xfe@\x80\r\nMessage-ID: <\xe4\x00\xff@x>\r\nPrecedence: \xff\r\nContent-Type: text/\xff\r\n\r\n"
        + ORDERS
    ),
    "no addresses": lambda: b"From: ,,<<>@:;(((((\r\nTo: @@\r\nDate: 99 Foo -1 25:61:61 +9999\r\n\r\n" + ORDERS,
    "comments in an address": lambda: b"From: " + b"(" * 200_000 + b"\r\n\r\n" + ORDERS,
    "a long Message-ID": lambda: b"Message-ID: <" + b"x" * 60_000 + b">\r\n\r\n" + ORDERS,
    "NUL": lambda: TOP + b"\0: \0\r\n\r\nissue\0 2\r\n",
    "nothing": lambda: b"",
    "no line": lambda: b"\xff" * 1000,
    "base64 that is none": lambda: in_charset("utf-8", b"=A=?*" * 100_000, "base64"),
    "base64 of NUL": lambda: in_charset("utf-16", b"AAAA" * 200_000, "base64"),
    "quoted-printable that is none": lambda: in_charset("utf-8", b"=" * 500_000, "quoted-printable"),
    "uuencode that is none": lambda: in_charset("utf-8", b"begin 644 x\r\n" + b"\x7f\x00" * 200_000, "x-uuencode"),
    "uuencode without a beginning": lambda: in_charset("utf-8", b"M" * 200_000, "uuencode"),
    "a transfer encoding in pieces": lambda: TOP + b"Content-Transfer-Encoding: =?x?q?y?=\xff\r\n\r\n" + ORDERS,
    "punycode": lambda: in_charset("punycode", b"x-" + b"zz" * 400_000),
    "half a character": lambda: in_charset("utf-7", b"issue 2 +2AA- +3AA-\r\n"),
    "long lines that flow": lambda: TOP + b"Content-Type: text/plain; format=flowed\r\n\r\n" + pieces(b"a \r\n"),
    "a text of quotations": lambda: TOP + b"\r\n" + pieces(b"> a\r\n"),
    "who wrote, for ever": lambda: TOP + b"\r\n" + b"On " * 1_300 + b" wrote:",
    "blank lines": lambda: TOP + b"\r\n" + pieces(b" \r\n") + ORDERS,
    "a report of many": lambda: _report(pieces(b"Action: failed\r\nStatus: 5.1.1\r\n\r\n")),
    "a report of codes": lambda: _report(b"Action: failed\r\nStatus: " + b"5.1." * 200_000 + b"\r\n\r\n"),
    "a report that nests": lambda: _report(b"Content-Type: message/delivery-status\r\n\r\n" * 20_000),
    "a report in eight bits": lambda: _report(
        b"Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: \xff\xfe\0; \xd8\x00\r\n"
    ),
}
