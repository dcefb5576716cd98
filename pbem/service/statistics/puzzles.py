"""A puzzle a day: an order of a game that ended long ago beside the one that was clearly better or worse.

Which one it is follows from the day, so nothing is stored.
"""

from datetime import date, datetime, time, timedelta
from hashlib import sha256
from zoneinfo import ZoneInfo

from sqlalchemy import exists, select

from pbem.engine.values import Value
from pbem.robot import review
from pbem.robot.review.comparisons import SURE, Comparison
from pbem.service.base.office import Office
from pbem.store.statuses import GameStatus, ReviewStatus
from pbem.store.tables import Account, Game, ReviewRow, Seat

RESTS = timedelta(days=30)
"""How long ago a game must have ended."""
LEAST = 3.0
"""Points that one order is better by than the other, and surely: :data:`SURE` standard errors."""
LOOKED_AT = 300
"""Games among which it is looked for, the latest that ended long enough ago."""
UTC = ZoneInfo("UTC")


class Puzzle(Value):
    """Two orders of a position, in an order of their own. ``better``: which one is, 0 or 1."""

    game: str
    one: Comparison
    orders: tuple[str, str]
    better: int


def of_day(office: Office, day: date) -> Puzzle | None:
    """The puzzle of a day; ``None`` while no game has one. Everybody in its game lets reviews list the own orders."""
    against = exists().where(Seat.game_id == Game.id, Account.id == Seat.account_id, Account.reviewed.is_(False))
    until = datetime.combine(day, time(), UTC) - RESTS
    query = (
        select(Game.id)
        .join(ReviewRow, ReviewRow.game_id == Game.id)
        .where(ReviewRow.status == ReviewStatus.DONE, Game.status == GameStatus.OVER, Game.unlisted.is_(False))
        .where(Game.ended_at <= until, ~against)
        .order_by(Game.ended_at.desc(), Game.id)
        .limit(LOOKED_AT)
    )
    with office.read() as session:
        for game in sorted(session.scalars(query), key=lambda game: _seal(day, game)):
            found = [one for one in review.stored(session.get_one(ReviewRow, game).found)[0] if _is_one(one)]
            if found:
                return _puzzle(day, game, min(found, key=lambda one: _seal(day, game, one.number)))
    return None


def _puzzle(day: date, game: str, one: Comparison) -> Puzzle:
    better = 0 if one.mistake else 1
    orders = one.better, one.played
    turned = int(_seal(day, game, "order"), 16) % 2
    return Puzzle(game, one, orders[::-1], 1 - better) if turned else Puzzle(game, one, orders, better)


def _is_one(one: Comparison) -> bool:
    return one.clear and abs(one.lead.value) >= max(LEAST, SURE * one.lead.error)


def _seal(day: date, *about: object) -> str:
    """Games of a day are asked in the order of these, so a new one changes its puzzle only if it is the first."""
    return sha256(f"{day} {about}".encode()).hexdigest()
