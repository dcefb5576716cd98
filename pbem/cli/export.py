"""Print the record of a stored game."""

import argparse
import json
from pathlib import Path

from pbem.cli import _terminal
from pbem.cli._office import office
from pbem.service.archive import records


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game_id", metavar="GAME-ID", help="the last part of the game's address")
    parser.add_argument("-o", "--output", type=Path, help="write to this file instead")


def run(args: argparse.Namespace) -> int:
    with office() as opened:
        text = json.dumps(records.export(opened, args.game_id), indent=1, ensure_ascii=False)
    if args.output is None:
        print(text)
    else:
        _terminal.write(args.output, f"{text}\n".encode())
    return 0
