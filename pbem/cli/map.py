"""Say what is wrong with a drawn map: one fault a line.

The exit status is 1 if there is a fault. Hints, which stop nothing, go to standard error.
"""

import argparse
import json
import sys
from pathlib import Path

from pbem.cli import _terminal
from pbem.engine import catalog


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=["check"], help="check: read the drawing and its rules")
    parser.add_argument("board", type=Path, metavar="BOARD.toml", help="the drawing, or the folder in which it lies")
    parser.add_argument("--json", action="store_true", help="print each fault as a JSON object with its hex")


def run(args: argparse.Namespace) -> int:
    path = args.board / "board.toml" if args.board.is_dir() else args.board
    checked = catalog.check(path.absolute().parent.name, _terminal.text(path))
    for fault in checked.faults:
        sentence = str(fault.sentence)
        print(json.dumps({"hex": fault.hex, "sentence": sentence}, ensure_ascii=False) if args.json else sentence)
    for hint in checked.hints:
        print(f"Hint: {hint.sentence}", file=sys.stderr)
    return 1 if checked.faults else 0
