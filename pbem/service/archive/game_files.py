"""Game files: a finished game as one page that needs nothing else, and the record in it."""

import re
from contextlib import suppress
from html import unescape

import msgspec

from pbem.engine.record import BadRecord
from pbem.service.base.seals import broken, seal

RECORD = re.compile(
    rb'<script type="application/json" id="record" data-sha256="([0-9a-f]{64})" data-title="([^"]*)">(.*?)</script>',
    re.DOTALL,
)
PAGE = b"<!doctype html>"


def read(content: str | bytes) -> tuple[bytes, str]:
    """The record that a game file has in it, and the title of the game; a record as it is, without a title.

    Raises :class:`BadRecord` for a page without a record, and for a record that was changed since it was saved.
    """
    text = content.encode() if isinstance(content, str) else content
    if text.lstrip()[: len(PAGE)].lower() != PAGE:
        _check(text)
        return text, ""
    found = RECORD.search(text)
    if found is None:
        raise BadRecord("This page is no game file: there is no record in it.")
    digest, title, record = found.groups()
    try:
        raw = msgspec.json.decode(record)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadRecord(f"The record in this game file is not JSON: {error}.") from error
    if not isinstance(raw, dict) or seal(raw) != digest.decode():
        raise BadRecord("The record in this game file was changed after it was saved: its SHA-256 is another one.")
    return record, unescape(title.decode("utf-8", "replace"))


def _check(text: bytes) -> None:
    """What is not JSON is for whoever reads it as a record to tell."""
    with suppress(msgspec.DecodeError, RecursionError):
        if broken(msgspec.json.decode(text)):
            raise BadRecord("The record was changed after it was saved: its SHA-256 is another one.")
