"""Games that are about to end: in their last turn, with an answer due within a day."""

from datetime import datetime, timedelta

from sqlalchemy import select

from pbem.service.base.office import Office
from pbem.service.games import game_lists
from pbem.store.statuses import GameStatus
from pbem.store.tables import Game
from pbem.views.games import GameLine

SOON = timedelta(days=1)
LOOKED_AT = 60
"""Games with answers due soon, at the most: few of them are in their last turn, and a start page is for a glance."""


def ending(office: Office, now: datetime, most: int) -> tuple[GameLine, ...]:
    """Games of public lists whose last turn goes on, soonest answer first; only of sheets with a fixed last turn."""
    query = (
        select(Game)
        .where(
            Game.status == GameStatus.RUNNING,
            Game.deadline_at <= now + SOON,
            Game.unlisted.is_(False),
            Game.lesson == "",
            Game.paused_at.is_(None),
        )
        .order_by(Game.deadline_at)
        .limit(LOOKED_AT)
        .options(*game_lists.BRIEF)
    )
    with office.read() as session:
        lines = game_lists.lines(office, session, session.scalars(query).all())
    return tuple(line for line in lines if line.turn == line.sheet.turns(len(line.seats)))[:most]
