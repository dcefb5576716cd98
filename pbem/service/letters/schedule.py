"""When a letter leaves: how often a reader wants questions, and the hours in which nothing may disturb."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.engine import Value
from pbem.service.clocks import game_clock
from pbem.service.letters import kinds
from pbem.service.letters.kinds import Timing
from pbem.store.statuses import Sending
from pbem.store.tables import Account, Game, GameNotification, Letter
from pbem.store.time_controls import Calendar

LAST_DAY = timedelta(days=1)
"""A question with no more time than this is never held back."""


class Departure(Value):
    """When a letter may leave; ``held``: together with others, in a digest."""

    at: datetime
    held: bool = False


def departure(
    session: Session, account: Account, kind: str, game: Game | None, at: datetime, asked: datetime | None = None
) -> Departure:
    """When a letter that could leave at ``at`` does. ``asked``: when the last question leaves that is no row yet."""
    timing = kinds.named(kind).timing
    if timing is Timing.ANY_HOUR:
        return Departure(at)
    planned = Departure(at)
    if timing in (Timing.QUESTION, Timing.MERGED) and game is not None and game.deadline_at is not None:
        planned = _question(session, account, game, at, asked)
    return Departure(awake(account, planned.at), planned.held and timing is Timing.MERGED)


def awake(account: Account, at: datetime) -> datetime:
    """This moment, or the end of the quiet hours it is in."""
    calendar = Calendar(game_clock.zone_of(account), quiet=game_clock.quiet_of(account))
    return calendar.quiet_until(at) or at


def may_ring(session: Session, account: Account, game: Game, at: datetime) -> datetime:
    """When a device may tell a question that is asked at ``at``: outside the quiet hours, and of a muted game as late
    as an email would come."""
    muted = mode(session, account, game.id) == "mute" and game.deadline_at is not None
    return awake(account, _question(session, account, game, at, None).at if muted else at)


def mode(session: Session, account: Account, game_id: str) -> str:
    """How questions of a game reach this reader: turn hours digest mute."""
    habit = session.get(GameNotification, (account.id, game_id))
    return (habit.mails if habit is not None else "") or account.mails


def next_digest(account: Account, after: datetime) -> datetime:
    zone, hour = game_clock.zone_of(account), game_clock.clock_time(account.digest_at)
    day = after.astimezone(zone).date()
    days = (datetime.combine(day + timedelta(days=n), hour, zone).astimezone(UTC) for n in range(3))
    return awake(account, next(moment for moment in days if moment > after))


def _question(session: Session, account: Account, game: Game, at: datetime, asked: datetime | None) -> Departure:
    deadline = game.deadline_at
    assert deadline is not None
    last_call = deadline - LAST_DAY
    match mode(session, account, game.id):
        case "hours":
            told = [moment for moment in (_last_told(session, account), asked) if moment is not None]
            hold = max(at, max(told) + timedelta(hours=account.mail_hours)) if told else at
        case "digest":
            hold = next_digest(account, at)
        case "mute":
            hold, last_call = deadline, deadline - min(LAST_DAY, (deadline - at) / 3)
        case _:
            hold = at
    if last_call <= hold:
        return Departure(max(at, min(hold, last_call)))
    return Departure(hold, held=hold > at)


def _last_told(session: Session, account: Account) -> datetime | None:
    """When the last letter about a question left, or will; ``None`` when there is none."""
    told = select(func.max(func.coalesce(Letter.sent_at, Letter.next_try_at))).where(
        Letter.account_id == account.id,
        Letter.kind.in_(kinds.names(lambda kind: kind.asks)),
        Letter.status.in_([Sending.WAITING, Sending.SENT]),
        Letter.held.is_(False),
    )
    return session.scalar(told)
