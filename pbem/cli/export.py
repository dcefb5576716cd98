"""Print the record of a stored game, or write a finished game as one page that needs nothing else, or as a book."""

import argparse
import json
from pathlib import Path

from pbem.cli import _terminal
from pbem.cli._office import office
from pbem.language import languages, reading
from pbem.render import BOOK_PAPERS, book_pdf
from pbem.service import Office
from pbem.service.archive import books, records
from pbem.service.base.seals import sealed
from pbem.web import game_file


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game_id", metavar="GAME-ID", help="the last part of the game's address")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the record to this file instead")
    parser.add_argument(
        "--html",
        type=Path,
        metavar="FILE",
        help="write a finished game to this file as one page: every position, log, charts, dice, and the record, which "
        "pbem import takes from it",
    )
    parser.add_argument(
        "--pdf", type=Path, metavar="FILE", help="write a finished game to this file as a book: every turn, to print"
    )
    parser.add_argument("--paper", choices=BOOK_PAPERS, default="a5", help="of the book (default: a5)")
    parser.add_argument(
        "--language",
        choices=[one.code for one in languages()],
        default="en",
        metavar="CODE",
        help="of page and book (default: en)",
    )


def run(args: argparse.Namespace) -> int:
    with office() as opened, reading(args.language):
        if args.html is not None:
            _terminal.write(args.html, game_file(opened, args.game_id))
        if args.pdf is not None:
            _terminal.write(args.pdf, book_pdf(books.of_game(opened, args.game_id), args.paper))
        if args.output is not None or args.html is args.pdf is None:
            _record(opened, args)
    return 0


def _record(opened: Office, args: argparse.Namespace) -> None:
    text = json.dumps(sealed(records.export(opened, args.game_id)), indent=1, ensure_ascii=False)
    if args.output is None:
        print(text)
    else:
        _terminal.write(args.output, f"{text}\n".encode())
