"""Play orders again that were set aside because of an error in pbem, once it is fixed.

Without numbers, lists them. Orders that no longer answer a question, because their sender has sent others or the game
has moved on, are closed. pbem doctor tells you when orders are stuck.
"""

import argparse
from datetime import UTC, datetime

from pbem.cli._office import office
from pbem.cli._terminal import Failure
from pbem.service import Office
from pbem.service.turns import stuck


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("numbers", metavar="NUMBER", nargs="*", type=int, help="orders, by the number in the list")
    parser.add_argument("--all", action="store_true", help="all orders in the list")


def run(args: argparse.Namespace) -> int:
    with office() as opened:
        waiting = stuck.of_all(opened)
        if args.all or args.numbers:
            _play(opened, [row.submission for row in waiting] if args.all else args.numbers)
            return 0
        for row in waiting:
            fate = "can be played" if row.answer else "no longer answers a question"
            print(f"{row.submission}  game {row.game}, since {row.since:%Y-%m-%d %H:%M} UTC: {fate}")
        if not waiting:
            print("No orders are stuck.")
    return 0


def _play(opened: Office, numbers: list[int]) -> None:
    told = stuck.play_again(opened, numbers, datetime.now(UTC))
    for number, played in told.items():
        print(f"{number}  {'a worker plays it now' if played else 'closed: the game has moved on'}")
    missing = [str(number) for number in numbers if number not in told]
    if missing:
        raise Failure(f"No such orders are stuck: {', '.join(missing)}.")
