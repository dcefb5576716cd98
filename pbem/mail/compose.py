"""From a :class:`pbem.views.letters.LetterView` to the finished email."""

import hashlib
import quopri
import re
from collections.abc import Iterator
from email.header import Header
from email.message import Message
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.policy import SMTP, Compat32
from email.utils import format_datetime, formataddr, parseaddr
from typing import Any

from typing_extensions import override

from pbem.language import language
from pbem.mail.voices import NAME
from pbem.mail.words import tidy
from pbem.mail.writing import write
from pbem.views.clear_colours import cleared
from pbem.views.letters import Email, LetterView


class LetterPolicy(Compat32):
    """Headers as they are given, in lines for SMTP: those that hold addresses of the web stay in one piece.

    Raises ``ValueError`` for a header that would end, and another begin, where it has no business to.
    """

    @override
    def fold(self, name: str, value: str) -> str:
        return self.fold_binary(name, value).decode("ascii")

    @override
    def fold_binary(self, name: str, value: str) -> bytes:
        folded = f"{name}: {value}{self.linesep}".encode("ascii")
        _, *others = re.split(r"\r\n|\r|\n", folded.decode("ascii", "replace").removesuffix(SMTP.linesep))
        if any(not line.strip() or line[0] not in " \t" for line in others):
            raise ValueError(f"a header that would become two: {folded[:80]!r}")
        return folded


LETTER_POLICY = LetterPolicy(linesep=SMTP.linesep)


def compose(view: LetterView, board: bytes | None, sender: str = "pbem <pbem@localhost>") -> Email:
    """The letter as an email: text, HTML and, when ``board`` is given, the picture inside the HTML; for a reader who
    wants no HTML the text alone.

    The same arguments give the same bytes.
    """
    envelope = view.envelope
    named = f"{envelope.id}|{envelope.kind}|{envelope.to}|{envelope.message_id}"
    seal = hashlib.sha256(named.encode()).hexdigest()
    picture = f"board.{seal[:16]}@pbem" if board is not None else ""
    written = write(view, picture)
    message: Message[Any, Any] = _text(written.text, "plain")
    if envelope.pictures != "text":
        html = _text(cleared(written.html) if envelope.look.clear else written.html, "html")
        shown = html if board is None else _with_board(html, board, picture, f"=_{seal[:32]}_1")
        message = MIMEMultipart("alternative", f"=_{seal[:32]}_0", [message, shown])
    message.policy = LETTER_POLICY
    message["Subject"] = _encoded(no_code(written.subject), "Subject")
    for name, value in _headers(view, sender):
        message[name] = value
    message_id = _angled(envelope.message_id) if envelope.message_id else ""
    return Email(message_id, message.as_bytes())


def _text(text: str, subtype: str) -> MIMENonMultipart:
    part = MIMENonMultipart("text", subtype, charset="utf-8")
    part["Content-Transfer-Encoding"] = "quoted-printable"
    part.set_payload(quopri.encodestring(text.encode()).decode("ascii"))
    return part


def _with_board(html: MIMENonMultipart, board: bytes, picture: str, boundary: str) -> MIMEMultipart:
    image = MIMEImage(board, "png")
    image.add_header("Content-Disposition", "inline", filename="board.png")
    image["Content-ID"] = f"<{picture}>"
    return MIMEMultipart("related", boundary, [html, image])


def _headers(view: LetterView, sender: str) -> Iterator[tuple[str, str]]:
    envelope, (name, address) = view.envelope, parseaddr(sender)
    yield "From", _address(name, address)
    yield "To", _address(no_code(tidy(envelope.name, NAME)), envelope.to)
    if reply_to := view.envelope.reply_to or view.links.reply:
        yield "Reply-To", _address(name, reply_to)
    yield "Date", format_datetime(envelope.now)
    if envelope.message_id:
        yield "Message-ID", _angled(envelope.message_id)
    if envelope.thread_id:
        for header in ("In-Reply-To", "References"):
            yield header, _angled(envelope.thread_id)
    yield "Content-Language", language(envelope.language).code
    yield "X-Pbem-Letter", envelope.kind
    yield "Auto-Submitted", "auto-generated"
    yield "X-Auto-Response-Suppress", "All"
    if view.game:
        yield "List-Id", f"<{re.sub('[^A-Za-z0-9-]', '-', view.game.id)}.games.{address.rpartition('@')[2]}>"
    if view.links.unsubscribe:
        by_mail = view.links.unsubscribe_by_mail
        ways = (view.links.unsubscribe, f"mailto:{by_mail}?subject=unsubscribe" if by_mail else "")
        yield "List-Unsubscribe", ", ".join(map(_angled, filter(None, ways)))
        yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"


def _address(name: str, address: str) -> str:
    return formataddr((name, address)) if name.isascii() else f"{_encoded(name)} <{address}>"


def _encoded(text: str, header: str | None = None) -> str:
    return text if text.isascii() else Header(text, "utf-8", header_name=header).encode(linesep=SMTP.linesep)


def no_code(text: str) -> str:
    """Text of people for a header: ``=?utf-8?b?DQo=?=`` (RFC 2047) is read as what it says, even by our own library.

    What it says may be the end of the line and another header, or a whole mail.
    """
    return text.replace("=?", "= ")


def _angled(value: str) -> str:
    return value if value.startswith("<") else f"<{value}>"
