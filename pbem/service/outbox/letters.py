"""The outbox: letters are written in the transaction that causes them, and sent after its commit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session, aliased

from pbem.service import kinds
from pbem.service.base.office import Office
from pbem.service.base.task_hints import Hint, send_hint
from pbem.service.base.work import NewLetter, Work
from pbem.service.kinds import Timing
from pbem.service.outbox import providers, schedule, strangers, talk
from pbem.statuses import Sending
from pbem.store.tables import Account, Game, Letter, Seat, Stop, Unreachable

CLAIM = timedelta(minutes=2)
ATTEMPTS = 10
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=15), timedelta(hours=4)
OLD, ATTEMPTS_OF_OLD = timedelta(days=5), 3
"""A letter that was written so long ago is given up after fewer tries, so that a queue to a dead mailbox has an end."""
UNREACHABLE = "mails to this address come back"
TRIED_AGAIN = timedelta(hours=4)
"""How long a letter waits that came back for now."""


def write_all(work: Work, new: Sequence[NewLetter]) -> None:
    """Put letters into the outbox, in a few statements, unless there is one with the same key already.

    Everybody else writes through :meth:`Work.write`. Raises ``ValueError`` for a kind that there is not, or data that
    it does not store.
    """
    session, now = work.session, work.now
    known = set(session.scalars(select(Letter.key).where(Letter.key.in_([letter.key for letter in new]))))
    readers = select(Account).where(Account.id.in_({letter.account_id for letter in new}))
    accounts = {account.id: account for account in session.scalars(readers)}
    written: list[Letter] = []
    for letter in new:
        account = accounts[letter.account_id]
        if letter.key in known or (account.deleted_at is not None and not kinds.named(letter.kind).to_deleted):
            continue
        known.add(letter.key)
        written.append(_row(letter, schedule.plan(session, account, letter.kind, letter.game, now + letter.wait), now))
        session.add(written[-1])
    session.flush()
    work.hints.extend(send_hint(row.id) for row in written if row.next_try_at <= now)


def _row(new: NewLetter, planned: schedule.Plan, now: datetime) -> Letter:
    return Letter(
        kind=new.kind,
        key=new.key,
        account_id=new.account_id,
        game_id=new.game.id if new.game else None,
        seat_number=new.seat.number if new.seat else None,
        version=new.version,
        data=kinds.named(new.kind).checked(new.data),
        next_try_at=planned.at,
        held=planned.held,
        created_at=now,
    )


def claim(office: Office, letter_id: int, now: datetime) -> bool:
    """Whether the caller is to send this letter now; it is then nobody else's for two minutes.

    A letter whose question has been answered, or that the reader has stopped, is withdrawn instead. A letter
    stays behind an older one to the same reader about the same game, and waits while its provider rests.
    """
    with office.work(now) as work:
        letter = work.session.scalar(select(Letter).where(Letter.id == letter_id).with_for_update(skip_locked=True))
        if letter is None or not _free(letter, now) or _older(work.session, letter, now):
            return False
        if withdrawn(work.session, letter):
            work.hints.extend(_next_in_line(work.session, letter, now))
            return False
        if kinds.named(letter.kind).timing is not Timing.ANY_HOUR:
            awake = schedule.awake(reader(work.session, letter), now)
            if awake > now:
                letter.next_try_at = awake
                return False
        if strangers.must_wait(work.session, letter, now):
            letter.next_try_at = now + strangers.LOOKED_AT_AGAIN
            return False
        rests = providers.resting(office, work.session, providers.host(reader(work.session, letter).address), now)
        if rests is not None:
            letter.next_try_at = rests
            return False
        talk.pick_up(work.session, letter)
        letter.claimed_until = now + CLAIM
        letter.attempts += 1
        return True


def withdrawn(session: Session, letter: Letter) -> bool:
    """Take a letter back that nobody needs any more; returns whether it was so."""
    reason = _pointless(session, letter)
    if reason:
        letter.status, letter.last_error = Sending.WITHDRAWN, reason
    return bool(reason)


def sent(office: Office, letter_id: int, message_id: str, now: datetime) -> None:
    """The server has taken the letter."""
    with office.work(now) as work:
        letter = work.session.get_one(Letter, letter_id, with_for_update=True)
        letter.status, letter.sent_at, letter.message_id = Sending.SENT, now, message_id
        letter.claimed_until = None
        _forget_address(letter)
        work.hints.extend(_next_in_line(work.session, letter, now))


def failed(office: Office, letter_id: int, error: str, now: datetime, *, for_good: bool = False) -> None:
    """The letter could not be sent: try again later, twice as patient each time, or give it up."""
    with office.work(now) as work:
        letter = work.session.get_one(Letter, letter_id, with_for_update=True)
        letter.claimed_until, letter.last_error = None, error[:1000]
        most = ATTEMPTS_OF_OLD if letter.created_at <= now - OLD else ATTEMPTS
        if for_good or letter.attempts >= most:
            letter.status = Sending.FAILED
            _forget_address(letter)
            work.hints.extend(_next_in_line(work.session, letter, now))
        else:
            letter.next_try_at = now + min(FIRST_WAIT * 4 ** (letter.attempts - 1), LONGEST_WAIT)


def came_back(session: Session, letter: Letter, answer: str, now: datetime, *, for_good: bool) -> None:
    """A letter that had been taken could not be delivered after all: it has failed, or is tried again later."""
    letter.last_error = answer[:1000]
    if for_good or letter.attempts >= ATTEMPTS:
        letter.status = Sending.FAILED
    elif letter.status == Sending.SENT:
        letter.status, letter.next_try_at = Sending.WAITING, now + TRIED_AGAIN


def reachable_again(work: Work, account_id: int) -> None:
    """Letters that were withdrawn because the address did not work wait again; pointless ones are found out later."""
    query = select(Letter).where(
        Letter.account_id == account_id, Letter.status == Sending.WITHDRAWN, Letter.last_error == UNREACHABLE
    )
    for letter in work.session.scalars(query.order_by(Letter.id).with_for_update()):
        letter.status, letter.last_error, letter.next_try_at = Sending.WAITING, "", work.now
        work.hints.append(send_hint(letter.id))


def _free(letter: Letter, now: datetime) -> bool:
    claimed = letter.claimed_until is not None and letter.claimed_until > now
    return letter.status == Sending.WAITING and not letter.held and letter.next_try_at <= now and not claimed


def in_front(letter: Letter | type[Letter], now: datetime) -> Select[int]:
    """Older letters to the same reader about the same game that are still to be sent (not those that wait on
    purpose); of a row, or in a query of letters."""
    older = aliased(Letter)
    return select(older.id).where(
        older.account_id == letter.account_id,
        older.game_id == letter.game_id,
        older.id < letter.id,
        older.status == Sending.WAITING,
        older.held.is_(False),
        or_(older.next_try_at <= now, older.attempts > 0),
    )


def _older(session: Session, letter: Letter, now: datetime) -> bool:
    return letter.game_id is not None and session.scalar(in_front(letter, now).limit(1)) is not None


def _forget_address(letter: Letter) -> None:
    if kinds.named(letter.kind).to_deleted:
        letter.data, letter.last_error = {}, ""


def _next_in_line(session: Session, letter: Letter, now: datetime) -> list[Hint]:
    """The letter that stayed behind this one."""
    if letter.game_id is None:
        return []
    behind = select(Letter.id).where(
        Letter.account_id == letter.account_id,
        Letter.game_id == letter.game_id,
        Letter.id > letter.id,
        Letter.status == Sending.WAITING,
        Letter.held.is_(False),
        Letter.next_try_at <= now,
    )
    number = session.scalar(behind.order_by(Letter.id).limit(1))
    return [] if number is None else [send_hint(number)]


def _pointless(session: Session, letter: Letter) -> str:
    """Why nobody should get this letter any more, or ``""``."""
    always = kinds.named(letter.kind).always_sent
    if not always and stopped(session, letter.account_id, letter.game_id or "", letter.kind):
        return "the reader has unsubscribed from these emails"
    if not always and session.get(Unreachable, letter.account_id) is not None:
        return UNREACHABLE
    if not _holds_seat(session, letter):
        return "the seat has changed hands"
    game = session.get(Game, letter.game_id) if letter.game_id else None
    return kinds.of(letter).unwanted(kinds.Case(session, letter, game))


def _holds_seat(session: Session, letter: Letter) -> bool:
    """Whether the seat a letter is about, whose links it is to hold, is still its reader's."""
    seat = select(Seat.account_id).where(Seat.game_id == letter.game_id, Seat.number == letter.seat_number)
    return letter.seat_number is None or session.scalar(seat) == letter.account_id


def stopped(session: Session, account_id: int, game_id: str, kind: str) -> bool:
    """Whether a reader wants no more letters of a kind about a game."""
    stop = select(Stop.id).where(
        Stop.account_id == account_id,
        Stop.game_id.in_(["", game_id]),
        Stop.kind.in_(["", kind]),
    )
    return session.scalar(stop.limit(1)) is not None


def reader(session: Session, letter: Letter) -> Account:
    """The account a letter goes to."""
    return session.get_one(Account, letter.account_id)
