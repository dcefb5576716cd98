"""How a reader wants to be told: how often, at which hours, when to be reminded, and which games differently."""

from collections.abc import Sequence
from datetime import datetime, time
from functools import cache
from zoneinfo import available_timezones

from sqlalchemy import delete, select

from pbem.engine import Value, say
from pbem.engine.reading import shown
from pbem.service.base import BadInput, NoSuch, Office, Problem, queries
from pbem.service.clocks import game_clock
from pbem.service.people import accounts
from pbem.store.statuses import LIVING
from pbem.store.tables import Account, Game, GameNotification, LoggedIn, Seat
from pbem.store.time_controls import STEPS
from pbem.views.accounts import GameNotificationView, LoginView, NotificationsView

MODES = ("turn", "hours", "digest")
GAME_MODES = ("turn", "digest", "mute")
PICTURES = ("inside", "link", "text")
TALK = ("once", "never")
FEWEST_HOURS, MOST_HOURS = 1, 72
LONGEST_NIGHT = 14 * 60
"""Quiet hours in minutes; a day must leave time to answer."""
KEY = 16
"""How much of the hash of its secret names a browser."""
A_DAY = 24 * 60
NO_HOUR = say("This is not a time. Write it like 18:30.")


class Telling(Value):
    """How questions and reminders reach somebody, and how the board comes in emails: inside, link, or text alone."""

    mails: str
    hours: int
    digest_at: time
    reminders: Sequence[str]
    pictures: str = "inside"


@cache
def zones() -> tuple[str, ...]:
    cities = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ("UTC", *sorted(cities))


def of(office: Office, account_id: int) -> NotificationsView:
    with office.read() as session:
        account = session.get_one(Account, account_id)
        quiet = game_clock.quiet_of(account)
        return NotificationsView(
            mails=account.mails,
            hours=account.mail_hours,
            digest_at=game_clock.clock_time(account.digest_at),
            reminders=game_clock.steps_of(account),
            zone=account.zone,
            quiet=quiet,
            pictures=account.pictures,
        )


def tell(office: Office, account_id: int, wish: Telling) -> None:
    """Change how questions reach an account. Raises :class:`BadInput`."""
    problems = []
    if wish.mails not in MODES:
        problems.append(
            Problem("mail", say("Choose how you are notified: for every turn, every few hours, or once a day."))
        )
    if not FEWEST_HOURS <= wish.hours <= MOST_HOURS:
        problems.append(
            Problem(
                "every",
                say(
                    "The time between two emails must be {least} to {most} hours.", least=FEWEST_HOURS, most=MOST_HOURS
                ),
            )
        )
    if any(step not in STEPS for step in wish.reminders):
        problems.append(Problem("remind", say("There is no such reminder.")))
    if wish.pictures not in PICTURES:
        problems.append(
            Problem("pictures", say("Choose the board inside the email, a link to it, or text without pictures."))
        )
    if problems:
        raise BadInput(*problems)
    with office.write() as session:
        account = queries.account(session, account_id)
        account.pictures = wish.pictures
        account.mails, account.mail_hours = wish.mails, wish.hours
        account.digest_at = _minutes(wish.digest_at)
        account.reminders = ",".join(step for step in STEPS if step in wish.reminders)


def live(office: Office, account_id: int, zone: str, quiet: tuple[time, time] | None) -> None:
    """Change time zone and quiet hours; running deadlines stay as they are. Raises :class:`BadInput`."""
    problems = []
    if zone not in zones():
        problems.append(Problem("zone", say("“{zone}” is not a time zone we know.", zone=shown(zone))))
    first, last = (_minutes(quiet[0]), _minutes(quiet[1])) if quiet else (0, 0)
    if (last - first) % A_DAY > LONGEST_NIGHT:
        problems.append(Problem("quiet", say("Quiet hours can be at most {n} hours long.", n=LONGEST_NIGHT // 60)))
    if problems:
        raise BadInput(*problems)
    with office.write() as session:
        account = queries.account(session, account_id)
        account.zone = zone
        account.quiet_from, account.quiet_to = (first, last) if first != last else (None, None)


def guess_zone(office: Office, account_id: int, zone: str) -> None:
    """Take the time zone of a browser for somebody who has chosen none; one that is not known is passed over."""
    if zone not in zones():
        return
    with office.write() as session:
        account = queries.account(session, account_id)
        if account.zone == "UTC":
            account.zone = zone


def games(office: Office, account_id: int) -> tuple[GameNotificationView, ...]:
    """The games that have not ended, with their settings where these differ (``mails`` empty: as for the account)."""
    query = (
        select(Game.id, Game.title, GameNotification.mails, GameNotification.talk)
        .join(Seat)
        .outerjoin(
            GameNotification, (GameNotification.game_id == Game.id) & (GameNotification.account_id == account_id)
        )
        .where(Seat.account_id == account_id, Game.status.in_(LIVING))
        .order_by(Game.opened_at, Game.id)
    )
    with office.read() as session:
        found = session.execute(query)
        return tuple(GameNotificationView(game, title, mails or "", talk or "") for game, title, mails, talk in found)


def differ(office: Office, account_id: int, game_id: str, mails: str, talk: str | None = None) -> None:
    """Change how questions of one game reach an account, ``""``: as those of the others; and how its talk does: once
    (an email for every post), never, ``""`` with the next email, ``None`` as until now.

    Raises :class:`BadInput` and :class:`NoSuch`.
    """
    if mails and mails not in GAME_MODES:
        raise BadInput(Problem("mails", say("Choose every turn, once a day, or muted.")))
    if talk and talk not in TALK:
        raise BadInput(Problem("talk", say("Choose talk with the next email, at once, or never.")))
    with office.write() as session:
        seat = select(Seat.id).where(Seat.game_id == game_id, Seat.account_id == account_id)
        if session.scalar(seat) is None:
            raise NoSuch(f"Account {account_id} has no seat in game {game_id}.")
        queries.account(session, account_id)  # of two requests at once one waits: there is no row to lock yet
        row = session.get(GameNotification, (account_id, game_id))
        if row is None:
            row = GameNotification(account_id=account_id, game_id=game_id, mails="", talk="")
            session.add(row)
        row.mails, row.talk = mails, row.talk if talk is None else talk
        if not (row.mails or row.talk):
            session.flush()
            session.delete(row)


def logins(office: Office, account_id: int, now: datetime) -> tuple[LoginView, ...]:
    """The browsers that are logged in, latest first; ``key`` names one to log it out."""
    query = select(LoggedIn).where(LoggedIn.account_id == account_id, LoggedIn.expires_at > now)
    with office.read() as session:
        found = session.scalars(query.order_by(LoggedIn.created_at.desc()))
        return tuple(LoginView(row.hash[:KEY], row.created_at, row.expires_at) for row in found)


def browser(secret: str) -> str:
    """The key of the browser that keeps this secret."""
    return accounts.hashed(secret)[:KEY]


def log_out(office: Office, account_id: int, key: str) -> None:
    """Forget one browser, or with an empty key all of them."""
    with office.write() as session:
        own = delete(LoggedIn).where(LoggedIn.account_id == account_id)
        session.execute(own.where(LoggedIn.hash.startswith(key, autoescape=True)) if key else own)


def _minutes(hour: time) -> int:
    return hour.hour * 60 + hour.minute
