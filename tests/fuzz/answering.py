"""Answers to emails, made by chance as mail programs make them: what their writer meant is known."""

import base64
import quopri
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from random import Random

TO = "orders+7-0123456789abcdef@play.example.org"
ORDERS = {
    "shares": [[f"issue {number}"] for number in range(5)],
    "bids": [*([f"bid {number}"] for number in range(1, 6)), ["drop"], ["bid max 4"]],
    "actions": [["action urbanization"], ["action engineer"], ["action turn-order"]],
    "planning": [
        ["issue 2", "bid max 4", "action urbanization > locomotive"], ["bid max 0"], ["issue 0", "action engineer"],
    ],
    "build": [["build S10 NE-SW; R11 NE-SW"], ["build nothing"]],
    "move": [["move red L7 > K12 | loco"], ["loco"], ["pass"]],
    "steam": [["cash"]],
}  # fmt: skip
"""What is written, by the question that is answered, as it is written down when it is played."""
DECOYS = ("issue 7", "bid 9", "action first-build", "build nothing", "pass", "cash", "drop")
"""Orders of others, which stand where nothing is written."""
GREETINGS = ("Hi,", "Hello Ben!", "Hallo zusammen,", "Olá,", "Cześć!", "Bonjour", "Hej!", "你好", "こんにちは")
CLOSINGS = (
    "Ana", "Best regards\nAna", "Viele Grüße\nAna", "Abraço,\nAna", "Saludos",
    "Pozdrawiam,\nŁucja", "Cordialement,\nAnaïs",
    "Sent from my iPhone", "Von meinem iPhone gesendet", "Wysłane z mojego Galaxy", "Enviado do meu iPhone",
    "Sent with Proton Mail secure email.", "Verstuurd vanaf mijn iPhone", "Odesláno z iPhonu", "iPhoneから送信",
    "Thanks,\nAna\n+351 21 000 00 00", "Grazie", "Get Outlook for Android", "pzdr", "Att.\nAna", "Atte.,\nAna Sousa",
    "abçs", "sds", "bjs :-)", "slds", "Ana\n\nSent from my iPhone",
    "Ana\n\nThis e-mail is confidential. If you are not the intended recipient,\ndo not use it.",
    "Este mensaje es confidencial y solo para su destinatario.",
    "Thanks\nAna\nACME Ltd\n\nPlease think before printing.",
)  # fmt: skip
TRAPS = (
    "but only if Ben drops out", "- unless Chloé bids", "Thanks, but not before Friday please", "or is that too much?",
    "Wait, no.\nI am not sure.", "Tak, but later on, when Ben has moved", "if that is possible", "* no, forget it",
)  # fmt: skip
"""Lines below orders that say something about them."""
OVER = (
    "On Fri, Nov 20, 2026 at 6:00 PM Coal by post <club@play.example.org> wrote:",
    "Am Fr., 20. Nov. 2026 um 18:00 Uhr schrieb Coal by post <club@play.example.org>:",
    "Em sex., 20 de nov. de 2026 às 18:00, Coal <club@play.example.org> escreveu:",
    "Le ven. 20 nov. 2026 à 18:00, Coal by post <club@play.example.org> a écrit :",
    "pt., 20 lis 2026 o 18:00 Coal by post <club@play.example.org> napisał(a):",
    "On 20/11/2026 18:00, Coal by post wrote:",
)
HEADERS = (
    "-----Original Message-----\nFrom: Coal by post\nSent: Friday\nTo: Ana\nSubject: Turn 1",
    "________________________________\nFrom: Coal by post\nSent: Friday",
    "-------- Ursprüngliche Nachricht --------\nVon: Coal by post\nDatum: 20.11.26 18:00",
    "---------- Forwarded message ---------\nFrom: Coal by post\nDate: Fri, Nov 20, 2026",
)
AUTOMATIC = (
    "Auto-Submitted: auto-replied", "Precedence: auto_reply", "Precedence: bulk", "Precedence: junk",
    "X-Auto-Response-Suppress: All", "X-Autoreply: yes", "X-Autorespond: on", "List-Id: <trains.example.com>",
    "X-Pbem-Letter: your-turn", "AUTO-SUBMITTED:\tauto-generated (vacation)",
)  # fmt: skip
CHARSETS = ("utf-8", "utf-8", "utf-16", "utf-7", "gb18030")
"""Those in which all that is written here can be."""
ENCODINGS = ("8bit", "quoted-printable", "base64")


@dataclass(frozen=True, slots=True)
class Answer:
    """An email; ``orders``: what must come of it, ``None`` for nothing that is played; ``by_program``: an automatic
    answer; ``spoiled``: bytes of it have been lost or changed, so that nobody can say what is to come of it."""

    raw: bytes
    asked: str
    orders: tuple[str, ...] | None
    by_program: bool = False
    spoiled: bool = False


def answer(luck: Random, number: int) -> Answer:
    asked = luck.choice(list(ORDERS))
    if asked == "planning" and luck.random() < 0.3:
        return _filled_in(luck, number)
    orders: tuple[str, ...] | None = tuple(luck.choice(ORDERS[asked]))
    text = "\n".join(_written(order, luck) for order in orders or ())
    if luck.random() < 0.15:
        text, orders = text + luck.choice(("\n", "\n\n")) + luck.choice(TRAPS), None
    else:
        if luck.random() < 0.3:
            text = luck.choice(GREETINGS) + luck.choice(("\n", "\n\n")) + text
        if luck.random() < 0.5:
            text += "\n\n" + luck.choice(CLOSINGS)
    if luck.random() < 0.2:
        text += luck.choice(("\n-- \n", "\nEND\n")) + luck.choice(DECOYS)
    by_program = luck.random() < 0.15
    head = _head(luck, number, by_program)
    raw = head.encode() + _body(_between(text, _letter(asked, luck), luck), luck)
    if spoiled := luck.random() < 0.15:
        raw = _spoiled(raw, luck)
    return Answer(_on_the_wire(raw), asked, orders, by_program, spoiled)


def _on_the_wire(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _filled_in(luck: Random, number: int) -> Answer:
    """The quoted form of a planning letter with some of its blanks filled in, the answer to nothing else."""
    filled = {
        "issue _": "issue 2",
        "bid max _": "bid max 4",
        "action _ > _ > _": "action urbanization > locomotive > _",
    }
    chosen = luck.sample(list(filled), luck.randint(0, 3))
    letter = _letter("planning", luck)
    for blank in chosen:
        letter = letter.replace(blank, filled[blank], 1)
    text = f"{luck.choice(OVER)}\n" + "\n".join(f"> {line}".rstrip() for line in letter.splitlines()) + "\n"
    raw = _head(luck, number, by_program=False).encode() + _part("plain", text, luck)
    orders = tuple(filled[blank].removesuffix(" > _") for blank in filled if blank in chosen)
    return Answer(_on_the_wire(raw), "planning", orders or None)


def _written(order: str, luck: Random) -> str:
    """The order as somebody may write it."""
    ways: Sequence[Callable[[], str]] = (
        lambda: order,
        lambda: order,
        lambda: order.capitalize(),
        lambda: order + ".",
        lambda: f"{order} :-)",
        lambda: f"{order}, thanks!",
        lambda: f"{order} gracias 🙂",
        lambda: f"[{order}]",
        lambda: f"[{order}] https://play.example.org/t/abc?order=x",
        lambda: f"“{order}”",
        lambda: f"„{order}“.",
        lambda: f"- {order}",
        lambda: f"• {order}",
        lambda: f"  {order}  ",
        lambda: "".join(chr(ord(sign) + 0xFEE0) if sign.isdecimal() else sign for sign in order),
    )
    return luck.choice(ways)()


def _letter(asked: str, luck: Random) -> str:
    """What is answered: a form with an example below it, or choices."""
    if asked == "planning":
        example = "\n".join(f"  {line}" for line in ("issue 7", "bid max 9", "action first-build"))
        return f"PLAN.\n\n  issue _\n  bid max _\n  action _ > _ > _\n\nFor example:\n\n{example}\n"
    return "ISSUE SHARES. You have $10.\n\n" + "\n".join(
        f"[{decoy}] https://play.example.org/t/abc?order=x\n{decoy}" for decoy in luck.sample(DECOYS, 3)
    )


def _between(text: str, letter: str, luck: Random) -> tuple[str, str]:
    """The text with what is quoted, and the same in HTML."""
    quoted = "\n".join(f"> {line}".rstrip() for line in letter.splitlines())
    over = luck.choice(OVER)
    lines = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.splitlines())
    page = (
        f"<html><body>{lines}<div class=q>{escape(over)}<blockquote>{escape(letter)}</blockquote></div></body></html>"
    )
    match luck.randrange(5):
        case 0:
            return text, f"<html><body>{lines}</body></html>"
        case 1:
            return f"{over}\n{quoted}\n\n{text}\n", page
        case 2:
            return f"{text}\n\n{luck.choice(HEADERS)}\n\n{letter}\n", page
        case _:
            return f"{text}\n\n{over}\n\n{quoted}\n", page


def _head(luck: Random, number: int, by_program: bool) -> str:
    lines = [
        "From: Ana Sousa <ana@example.net>", f"To: {TO}", "Subject: Re: [Coal by post] Turn 1: issue shares",
        f"Message-ID: <generated-{number}@example.net>", "Date: Sat, 21 Nov 2026 08:15:03 +0000", "MIME-Version: 1.0",
        "X-Mailer: some program",
    ]  # fmt: skip
    if by_program:
        lines.append(luck.choice(AUTOMATIC))
    luck.shuffle(lines)
    return "\n".join(lines) + "\n"


def _body(texts: tuple[str, str], luck: Random) -> bytes:
    text, page = texts
    plain, html = _part("plain", text, luck), _part("html", page, luck)
    decoy = (
        b"Content-Type: text/plain; name=orders.txt\nContent-Disposition: attachment; filename=orders.txt\n\nissue 7\n"
    )
    signature = b"Content-Type: application/pgp-signature\n\n-----BEGIN PGP SIGNATURE-----\n"
    match luck.randrange(6):
        case 0:
            return html
        case 1:
            return _parts("alternative", plain, html)
        case 2:
            return _parts("mixed", _parts("alternative", plain, html), decoy)
        case 3:
            return _parts("signed", plain, signature)
        case _:
            return plain


def _part(kind: str, text: str, luck: Random) -> bytes:
    charset, encoding = luck.choice(CHARSETS), luck.choice(ENCODINGS)
    content = text.replace("\n", "\r\n").encode(charset)
    if charset == "utf-16":
        encoding = "base64"  # its bytes are no lines
    if encoding == "base64":
        content = base64.encodebytes(content)
    elif encoding == "quoted-printable":
        content = quopri.encodestring(content.replace(b"\r\n", b"\n"))
    head = f'Content-Type: text/{kind}; charset="{charset}"\nContent-Transfer-Encoding: {encoding}\n\n'
    return head.encode() + content


def _parts(kind: str, *parts: bytes) -> bytes:
    edge = f"=_{kind}_"
    inside = b"".join(f"--{edge}\n".encode() + part.rstrip() + b"\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{edge}"\n\n'.encode() + inside + f"--{edge}--\n".encode()


def _spoiled(raw: bytes, luck: Random) -> bytes:
    for _ in range(luck.randint(1, 4)):
        at, size = luck.randrange(len(raw)), luck.choice((1, 1, 5, 200))
        raw = raw[:at] + luck.randbytes(luck.choice((0, 1, size))) + raw[at + size :]
    return raw
