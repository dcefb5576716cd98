"""Emails that were given up, because no server took them or because they came back: for the operator."""

from datetime import datetime, timedelta

from sqlalchemy import select

from pbem.service.base import Office
from pbem.service.base.task_hints import send_hint
from pbem.store.statuses import Sending
from pbem.store.tables import Letter

LATELY = timedelta(days=30)
"""What is older is not sent any more."""
TRIED = 1
"""Where such an email begins to count its attempts: nothing is added to what was tried, it may have arrived."""
AT_ONCE = 200
"""The next wait for another press of the button."""


def send_again(office: Office, now: datetime) -> int:
    """Let emails wait again that were given up lately, oldest first; returns how many.

    What nobody needs any more, and what would go to an address that takes no emails, is withdrawn when its turn comes.
    """
    lately = (Letter.status == Sending.FAILED, Letter.created_at > now - LATELY)
    with office.work(now) as work:
        query = select(Letter).where(*lately).order_by(Letter.id).limit(AT_ONCE)
        found = work.session.scalars(query.with_for_update()).all()
        for row in found:
            row.status, row.attempts, row.next_try_at = Sending.WAITING, TRIED, now
            work.hints.append(send_hint(row.id))
        return len(found)


def clear(office: Office) -> int:
    """Nobody needs these emails any more; returns how many there were. What the mail server said stays with each."""
    with office.write() as session:
        query = select(Letter).where(Letter.status == Sending.FAILED).order_by(Letter.id).limit(AT_ONCE)
        found = session.scalars(query.with_for_update()).all()
        for row in found:
            row.status = Sending.WITHDRAWN
        return len(found)
