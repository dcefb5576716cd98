"""Telling somebody that orders were not played: several in one letter, a few letters an hour, and no ring of answers.

A program that answers every letter would be answered for ever, and whoever has a link of somebody could fill that
mailbox. What a letter no longer tells stands with the orders: on the page that sent them, and in the API.
"""

from datetime import datetime, timedelta

from sqlalchemy import func, select

from pbem.service.base import GameWork, Work
from pbem.service.base.task_hints import send_hint
from pbem.service.letters import outbox
from pbem.service.letters.kinds import LetterKind
from pbem.service.letters.kinds.answers import NotTaken
from pbem.service.letters.kinds.orders import NOT_PLAYED, Refused
from pbem.store.statuses import Sending, SubmissionStatus
from pbem.store.tables import Letter, Seat, Submission

PAGE_TELLS = timedelta(minutes=1)
"""How long a page has to show that orders were not played before it is sent as a letter."""
MOST, WITHIN = 5, timedelta(hours=1)
"""How many letters go to one reader within a time; what comes after them waits, and is told in one."""
IN_A_ROW, SILENCE = 3, timedelta(days=1)
"""So many mails in a row that cannot be played are answered; after that one within a time, until orders are played."""
NOT_UNDERSTOOD = (Refused.kind, NotTaken.kind)
"""Letters of which one an hour answers what may have been written by a program that does not say so."""
NAMED = 50
"""How many of the orders that one letter is about are remembered with it."""


def tell(work: GameWork, seat: Seat, submission: Submission, key: str, *, understood: bool = True) -> None:
    """Write to the player of a seat that these orders were not played, or say it in a letter that has not left yet.

    ``understood``: something of them was like orders; what was not may be no person's, and is answered once an hour.
    """
    outbox.finish(work)
    work.session.flush()
    in_a_row = _in_a_row(work, submission) if submission.via == "mail" else 0
    if seat.account_id is None or (in_a_row > IN_A_ROW and _answered_lately(work, seat)):
        return
    wait = timedelta(0) if submission.via == "mail" else PAGE_TELLS
    again = _again(work, seat, Refused.kind) if understood else _again(work, seat, *NOT_UNDERSTOOD, most=1)
    at = max(work.now + wait, again)
    if (letter := _not_left(work, seat, Refused.kind)) is not None:
        _add(work, letter, submission, at, last=in_a_row >= IN_A_ROW)
        return
    new = Refused(submission.id, (submission.id,), 1, last=in_a_row >= IN_A_ROW)
    work.write_to(seat, new, key, wait=at - work.now)


def tell_asked(work: GameWork, seat: Seat, asked: LetterKind, key: str) -> None:
    """Write to the player of a seat what an email has asked, or what orders would lead to: as many letters an hour as
    about refused ones, and the one that waits for its hour tells of the latest."""
    if (letter := _not_left(work, seat, asked.kind)) is not None:
        letter.data, letter.version = asked.stored(), work.game.version
        return
    work.write_to(seat, asked, key, wait=_again(work, seat, asked.kind) - work.now)


def answered_within_the_hour(work: Work, account: int) -> bool:
    """Whether an email of this reader with which nothing could be done was answered lately, or is about to be."""
    lately = select(Letter.id).where(
        Letter.account_id == account, Letter.kind == NotTaken.kind, Letter.created_at > work.now - WITHIN
    )
    return work.session.scalar(lately.limit(1)) is not None


def _in_a_row(work: GameWork, submission: Submission) -> int:
    """How many mails for the seat could not be played since something was, these orders among them."""
    of_seat = (Submission.game_id == submission.game_id, Submission.seat == submission.seat)
    played = select(func.coalesce(func.max(Submission.id), 0)).where(
        *of_seat, Submission.status == SubmissionStatus.PLAYED
    )
    since = select(func.count()).where(
        *of_seat, Submission.status.in_(NOT_PLAYED), Submission.via == "mail", Submission.id > played.scalar_subquery()
    )
    return work.session.scalars(since).one()


def _answered_lately(work: GameWork, seat: Seat) -> bool:
    written = select(Letter.id).where(
        Letter.account_id == seat.account_id, Letter.game_id == work.game.id, Letter.kind == Refused.kind,
        Letter.created_at > work.now - SILENCE,
    )  # fmt: skip
    return work.session.scalar(written) is not None


def _again(work: GameWork, seat: Seat, *kinds: str, most: int = MOST) -> datetime:
    """From when on another letter of these kinds may go to the reader."""
    leaves = func.coalesce(Letter.sent_at, Letter.next_try_at)
    lately = select(leaves).where(
        Letter.account_id == seat.account_id,
        Letter.status.in_([Sending.WAITING, Sending.SENT]),
        Letter.kind.in_(kinds),
        leaves > work.now - WITHIN,
    )
    times = work.session.scalars(lately.order_by(leaves.desc()).limit(most)).all()
    return times[-1] + WITHIN if len(times) == most else work.now


def _not_left(work: GameWork, seat: Seat, kind: str) -> Letter | None:
    """A letter of this kind about this seat that nobody has tried to send: what was tried may have arrived, and says
    the same when it is sent again."""
    query = select(Letter).where(
        Letter.account_id == seat.account_id, Letter.status == Sending.WAITING, Letter.game_id == work.game.id,
        Letter.seat_number == seat.number, Letter.kind == kind, Letter.attempts == 0,
    )  # fmt: skip
    return work.session.scalar(query.order_by(Letter.id.desc()).limit(1).with_for_update(skip_locked=True))


def _add(work: GameWork, letter: Letter, submission: Submission, at: datetime, *, last: bool) -> None:
    before = Refused.read(letter.data)
    named = (*before.remembered, submission.id)[-NAMED:]
    letter.data = Refused(submission.id, named, before.number + 1, last=last or before.last).stored()
    letter.version = work.game.version
    letter.next_try_at = min(letter.next_try_at, at)
    work.hints.extend([send_hint(letter.id)] if letter.next_try_at <= work.now else [])
