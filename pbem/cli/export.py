"""Print the record of a stored game, or write a finished game as one page that needs nothing else."""

import argparse
import json
from pathlib import Path

from pbem.cli import _terminal
from pbem.cli._office import office
from pbem.service import Office
from pbem.service.archive import records
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


def run(args: argparse.Namespace) -> int:
    with office() as opened:
        if args.html is not None:
            _terminal.write(args.html, game_file(opened, args.game_id))
        if args.output is not None or args.html is None:
            _record(opened, args)
    return 0


def _record(opened: Office, args: argparse.Namespace) -> None:
    text = json.dumps(sealed(records.export(opened, args.game_id)), indent=1, ensure_ascii=False)
    if args.output is None:
        print(text)
    else:
        _terminal.write(args.output, f"{text}\n".encode())
