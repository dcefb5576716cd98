"""What letters and messages to webhooks have in common, from the transaction that writes a row until it has left.

A row is written once, claimed by one sender at a time, and then sent, tried again later or given up. What is different
for the two tables are the methods that a queue leaves to its subclass.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from sqlalchemy import BindParameter, ColumnElement, Select, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute

from pbem.engine.values import Value
from pbem.service.base.office import Office
from pbem.service.base.task_hints import Hint
from pbem.service.base.work import Work
from pbem.store.statuses import Sending
from pbem.store.tables import Outgoing
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
    reader: InstrumentedAttribute[int]
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
        return func.row_number().over(partition_by=self.reader, order_by=self.order())

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
