"""The first game of somebody who has never played: a lesson by email, for an account or for whoever was invited."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from pbem.engine.text import say
from pbem.service.base import queries
from pbem.service.base.errors import NotNow
from pbem.service.base.office import Office
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import guests, opening
from pbem.service.turns import lessons
from pbem.store.statuses import PLAYING
from pbem.store.tables import Account, Game, Seat
from pbem.views.accounts import AccountView


def begin(office: Office, account_id: int, now: datetime) -> str:
    """Open the first game of an account, whose first email leaves at once; returns its id.

    One that is not over is gone on with. Raises :class:`rate_limits.TooMuch`.
    """
    with office.read() as session:
        own = select(Game.id).join(Seat, Seat.game_id == Game.id).where(
            Seat.account_id == account_id, Game.lesson == lessons.FIRST, Game.status.in_(PLAYING)
        )  # fmt: skip
        running = session.scalar(own.order_by(Game.opened_at).limit(1))
    return running or opening.open_game(office, account_id, guests.first_game().new_game(), now)


def invited(office: Office, claim: InvitationClaim) -> AccountView:
    """Whose invitation it is: who reads it can begin the first game with it, and give no address.

    Raises :class:`NoSuch`, and :class:`NotNow` when the seat has nobody any more.
    """
    with office.read() as session:
        seat = queries.numbered(session, claim.game, claim.number)
        mine = seat.account_id is not None and seat.holder == claim.holder
        account = session.get(Account, seat.account_id) if mine else None
        if account is None:
            raise NotNow(say("The person invited by this link no longer has an account."))
        return AccountView(account.id, account.address, account.name, account.zone, account.language)
