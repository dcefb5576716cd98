"""The outbox: letters are written in the transaction that causes them, and sent after its commit."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import ColumnElement, Select, bindparam, func, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased
from typing_extensions import override

from pbem.engine import say
from pbem.service.base import NewLetter, Office, Work
from pbem.service.base.task_hints import Hint, send_hint, teach_hint
from pbem.service.letters import kinds, providers, schedule, strangers, talk
from pbem.service.letters.kinds import Timing
from pbem.service.letters.queue import BackOff, Moment, Queue
from pbem.store.statuses import Sending
from pbem.store.tables import Account, Game, Letter, Post, Seat, Stop, Unreachable

AT_ONCE = 500
"""How many letters one statement writes at most."""
BACK_OFF = BackOff(attempts=10, first=timedelta(seconds=15), longest=timedelta(hours=4))
OLD, ATTEMPTS_OF_OLD = timedelta(days=5), 3
"""A letter that was written so long ago is given up after fewer tries, so that a queue to a dead mailbox has an end."""
AWAITED, AWAITED_WAIT = timedelta(minutes=20), timedelta(minutes=1)
"""For so long somebody waits on a page for a letter that is awaited, and so long it waits for another try meanwhile."""
ATTEMPTS_OF_AWAITED = int(AWAITED / AWAITED_WAIT)
"""The tries within that time, after which it is tried as patiently as others."""
UNREACHABLE = str(say("emails to this address bounce"))
TRIED_AGAIN = timedelta(hours=4)
"""How long a letter waits that came back for now."""
T = TypeVar("T")
Value: TypeAlias = InstrumentedAttribute[T] | T
"""A column of the letters of a query, or the value of one letter."""


class Facts(NamedTuple):
    """Who reads a letter, what it is about, and what may keep it back.

    ``behind``: an older letter goes first. ``stopped``, ``unreachable``: its reader wants no such letters, or gets
    none. ``changed_hands``: the seat it is about is somebody else's. ``last_post``: of the talk of its game.
    ``was_slow``: the host of the reader, when it was last spoken to.
    """

    reader: Account
    game: Game | None
    behind: bool
    stopped: bool
    unreachable: bool
    changed_hands: bool
    last_post: int | None
    was_slow: bool


def in_front(now: Moment) -> Select[int]:
    """Older letters to the same reader about the same game that are still to be sent (not those that wait on
    purpose); within a query of letters."""
    other = aliased(Letter)
    return select(other.id).where(
        other.account_id == Letter.account_id,
        other.game_id == Letter.game_id,
        other.game_id.is_not(None),
        other.id < Letter.id,
        other.status == Sending.WAITING,
        other.held.is_(False),
        or_(other.next_try_at <= now, other.attempts > 0),
    )


def stops(account_id: Value[int], game_id: Value[str | None], kind: Value[str]) -> Select[int]:
    """What says that a reader wants no more letters of a kind about a game."""
    return select(Stop.id).where(
        Stop.account_id == account_id, Stop.game_id.in_(["", game_id]), Stop.kind.in_(["", kind])
    )


_CHANGED_HANDS = select(Seat.id).where(
    Seat.game_id == Letter.game_id,
    Seat.number == Letter.seat_number,
    Seat.account_id.is_distinct_from(Letter.account_id),
)
_FACTS = (
    select(
        Account,
        Game,
        in_front(bindparam("now")).exists(),
        stops(Letter.account_id, Letter.game_id, Letter.kind).exists(),
        select(Unreachable.account_id).where(Unreachable.account_id == Letter.account_id).exists(),
        _CHANGED_HANDS.exists(),
        select(func.max(Post.id)).where(Post.game_id == Letter.game_id).scalar_subquery(),
    )
    .select_from(Letter)
    .join(Account, Account.id == Letter.account_id)
    .outerjoin(Game, Game.id == Letter.game_id)
    .where(Letter.id == bindparam("letter"))
)


class Letters(Queue[Letter, Facts]):
    """The letters: those about one game reach a reader in the order in which they were written."""

    ordered = True

    @override
    def waiting(self) -> ColumnElement[bool]:
        return super().waiting() & Letter.held.is_(False)

    @override
    def hint_for(self, number: int, kind: str) -> Hint:
        return teach_hint(number) if kinds.named(kind).thoughtful else send_hint(number)

    @override
    def facts(self, office: Office, work: Work, row: Letter) -> Facts:
        known: Sequence[Any] = work.session.execute(_FACTS, {"letter": row.id, "now": work.now}).one()
        slow = providers.was_slow(office, work.session, providers.host(known[0].address))
        return Facts._make((*known, slow))

    @override
    def behind(self, facts: Facts) -> bool:
        return facts.behind

    @override
    def unwanted(self, work: Work, row: Letter, facts: Facts) -> str:
        always = kinds.named(row.kind).always_sent
        if not always and facts.stopped:
            return str(say("the reader has unsubscribed from these emails"))
        if not always and facts.unreachable:
            return UNREACHABLE
        if facts.changed_hands:  # the links it is to hold are those of the seat
            return str(say("the seat has changed hands"))
        return kinds.of(row).unwanted(kinds.Case(work.session, row, facts.game))

    @override
    def waits_until(self, office: Office, work: Work, row: Letter, facts: Facts) -> datetime | None:
        to = facts.reader
        if kinds.named(row.kind).timing is not Timing.ANY_HOUR and (awake := schedule.awake(to, work.now)) > work.now:
            return awake
        if strangers.must_wait(work.session, row, work.now):
            return work.now + strangers.LOOKED_AT_AGAIN
        if not facts.was_slow:
            return None
        awaited = kinds.named(row.kind).awaited
        return providers.resting(office, work.session, providers.host(to.address), work.now, awaited=awaited)

    @override
    def leaves(self, work: Work, row: Letter, facts: Facts) -> None:
        if row.attempts == 0:  # later ones may be the second to arrive, which email programs do not show
            talk.pick_up(work.session, row, facts.last_post)

    @override
    def note(self, row: Letter, result: str) -> None:
        row.last_error = result[:1000]

    @override
    def over(self, row: Letter) -> None:
        if kinds.named(row.kind).to_deleted:  # nothing is kept of who has no account any more
            row.data, row.last_error = {}, ""

    @override
    def most_attempts(self, row: Letter, now: datetime) -> int:
        if row.created_at <= now - OLD:
            return ATTEMPTS_OF_OLD
        return super().most_attempts(row, now) + (ATTEMPTS_OF_AWAITED if kinds.named(row.kind).awaited else 0)

    @override
    def wait(self, row: Letter, now: datetime) -> timedelta:
        usual = super().wait(row, now)
        awaited = kinds.named(row.kind).awaited and row.created_at > now - AWAITED
        return min(usual, AWAITED_WAIT) if awaited else usual

    @override
    def following(self, row: Letter, now: datetime) -> Select[int] | None:
        if row.game_id is None:
            return None
        later = (Letter.account_id == row.account_id, Letter.game_id == row.game_id, Letter.id > row.id)
        return select(Letter.id).where(self.waiting(), *later, Letter.next_try_at <= now).order_by(Letter.id)


_SENT = (
    update(Letter)
    .where(Letter.id == bindparam("letter"))
    .values(status=Sending.SENT, sent_at=bindparam("now"), claimed_until=None)
    .returning(Letter)
)
QUEUE = Letters(Letter, "account_id", send_hint, BACK_OFF)


def finish(work: Work) -> None:
    """Make rows of the letters that a transaction has written, unless there is one with the same key already: at its
    end, and for whoever reads letters in it."""
    new = work.letters[:]
    work.letters.clear()
    for first in range(0, len(new), AT_ONCE):
        _write(work, new[first : first + AT_ONCE])


def _write(work: Work, new: Sequence[NewLetter]) -> None:
    session, now = work.session, work.now
    unknown = {letter.account_id for letter in new} - work.accounts.keys()
    readers = session.scalars(select(Account).where(Account.id.in_(unknown))) if unknown else ()
    accounts = {**work.accounts, **{account.id: account for account in readers}}
    rows: list[dict[str, Any]] = []
    asked: dict[int, datetime] = {}
    for letter in new:
        account, kind = accounts[letter.account_id], letter.payload.kind
        if account.deleted_at is None or letter.payload.to_deleted:
            at = now + letter.wait
            planned = schedule.departure(session, account, kind, letter.game, at, asked.get(account.id))
            rows.append(_values(work, letter, planned))
            if kinds.named(kind).asks and not planned.held:
                asked[account.id] = max(planned.at, asked.get(account.id, planned.at))
    QUEUE.insert(work, rows)


def _values(work: Work, new: NewLetter, planned: schedule.Departure) -> dict[str, Any]:
    return {
        "kind": new.payload.kind,
        "key": new.key,
        "account_id": new.account_id,
        "game_id": new.game.id if new.game else None,
        "seat_number": new.seat.number if new.seat else None,
        "version": new.version,
        "data": new.payload.stored(),
        "next_try_at": planned.at,
        "held": planned.held,
        "created_at": work.now,
        "message_id": _message_id(work, new),
    }


def _message_id(work: Work, new: NewLetter) -> str:
    """Kept with the row, the same however often it is sent. A part of it is random: a server that was restored from a
    backup, or another one on the same domain, counts its letters from the same numbers, and email programs show one of
    two emails that have the same Message-ID."""
    game, seat, kind = new.game, new.seat, new.payload.kind
    about = kind if game is None else f"{game.id}.v{new.version or 0}.p{seat.number if seat else 0}.{kind}"
    return work.message_id(about)


def claim(office: Office, letter_id: int, now: datetime) -> Facts | None:
    """What is known of this letter, if the caller is to send it now; it is then nobody else's for two minutes.

    A letter whose question has been answered, or that the reader has stopped, is withdrawn instead. A letter
    stays behind an older one to the same reader about the same game, and waits while its provider rests.
    """
    with office.work(now) as work:
        claimed = QUEUE.claim(office, work, letter_id)
        return claimed[1] if claimed else None


def sent(office: Office, letter_id: int, now: datetime, *, quick: str = "") -> None:
    """The server has taken the letter. ``quick``: the host of its reader, if it had been slow and was not this time; it
    need not rest any more."""
    with office.work(now) as work:
        QUEUE.sent(work, work.session.scalars(_SENT, {"letter": letter_id, "now": now}).one())
        if quick:
            providers.was_quick(office, work.session, quick, now)


def failed(office: Office, letter_id: int, error: str, now: datetime, *, for_good: bool = False) -> None:
    with office.work(now) as work:
        QUEUE.failed(work, work.session.get_one(Letter, letter_id, with_for_update=True), error, for_good=for_good)


def came_back(session: Session, letter: Letter, answer: str, now: datetime, *, for_good: bool) -> None:
    """A letter that had been taken could not be delivered after all: it has failed, or is tried again later."""
    letter.last_error = answer[:1000]
    if for_good or letter.attempts >= BACK_OFF.attempts:
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


def stopped(session: Session, account_id: int, game_id: str, kind: str) -> bool:
    return session.scalar(stops(account_id, game_id, kind)) is not None


def reader(session: Session, letter: Letter) -> Account:
    return session.get_one(Account, letter.account_id)
