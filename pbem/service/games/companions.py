"""With whom somebody plays or has played lately: people who can be invited by name, without a word of their address."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine import say
from pbem.service.base import Office
from pbem.store.statuses import PLAYING, GameStatus
from pbem.store.tables import Account, Block, Game, Seat
from pbem.views.people import Companion

NOT_KNOWN = say("By name you can invite only people with whom you play or have played lately.")
GAMES, PEOPLE = 30, 8
"""In how many of somebody's games begun last they are looked for, and how many are offered."""


def recent(office: Office, account_id: int, game_id: str = "") -> tuple[Companion, ...]:
    """The people of the last games of an account, those of the latest first. ``game_id``: without who has a seat in
    this game."""
    with office.read() as session:
        here = set(session.scalars(select(Seat.account_id).where(Seat.game_id == game_id))) if game_id else set()
        return tuple(one for one in of(session, account_id) if one.account not in here)[:PEOPLE]


def of(session: Session, account_id: int) -> tuple[Companion, ...]:
    """All of them, each by the name in the latest game together; nobody of whom one has blocked the other."""
    games = list(
        session.scalars(
            select(Game.id)
            .join(Seat, Seat.game_id == Game.id)
            .where(Seat.account_id == account_id, Game.status.in_((*PLAYING, GameStatus.OVER)))
            .order_by(Game.started_at.desc(), Game.id)
            .limit(GAMES)
        )
    )
    mine = select(Block.blocked_id).where(Block.account_id == account_id)
    theirs = select(Block.account_id).where(Block.blocked_id == account_id)
    others = (
        select(Account.id, Seat.name, Seat.game_id, Seat.number)
        .join(Seat, Seat.account_id == Account.id)
        .where(Seat.game_id.in_(games))
        .where(Account.id != account_id, Account.deleted_at.is_(None), Account.barred_at.is_(None))
        .where(Account.id.not_in(mine), Account.id.not_in(theirs))
    )
    found = sorted(session.execute(others), key=lambda row: (games.index(row.game_id), row.number))
    names: dict[int, str] = {}
    for row in found:
        names.setdefault(row.id, row.name)
    return tuple(Companion(number, name) for number, name in names.items())
