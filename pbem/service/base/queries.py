"""Reading rows the way several functions need them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Integer, Row, Select, Text, and_, bindparam, cast, func, literal, or_, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.util import identity_key

from pbem.engine import Sheet, Value, catalog
from pbem.service.base.errors import NoSuch
from pbem.store.database import ReadSession
from pbem.store.statuses import MoveCause, SubmissionStatus
from pbem.store.tables import Absence, Account, Game, Move, Seat, Submission
from pbem.store.time_controls import Span

KNOWN = "pbem.known"
T = TypeVar("T")


def begin_look(session: ReadSession) -> None:
    """Let this session read everything once, and keep it."""
    session.info[KNOWN] = {}
    session.kept = []


def once(session: Session, key: tuple[object, ...], read: Callable[[], T]) -> T:
    """What ``read`` gives, in one look read once for a key."""
    known: dict[tuple[object, ...], T] | None = session.info.get(KNOWN)
    if known is None:
        return read()
    if key not in known:
        known[key] = read()
    return known[key]


class LogPart(Value):
    """Entries of the log of a game: from number ``first`` on, or from the last orders of a seat that stand, and the
    last entry in any case."""

    first: int = 0
    since_orders_of: str = ""


WHOLE_LOG = LogPart()


def _log(first: object, by_mail: ColumnElement[Any]) -> Select[tuple[object, ...]]:
    """Events as they are stored: whoever reads them keeps what they say. ``by_mail``: the number of the first that came
    by email, of the last orders of a seat."""
    columns = (
        Move.number,
        Move.seat,
        Move.turn,
        Move.phase,
        Move.orders,
        Move.cause,
        Move.at,
        Move.taken_back_by,
        Move.why,
        cast(Move.events, Text).label("events"),
        by_mail,
    )
    here = Move.game_id == bindparam("game"), Move.number.between(first, bindparam("version"))
    return select(*columns).where(*here).order_by(Move.number)


_ORDERS = (
    select(Move.number)
    .where(
        Move.game_id == bindparam("game"), Move.number <= bindparam("version"), Move.seat == bindparam("seat"),
        Move.cause == MoveCause.PLAYER,
        or_(Move.taken_back_by.is_(None), Move.taken_back_by > bindparam("version")),
    )
    .order_by(Move.number.desc())
    .limit(1)
)  # fmt: skip
_LAST_ORDERS = _ORDERS.scalar_subquery()
_BY_MAIL = (
    select(Submission.move_number)
    .where(
        Submission.game_id == bindparam("game"), Submission.seat == bindparam("seat"), Submission.via == "mail",
        Submission.status == SubmissionStatus.PLAYED, Submission.move_number + Submission.moves - 1 == _LAST_ORDERS,
    )
    .order_by(Submission.id)
    .limit(1)
    .scalar_subquery()
)  # fmt: skip
"""Where the last orders of a seat begin, if they came by email."""
_FROM = _log(bindparam("first"), literal(None, Integer).label("by_mail"))
_SINCE_ORDERS = _log(func.coalesce(_BY_MAIL, _LAST_ORDERS, 0), _BY_MAIL.label("by_mail"))


def log(session: Session, game_id: str, version: int, part: LogPart) -> Sequence[Row[tuple[object, ...]]]:
    """A part of the log as it stood with entry ``version``."""
    values: dict[str, object] = {"game": game_id, "version": version}
    if part.since_orders_of:
        return session.execute(_SINCE_ORDERS, values | {"seat": part.since_orders_of}).all()
    return session.execute(_FROM, values | {"first": min(part.first, version)}).all()


_LOCKED = select(Game).where(Game.id == bindparam("game")).with_for_update(key_share=True)
_LOCKED_SEAT = (
    select(Game.id, Seat.id, Seat.caretaker_since)
    .outerjoin(Seat, and_(Seat.game_id == Game.id, Seat.colour == bindparam("colour"), Seat.colour != ""))
    .where(Game.id == bindparam("game"))
    .with_for_update(of=Game, key_share=True)
)
_PLAYERS = (
    select(Seat, Account, Absence)
    .outerjoin(Account, Account.id == Seat.account_id)
    .outerjoin(Absence, Absence.account_id == Account.id)
    .where(Seat.game_id == bindparam("game"))
    .order_by(Seat.number, Absence.first)
)
"""Statements that every turn needs are made once: SQLAlchemy takes longer to make one than to send it."""


def game(session: Session, game_id: str) -> Game:
    """The game's row. Raises :class:`NoSuch`."""
    row = session.get(Game, game_id)
    if row is None:
        raise NoSuch(f"There is no game {game_id}.")
    return row


def locked(session: Session, game_id: str) -> Game:
    """The game's row, locked until the end of the transaction: whoever changes a game takes this first.

    Who needs an account and games locks the account first, then the games by id, then letters; who holds a game never
    locks an account. Rows that only point to the game, letters for instance, can be written by others meanwhile.
    """
    row: Game | None = session.scalar(_LOCKED, {"game": game_id})
    if row is None:
        raise NoSuch(f"There is no game {game_id}.")
    return row


def lock_seat(session: Session, game_id: str, colour: str) -> bool | None:
    """Lock the game in the same way, for whoever has no need of its row.

    Returns whether a caretaker plays for the seat, ``None`` when there is no such seat.
    """
    found = session.execute(_LOCKED_SEAT, {"game": game_id, "colour": colour}).one_or_none()
    if found is None:
        raise NoSuch(f"There is no game {game_id}.")
    return None if found[1] is None else found[2] is not None


def account(session: Session, account_id: int) -> Account:
    """The account's row, locked in the same way."""
    return session.get_one(Account, account_id, with_for_update={"key_share": True})


class Players(Value):
    """The seats of a game by number, the accounts of their players by id, and when these are away, past days too."""

    seats: Sequence[Seat]
    accounts: Mapping[int, Account]
    absences: Sequence[Absence]

    def away(self, account_id: int | None) -> tuple[Span, ...]:
        return tuple(Span(row.first, row.last) for row in self.absences if row.account_id == account_id)


def players(session: Session, game_id: str) -> Players:
    return once(session, ("players", game_id), lambda: _players(session, game_id))


def _players(session: Session, game_id: str) -> Players:
    found = session.execute(_PLAYERS, {"game": game_id}).all()
    return Players(
        list(dict.fromkeys(seat for seat, _, _ in found)),
        {account.id: account for _, account, _ in found if account is not None},
        [absence for _, _, absence in found if absence is not None],
    )


def seats(session: Session, game_id: str) -> Sequence[Seat]:
    return players(session, game_id).seats


def accounts(session: Session, ids: Collection[int]) -> dict[int, Account]:
    """Accounts by id: those that the session has at hand, and the others in one statement."""
    held = {number: session.identity_map.get(identity_key(Account, number)) for number in ids}
    missing = [number for number, row in held.items() if row is None]
    read = session.scalars(select(Account).where(Account.id.in_(missing))) if missing else ()
    return {number: row for number, row in held.items() if row is not None} | {row.id: row for row in read}


def seat(session: Session, game_id: str, colour: str) -> Seat:
    """The seat of this colour. Raises :class:`NoSuch`."""
    row = session.scalar(select(Seat).where(Seat.game_id == game_id, Seat.colour == colour)) if colour else None
    if row is None:
        raise NoSuch(f"There is no seat {colour} in game {game_id}.")
    return row


def numbered(session: Session, game_id: str, number: int) -> Seat:
    """The seat with this number. Raises :class:`NoSuch`."""
    for seat in seats(session, game_id):
        if seat.number == number:
            return seat
    raise NoSuch(f"There is no seat {number} in game {game_id}.")


def sheet(row: Game) -> Sheet:
    return catalog.sheet(row.game, row.map)
