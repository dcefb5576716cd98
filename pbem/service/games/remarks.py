"""Bookmarks and remarks on positions of finished games: shared with everybody who may see the game, or for oneself."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import or_, select

from pbem.engine import Value, say
from pbem.service.base import BadInput, NoSuch, NotNow, Office, Problem, queries, rate_limits
from pbem.service.base.rate_limits import REMARKS
from pbem.service.letters.talk import spoken
from pbem.store.statuses import GameStatus
from pbem.store.tables import Account, Game, Remark, Seat
from pbem.views.people import RemarkView

LONGEST = 1_000
MOST, MOST_HERE, MOST_OF_ONE = 200, 10, 40
"""Shared remarks on a game, on one of its positions, and all that one account can write about a game."""


class NewRemark(Value):
    """``number``: of the order after which the position is; a bookmark has no ``text`` and is never shared."""

    number: int
    text: str
    shared: bool


def of_game(office: Office, game_id: str, account_id: int | None) -> tuple[RemarkView, ...]:
    """What a reader may see of the remarks on a game, by position and time: those that are shared and the own."""
    seat = (Seat.game_id == Remark.game_id) & (Seat.account_id == Remark.account_id)
    visible = Remark.shared.is_(True) if account_id is None else or_(Remark.shared, Remark.account_id == account_id)
    query = (
        select(Remark, Account.name, Seat.colour)
        .join(Account, Account.id == Remark.account_id)
        .outerjoin(Seat, seat)
        .where(Remark.game_id == game_id, visible)
        .order_by(Remark.number, Remark.id)
    )
    with office.read() as session:
        rows = session.execute(query).all()
        rules = (
            bool(rows)
            and account_id is not None
            and _has_a_say(session.get_one(Game, game_id), queries.seats(session, game_id), account_id)
        )
    return tuple(
        RemarkView(
            id=row.id,
            number=row.number,
            seat=colour or "",
            name=name,
            text=row.text,
            shared=row.shared,
            at=row.at,
            own=row.account_id == account_id,
            removable=row.account_id == account_id or rules,
        )
        for row, name, colour in rows
    )


def write(office: Office, game_id: str, account_id: int, new: NewRemark, now: datetime) -> None:
    """Keep a remark or a bookmark.

    Raises :class:`BadInput` for field ``remark``, :class:`NotNow` for a game that is not over or has too many of them,
    and ``TooMuch``.
    """
    text = spoken(new.text, "remark", LONGEST)
    if new.shared and not text:
        raise BadInput(Problem("remark", say("Write something that the others can read.")))
    with office.game(game_id, now) as work:
        if work.game.status != GameStatus.OVER:
            raise NotNow(say("Remarks can be written when the game is over."))
        if not 0 <= new.number <= work.game.version:
            raise BadInput(Problem("remark", say("This game has no such position.")))
        known = [
            *work.session.execute(
                select(Remark.number, Remark.shared, Remark.account_id).where(Remark.game_id == game_id)
            )
        ]
        if sum(row.account_id == account_id for row in known) >= MOST_OF_ONE:
            raise NotNow(say("You have {n} bookmarks and remarks in this game. Remove some first.", n=MOST_OF_ONE))
        shared = [row.number for row in known if row.shared]
        if new.shared and (len(shared) >= MOST or shared.count(new.number) >= MOST_HERE):
            raise NotNow(say("There is no more room for remarks that others can read."))
        rate_limits.use(office, work.session, REMARKS, account_id, now)
        work.session.add(
            Remark(game_id=game_id, account_id=account_id, number=new.number, shared=new.shared, text=text, at=now)
        )


def remove(office: Office, game_id: str, account_id: int, remark_id: int, now: datetime) -> None:
    """Remove a remark: whoever wrote it can, and of the shared ones the game's players and its host.

    Raises :class:`NoSuch` for others, and when it is gone already.
    """
    with office.game(game_id, now) as work:
        row = work.session.get(Remark, remark_id)
        if row is None or row.game_id != game_id:
            raise NoSuch(f"There is no remark {remark_id}.")
        if row.account_id != account_id and not (row.shared and _has_a_say(work.game, work.seats, account_id)):
            raise NoSuch(f"There is no remark {remark_id}.")
        work.session.delete(row)


def _has_a_say(game: Game, seats: Sequence[Seat], account_id: int) -> bool:
    return game.host_id == account_id or any(seat.account_id == account_id for seat in seats)
