"""Let robots play against each other and show how strong each kind is.

The robots sit one place further in every game, so that each kind has every seat equally often. "classic" is the
plain robot, which stays as it is for comparison; docs/robots.md describes the others. The same seed plays the same
games. A win of two seats together counts half for each. Seconds are those of the processor: the median, and the value
that 95 of 100 decisions stay below.
"""

import argparse
import json
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from pbem.cli import _sheets
from pbem.cli._terminal import Failure, Progress
from pbem.engine import catalog
from pbem.robot.matches import Played, Tally, contenders, play, quantile, tallies

GAMES, MOST_GAMES, MOST_JOBS = 20, 100_000, 256


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="for example age-of-steam")
    parser.add_argument("map", metavar="MAP", help="for example rust_belt (see pbem maps)")
    kinds = ", ".join(contenders())
    parser.add_argument("--seats", required=True, metavar="KIND,KIND,…", help=f"a robot for each seat: {kinds}")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help=f"how many games (default: {GAMES})")
    parser.add_argument("--seed", help="the same seed plays the same games (default: a new one)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that play (default: 1)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(args: argparse.Namespace) -> int:
    sheet = _sheets.find(args.game, args.map)
    kinds = _kinds(args.seats)
    _sheets.players(sheet, len(kinds))
    _check("--games", args.games, MOST_GAMES)
    _check("--jobs", args.jobs, MOST_JOBS)
    seed = args.seed or secrets.token_hex(8)
    found = tallies(kinds, list(_games(args.game, args.map, kinds, seed, args.games, args.jobs)))
    if args.json:
        shown = {"game": args.game, "map": args.map, "players": len(kinds), "games": args.games, "seed": seed}
        print(json.dumps({**shown, "kinds": [_figures(tally) for tally in found]}, indent=1))
    else:
        print(f"{sheet.name}, {len(kinds)} seats, {args.games} games, seed {seed}")
        print("\n".join(_table(found)))
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


def _games(
    game: str, slug: str, kinds: Sequence[str], seed: str, games: int, jobs: int
) -> Iterator[tuple[Played, ...]]:
    progress = Progress("games")
    for done, played in enumerate(_played(partial(_one, game, slug, tuple(kinds), seed), games, jobs), 1):
        progress(slug, done, games)
        yield played
    progress.end()


def _played(one: partial[tuple[Played, ...]], games: int, jobs: int) -> Iterator[tuple[Played, ...]]:
    if jobs == 1:
        yield from map(one, range(games))
        return
    with ProcessPoolExecutor(min(jobs, games)) as pool:
        yield from pool.map(one, range(games))


def _one(game: str, slug: str, kinds: tuple[str, ...], seed: str, number: int) -> tuple[Played, ...]:
    return play(catalog.sheet(game, slug), kinds, seed, number)


def _figures(tally: Tally) -> dict[str, object]:
    return {
        "kind": tally.kind,
        "seats": tally.seats,
        "games": tally.games,
        "wins": round(tally.wins, 3),
        "share": round(tally.share, 4),
        "interval": [round(edge, 4) for edge in tally.interval],
        "mean": None if tally.mean is None else round(tally.mean, 2),
        "quartiles": None if tally.quartiles is None else list(tally.quartiles),
        "bankruptcies": tally.bankruptcies,
        "seconds": {"median": round(_seconds(tally, 0.5), 4), "95": round(_seconds(tally, 0.95), 4)},
    }


def _seconds(tally: Tally, part: float) -> float:
    return quantile(tally.seconds, part) if tally.seconds else 0.0


HEADS = ("robot", "seats", "games", "wins", "share", "95 %", "mean", "quartiles", "bankrupt", "s a decision, 95 %")


def _table(found: Sequence[Tally]) -> Iterator[str]:
    rows = [HEADS, *map(_row, found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
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
        "–" if tally.mean is None else f"{tally.mean:.1f}",
        "–" if tally.quartiles is None else " ".join(f"{value:g}" for value in tally.quartiles),
        str(tally.bankruptcies),
        f"{_seconds(tally, 0.5):.3f}, {_seconds(tally, 0.95):.3f}",
    )
