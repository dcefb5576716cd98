"""Reading replies: what somebody wrote above the letter it answers. Anybody can write one, so nothing is believed but
the address it came to."""

import codecs
import re
from collections.abc import Sequence
from email import policy
from email.message import Message
from email.parser import BytesParser
from email.utils import parseaddr
from html.parser import HTMLParser
from itertools import pairwise

from mailparser_reply import EmailMessage
from mailparser_reply.constants import MAIL_LANGUAGES
from typing_extensions import override

HEADER = 64 * 1024
"""Bytes of a header that are looked at."""
PARTS = 50
"""Parts of a mail that are looked at."""
LOOKED_AT = 100_000
"""Characters of a part that are looked at."""
WIDEST = 4
"""Bytes of a character."""
NO_CHARSETS = frozenset({"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape"})
"""What Python decodes by the name of a character set beside those: some take long, some fail at anything."""
_WESTERN = ("ascii", "iso8859-1")
LONGEST = 4_000
"""Characters that may stand above the quotation: patterns for signatures take long for long texts."""
WRAPPED = 60
"""Characters from which on a line may have been cut in two by a mail program."""
END = "end"
BY_PROGRAMS = (
    "List-Id", "X-Pbem-Letter", "X-Autoreply", "X-Autorespond", "X-Autoresponse", "X-Auto-Reply", "X-Autoreply-From",
    "X-Mail-Autoreply", "X-Auto-Reply-From",
)  # fmt: skip
PROGRAMS = ("mailerdaemon", "postmaster", "noreply", "donotreply", "autoreply", "autoresponder", "bounce", "bounces")
"""Senders that nobody can answer: local parts of addresses, of which the letters count."""
BY_PROGRAMS_ALONE = ("multipart/report", "message/disposition-notification", "message/delivery-status")
"""What only programs send, whatever else the header says: receipts that a letter was opened (RFC 8098), reports."""
ADDRESS = 320
"""Characters of an address that are looked at."""


class TooLong(Exception):
    """More than ``LONGEST`` characters that may be orders: read in part they could be played in part."""


_BLOCKS = ("p", "div", "br", "tr", "li", "h1", "h2", "h3", "blockquote", "table")
_HIDDEN = ("blockquote", "style", "script", "head", "title")
_RULE = re.compile(r"[_-]{5,}|--|-{3,} ?[^\W\d_][^-]{1,60} ?-{3,}")
"""A line that begins a signature, or another email: ``---------- Forwarded message ---------``."""
_DATED = re.compile(r"\b(19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b")
_EMPTY_LINE = re.compile(rb"\r\n[\r\n]|\n[\r\n]|\r\r")
_PGP = re.compile(
    r"-----BEGIN PGP SIGNED MESSAGE-----[ \t]*\n(?:[\w-]+:[^\n]*\n)*[ \t]*\n(.*?)\n-----BEGIN PGP SIGNATURE-----",
    re.DOTALL,
)
_QUOTED = re.compile(r"\s*>[> ]*(.*)")
_LEFT_BLANK = re.compile(r"[^\W\d_][\w ]{0,40} _[\s>_]*")
_NO_SIGNS = str.maketrans("", "", "\u200b\u200e\u200f\u2060\ufeff\u00ad")


def parsed(raw: bytes) -> Message:
    # The older policy hands out headers as they came: the newer one parses them, and fails at some that are broken.
    return BytesParser(policy=policy.compat32).parsebytes(raw)


def header(raw: bytes) -> Message:
    """The header alone, or its beginning where it is longer than ``HEADER``."""
    begins = raw[:HEADER]
    empty = _EMPTY_LINE.search(begins)  # behind it there is no header any more; the parser would cut all into lines
    return BytesParser(policy=policy.compat32).parsebytes(begins if empty is None else begins[: empty.end()], True)


def is_automatic(message: Message) -> bool:
    """Whether a program has written the mail, as far as its header says so (RFC 3834 and older habits)."""
    names = ("Auto-Submitted", "Precedence", "Return-Path", "X-Auto-Response-Suppress")
    header = {name: str(message.get(name, "")).strip().lower() for name in names}
    return (
        header["Auto-Submitted"] not in ("", "no")
        or header["Precedence"] in ("bulk", "junk", "list", "auto_reply")
        or header["X-Auto-Response-Suppress"] not in ("", "none")
        or header["Return-Path"] == "<>"
        or any(message.get(name) is not None for name in BY_PROGRAMS)
        or message.get_content_type() in BY_PROGRAMS_ALONE
        or any(is_program(_address(message, name)) for name in ("From", "Sender", "Reply-To"))
    )


def is_program(address: str) -> bool:
    """Whether nobody reads what is sent to an address, as far as its name says so; an empty one says nothing."""
    return re.sub(r"[^a-z]", "", address.lower().partition("@")[0].partition("+")[0]) in PROGRAMS


def sender(message: Message) -> str:
    return _address(message, "From").lower()


def _address(message: Message, name: str) -> str:
    return parseaddr(str(message.get(name, ""))[:LONGEST])[1][:ADDRESS]


def message_id(message: Message) -> str:
    return str(message.get("Message-ID", "")).strip()


def written(message: Message, ours: Sequence[str], form: Sequence[str] = ()) -> str:
    """The lines that were written: neither what is quoted, nor a signature below ``--``, nor what follows ``END``.

    Closing lines and names are left to who reads the orders: whether a line closes an email or says something about
    its orders is told by the orders. ``ours``: addresses that stand in the line over a quotation. ``form``: how lines
    to be filled in begin, where the letter has some: quoted ones of them count when they are filled in. Empty when
    there is no text. Raises :class:`TooLong`.
    """
    plain, html = _part(message, "text/plain"), _part(message, "text/html")
    text = "" if plain is None else _unflowed(plain)
    text = _own(_with_form(text, form) if form else text, ours)
    cut = any(len(line) >= WRAPPED for line in text.splitlines())
    if html is not None and (not text or (cut and not _flows(plain))):
        text = _own(_lines_of_html(_text(html)), ours) or text
    return text


def _part(message: Message, kind: str) -> Message | None:
    for number, part in enumerate(message.walk()):
        if number >= PARTS:
            return None
        if part.get_content_type() == kind and part.get_content_disposition() != "attachment":
            return part
    return None


def _text(part: Message) -> str:
    content = part.get_payload(decode=True)
    found = (content if isinstance(content, bytes) else b"")[: LOOKED_AT * WIDEST]
    text = _decoded(found, part.get_content_charset() or "utf-8")
    return text.translate(_NO_SIGNS).replace("\r\n", "\n")[:LOOKED_AT]


def _decoded(content: bytes, charset: str) -> str:
    """The text; where the character set is none of mails, what can be read of it.

    What calls itself ASCII or Latin-1 and is not may be windows-1252, of which both are the beginning.
    """
    try:
        name = codecs.lookup(charset).name
        if name not in (*NO_CHARSETS, *_WESTERN):
            return content.decode(charset, "replace")
    except (LookupError, ValueError):  # unknown, or the name of something else that Python can decode
        name = ""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252" if name in _WESTERN else "utf-8", "replace")


def _flows(part: Message | None) -> bool:
    return part is not None and str(part.get_param("format", "")).lower() == "flowed"


def _unflowed(part: Message) -> str:
    """Lines that were cut in two put together again (RFC 3676); a line that ends with a space goes on."""
    text = _text(part).replace("\xa0", " ")
    if not _flows(part):
        return text
    joined: list[str] = []
    goes_on = False
    for line in text.splitlines():
        stuffed = line[1:] if line.startswith(" ") else line
        if goes_on:
            joined[-1] += stuffed
        else:
            joined.append(stuffed)
        goes_on = stuffed.endswith(" ") and stuffed != "-- "
    return "\n".join(joined)


def _own(text: str, ours: Sequence[str]) -> str:
    above = re.sub(r"\n{3,}", "\n\n", "\n".join(_above(text, ours)).strip())
    reply = _reply(above[:LONGEST])
    if len(above) > LONGEST and above[:LONGEST].strip().endswith(reply[-20:]):
        raise TooLong
    return reply


def _reply(text: str) -> str:
    """What stands above the first line that introduces a quotation in some language: nothing when it is the first.

    As the library has it, which also looks for signatures and disclaimers: they are left to who reads the orders. Its
    patterns for signatures take every line that begins with "-", "Tak" or "Thanks," for one, with all below it.
    """
    mail = EmailMessage(text=text, languages=list(MAIL_LANGUAGES))
    introductions = (filter(None, found.groups()) for found in mail.HEADER_REGEX.finditer(mail.text))
    first = next((found for groups in introductions for found in groups), "")
    return str(mail.text).partition(first)[0].strip() if first else str(mail.text).strip()


def _with_form(text: str, form: Sequence[str]) -> str:
    """The text with the lines of a quoted form that were filled in no longer quoted.

    The letter shows the form twice, to be filled in and as an example. What stands in the quotation once may be
    either, so it does not count.
    """
    begins = re.compile(rf"(?:{'|'.join(map(re.escape, form))})(?!\w)", re.IGNORECASE)
    lines = text.splitlines()
    blocks: list[dict[int, str]] = []
    goes_on = False
    for number, line in enumerate(lines):
        if (quoted := _QUOTED.match(line)) is None:
            continue
        part = begins.match(quoted[1])
        if part is not None and not goes_on:
            blocks.append({})
        if part is not None:
            blocks[-1][number] = part[0].casefold()
        goes_on = part is not None
    twice = (one for one, other in pairwise(blocks) if [*one.values()] == [*other.values()])
    for number in next(twice, blocks[0]) if len(blocks) > 1 else ():
        line = lines[number].lstrip("> ")
        lines[number] = "" if _LEFT_BLANK.fullmatch(line) else line
    return "\n".join(lines)


def _signed(text: str) -> str:
    """The text that a PGP signature is about, the whole text where there is none (RFC 9580, 7)."""
    found = _PGP.search(text)
    return re.sub(r"(?m)^- ", "", found[1]) if found else text


def _above(text: str, ours: Sequence[str]) -> list[str]:
    """The lines that are not quoted, up to the first after which there can be no orders."""
    found: list[str] = []
    lines = [line.strip() for line in _signed(text).splitlines()]
    small = [own.lower() for own in ours]
    for number, bare in enumerate(lines):
        lower = bare.lower()
        if lower.rstrip(".") == END or _RULE.fullmatch(bare):
            break
        if any(own in lower for own in small):
            _drop_introduction(found, ending="")
            if found or not next(filter(None, lines[number + 1 :]), "").startswith(">"):
                break  # else the answer stands below what is quoted
        elif bare.startswith(">"):
            _drop_introduction(found, ending=":")
        else:
            found.append(bare)
    return found


def _drop_introduction(lines: list[str], ending: str) -> None:
    """Who wrote what is quoted, and when, in one line or two of any language: no order holds a date."""
    while lines and not lines[-1]:
        lines.pop()
    if ending and lines and lines[-1].endswith(ending):
        lines.pop()
    if lines and _DATED.search(lines[-1]):
        lines.pop()


class _Lines(HTMLParser):
    """The lines of HTML without what is quoted; an empty one where a paragraph begins or nothing stands on a line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._line: list[str] = []
        self._hidden = 0

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            was_empty = not self.end_line()
            if tag == "p" or (tag == "br" and was_empty):
                self.lines.append("")
        if tag in _HIDDEN:
            self._hidden += 1

    @override
    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.end_line()
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)

    @override
    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._line.append(data)

    def end_line(self) -> bool:
        """Returns whether anything stood on the line, if only a hard space, with which programs make an empty one."""
        line = "".join(self._line)
        self._line.clear()
        if line.strip() or "\xa0" in line:
            self.lines.append(re.sub(r"\s+", " ", line).strip())
            return True
        return False


def _lines_of_html(html: str) -> str:
    reader = _Lines()
    reader.feed(html)
    reader.close()
    reader.end_line()
    return "\n".join(reader.lines)
