"""What search engines may find: finished games whose players all allow it.

A seat that has changed hands keeps a game out, because its former players are named in the log as well; so does a seat
without an account, whose player nobody can ask. Robots are not asked.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, or_, select
from sqlalchemy.orm import aliased

from pbem.engine import Value
from pbem.service.base import Office
from pbem.store.statuses import GameStatus
from pbem.store.tables import Account, Game, Seat

MOST = 1000
"""Games that are named to search engines, the latest."""


class Found(Value):
    game: str
    ended_at: datetime


def may_be_found(office: Office, game_id: str) -> bool:
    with office.read() as session:
        return session.scalar(select(Game.id).where(Game.id == game_id, _open_to_all(), _all_allow())) is not None


def games(office: Office) -> tuple[Found, ...]:
    """All that search engines may find, the latest first; looked for among those of players who allow it."""
    theirs = select(Seat.game_id).join(Account, Account.id == Seat.account_id).where(Account.findable)
    query = select(Game.id, Game.ended_at).where(Game.id.in_(theirs), _open_to_all(), _all_allow())
    with office.read() as session:
        found = session.execute(query.order_by(Game.ended_at.desc(), Game.id).limit(MOST))
        return tuple(Found(game, ended) for game, ended in found if ended is not None)


def _open_to_all() -> ColumnElement[bool]:
    return and_(Game.status == GameStatus.OVER, Game.unlisted.is_(False), Game.imported.is_(None))


def _all_allow() -> ColumnElement[bool]:
    """Somebody plays in it, and nobody who does not allow it."""
    seat, holder = aliased(Seat), aliased(Account)
    agrees = exists().where(holder.id == seat.account_id, holder.findable)
    person = and_(seat.game_id == Game.id, seat.robot == "")
    against = exists().where(person, or_(seat.holder > 0, ~agrees))
    return and_(exists().where(person), ~against)
