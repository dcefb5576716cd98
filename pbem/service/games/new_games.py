"""What a host fills in to open a game, and what is wrong with it."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from pbem.engine import Sheet, Value, catalog, field, say
from pbem.engine.text import listed
from pbem.robot import opponents
from pbem.service.base import BadInput, Problem, validation
from pbem.service.clocks import robot_clock, time_controls
from pbem.service.clocks.grace import GRACE, LONGEST_GRACE
from pbem.service.games import terms
from pbem.service.games.terms import Terms
from pbem.store.time_controls import NO_TIME, TimeControl

TURN_TIME = timedelta(days=3)


class Invited(Value):
    """Somebody to be invited; without a name called by the address, and by the account's own name from accepting on.

    ``language``: of emails to somebody who has no account yet; that of the host where it is empty. ``account``: of
    somebody with whom the host has played, in place of an address and a name.
    """

    address: str = ""
    name: str = ""
    language: str = ""
    account: int | None = None


class NewGame(Value):
    """What a host fills in. ``players`` does not hold the host, who has the first seat when ``plays``."""

    title: str
    """Empty: that of the map."""
    game: str
    map: str
    players: tuple[Invited, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    turn_time: timedelta = TURN_TIME
    bank: timedelta = NO_TIME
    cap: timedelta = NO_TIME
    weekends: bool = True
    holidays: tuple[date, ...] = ()
    at_zero: str = "default"
    country: str = ""
    """These and ``turn_time`` are the :class:`pbem.store.time_controls.TimeControl` of the game."""
    grace: timedelta = GRACE
    """How long orders can be taken back and the next player is not told."""
    unlisted: bool = False
    """In no public list, and only for its people and spectators with a link."""
    friendly: bool = False
    """No ratings follow from it."""
    programs: bool = False
    """Whether programs may take seats."""
    rematch_of: str = ""
    plays: bool = True
    planning: bool = False
    """Whether one letter at the opening of a turn asks for all that can be planned."""
    robots: tuple[str, ...] = ()
    """Robots of ``pbem.robot.opponents`` that sit behind the people."""
    guest: str = ""
    """Who plays without an account until an address is confirmed; see ``pbem.service.games.guests``."""
    robot_pause: timedelta = NO_TIME
    """How long robots wait before they answer, at the most; none: they answer at once."""
    open_to: Terms | None = None
    """How anybody can join."""
    seed: bytes = b""
    """Empty: 32 random bytes, as every real game has it."""
    lesson: str = ""
    """A lesson of ``pbem.service.turns.lessons``, whose seed, sheet and opening the game then has."""

    @property
    def time_control(self) -> TimeControl:
        days = self.weekends, self.holidays
        return TimeControl(self.turn_time, self.bank, self.cap, *days, self.at_zero, self.country)


def checked(new: NewGame, host_plays: bool, now: datetime) -> Sheet:
    """The sheet; raises :class:`BadInput` with all that is wrong."""
    problems: list[Problem] = []
    title = validation.one_line(new.title[:1000])
    if title and (wrong := validation.name_problem(title, validation.LONGEST_TITLE)) is not None:
        problems.append(Problem("title", wrong))
    problems.extend(time_controls.problems(new.time_control))
    if not NO_TIME <= new.grace <= LONGEST_GRACE:
        problems.append(Problem("grace", say("The time to take back orders can be at most 24 hours.")))
    problems.extend(_player_problems(new))
    problems.extend(robot_clock.problems(new.robot_pause))
    for character in new.robots:
        known_robot(character)
    try:
        sheet = catalog.sheet(new.game, new.map)
    except catalog.UnknownSheet as unknown:
        raise BadInput(*problems, Problem("map", say("{sentence}", sentence=str(unknown)))) from unknown
    seated = len(new.players) + bool(new.guest) + len(new.robots) + host_plays
    if new.open_to is not None:
        problems.extend(terms.problems(new.open_to, now, now))
        seated += new.open_to.seats
    problems.extend(_sheet_problems(sheet, new, seated))
    if problems:
        raise BadInput(*problems)
    return sheet


def _player_problems(new: NewGame) -> list[Problem]:
    problems: list[Problem] = []
    seen: set[str] = set()
    for number, player in enumerate(new.players):
        if player.account is not None:
            continue
        field_name = f"players.{number}"
        name = validation.one_line(player.name[:1000])
        if name and (wrong := validation.name_problem(name)) is not None:
            problems.append(Problem(field_name, wrong))
        try:
            address = validation.address(player.address)
        except BadInput as bad:
            problems.append(Problem(field_name, bad.problems[0].sentence))
            continue
        if address in seen:
            problems.append(Problem(field_name, say("{address} is listed twice.", address=address)))
        seen.add(address)
    return problems


def _sheet_problems(sheet: Sheet, new: NewGame, players: int) -> list[Problem]:
    problems: list[Problem] = []
    counts = sheet.player_counts()
    if players not in counts:
        sentence = say(
            "{map} is for {least} to {most} players; there are {n}.",
            map=sheet.name, least=counts[0], most=counts[-1], n=players,
        )  # fmt: skip
        problems.append(Problem("players", sentence))
    options = {option.key: option for option in sheet.options()}
    for key, value in new.options.items():
        if key not in options or value not in options[key].choices:
            problems.append(Problem(f"options.{key}", say("This map has no such option.")))
    return problems


def known_robot(character: str) -> None:
    """Raises :class:`BadInput` for a robot that there is not."""
    if character not in opponents.every():
        known = [one.key for one in opponents.every().values()]
        raise BadInput(Problem("robots", say("There is no such robot. You can choose {known}.", known=listed(known))))
