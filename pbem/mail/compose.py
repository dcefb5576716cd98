"""From a :class:`pbem.letter.LetterView` to the finished email."""

from __future__ import annotations

import hashlib
import re
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime, parseaddr

from typing_extensions import override

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


LETTER_POLICY = LetterPolicy(linesep=SMTP.linesep)


def compose(view: LetterView, board: Picture | None, sender: str = "pbem <pbem@localhost>") -> Email:
    """The letter as an email: text, HTML and, when ``board`` is given, the picture inside the HTML.

    The same arguments give the same bytes. Raises ``ValueError`` for a kind of letter that does not exist.
    """
    envelope = view.envelope
    if envelope.kind not in kinds():
        raise ValueError(f"there is no letter {envelope.kind!r}")
    named = f"{envelope.id}|{envelope.kind}|{envelope.to}|{envelope.message_id}"
    seal = hashlib.sha256(named.encode()).hexdigest()
    picture = f"board.{seal[:16]}@pbem" if board is not None else ""
    written = write(view, picture)
    message = EmailMessage(policy=LETTER_POLICY)
    message["Subject"] = no_code(written.subject)
    _address(message, view, sender)
    html = parts.text(written.html, "html")
    if board is not None:
        html = parts.multipart("related", f"{seal[:32]}_1", html, parts.picture(board.base64, picture))
    body = parts.multipart("alternative", f"{seal[:32]}_0", parts.text(written.text, "plain"), html)
    headers = b"".join(LETTER_POLICY.fold_binary(name, value) for name, value in message.raw_items())
    return Email(str(message["Message-ID"] or ""), b"".join((headers, b"MIME-Version: 1.0\r\n", body)))


def _address(message: EmailMessage, view: LetterView, sender: str) -> None:
    envelope, (name, address) = view.envelope, parseaddr(sender)
    message["From"] = Address(name, addr_spec=address)
    message["To"] = Address(no_code(tidy(envelope.name, NAME)), addr_spec=envelope.to)
    if view.links.reply:
        message["Reply-To"] = Address(name, addr_spec=view.links.reply)
    message["Date"] = format_datetime(envelope.now)
    if envelope.message_id:
        message["Message-ID"] = _angled(envelope.message_id)
    if envelope.thread_id and envelope.thread_id != envelope.message_id:
        message["In-Reply-To"] = message["References"] = _angled(envelope.thread_id)
    message["X-Pbem-Letter"] = envelope.kind
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    if view.game:
        message["List-Id"] = f"<{re.sub('[^A-Za-z0-9-]', '-', view.game.id)}.games.{address.rpartition('@')[2]}>"
    if view.links.unsubscribe:
        message["List-Unsubscribe"] = _angled(view.links.unsubscribe)
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"


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
