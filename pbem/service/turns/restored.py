"""A server that was restored from a backup: what to do about all that happened after it, which nobody knows here.

Letters that were waiting in the backup may have left after it, and orders that came after it are gone although their
senders saw them taken. So no such letter is sent again; instead everybody who plays is told once, with the questions
that are open now. What asks for something that nothing else will ask for stays in the outbox: the answer, if there was
one, is gone too. All clocks move by the time between, as after an outage.
"""

from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from pbem.engine import say
from pbem.service.base import NewLetter, Work
from pbem.service.base.task_hints import send_hint
from pbem.service.letters import kinds
from pbem.service.letters.kinds.clocks import SetBack
from pbem.service.turns import outages
from pbem.store.statuses import LIVING, SeatStatus, Sending
from pbem.store.tables import Game, Heartbeat, Letter, PushMessage, Seat, WebhookMessage

REASON = str(say("the server was restored from a backup, and this email may have been sent before"))


def set_back(work: Work, made: datetime) -> int:
    """Put in order what was restored from a backup of ``made``; returns how many people are told."""
    _keep_back(work.session, work.now)
    beat = work.session.get(Heartbeat, outages.THE_ROW)
    outages.move(work.session, outages.Gap(made if beat is None else min(beat.at, work.now), work.now))
    work.session.merge(Heartbeat(id=outages.THE_ROW, at=work.now))
    playing = select(Seat.account_id).join(Game, Game.id == Seat.game_id)
    playing = playing.where(Game.status.in_(LIVING), Seat.account_id.is_not(None), Seat.status != SeatStatus.DECLINED)
    told = sorted({number for number in work.session.scalars(playing.distinct()) if number is not None})
    letter, key = SetBack(made, work.now), f"{SetBack.kind}:{work.now:%Y%m%d%H%M%S}"
    work.write(*(NewLetter(letter, f"{key}:{number}", number) for number in told))
    return len(told)


def waiting(session: Session) -> int:
    return session.scalars(select(func.count()).where(Letter.status == Sending.WAITING)).one()


def hint_all(work: Work) -> None:
    """Letters that are due can leave at once: nothing happened after the backup."""
    due = select(Letter.id).where(
        Letter.status == Sending.WAITING, Letter.held.is_(False), Letter.next_try_at <= work.now
    )
    work.hints.extend(send_hint(number) for number in work.session.scalars(due.order_by(Letter.id)))


def _keep_back(session: Session, now: datetime) -> None:
    # those that stay have the same Message-ID, should they have been sent before
    staying = kinds.names(lambda kind: kind.survives_restore)
    may_have_left = (Letter.status == Sending.WAITING) & (Letter.next_try_at <= now) & Letter.kind.not_in(staying)
    session.execute(update(Letter).where(may_have_left).values(status=Sending.WITHDRAWN, last_error=REASON))
    may_have_told = (WebhookMessage.status == Sending.WAITING) & (WebhookMessage.next_try_at <= now)
    session.execute(update(WebhookMessage).where(may_have_told).values(status=Sending.WITHDRAWN, answer=REASON))
    may_have_rung = (PushMessage.status == Sending.WAITING) & (PushMessage.next_try_at <= now)
    session.execute(update(PushMessage).where(may_have_rung).values(status=Sending.WITHDRAWN, answer=REASON))
    session.execute(update(Letter).where(Letter.status == Sending.WAITING).values(claimed_until=None))
