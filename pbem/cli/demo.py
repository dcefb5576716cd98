"""Play a whole game with robots, with a real web server, worker, clock and mail server.

Prints its progress. Boards, emails, the archived game and the record are in the folder given with -o afterwards.
"""

import argparse
from pathlib import Path

from pbem.cli import _sheets
from pbem.cli._terminal import Failure
from pbem.demo import game
from pbem.demo.browser import Astray
from pbem.language import languages
from pbem.runtime import Ended, Stopped, stoppable


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", default="age-of-steam", help="default: age-of-steam")
    parser.add_argument("map", nargs="?", default="rust_belt", help="default: rust_belt")
    parser.add_argument("--players", type=int, metavar="N", help=f"default: {_sheets.USUAL}, or what the map allows")
    parser.add_argument("--seed", default="1", help="the same seed plays the same game (default: 1)")
    parser.add_argument(
        "--plan", action="store_true", help="robots plan their turns and use standing orders: fewer emails"
    )
    parser.add_argument("--reply", action="store_true", help="robots answer emails by email, and know nothing but them")
    parser.add_argument(
        "--languages",
        type=_languages,
        default=("en",),
        metavar="CODES",
        help="of the players, one after the other: en,pt,es,pl (default: en)",
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("demo"), metavar="FOLDER", help="default: demo")


def _languages(text: str) -> tuple[str, ...]:
    known, wanted = [language.code for language in languages()], tuple(text.split(","))
    if not set(wanted) <= set(known):
        raise argparse.ArgumentTypeError(f"the languages are {', '.join(known)}")
    return wanted


def run(args: argparse.Namespace) -> int:
    if _sheets.drawing_of(args.map) is not None:
        raise Failure(f"A demo is of an installed map. `pbem play age-of-steam {args.map}` plays this one.", 2)
    sheet = _sheets.find(args.game, args.map)
    players = _sheets.players(sheet, args.players or (len(args.languages) if len(args.languages) > 1 else None))
    plan = game.Setup(
        sheet, players, args.seed, args.output, ahead=args.plan, reply=args.reply, languages=args.languages
    )
    try:
        with stoppable():
            game.run(plan, lambda line: print(line, flush=True))
    except Stopped as stopped:
        return 128 + stopped.number
    except (Astray, Ended, game.Occupied) as error:
        raise Failure(str(error)) from error
    return 0
