"""Invitations to people who have never answered anything: a few, and the others wait until they do.

So nobody can have us write to strangers again and again, from however many accounts. Nobody is told which addresses
have answered.
"""

from datetime import datetime, timedelta

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from pbem.service.base import mailboxes
from pbem.service.letters import kinds
from pbem.store.statuses import Sending
from pbem.store.tables import Account, Letter, LoggedIn, Login, Seat

MOST, WITHIN = 5, timedelta(days=30)
"""How many invitations go to the mailbox of a stranger within a time."""
LOOKED_AT_AGAIN = timedelta(hours=6)
"""How long a letter waits before it is looked at whether its reader has answered by now."""


def must_wait(session: Session, letter: Letter, now: datetime) -> bool:
    """Whether this is an invitation to somebody who has had enough of them and never answered any."""
    if not kinds.named(letter.kind).to_strangers or _has_answered(session, letter.account_id):
        return False
    address = session.get_one(Account, letter.account_id).address
    sent = select(func.count()).where(
        Letter.account_id.in_(mailboxes.accounts_of(session, address)),
        Letter.kind.in_(kinds.names(lambda kind: kind.to_strangers)),
        Letter.status == Sending.SENT,
        Letter.sent_at > now - WITHIN,
    )
    return session.scalars(sent).one() >= MOST


def _has_answered(session: Session, account_id: int) -> bool:
    invited = select(Seat.id).where(Seat.account_id == account_id, Seat.answered_at.is_not(None))
    entered = select(Login.id).where(Login.account_id == account_id, Login.used_at.is_not(None))
    inside = select(LoggedIn.hash).where(LoggedIn.account_id == account_id)
    answered = select(Account.id).where(
        Account.id == account_id, or_(invited.exists(), entered.exists(), inside.exists())
    )
    return session.scalar(answered) is not None
