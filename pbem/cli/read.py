"""Read the position in the text of an email, and print it as JSON (docs/letters.md says how it is written).

The email is a file, or "-" for the standard input: the whole email as it was received, or its text alone, in any of the
languages of pbem. What is printed is the position as whoever got the email may see it: of contracts that are hidden
only how many there are. Its first 8 hexadecimal digits of SHA-256 stand at the end of the text. Where they do not fit,
or any other line does not, the command says which and ends with status 1. With --board it is the printed board, which
the first email of a game and the answer to "map" tell; it has to be that of the map as it is installed. Of a game on a
map that somebody has drawn, --map names its board.toml: the page of such a map has it, and the record of a game.
"""

import argparse
import email
import email.policy
import json
import sys
from pathlib import Path

from pbem.cli import _sheets
from pbem.cli._terminal import Failure
from pbem.engine import Sheet, catalog
from pbem.engine.position_text import Misread
from pbem.language.position_letters import read_board, read_letter

LARGEST = 1_000_000
"""Bytes of an email that are read."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("email", metavar="EMAIL", help='a file, or "-" for the standard input')
    parser.add_argument("--map", metavar="BOARD.toml", help="the drawing of an own map, or its folder")
    parser.add_argument("--board", action="store_true", help="print the printed board instead of the position")


def run(args: argparse.Namespace) -> int:
    text = _text(_bytes(args.email))
    sheets = catalog.sheets() if args.map is None else (_sheets.find(catalog.GAME_OF_DRAWINGS, args.map),)
    try:
        print(_board(text, sheets) if args.board else _position(text, sheets))
    except Misread as misread:
        raise Failure(str(misread)) from misread
    return 0


def _position(text: str, sheets: tuple[Sheet, ...]) -> str:
    sheet, position = read_letter(text, sheets)
    return sheet.canonical(position.state, position.viewer).decode()


def _board(text: str, sheets: tuple[Sheet, ...]) -> str:
    _, board = read_board(text, sheets)
    return json.dumps(board, ensure_ascii=False)


def _bytes(named: str) -> bytes:
    """Raises :class:`Failure`."""
    if named == "-":
        return sys.stdin.buffer.read(LARGEST)
    try:
        with Path(named).open("rb") as file:
            return file.read(LARGEST)
    except OSError as error:
        raise Failure(f"{named} cannot be read: {error.strerror}.") from error


def _text(raw: bytes) -> str:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    part = message.get_body(("plain",)) if "From" in message or "MIME-Version" in message else None
    return raw.decode("utf-8", "replace") if part is None else str(part.get_content())
