"""Let robots play against each other and show how strong each kind is.

"classic" is the plain robot, which stays as it is, for comparison. docs/robots.md describes the others. As many games
as there are seats have the same deal, with the robots one place further in each; the same seed plays the same games.
A win of two seats together counts half for each. The lead is over the mean of the others, a bankrupt counting as -25
points; ± is a standard error, taken over deals. Seconds are those of the processor: the median, and the value that 95
of 100 decisions stay below. With --file a match that was stopped goes on where it was.

With --pairs two orders in one position of a record are compared: each is played on to the end by the robots of
--seats (a single one plays all seats), with the same dice after both, and the difference of the leads is shown.
"""

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pbem.cli import _pairs, _sheets
from pbem.cli._series import decided, error_of, opened, played_on
from pbem.cli._terminal import Failure
from pbem.robot.matches import Played, Tally, by_deal, chairs, contenders, play, quantile, tallies

GAMES, MOST_GAMES, MOST_JOBS = 20, 100_000, 256


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="for example age-of-steam")
    parser.add_argument("map", metavar="MAP", help="such as rust_belt (see pbem maps), or the folder of a drawn map")
    kinds = ", ".join(contenders())
    parser.add_argument("--seats", required=True, metavar="KIND,KIND,…", help=f"a robot for each seat: {kinds}")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help=f"games, or pairs (default: {GAMES})")
    parser.add_argument("--until", type=float, metavar="S", help="end before once the lead is S standard errors from 0")
    parser.add_argument("--seed", help="the same seed plays the same games (default: a new one)")
    parser.add_argument("--file", type=Path, help="keep every game here as it ends, and go on from what is there")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that play (default: 1)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--pairs", type=Path, metavar="RECORD", help="compare two orders in a position of this record")
    parser.add_argument("--at", type=int, metavar="N", help="with --pairs: after entry N, counted from 0")
    parser.add_argument("--order", action="append", default=[], help="with --pairs: given twice")


def run(args: argparse.Namespace) -> int:
    sheet, kinds = _sheets.find(args.game, args.map), _kinds(args.seats)
    _check("--games", args.games, MOST_GAMES)
    _check("--jobs", args.jobs, MOST_JOBS)
    if args.pairs:
        return _pairs.run(args, sheet, kinds)
    _sheets.players(sheet, len(kinds))
    about = {"game": args.game, "map": args.map, "seats": kinds}
    kept, seed = opened(args.file, about, args.seed or "", _seats)
    ends = partial(decided, lambda: by_deal(kept.found, len(kinds), kinds[0]), args.until)
    played_on(kept, partial(_one, args.game, args.map, kinds, seed), args, args.map, ends)
    found = tallies(kinds, kept.found)
    if args.json:
        shown = {"game": args.game, "map": args.map, "players": len(kinds), "games": len(kept.found), "seed": seed}
        print(json.dumps({**shown, "kinds": [_figures(tally) for tally in found]}, indent=1))
        return 0
    print(f"{sheet.name}, {len(kinds)} seats, {len(kept.found)} games, seed {seed}")
    print("\n".join(_aligned([HEADS, *map(_row, found)])))
    seats = [(str(one.place + 1), error_of(one.points), error_of(one.cash)) for one in chairs(kept.found.values())]
    print("\n" + "\n".join(_aligned([("seat", "points", "dollars"), *seats])))
    return 0


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(kind.strip().casefold() for kind in text.split(","))
    for kind in kinds:
        if kind not in contenders():
            raise Failure(f"There is no robot “{kind[:40]}”. You can choose {', '.join(contenders())}.", 2)
    return kinds


def _check(name: str, number: int, most: int) -> None:
    if not 1 <= number <= most:
        raise Failure(f"{name} must be from 1 to {most:,}.", 2)


def _one(game: str, slug: str, kinds: tuple[str, ...], seed: str, number: int) -> tuple[Played, ...]:
    return play(_sheets.find(game, slug), kinds, seed, number)


def _seats(kept: Sequence[dict[str, Any]]) -> tuple[Played, ...]:
    return tuple(Played(**{**seat, "seconds": tuple(seat["seconds"])}) for seat in kept)


def _figures(tally: Tally) -> dict[str, object]:
    return {
        "kind": tally.kind,
        "seats": tally.seats,
        "games": tally.games,
        "wins": round(tally.wins, 3),
        "share": round(tally.share, 4),
        "interval": [round(edge, 4) for edge in tally.interval],
        "lead": None if tally.lead is None else [round(tally.lead.value, 2), _finite(tally.lead.error)],
        "mean": None if tally.mean is None else round(tally.mean, 2),
        "error": None if tally.points is None else _finite(tally.points.error),
        "quartiles": None if tally.quartiles is None else list(tally.quartiles),
        "bankruptcies": tally.bankruptcies,
        "seconds": {"median": round(_seconds(tally, 0.5), 4), "95": round(_seconds(tally, 0.95), 4)},
    }


def _finite(error: float) -> float | None:
    return None if math.isinf(error) else round(error, 2)


def _seconds(tally: Tally, part: float) -> float:
    return quantile(tally.seconds, part) if tally.seconds else 0.0


HEADS = (
    "robot",
    "seats",
    "games",
    "wins",
    "share",
    "95 %",
    "lead",
    "points",
    "quartiles",
    "bankrupt",
    "s a decision, 95 %",
)


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        first, *rest = (cell.ljust(width) if not place else cell.rjust(width)
                        for place, (cell, width) in enumerate(zip(row, widths, strict=True)))  # fmt: skip
        yield "  ".join((first, *rest)).rstrip()


def _row(tally: Tally) -> tuple[str, ...]:
    low, high = tally.interval
    return (
        tally.kind,
        str(tally.seats),
        str(tally.games),
        f"{tally.wins:g}",
        f"{tally.share:.1%}",
        f"{low:.1%} to {high:.1%}",
        error_of(tally.lead),
        error_of(tally.points),
        "–" if tally.quartiles is None else " ".join(f"{value:g}" for value in tally.quartiles),
        str(tally.bankruptcies),
        f"{_seconds(tally, 0.5):.3f}, {_seconds(tally, 0.95):.3f}",
    )
