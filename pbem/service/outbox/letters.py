"""The outbox: letters are written in the transaction that causes them, and sent after its commit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session, aliased

from pbem.service.base.office import Office
from pbem.service.base.task_hints import Hint, send_hint
from pbem.service.base.work import NewLetter, Work
from pbem.service.outbox import providers, schedule, strangers, talk
from pbem.store.tables import Account, Ballot, Game, Letter, Offer, Seat, Stop, Submission, Unreachable, Vote

CLAIM = timedelta(minutes=2)
ATTEMPTS = 10
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=15), timedelta(hours=4)
OLD, ATTEMPTS_OF_OLD = timedelta(days=5), 3
"""A letter that was written so long ago is given up after fewer tries, so that a queue to a dead mailbox has an end."""
LAST = "account-deleted"
"""The letter to somebody whose account is deleted; it holds name and address itself until it has left."""
ALWAYS_SENT = ("login", "test", LAST)
"""Letters that were asked for: stopping mail does not stop these."""
NOT_PLAYED = ("refused", "stuck")
"""What became of orders that a letter of kind refused tells of."""
UNREACHABLE = "mails to this address come back"
TRIED_AGAIN = timedelta(hours=4)
"""How long a letter waits that came back for now."""


def write_all(work: Work, new: Sequence[NewLetter]) -> None:
    """Put letters into the outbox, in a few statements, unless there is one with the same key already.

    Everybody else writes through :meth:`Work.write`.
    """
    session, now = work.session, work.now
    known = set(session.scalars(select(Letter.key).where(Letter.key.in_([letter.key for letter in new]))))
    readers = select(Account).where(Account.id.in_({letter.account_id for letter in new}))
    accounts = {account.id: account for account in session.scalars(readers)}
    written: list[Letter] = []
    for letter in new:
        account = accounts[letter.account_id]
        if letter.key in known or (account.deleted_at is not None and letter.kind != LAST):
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
        data=dict(new.data),
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
        if letter.kind not in schedule.DISTURBING:
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
        letter.status, letter.last_error = "withdrawn", reason
    return bool(reason)


def sent(office: Office, letter_id: int, message_id: str, now: datetime) -> None:
    """The server has taken the letter."""
    with office.work(now) as work:
        letter = work.session.get_one(Letter, letter_id, with_for_update=True)
        letter.status, letter.sent_at, letter.message_id = "sent", now, message_id
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
            letter.status = "failed"
            _forget_address(letter)
            work.hints.extend(_next_in_line(work.session, letter, now))
        else:
            letter.next_try_at = now + min(FIRST_WAIT * 4 ** (letter.attempts - 1), LONGEST_WAIT)


def came_back(session: Session, letter: Letter, answer: str, now: datetime, *, for_good: bool) -> None:
    """A letter that had been taken could not be delivered after all: it has failed, or is tried again later."""
    letter.last_error = answer[:1000]
    if for_good or letter.attempts >= ATTEMPTS:
        letter.status = "failed"
    elif letter.status == "sent":
        letter.status, letter.next_try_at = "waiting", now + TRIED_AGAIN


def reachable_again(work: Work, account_id: int) -> None:
    """Letters that were withdrawn because the address did not work wait again; pointless ones are found out later."""
    query = select(Letter).where(
        Letter.account_id == account_id, Letter.status == "withdrawn", Letter.last_error == UNREACHABLE
    )
    for letter in work.session.scalars(query.order_by(Letter.id).with_for_update()):
        letter.status, letter.last_error, letter.next_try_at = "waiting", "", work.now
        work.hints.append(send_hint(letter.id))


def _free(letter: Letter, now: datetime) -> bool:
    claimed = letter.claimed_until is not None and letter.claimed_until > now
    return letter.status == "waiting" and not letter.held and letter.next_try_at <= now and not claimed


def in_front(letter: Letter | type[Letter], now: datetime) -> Select[int]:
    """Older letters to the same reader about the same game that are still to be sent (not those that wait on
    purpose); of a row, or in a query of letters."""
    older = aliased(Letter)
    return select(older.id).where(
        older.account_id == letter.account_id,
        older.game_id == letter.game_id,
        older.id < letter.id,
        older.status == "waiting",
        older.held.is_(False),
        or_(older.next_try_at <= now, older.attempts > 0),
    )


def _older(session: Session, letter: Letter, now: datetime) -> bool:
    return letter.game_id is not None and session.scalar(in_front(letter, now).limit(1)) is not None


def _forget_address(letter: Letter) -> None:
    if letter.kind == LAST:
        letter.data, letter.last_error = {}, ""


def _next_in_line(session: Session, letter: Letter, now: datetime) -> list[Hint]:
    """The letter that stayed behind this one."""
    if letter.game_id is None:
        return []
    behind = select(Letter.id).where(
        Letter.account_id == letter.account_id,
        Letter.game_id == letter.game_id,
        Letter.id > letter.id,
        Letter.status == "waiting",
        Letter.held.is_(False),
        Letter.next_try_at <= now,
    )
    number = session.scalar(behind.order_by(Letter.id).limit(1))
    return [] if number is None else [send_hint(number)]


def _pointless(session: Session, letter: Letter) -> str:
    """Why nobody should get this letter any more, or ``""``."""
    if letter.kind not in ALWAYS_SENT and _stopped(session, letter):
        return "the reader has stopped these letters"
    if letter.kind not in ALWAYS_SENT and session.get(Unreachable, letter.account_id) is not None:
        return UNREACHABLE
    if not _holds_seat(session, letter):
        return "the seat has changed hands"
    game = session.get(Game, letter.game_id) if letter.game_id else None
    match letter.kind:
        case "your-turn" | "reminder":
            if game is None or game.status != "running" or game.version != letter.version:
                return "the question has been answered"
        case "digest":
            if not _asked_anywhere(session, letter.account_id):
                return "every question has been answered"
        case "planning":
            if game is None or game.status != "running" or not still_planned(session, game, letter):
                return "the turn has been planned or begun"
        case "invitation":
            if game is None or game.status != "open" or _answered(session, letter):
                return "the invitation has been answered"
        case "consent-asked" | "end-asked" | "remove-asked" | "pause-asked":
            if game is None or not _still_voted(session, game, letter):
                return "the question has been decided"
        case "game-ending":
            if game is None or game.status != "stopping":
                return "the game goes on or is over"
        case "substitute-wanted":
            offer = session.get(Offer, letter.data["offer"])
            if offer is None or offer.closed_at is not None:
                return "the seat has been taken"
        case "refused":
            if not untold(session, letter):
                return "the page has told it, or the orders are played after all"
    return ""


def _holds_seat(session: Session, letter: Letter) -> bool:
    """Whether the seat a letter is about, whose links it is to hold, is still its reader's."""
    seat = select(Seat.account_id).where(Seat.game_id == letter.game_id, Seat.number == letter.seat_number)
    return letter.seat_number is None or session.scalar(seat) == letter.account_id


def untold(session: Session, letter: Letter) -> Sequence[Submission]:
    """The orders that a letter about refused ones still has to tell of, latest first.

    No page has shown it, and they were not played after all.
    """
    named = letter.data.get("all", [letter.data["submission"]])
    open_ones = select(Submission).where(
        Submission.id.in_(named), Submission.status.in_(NOT_PLAYED), Submission.seen_at.is_(None)
    )
    return session.scalars(open_ones.order_by(Submission.id.desc())).all()


def _asked_anywhere(session: Session, account_id: int) -> bool:
    asked = (Seat.colour == Game.to_act) & (Seat.account_id == account_id) & (Game.status == "running")
    return session.scalar(select(Game.id).join(Seat).where(asked).limit(1)) is not None


def _answered(session: Session, letter: Letter) -> bool:
    seat = select(Seat.status).where(Seat.game_id == letter.game_id, Seat.number == letter.seat_number)
    return session.scalar(seat) != "invited"


def _still_voted(session: Session, game: Game, letter: Letter) -> bool:
    """Whether the vote is open and this seat has not voted."""
    vote = session.get(Vote, letter.data["vote"])
    if vote is None or vote.status != "open" or (vote.kind == "take-back" and vote.version != game.version):
        return False
    return session.get(Ballot, (vote.id, letter.seat_number)) is None


def still_planned(session: Session, game: Game, letter: Letter) -> bool:
    """Whether a planning letter still asks: its turn is not past planning, its reader has submitted nothing since."""
    if game.turn != letter.data["turn"] or game.phase not in letter.data["open_in"] or letter.data.get("answered"):
        return False
    seat = select(Seat.colour).where(Seat.game_id == game.id, Seat.number == letter.seat_number).scalar_subquery()
    since = select(Submission.id).where(
        Submission.game_id == game.id,
        Submission.seat == seat,
        Submission.id > letter.data["after"],
        Submission.status != "refused",
    )
    return session.scalar(since.limit(1)) is None


def _stopped(session: Session, letter: Letter) -> bool:
    return stopped(session, letter.account_id, letter.game_id or "", letter.kind)


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
