"""Replay a record, entry by entry.

The exit status is 0 if every entry can be played, 1 if one is refused.
"""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.cli import _record
from pbem.engine import Refusal, Say, Sheet
from pbem.engine.moves import placed
from pbem.engine.record import Played, replay, result_lines
from pbem.language.voice import GameVoice


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, metavar="RECORD", help="a pbem-record/1 file")
    parser.add_argument(
        "--positions", action="store_true", help="print one JSON line per entry with the position after it"
    )


def run(args: argparse.Namespace) -> int:
    sheet, record = _record.read(args.record)
    state = _record.begin(sheet, record)
    for played in replay(sheet, record):
        state = played.state
        if args.positions:
            print(json.dumps(line(sheet, played), ensure_ascii=False))
        else:
            tell(sheet, played, record.names)
        if played.refusal is not None:
            return 1
    if args.positions:
        print(json.dumps({"result": result_lines(sheet, state)}))
    else:
        for standing in sheet.standings(state):
            score = "out" if standing.score is None else f"{standing.score} points"
            print(f"{standing.place}. {record.names.get(standing.seat, standing.seat)}: {score}")
    return 0


def line(sheet: Sheet, played: Played) -> dict[str, Any]:
    if played.refusal is not None:
        return {
            "entry": played.number,
            "refused": str(_placed(played.refusal.why.read(voice(sheet, played)), played.refusal, played.line)),
            "rule": played.refusal.rule,
        }
    if played.passed_over:
        return {"entry": played.number, "passed_over": True}
    return {"entry": played.number, "position": sheet.position(played.state)}


def _placed(why: str, refusal: Refusal, line: int) -> Say:
    return placed(why, line, refusal.step, refusal.whole)


def voice(sheet: Sheet, played: Played) -> GameVoice:
    """Reads the sentences of an entry out with seats by their colour."""
    return GameVoice(sheet, played.state, {})


def tell(sheet: Sheet, played: Played, names: Mapping[str, str]) -> None:
    entry, reader = played.entry, GameVoice(sheet, played.state, names)
    print(f"{played.number:4}  {sheet.unit.nth(entry.turn)}  {reader.who(entry.player)}: {entry.orders}")
    if played.refusal is not None:
        print(f"      refused: {_placed(played.refusal.sentence(reader), played.refusal, played.line)}")
    elif played.passed_over:
        print("      (already played: there was no choice)")
    elif played.step is not None:
        for event in played.step.events:
            print(f"      {event.text().read(reader)}")
