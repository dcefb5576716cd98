"""Show who is to act in a position of a record, and which orders are legal."""

import argparse
from pathlib import Path

from pbem.cli import _record
from pbem.engine.record import hides


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, metavar="RECORD", help="a pbem-record/1 file")
    parser.add_argument("--at", type=int, metavar="N", help="after entry N, counted from 0 (default: the last)")


def run(args: argparse.Namespace) -> int:
    sheet, record = _record.read(args.record)
    state, _, _ = _record.at(sheet, record, args.at)
    seat = sheet.to_act(state)
    if seat is None:
        print("The game is over.")
        return 0
    print(f"# {seat} is to act: {sheet.phase(state)}, {sheet.unit.nth(sheet.turn(state))}")
    if hides(sheet, record):
        print("# what is in hand is hidden in the record of a running game: contracts named here are made up")
    legal = sheet.legal(state)
    if legal is None:
        print("# one order may join several placements with “;”; single ones, then the other choices:")
        legal = (*sheet.placements(state), *(choice.order for choice in sheet.question(state).choices))
    for order in legal:
        print(order)
    return 0
