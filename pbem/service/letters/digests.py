"""Questions that were held back, told together: at most every so many hours, or once a day."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine import say
from pbem.service.base import GameWork, NewLetter, Office, Work, queries
from pbem.service.base.task_hints import send_hint
from pbem.service.letters import kinds, outbox, schedule
from pbem.service.letters.kinds import Timing
from pbem.service.letters.kinds.questions import Digest
from pbem.store.statuses import GameStatus, Sending
from pbem.store.tables import Account, Game, Letter, Seat

TOLD = str(say("included in the digest"))


def make(office: Office, account_id: int, now: datetime) -> bool:
    """Write the digest of an account, or let a single held letter go; returns whether there was anything to tell."""
    with office.work(now) as work:
        account = queries.account(work.session, account_id)
        held = select(Letter).where(
            Letter.account_id == account_id, Letter.status == Sending.WAITING, Letter.held.is_(True)
        ).with_for_update()  # fmt: skip
        open_ones = [
            letter
            for letter in work.session.scalars(held.order_by(Letter.id))
            if not outbox.QUEUE.withdrawn(work, letter, outbox.QUEUE.facts(office, work, letter))
        ]
        due = [letter for letter in open_ones if letter.next_try_at <= now]
        if not due:
            return False
        if len(open_ones) == 1 and schedule.mode(work.session, account, due[0].game_id or "") != "digest":
            release(work, due[0])
            return True
        for letter in open_ones:
            letter.status, letter.last_error = Sending.WITHDRAWN, TOLD
        work.write(
            NewLetter(Digest(_asked(work.session, account_id)), f"digest:{account_id}:{now:%Y%m%d%H%M%S}", account_id)
        )
        return True


def _asked(session: Session, account_id: int) -> dict[str, int]:
    mine = (Seat.colour == Game.to_act) & (Seat.account_id == account_id) & (Game.status == GameStatus.RUNNING)
    return {row.id: row.version for row in session.execute(select(Game.id, Game.version).join(Seat).where(mine))}


def release(work: Work, letter: Letter) -> None:
    letter.held, letter.next_try_at = False, work.now
    work.hints.append(send_hint(letter.id))


def held_back(work: GameWork, account: Account) -> Letter | None:
    """The letter with the open question of the game that its reader has not got yet."""
    waiting = select(Letter).where(
        Letter.game_id == work.game.id,
        Letter.account_id == account.id,
        Letter.version == work.game.version,
        Letter.kind.in_(kinds.names(lambda kind: kind.timing is Timing.MERGED)),
        Letter.status == Sending.WAITING,
        Letter.held.is_(True) | (Letter.next_try_at > work.now),
    )  # fmt: skip
    return work.session.scalar(waiting)
