"""Check every die, cube and position of a finished game against its published commitment."""

import argparse
from pathlib import Path

from pbem.cli import _record
from pbem.cli._terminal import Failure
from pbem.engine.record import BadRecord, verify


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, metavar="RECORD", help="a pbem-record/1 file with its seed")


def run(args: argparse.Namespace) -> int:
    sheet, record = _record.read(args.record)
    try:
        proof = verify(sheet, record)
    except BadRecord as error:
        raise Failure(str(error)) from error
    for fault in proof.faults:
        print(fault)
    if proof.faults:
        return 1
    print(f"The seed matches the commitment {record.commitment}.")
    print(f"{proof.entries} entries and {proof.draws} rolls and draws match it.")
    return 0
