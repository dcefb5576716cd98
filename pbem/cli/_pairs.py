"""``pbem match --pairs``: two orders in one position, each played on to the end with the same dice."""

import argparse
import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from pbem.cli import _record
from pbem.cli._series import decided, error_of, opened, played_on
from pbem.cli._terminal import Failure
from pbem.engine import BadMove, Refused, Seat, Sheet, State
from pbem.robot.matches import Mean, pair


def run(args: argparse.Namespace, sheet: Sheet, kinds: Sequence[str]) -> int:
    state = _position(args, sheet)
    seat = sheet.to_act(state)
    if seat is None:
        raise Failure("Nobody is asked anything in this position: the game is over.", 2)
    if len(args.order) != 2:
        raise Failure("Two orders are compared: give --order twice.", 2)
    orders = (args.order[0], args.order[1])
    about = {"record": args.pairs.name, "at": args.at, "orders": orders, "seats": kinds}
    kept, seed = opened(args.file, about, args.seed or "", float)
    seats = {line.seat: kinds[place % len(kinds)] for place, line in enumerate(sheet.standings(state))}
    ends = partial(decided, lambda: list(kept.found.values()), args.until)
    try:
        played_on(kept, partial(_one, args.pairs, args.at, orders, seats, seed), args, args.map, ends)
    except BadMove as bad:
        raise Failure(str(bad.sentence()), 2) from bad
    except Refused as refused:
        raise Failure(refused.refusal.sentence(), 2) from refused
    mean = Mean.of(list(kept.found.values()))
    if args.json:
        shown = {**about, "seed": seed, "pairs": len(kept.found), "mean": mean.value, "error": mean.error}
        print(json.dumps(shown, indent=1))
    else:
        print(f"{sheet.name}, {seat} to act, {len(kept.found)} pairs, seed {seed}")
        print(f"“{orders[0]}” leads by {error_of(mean)} points more than “{orders[1]}”.")
    return 0


def _position(args: argparse.Namespace, sheet: Sheet) -> State:
    found, record = _record.read(args.pairs)
    if found.slug != sheet.slug:
        raise Failure(f"{args.pairs} is a game on {found.name}.", 2)
    return _record.at(sheet, record, args.at)[0]


def _one(
    path: Path, at: int | None, orders: tuple[str, str], seats: Mapping[Seat, str], seed: str, number: int
) -> float:
    sheet, record = _record.read(path)
    return pair(sheet, _record.at(sheet, record, at)[0], orders, seats, seed, number)
