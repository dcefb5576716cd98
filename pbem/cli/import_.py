"""Take the record of a finished game into the archive; prints its id."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from pbem.cli._failure import Failure
from pbem.cli._office import office
from pbem.service import records


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, help="a file with a pbem-record/1")


def run(args: argparse.Namespace) -> int:
    try:
        text = args.record.read_bytes()
    except OSError as error:
        raise Failure(f"{args.record} cannot be read: {error.strerror}.") from error
    with office() as opened:
        print(records.import_record(opened, text, datetime.now(UTC)))
    return 0
