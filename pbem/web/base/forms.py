"""Fields of forms and addresses, read so that missing, repeated, endless and unprintable ones have clear answers."""

from io import BytesIO

from flask import Request as FlaskRequest
from flask import request
from typing_extensions import override
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest, Forbidden, HTTPException, NotFound
from werkzeug.routing import IntegerConverter, Map

from pbem.engine import Say, count_say, say
from pbem.language import current
from pbem.service.base.numbers import NUMBERS

ORDERS = 10_000
"""The longest text of orders, in characters."""
LINE = 200
ADDRESS = 1_500
"""The longest draft in an address, in characters."""


class Request(FlaskRequest):
    """A request of which no file is taken: what is sent as one is forgotten with the request, and never on the disk."""

    @override
    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> BytesIO:
        return BytesIO()


class Number(IntegerConverter):
    """``<int:…>`` in an address: a number beyond those that name something is a 404 like any that is not there."""

    def __init__(self, map: Map) -> None:
        super().__init__(map, max=NUMBERS[-1])


class BadForm(BadRequest):
    """A form that cannot be read. ``text`` is what was typed, given back to the sender."""

    def __init__(self, sentence: Say, text: str = "") -> None:
        super().__init__(str(sentence))
        self.sentence, self.text = sentence, text


class NotAllowed(Forbidden):
    """Somebody else may do this; the sentence says who, or why it is not possible here."""

    def __init__(self, sentence: Say) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class NotThere(NotFound):
    """The address is right, and there is nothing behind it now."""

    def __init__(self, sentence: Say) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


NO_BUTTON = say("This page has no such button.")


def field(name: str, *, longest: int = LINE, default: str | None = None) -> str:
    """The one value of a field of a POST form. Raises :class:`BadForm`; ``default`` is for a missing field."""
    return _one(request.form, name, longest, default)


def argument(name: str, *, longest: int = LINE) -> str:
    """The one value of a field in the address, empty when it is missing."""
    return _one(request.args, name, longest, "")


def lines(name: str) -> list[str]:
    return [line.strip() for line in field(name, longest=ORDERS, default="").splitlines() if line.strip()]


def number(name: str, default: int) -> int:
    """A number in the address that can name something; whatever is not one counts as ``default``."""
    text = argument(name, longest=20)
    return int(text) if text.isascii() and text.isdigit() and int(text) in NUMBERS else default


def named(name: str) -> int:
    """The number in a field that names something. Raises :class:`BadForm`."""
    text = field(name, longest=20)
    if not (text.isascii() and text.isdigit()) or int(text) not in NUMBERS:
        raise BadForm(say("The field “{name}” must be a number.", name=name))
    return int(text)


def typed() -> str:
    """What somebody wrote into a form that is not taken, to be given back; nothing when it cannot be read either."""
    try:
        sent = request.form
    except HTTPException:
        return ""
    found = [sent.get(name, "") for name in ("typed", "orders", "say", "note", "address", "players")]
    return next((text[:ORDERS] for text in found if text and printable(text)), "")


def printable(text: str) -> bool:
    """Whether every database can keep the text: no control characters but tabs and line ends, no lone surrogates."""
    return not any((c < " " and c not in "\t\n\r") or "\ud800" <= c <= "\udfff" for c in text)


def _one(fields: MultiDict[str, str], name: str, longest: int, default: str | None) -> str:
    values = fields.getlist(name)
    if len(values) > 1:
        again = count_say(
            "The field “{name}” was sent {n} time; expected once.",
            "The field “{name}” was sent {n} times; expected once.",
            len(values),
            name=name,
        )
        raise BadForm(again, values[0][:longest])
    if not values:
        if default is None:
            raise BadForm(say("The field “{name}” is missing.", name=name))
        return default
    if len(values[0]) > longest:
        sentence = say(
            "The field “{name}” has {n} characters; at most {most} are allowed.",
            name=name,
            n=current().number(len(values[0])),
            most=current().number(longest),
        )
        raise BadForm(sentence, values[0][:longest])
    if not printable(values[0]):
        raise BadForm(say("The field “{name}” contains a character that is not allowed.", name=name))
    return values[0]
