"""Draw the picture of a position of a record."""

import argparse
from pathlib import Path

from pbem.cli import _record, _terminal
from pbem.render import board_png


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, metavar="RECORD", help="a pbem-record/1 file")
    parser.add_argument("--at", type=int, metavar="N", help="after entry N, counted from 0 (default: the last)")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="PNG", help="the picture to write")


def run(args: argparse.Namespace) -> int:
    sheet, record = _record.read(args.record)
    state, played, before = _record.at(sheet, record, args.at)
    marks = sheet.marks(before, state, played.step.events) if played is not None and played.step is not None else None
    scene = sheet.scene(state, subtitle=record.source, names=record.names, marks=marks)
    _terminal.write(args.output, board_png(scene))
    print(f"{args.output}: {sheet.unit.nth(sheet.turn(state))}, {sheet.phase(state)}")
    return 0
