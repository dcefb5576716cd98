"""Open a game, email the invitations and print its id."""

import argparse
from datetime import UTC, date, datetime, timedelta
from email.utils import getaddresses

from pbem.cli import _sheets
from pbem.cli._office import office
from pbem.cli._terminal import Failure
from pbem.engine import replace
from pbem.robot import opponents
from pbem.service import BadInput
from pbem.service.base import Office
from pbem.service.clocks import time_controls
from pbem.service.games import listed_tables, opening, terms
from pbem.service.games.terms import Terms
from pbem.service.own_maps import versions
from pbem.store.statuses import SeatsLeft
from pbem.store.time_controls import AT_ZERO


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help="for example age-of-steam (see pbem maps)")
    parser.add_argument("map", help="for example rust_belt (see pbem maps), or the hash of an own map")
    parser.add_argument(
        "--players", default="", help="email addresses, separated by commas: a@x,b@y or 'Ana <a@x>, Ben <b@y>'"
    )
    parser.add_argument(
        "--robot",
        action="append",
        default=[],
        metavar="NAME",
        choices=list(opponents.every()),
        help=f"a robot for one more seat, {', '.join(opponents.every())}; can be given several times",
    )
    parser.add_argument(
        "--robot-minutes",
        type=float,
        default=0,
        help="how long robots wait before they answer, at the most and by day (default: they answer at once)",
    )
    parser.add_argument("--title", default="", help="name of the game (default: the map's)")
    _add_open_table(parser.add_argument_group("open table", "seats that anybody can take until the game starts"))
    _add_time_control(parser.add_argument_group("time control"))
    parser.add_argument(
        "--grace-minutes",
        type=float,
        default=10,
        help="how long players can take back orders before the next player is told (default: 10; 0 for a fast game)",
    )
    parser.add_argument("--unlisted", action="store_true", help="in no public list; only players and spectators see it")
    parser.add_argument("--friendly", action="store_true", help="nobody's rating changes by this game")
    parser.add_argument("--programs", action="store_true", help="programs may take seats")
    parser.add_argument(
        "--planning",
        action="store_true",
        help="open every turn with one planning email that asks for everything: fewer emails",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the map (see pbem maps --json)",
    )


def _add_open_table(parser: argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "--open",
        type=int,
        default=0,
        metavar="SEATS",
        help="so many seats are for anybody; prints the link to pass on as well",
    )
    parser.add_argument(
        "--open-days", type=float, default=7, help="after how many days it is decided about free seats (default: 7)"
    )
    parser.add_argument(
        "--if-free",
        choices=[one.value for one in SeatsLeft],
        default=SeatsLeft.ROBOTS.value,
        help="what happens then: robots take the seats (default), the table waits another week, or it is called off",
    )
    parser.add_argument(
        "--language",
        action="append",
        choices=list(terms.LANGUAGES),
        help="a language to talk in (default: en); can be given several times",
    )
    parser.add_argument(
        "--experience", choices=list(terms.EXPERIENCE), default="any", help="whom you expect (default: any)"
    )
    parser.add_argument("--by-link", action="store_true", help="not in the list of open tables; only by the link")


def _add_time_control(parser: argparse._ArgumentGroup) -> None:
    parser.add_argument("--turn-hours", type=float, default=72, help="time for each answer, in hours (default: 72)")
    parser.add_argument(
        "--bank-hours",
        type=float,
        default=0,
        help="extra time for each player for the whole game, in hours (default: none)",
    )
    parser.add_argument(
        "--keep-up-to-hours",
        type=float,
        default=0,
        help="keep unused time for later questions, up to this many hours; players start with --bank-hours",
    )
    parser.add_argument(
        "--free-weekends", action="store_true", help="Saturdays and Sundays do not count, in each player's time zone"
    )
    parser.add_argument(
        "--public-holidays", default="", metavar="COUNTRY",
        help="public holidays of a country do not count, or of its region: DE, DE-BY",
    )  # fmt: skip
    parser.add_argument("--holidays", default="", help="more days that do not count: 2026-12-24,2026-12-25")
    parser.add_argument(
        "--at-zero",
        choices=AT_ZERO,
        default=AT_ZERO[0],
        help="when a player's time is over: play a safe order (default), let a caretaker play until the "
        "player is back, or look for a substitute",
    )


def run(args: argparse.Namespace) -> int:
    now = datetime.now(UTC)
    new = opening.NewGame(
        title=args.title,
        game=args.game,
        map=args.map,
        players=_invited(args.players),
        options=dict(_choice(text) for text in args.option),
        turn_time=_time("--turn-hours", "hours", args.turn_hours),
        bank=_time("--bank-hours", "hours", args.bank_hours),
        cap=_time("--keep-up-to-hours", "hours", args.keep_up_to_hours),
        weekends=not args.free_weekends,
        holidays=_holidays(args.holidays),
        at_zero=args.at_zero,
        country=args.public_holidays,
        grace=_time("--grace-minutes", "minutes", args.grace_minutes),
        unlisted=args.unlisted,
        friendly=args.friendly,
        programs=args.programs,
        planning=args.planning,
        open_to=_terms(args, now) if args.open else None,
        robots=tuple(args.robot),
        robot_pause=_time("--robot-minutes", "minutes", args.robot_minutes),
    )
    with office() as opened:
        new = replace(new, map=_map(opened, args.map))
        number = opening.open_game(opened, None, new, now)
        print(number)
        print(opened.addresses.game(number))
        if new.open_to is not None:
            print(listed_tables.link(opened, number))
    return 0


def _map(opened: Office, named: str) -> str:
    """The map as games name it; that of an own map is found by the first digits of its hash. Raises Failure."""
    if _sheets.drawing_of(named) is not None:
        raise Failure(
            f"{named} is a drawing: begin a map with that file on the page My maps of the server, and name it here by "
            "the hash that its page shows.",
            2,
        )
    if not _sheets.HASH.fullmatch(named):
        return named
    found = versions.beginning(opened, named)
    if len(found) != 1:
        raise Failure(f"{len(found)} versions of maps on this server have a hash that begins with {named}.")
    return found[0][0].slug


def _invited(text: str) -> tuple[opening.Invited, ...]:
    """Nobody, from an empty text: some versions of Python read one empty address out of it, others none."""
    named = getaddresses([text]) if text.strip() else []
    return tuple(opening.Invited(address, name) for name, address in named)


def _terms(args: argparse.Namespace, now: datetime) -> Terms:
    try:
        fill_at = now + _time("--open-days", "days", args.open_days)
    except OverflowError as error:
        raise Failure("--open-days must be a number of days.", 2) from error
    languages = tuple(args.language or ["en"])
    return Terms(args.open, fill_at, SeatsLeft(args.if_free), languages, args.experience, listed=not args.by_link)


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


def _holidays(text: str) -> tuple[date, ...]:
    try:
        return time_controls.read_holidays(text)
    except BadInput as bad:
        raise Failure(f"--holidays: {bad.problems[0].sentence}", 2) from bad
