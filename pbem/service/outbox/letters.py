"""The outbox: letters are written in the transaction that causes them, and sent after its commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, cast

from sqlalchemy import ColumnElement, Executable, Select, Table, bindparam, select, update
from sqlalchemy.orm import Session
from typing_extensions import override

from pbem.engine.text import say
from pbem.service import kinds
from pbem.service.base.office import Office
from pbem.service.base.task_hints import Hint, send_hint, teach_hint
from pbem.service.base.work import Courier, NewLetter, Work
from pbem.service.kinds import Timing
from pbem.service.outbox import message_ids, obstacles, providers, schedule, strangers, talk, threads
from pbem.service.outbox.queue import BackOff, Moment, Queue
from pbem.statuses import Sending
from pbem.store.returning import Besides
from pbem.store.tables import Account, Allowance, Game, Letter, Seat, Stop, Unreachable
from pbem.store.upserts import insert_and_look

BACK_OFF = BackOff(attempts=10, first=timedelta(seconds=15), longest=timedelta(hours=4))
OLD, ATTEMPTS_OF_OLD = timedelta(days=5), 3
"""A letter that was written so long ago is given up after fewer tries, so that a queue to a dead mailbox has an end."""
UNREACHABLE = str(say("emails to this address bounce"))
UNREACHABLE_FORMERLY = str(say("mails to this address come back"))
"""The same in rows of older versions."""
TRIED_AGAIN = timedelta(hours=4)
"""How long a letter waits that came back for now."""


class Letters(Queue[Letter]):
    """The letters: those about one game reach a reader in the order in which they were written."""

    ordered = True

    @override
    def waiting(self) -> ColumnElement[bool]:
        return super().waiting() & Letter.held.is_(False)

    @override
    def is_free(self, row: Letter, now: datetime) -> bool:
        return super().is_free(row, now) and not row.held

    @override
    def hint_for(self, row: Letter) -> Hint:
        return teach_hint(row.id) if kinds.named(row.kind).thoughtful else send_hint(row.id)

    @override
    def look(self, office: Office, work: Work, row: Letter) -> None:
        host = providers.host(reader(work.session, row).address)
        obstacles.look(work.session, row, providers.key_of(office, host), work.now)

    @override
    def behind(self, work: Work, row: Letter) -> bool:
        return obstacles.OLDER.possible(work.session, row.id)

    @override
    def unwanted(self, work: Work, row: Letter) -> str:
        return _pointless(work.session, row)

    @override
    def waits_until(self, office: Office, work: Work, row: Letter) -> datetime | None:
        to = reader(work.session, row)
        if kinds.named(row.kind).timing is not Timing.ANY_HOUR and (awake := schedule.awake(to, work.now)) > work.now:
            return awake
        if strangers.must_wait(work.session, row, work.now):
            return work.now + strangers.LOOKED_AT_AGAIN
        if not obstacles.SLOW.possible(work.session, row.id):
            return None
        return providers.resting(office, work.session, providers.host(to.address), work.now)

    @override
    def leaves(self, work: Work, row: Letter) -> None:
        if row.attempts == 0:  # later ones may be the second to arrive, which email programs do not show
            talk.pick_up(work.session, row)

    @override
    def note(self, row: Letter, result: str) -> None:
        row.last_error = result[:1000]

    @override
    def over(self, row: Letter) -> None:
        if kinds.named(row.kind).to_deleted:  # nothing is kept of who has no account any more
            row.data, row.last_error = {}, ""

    @override
    def most_attempts(self, row: Letter, now: datetime) -> int:
        return ATTEMPTS_OF_OLD if row.created_at <= now - OLD else super().most_attempts(row, now)

    @override
    def following(self, row: Letter, now: datetime) -> Select[int] | None:
        return None if row.game_id is None else obstacles.behind(row.account_id, row.game_id, row.id, now)


QUEUE = Letters(Letter, Letter.account_id, send_hint, BACK_OFF)


def courier(office: Office, ends: Callable[[], datetime]) -> Courier:
    """Somebody who can send a letter as soon as it is committed; ``ends``: until when one is his that he takes now."""
    return Courier(ends, partial(providers.key_of, office))


def write_all(work: Work, new: Sequence[NewLetter], courier: Courier | None = None) -> None:
    """Put letters into the outbox, in a few statements, unless there is one with the same key already.

    Everybody else writes through :meth:`Work.write`.
    """
    session, now = work.session, work.now
    fresh = QUEUE.unwritten(session, new)
    unknown = {letter.account_id for letter in fresh} - work.accounts.keys()
    readers = session.scalars(select(Account).where(Account.id.in_(unknown))) if unknown else ()
    accounts = {**work.accounts, **{account.id: account for account in readers}}
    rows: list[dict[str, Any]] = []
    asked: dict[int, datetime] = {}
    for letter in fresh:
        account, kind = accounts[letter.account_id], letter.payload.kind
        if account.deleted_at is None or letter.payload.to_deleted:
            at = now + letter.wait
            planned = schedule.departure(session, account, kind, letter.game, at, asked.get(account.id))
            rows.append(_values(work, letter, planned))
            if kinds.named(kind).asks and not planned.held:
                asked[account.id] = max(planned.at, asked.get(account.id, planned.at))
    if courier is not None and len(rows) == 1 and _may_take(work, fresh[0], rows[0], courier):
        _insert_and_take(work, rows[0], providers.host(accounts[fresh[0].account_id].address), courier)
    else:
        QUEUE.insert(work, rows)


def _may_take(work: Work, new: NewLetter, values: dict[str, Any], courier: Courier) -> bool:
    """Whether the courier may take a letter that is about to be written, as far as it can be seen without asking."""
    row = Letter(**values)
    due = row.next_try_at <= work.now and not row.held
    kind = kinds.named(row.kind)
    if not (courier.free and due) or kind.to_strangers or kind.thoughtful:
        return False
    return not kinds.of(row).unwanted(kinds.Case(work.session, row, new.game))


def _insert_and_take(work: Work, values: dict[str, Any], host: str, courier: Courier) -> None:
    """Write a letter as the courier's own. Where anything may keep it back it is nobody's then, and left to
    :func:`claim`, which looks closer; nearly always there is nothing."""
    session = work.session
    claimed = values | {"status": Sending.WAITING, "claimed_until": courier.ends(), "attempts": 1}
    asked = {"slow": courier.resting_key(host), "now": work.now}
    found = insert_and_look(session, Letter, "key", claimed | asked, threads.OF_NEW, *obstacles.OF_NEW)
    if found is None:
        return
    number, thread, *kept_back = tuple(found)
    row = Letter(**{**claimed, "id": number, "talk_up_to": 0, "last_error": ""})
    if obstacles.note_new(session, row.id, kept_back):
        row.claimed_until, row.attempts = None, 0
        work.hints.append(QUEUE.hint_for(row))
    else:
        talk.pick_up(session, row)
        courier.letter, courier.thread = row, thread or ""
    if row.talk_up_to or row.claimed_until is None:
        known = {"claimed_until": row.claimed_until, "attempts": row.attempts, "talk_up_to": row.talk_up_to}
        session.execute(update(Letter).where(Letter.id == row.id).values(known))


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
        "message_id": message_ids.new(work, new),
    }


def claim(office: Office, letter_id: int, now: datetime) -> bool:
    """Whether the caller is to send this letter now; it is then nobody else's for two minutes.

    A letter whose question has been answered, or that the reader has stopped, is withdrawn instead. A letter
    stays behind an older one to the same reader about the same game, and waits while its provider rests.
    """
    with office.work(now) as work:
        return QUEUE.claim(office, work, letter_id) is not None


def _sent() -> Executable:
    """Notes that a letter was taken; returns what it was, what can go to the same reader about the same game after it,
    and whether a host was slow."""
    row = cast("Table", Letter.__table__)
    after = Besides(obstacles.behind(row.c.account_id, row.c.game_id, row.c.id, bindparam("now")).limit(1))
    slow = select(Allowance.key).where(Allowance.key == bindparam("slow")).exists()
    taken: dict[str, Any] = {"status": Sending.SENT, "sent_at": bindparam("now"), "claimed_until": None}
    return (
        update(row)
        .where(row.c.id == bindparam("letter"))
        .values(taken)
        .returning(row.c.kind, after.label("after"), slow.label("slow"))
    )


_SENT = _sent()


def sent(office: Office, letter_id: int, now: datetime, *, quick: str = "") -> None:
    """The server has taken the letter. ``quick``: the host of its reader, if it was; it need not rest any more."""
    key = providers.key_of(office, quick)
    with office.work(now) as work:
        values = {"letter": letter_id, "now": now, "slow": key}
        kind, after, slow = work.session.connection().execute(_SENT, values).one()
        if kinds.named(kind).to_deleted:
            QUEUE.over(work.session.get_one(Letter, letter_id))
        work.hints.extend([] if after is None else [send_hint(after)])
        if slow:
            providers.was_quick(work.session, key)


def failed(office: Office, letter_id: int, error: str, now: datetime, *, for_good: bool = False) -> None:
    """The letter could not be sent: try again later, more patiently each time, or give it up."""
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
        Letter.account_id == account_id,
        Letter.status == Sending.WITHDRAWN,
        Letter.last_error.in_((UNREACHABLE, UNREACHABLE_FORMERLY)),
    )
    for letter in work.session.scalars(query.order_by(Letter.id).with_for_update()):
        letter.status, letter.last_error, letter.next_try_at = Sending.WAITING, "", work.now
        work.hints.append(send_hint(letter.id))


def in_front(letter: Letter | type[Letter], now: Moment) -> Select[int]:
    """Older letters to the same reader about the same game that are still to be sent (not those that wait on
    purpose); of a row, or in a query of letters."""
    return obstacles.older(letter.account_id, letter.game_id, letter.id, now)


def _pointless(session: Session, letter: Letter) -> str:
    """Why nobody should get this letter any more, or ``""``."""
    always = kinds.named(letter.kind).always_sent
    if not always and obstacles.STOPPED.possible(session, letter.id) and _stopped(session, letter):
        return str(say("the reader has unsubscribed from these emails"))
    unreachable = not always and obstacles.UNREACHABLE.possible(session, letter.id)
    if unreachable and session.get(Unreachable, letter.account_id) is not None:
        return UNREACHABLE
    if obstacles.CHANGED_HANDS.possible(session, letter.id) and not _holds_seat(session, letter):
        return str(say("the seat has changed hands"))
    game = session.get(Game, letter.game_id) if letter.game_id else None
    return kinds.of(letter).unwanted(kinds.Case(session, letter, game))


def _stopped(session: Session, letter: Letter) -> bool:
    return stopped(session, letter.account_id, letter.game_id or "", letter.kind)


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
    return session.scalar(stop) is not None


def reader(session: Session, letter: Letter) -> Account:
    """The account a letter goes to."""
    return session.get_one(Account, letter.account_id)
