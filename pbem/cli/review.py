"""Say which orders of a finished game cost points, and which were better than a robot's.

Of every player the orders that a robot finds most doubtful are compared with its own: robots play the game on after
both, with the same dice, at least 12 times. Only what cannot be chance is named; ± is twice the standard error. This
takes minutes. docs/reviews.md says how it works.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from pbem.cli import _record
from pbem.cli._terminal import Failure, Progress
from pbem.engine import Sheet
from pbem.engine.record import BadRecord
from pbem.engine.text import Voice
from pbem.language.voice import GameVoice
from pbem.robot.review import NotReviewed, Review, of_record
from pbem.robot.review.comparisons import CLEAR, Comparison, reasons

NAMED = 3
"""Mistakes of each player that are told."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, metavar="RECORD", help="a pbem-record/1 file of a finished game")
    parser.add_argument("--json", action="store_true", help="print the review as JSON")


def run(args: argparse.Namespace) -> int:
    sheet, record = _record.read(args.record)
    progress = Progress("percent")
    try:
        reviewing = of_record(sheet, record)
        while not reviewing.done:
            progress("Reviewing", int(100 * reviewing.part), 100)
            reviewing.step()
    except (NotReviewed, BadRecord) as error:
        raise Failure(str(error)) from error
    finally:
        progress.end()
    found = reviewing.review
    if args.json:
        print(json.dumps(found.to_json(), indent=1))
    else:
        voice = GameVoice(sheet, _record.begin(sheet, record), record.names)
        print("\n".join(_lines(sheet, found, len(record.turns), voice)))
    return 0


def _lines(sheet: Sheet, found: Review, orders: int, voice: Voice) -> Iterator[str]:
    number = len(found.players)
    yield f"{sheet.name}, {number} player{'s' * (number > 1)}, {orders} orders"
    for seat in found.players:
        yield ""
        yield voice.who(seat)
        mine = [one for one in found.decisions if one.player == seat]
        mistakes = [one for one in mine if one.mistake]
        for one in mistakes[:NAMED]:
            size = "a large mistake" if one.large else "a mistake"
            yield from _about(sheet, voice, one, f"{size}, {_points(one)}", "better")
        if further := len(mistakes[NAMED:]):
            yield f"  {further} more clear mistakes are listed by --json."
        if unclear := sum(one.doubtful and not one.clear for one in mine):
            yield f"  {unclear} more looked doubtful, but playing on showed no clear difference."
        elif not mistakes:
            yield "  No clear mistake."
    best = [one for one in found.decisions if one.best]
    if best:
        yield ""
        yield "Best moves"
    for one in best:
        yield from _about(sheet, voice, one, f"{voice.who(one.player)}, {_points(one)}", "the robot’s")


def _about(sheet: Sheet, voice: Voice, one: Comparison, what: str, other: str) -> Iterator[str]:
    phase = sheet.word(one.phase)
    yield f"  Entry {one.number}, {sheet.unit.nth(one.turn)}, {phase}: {what}"
    yield f"    played: {one.played}"
    yield f"    {other}: {one.better}"
    for sentence in reasons(one):
        yield f"    {sentence.read(voice)}"


def _points(one: Comparison) -> str:
    return f"{abs(one.lead.value):.0f} ± {CLEAR * one.lead.error:.0f} points"
