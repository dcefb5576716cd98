"""Reading bounces: delivery reports of RFC 3464. Anybody can write one, so nothing in it is believed
but what it says about the letter whose return path it came to."""

import re
from collections.abc import Iterator
from email.message import Message
from itertools import islice

from pbem.engine import Value
from pbem.mail.reply import parsed
from pbem.mail.words import tidy

PARTS = 50
"""Parts of a mail that are looked at, and reports that are read."""
ANSWER = 500

_STATUS = re.compile(r"\b[245]\.\d{1,3}\.\d{1,3}\b")


class Report(Value):
    """What became of a letter. ``action``: failed delayed delivered relayed expanded. ``status``: as in RFC 3463.

    ``answer``: what the mail server of the reader said, one line.
    """

    action: str
    status: str
    answer: str

    @property
    def back(self) -> bool:
        return self.action == "failed" and self.status[0] in "45"


def reports(raw: bytes) -> tuple[Report, ...]:
    """The delivery reports in an email; none in one that is no report, or that cannot be read."""
    read = (found for block in _blocks(parsed(raw)) if (found := _report(block)) is not None)
    return tuple(islice(read, PARTS))


def _blocks(message: Message) -> Iterator[Message]:
    for number, part in enumerate(message.walk()):
        if number >= PARTS:
            return
        if part.get_content_type() == "message/delivery-status":
            payload = part.get_payload()
            blocks = payload if isinstance(payload, list) else []
            yield from (block for block in blocks[:PARTS] if isinstance(block, Message))


def _report(block: Message) -> Report | None:
    action = _value(block, "Action").lower()
    found = _STATUS.search(_value(block, "Status"))
    if not action or found is None:
        return None
    kind, _, text = _value(block, "Diagnostic-Code").partition(";")
    return Report(action, found.group(), text.strip() or kind.strip())


def _value(block: Message, name: str) -> str:
    value = block.get(name)
    return "" if value is None else tidy(str(value), ANSWER)
