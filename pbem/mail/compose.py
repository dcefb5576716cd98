"""From a :class:`pbem.letter.LetterView` to the finished email."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from email.headerregistry import Address
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime, parseaddr
from functools import lru_cache

from typing_extensions import override

from pbem.clear_colours import cleared
from pbem.language import language
from pbem.letter import Email, LetterView, Picture
from pbem.mail import parts
from pbem.mail.environment import kinds
from pbem.mail.voices import NAME
from pbem.mail.words import tidy
from pbem.mail.writing import write


class LetterPolicy(EmailPolicy):
    """SMTP, but headers that hold addresses of the web stay in one piece: folded, they would be encoded words.

    Raises ``ValueError`` for a header that would end, and another begin, where it has no business to.
    """

    whole = ("list-id", "list-unsubscribe", "list-unsubscribe-post", "references", "in-reply-to", "message-id")

    @override
    def fold(self, name: str, value: str) -> str:
        # a folded subject may begin with the break and arrive with a space before it; ours are short
        short = name.lower() == "subject" and value.isascii()
        whole = f"{name}: {value}{self.linesep}"
        return _one_header(whole if short or name.lower() in self.whole else super().fold(name, value))

    @override
    def fold_binary(self, name: str, value: str) -> bytes:
        if name.lower() in self.whole:
            return self.fold(name, value).encode("ascii")
        folded = super().fold_binary(name, value)
        _one_header(folded.decode("ascii", "replace"))
        return folded


PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*")
"""Words in ASCII with single spaces between."""
FITS = 78
"""Characters of a header that is not folded."""
ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
ATOMS, DOTTED = re.compile(f"{ATOM}(?: {ATOM})*"), re.compile(rf"{ATOM}(?:\.{ATOM})*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
"""A name and an address that need neither quotes nor code (RFC 5322)."""
KEPT = 500
LETTER_POLICY = LetterPolicy(linesep=SMTP.linesep)


def compose(view: LetterView, board: Picture | None, sender: str = "pbem <pbem@localhost>") -> Email:
    """The letter as an email: text, HTML and, when ``board`` is given, the picture inside the HTML; for a reader who
    wants no HTML the text alone.

    The same arguments give the same bytes. Raises ``ValueError`` for a kind of letter that does not exist.
    """
    envelope = view.envelope
    if envelope.kind not in kinds():
        raise ValueError(f"there is no letter {envelope.kind!r}")
    named = f"{envelope.id}|{envelope.kind}|{envelope.to}|{envelope.message_id}"
    seal = hashlib.sha256(named.encode()).hexdigest()
    picture = f"board.{seal[:16]}@pbem" if board is not None else ""
    written = write(view, picture)
    body = parts.text(written.text, "plain")
    if envelope.pictures != "text":
        html = parts.text(cleared(written.html) if envelope.look.clear else written.html, "html")
        if board is not None:
            html = parts.multipart("related", f"{seal[:32]}_1", html, parts.picture(board.base64, picture))
        body = parts.multipart("alternative", f"{seal[:32]}_0", body, html)
    headers = _header("Subject", no_code(written.subject)), *_address(view, sender), b"MIME-Version: 1.0\r\n"
    message_id = _angled(envelope.message_id) if envelope.message_id else ""
    return Email(message_id, b"".join((*headers, *body)))


def _address(view: LetterView, sender: str) -> Iterator[bytes]:
    """The headers beside the subject."""
    envelope, (name, address) = view.envelope, _parted(sender)
    yield _mailbox("From", name, address)
    yield _mailbox("To", no_code(tidy(envelope.name, NAME)), envelope.to)
    if reply_to := view.envelope.reply_to or view.links.reply:
        yield _mailbox("Reply-To", name, reply_to)
    yield _header("Date", format_datetime(envelope.now))
    if envelope.message_id:
        yield _header("Message-ID", _angled(envelope.message_id))
    if envelope.thread_id:
        for header in ("In-Reply-To", "References"):
            yield _header(header, _angled(envelope.thread_id))
    yield _header("Content-Language", language(envelope.language).code)
    yield _header("X-Pbem-Letter", envelope.kind)
    yield _header("Auto-Submitted", "auto-generated")
    yield _header("X-Auto-Response-Suppress", "All")
    if view.game:
        yield _header("List-Id", f"<{re.sub('[^A-Za-z0-9-]', '-', view.game.id)}.games.{address.rpartition('@')[2]}>")
    if view.links.unsubscribe:
        by_mail = view.links.unsubscribe_by_mail
        ways = (view.links.unsubscribe, f"mailto:{by_mail}?subject=unsubscribe" if by_mail else "")
        yield _header("List-Unsubscribe", ", ".join(map(_angled, filter(None, ways))))
        yield _header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")


@lru_cache(maxsize=1)
def _parted(sender: str) -> tuple[str, str]:
    """Name and address of a server, which has one."""
    return parseaddr(sender)


def _header(name: str, value: str) -> bytes:
    """A header of words. What needs neither code nor folding is not taken apart and put together again."""
    whole = name in ("Subject", "Date") or name.lower() in LetterPolicy.whole
    fits = whole or (name.startswith(("X-", "Auto-", "Content-")) and len(name) + 2 + len(value) <= FITS)
    if fits and PLAIN.fullmatch(value) and "=?" not in value:
        return f"{name}: {value}\r\n".encode("ascii")
    return _folded(name, value)


def _mailbox(name: str, person: str, address: str) -> bytes:
    """A header with an address."""
    line = f"{name}: {person} <{address}>"
    if len(line) <= FITS and ATOMS.fullmatch(person) and DOTTED.fullmatch(address):
        return f"{line}\r\n".encode("ascii")
    return _kept_mailbox(name, person, address)


@lru_cache(maxsize=KEPT)
def _kept_mailbox(name: str, person: str, address: str) -> bytes:
    """The same where it needs quotes, code or folding; most of these stand in many emails."""
    return _folded(name, Address(person, addr_spec=address))


def _folded(name: str, value: str | Address) -> bytes:
    name, header = LETTER_POLICY.header_store_parse(name, value)
    return LETTER_POLICY.fold_binary(name, header)


def no_code(text: str) -> str:
    """Text of people for a header: ``=?utf-8?b?DQo=?=`` (RFC 2047) is read as what it says, even by our own library.

    What it says may be the end of the line and another header, or a whole mail.
    """
    return text.replace("=?", "= ")


def _one_header(folded: str) -> str:
    """The header, if every line after the first goes on with it."""
    _, *others = re.split(r"\r\n|\r|\n", folded.removesuffix(SMTP.linesep))
    if any(not line.strip() or line[0] not in " \t" for line in others):
        raise ValueError(f"a header that would become two: {folded[:80]!r}")
    return folded


def _angled(value: str) -> str:
    return value if value.startswith("<") else f"<{value}>"
