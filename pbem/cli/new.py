"""Open a game and mail the invitations; prints its id."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime, timedelta
from email.utils import getaddresses

from pbem.cli._failure import Failure
from pbem.cli._office import office
from pbem.service import games


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help="for example age-of-steam; pbem maps lists all")
    parser.add_argument("map", help="for example rust_belt")
    parser.add_argument(
        "--players", required=True, help="addresses, separated by commas: a@x,b@y or 'Ana <a@x>, Ben <b@y>'"
    )
    parser.add_argument("--title", default="", help="name of the game (default: the map's)")
    parser.add_argument("--turn-hours", type=float, default=72, help="time for an answer in hours (default: 72)")
    parser.add_argument(
        "--grace-minutes",
        type=float,
        default=10,
        help="for how long orders can be taken back before the next player is told (default: 10; 0 for a fast table)",
    )
    parser.add_argument("--unlisted", action="store_true", help="in no public list; for players and spectators only")
    parser.add_argument(
        "--planning",
        action="store_true",
        help="open every turn with one letter that asks for all that can be planned: fewer mails",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a choice of the map; pbem maps --json lists them",
    )


def run(args: argparse.Namespace) -> int:
    new = games.NewGame(
        title=args.title or args.map.replace("_", " ").title(),
        game=args.game,
        map=args.map,
        players=tuple(games.Invited(address, name) for name, address in getaddresses([args.players])),
        options=dict(_choice(text) for text in args.option),
        turn_time=_time("--turn-hours", "hours", args.turn_hours),
        grace=_time("--grace-minutes", "minutes", args.grace_minutes),
        unlisted=args.unlisted,
    )
    with office() as opened:
        number = games.open_game(opened, None, new, datetime.now(UTC))
        print(number)
        print(opened.addresses.game(number))
    return 0


def _time(name: str, unit: str, number: float) -> timedelta:
    try:
        return timedelta(**{unit: number})
    except (OverflowError, ValueError) as error:
        raise Failure(f"{name} must be a number of {unit}.", 2) from error


def _choice(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise Failure(f"--option {text}: expected KEY=VALUE.", 2)
    return key, value
