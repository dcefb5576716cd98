"""Import the record of a finished game, or a game file, into the archive and print its id."""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from pbem.cli import _terminal
from pbem.cli._office import office
from pbem.service.archive import records


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, help="a file with a pbem-record/1, or what pbem export --html has written")


def run(args: argparse.Namespace) -> int:
    text = _terminal.read(args.record)
    with office() as opened:
        print(records.import_record(opened, text, datetime.now(UTC)))
    return 0
