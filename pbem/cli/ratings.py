"""Count all finished games again, and rate everybody anew from the first game on.

Statistics and ratings are brought up to date whenever a game ends, so this is needed only after a change of how they
are computed, or to see that they are right. The outcome is the same however often it runs, and the server can keep
running.
"""

import argparse
import sys
import time
from datetime import UTC, datetime

from pbem.cli._office import office
from pbem.engine import catalog
from pbem.service.statistics import counting, ratings

EVERY = 10.0


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--only-ratings", action="store_true", help="rate anew from the results that are counted, without reading games"
    )


def run(args: argparse.Namespace) -> int:
    with office() as opened:
        if not args.only_ratings:
            total, done, told = counting.finished(opened), 0, time.monotonic()
            for game_id in counting.ids(opened):
                counting.count_again(opened, game_id, datetime.now(UTC))
                done += 1
                if time.monotonic() - told >= EVERY:
                    told = time.monotonic()
                    print(f"{done} of {total} games are counted", file=sys.stderr)
            for sheet in catalog.sheets():
                counting.add_up(opened, sheet.game, sheet.slug)
            print(f"{done} games are counted.")
        for game in sorted({sheet.game for sheet in catalog.sheets()}):
            print(f"{game}: {ratings.rate_again(opened, game)} games are rated.")
    return 0
