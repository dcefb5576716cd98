"""What letters and messages to webhooks have in common, from the transaction that writes a row until it has left.

A row is written once, claimed by one sender at a time, and then sent, tried again later or given up. What is different
for the two tables are the methods that a queue leaves to its subclass.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from sqlalchemy import BindParameter, ColumnElement, Select, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session
from typing_extensions import override

from pbem.engine import Value, say
from pbem.service.base import NotNow, Office, Work
from pbem.service.base.task_hints import Hint
from pbem.service.letters import providers
from pbem.store.statuses import Sending
from pbem.store.tables import Outgoing, PushMessage, PushSubscription, Webhook, WebhookMessage
from pbem.store.upserts import insert_all_unless_known

Moment: TypeAlias = datetime | BindParameter[datetime]
"""A moment, or the place of one in a statement that is made once."""
CLAIM = timedelta(minutes=2)
"""How long a row is in the hands of whoever sends it."""
LARGEST_POWER = 12
"""Of four: with it the wait is years already."""


class BackOff(Value):
    """How often something is tried, and how long it waits in between: four times as long after every try."""

    attempts: int
    first: timedelta
    longest: timedelta = timedelta.max

    def wait(self, attempts: int) -> timedelta:
        return min(self.first * int(4 ** min(attempts - 1, LARGEST_POWER)), self.longest)


Row = TypeVar("Row", bound=Outgoing)
Facts = TypeVar("Facts")


@dataclass(frozen=True)
class Queue(ABC, Generic[Row, Facts]):
    """A table of what leaves the server. ``reader``: the column of those among whom the sending is shared fairly."""

    ordered: ClassVar[bool]
    """Whether a row that is still to be sent holds up others (:meth:`behind`)."""

    table: type[Row]
    reader: str
    hint: Callable[[int], Hint]
    back_off: BackOff

    @abstractmethod
    def facts(self, office: Office, work: Work, row: Row) -> Facts:
        """What has to be known of a row before it leaves, read at once."""

    @abstractmethod
    def unwanted(self, work: Work, row: Row, facts: Facts) -> str:
        """Why nobody should get this any more, or ``""``."""

    @abstractmethod
    def waits_until(self, office: Office, work: Work, row: Row, facts: Facts) -> datetime | None:
        """Until when something that is due has to wait all the same; ``None``: it can go now."""

    @abstractmethod
    def note(self, row: Row, result: str) -> None:
        """Keep with the row what came of it."""

    @abstractmethod
    def following(self, row: Row, now: datetime) -> Select[int] | None:
        """The ids of what can go once this row is out of the way, the first one first; ``None``: there are none."""

    def behind(self, facts: Facts) -> bool:
        """Whether another row has to be sent first."""
        return False

    def leaves(self, work: Work, row: Row, facts: Facts) -> None:
        """The row has been found fit to be sent, and is about to be claimed."""

    def over(self, row: Row) -> None:
        """The row has been sent or given up, and is not needed any more."""

    def most_attempts(self, row: Row, now: datetime) -> int:
        """After how many tries it is given up."""
        return self.back_off.attempts

    def wait(self, row: Row, now: datetime) -> timedelta:
        """How long it waits for its next try."""
        return self.back_off.wait(row.attempts)

    def waiting(self) -> ColumnElement[bool]:
        return self.table.status == Sending.WAITING

    def insert(self, work: Work, new: Sequence[dict[str, Any]]) -> None:
        """Put rows with these values into the table, but none with a key that is there, and hint at those that are
        due."""
        ids = insert_all_unless_known(work.session, self.table, "key", new)
        due = (row for row in new if row["next_try_at"] <= work.now)
        work.hints.extend(self.hint_for(number, row["kind"]) for row in due if (number := ids.pop(row["key"], None)))

    def claim(self, office: Office, work: Work, number: int) -> tuple[Row, Facts] | None:
        """The row with this id, if the caller is to send it now; it is then nobody else's for two minutes.

        What nobody needs any more is withdrawn instead.
        """
        free = self.free(work.now, work.now)
        row = work.session.scalar(
            select(self.table).where(self.table.id == number, free).with_for_update(skip_locked=True)
        )
        if row is None:
            return None
        facts = self.facts(office, work, row)
        if self.behind(facts):
            return None
        if self.withdrawn(work, row, facts):
            self._out_of_the_way(work, row)
            return None
        until = self.waits_until(office, work, row, facts)
        if until is not None:
            row.next_try_at = until
            return None
        self.leaves(work, row, facts)
        row.claimed_until = work.now + CLAIM
        row.attempts += 1
        return row, facts

    def hint_for(self, number: int, kind: str) -> Hint:
        """Tells a worker that a new row can leave."""
        return self.hint(number)

    def withdrawn(self, work: Work, row: Row, facts: Facts) -> bool:
        """Take something back that nobody needs any more; returns whether it was so."""
        reason = self.unwanted(work, row, facts)
        if reason:
            row.status = Sending.WITHDRAWN
            self.note(row, reason)
        return bool(reason)

    def sent(self, work: Work, row: Row) -> None:
        """The other side has taken it; the next one can go."""
        row.status, row.sent_at, row.claimed_until = Sending.SENT, work.now, None
        self.over(row)
        self._hint_next(work, row)

    def failed(self, work: Work, row: Row, result: str, *, for_good: bool) -> None:
        """It could not be delivered: it is tried again later, or given up."""
        row.claimed_until = None
        self.note(row, result)
        if for_good or row.attempts >= self.most_attempts(row, work.now):
            row.status = Sending.FAILED
            self.over(row)
            self._out_of_the_way(work, row)
        else:
            row.next_try_at = work.now + self.wait(row, work.now)

    def free(self, until: Moment, now: Moment) -> ColumnElement[bool]:
        """The rows that could have been sent before ``until`` and are in nobody's hands now."""
        unclaimed = or_(self.table.claimed_until.is_(None), self.table.claimed_until <= now)
        return self.waiting() & (self.table.next_try_at <= until) & unclaimed

    def turn(self) -> ColumnElement[int]:
        """The place of a row among those of its reader; the first of every reader come before the second of any."""
        return func.row_number().over(partition_by=getattr(self.table, self.reader), order_by=self.order())

    def order(self) -> tuple[InstrumentedAttribute[datetime], InstrumentedAttribute[int]]:
        """Longest due first; after a try that failed a row is at the end."""
        return (self.table.next_try_at, self.table.id)

    def _out_of_the_way(self, work: Work, row: Row) -> None:
        if self.ordered:
            self._hint_next(work, row)

    def _hint_next(self, work: Work, row: Row) -> None:
        query = self.following(row, work.now)
        number = None if query is None else work.session.scalar(query.limit(1))
        work.hints.extend([] if number is None else [self.hint(number)])


ASKING = ("turn", "reminder")
"""Messages that are about a question, and of no use once it is answered."""
AT_ONCE = 200
TESTS, TESTS_WITHIN = 5, timedelta(hours=1)
"""How many tests of one webhook or device may be asked for in how long."""
SLOW = timedelta(seconds=2)
"""After a conversation that took so long its host rests, so that workers are free for others."""
LONGEST_RESULT = 300
"""Characters of what became of a message, as its column has them."""

Message = TypeVar("Message", bound=WebhookMessage | PushMessage)
Owner = TypeVar("Owner", bound=Webhook | PushSubscription)


@dataclass(frozen=True)
class MessageQueue(Queue[Message, Facts], Generic[Message, Facts, Owner]):
    """Messages that other services take. Those to one owner, a webhook or a device, go one after the other as long as
    they are taken, in no order. ``service``: what stands in the name by which its host rests."""

    ordered = False

    owner: type[Owner]
    service: str

    @override
    def note(self, row: Message, result: str) -> None:
        row.answer = result[:LONGEST_RESULT]

    @override
    def following(self, row: Message, now: datetime) -> Select[int]:
        due = (
            getattr(self.table, self.reader) == getattr(row, self.reader),
            self.waiting(),
            self.table.next_try_at <= now,
        )
        return select(self.table.id).where(*due).order_by(*self.order())

    def write(self, work: Work, owners: Iterable[int], kind: str, about: str, at: datetime, **place: object) -> None:
        """Put a message to each of these into the outbox, unless there is one of its kind ``about`` the same.

        ``place``: ``game_id``, ``version`` and ``seat_number``, where it is about any.
        """
        shared = {"game_id": None, "version": None, "seat_number": None, **place}
        shared |= {"kind": kind, "next_try_at": at, "created_at": work.now}
        keys = {number: f"{kind}:{number}:{about}" for number in owners}
        self.insert(work, [{**shared, self.reader: number, "key": key} for number, key in keys.items()])

    def check_tests(self, work: Work, owner: int) -> None:
        """Raises :class:`NotNow` when enough tests were written to an owner lately."""
        late = self.table.created_at > work.now - TESTS_WITHIN
        query = select(func.count()).where(getattr(self.table, self.reader) == owner, self.table.kind == "test", late)
        if work.session.scalars(query).one() >= TESTS:
            raise NotNow(say("You have sent {n} tests within an hour. Wait a little.", n=TESTS))

    def hint_due(self, office: Office, until: datetime, now: datetime) -> int:
        """Hint at messages that could have been sent before ``until`` and nobody has in hand, one for every owner; says
        how many. Workers send them, not the clock: other people's servers may be slow.
        """
        turn = self.turn()
        due = select(self.table.id, turn).where(self.free(until, now)).order_by(turn, *self.order()).limit(AT_ONCE)
        with office.read() as session:
            first = [number for number, place in session.execute(due) if place == 1]
        office.hints.give([self.hint(number) for number in first])
        return len(first)

    def locked(self, session: Session, number: int) -> tuple[Message, Owner] | None:
        """A message and its owner, the owner first for all who lock them; ``None`` where it was removed meanwhile."""
        owner = select(getattr(self.table, self.reader)).where(self.table.id == number).scalar_subquery()
        # a game may write messages to it meanwhile
        told = session.scalar(select(self.owner).where(self.owner.id == owner).with_for_update(key_share=True))
        row = session.scalar(select(self.table).where(self.table.id == number).with_for_update())
        return None if row is None or told is None else (row, told)

    def resting(self, office: Office, work: Work, url: str) -> datetime | None:
        return providers.resting(office, work.session, self._place(url), work.now)

    def talked(self, office: Office, url: str, took: timedelta, now: datetime, *, done: bool) -> None:
        """Somebody has talked to the host of this address; ``done``: it gave an answer."""
        providers.talked(office, self._place(url), took, now, done=done, slow=SLOW)

    def _place(self, url: str) -> str:
        return f"{self.service} {shown_host(url)}"


def shown_host(url: str) -> str:
    """The host of the address of a webhook or a device; the rest of it is a secret."""
    return url.partition("://")[2].partition("/")[0]
