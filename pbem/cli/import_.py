"""Import a finished game into the archive and print its id: a record, a game file, or an export of choochoo.games."""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from pbem.cli import _terminal
from pbem.cli._office import office
from pbem.service.archive import records


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "record",
        type=Path,
        help="a file with a pbem-record/1, what pbem export --html has written, or what a server of choochoo.games has "
        "exported (docs/importing.md)",
    )


def run(args: argparse.Namespace) -> int:
    text = _terminal.read(args.record)
    with office() as opened:
        print(records.import_record(opened, text, datetime.now(UTC)))
    return 0
