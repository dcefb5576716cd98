"""Reading rows the way several functions need them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlalchemy.orm.util import identity_key

from pbem import catalog
from pbem.engine.sheet import Sheet
from pbem.service.base import looks
from pbem.service.base.errors import NoSuch
from pbem.store.tables import Account, Game, Seat


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
    row = session.scalar(select(Game).where(Game.id == game_id).with_for_update(key_share=True))
    if row is None:
        raise NoSuch(f"There is no game {game_id}.")
    return row


def account(session: Session, account_id: int) -> Account:
    """The account's row, locked in the same way."""
    return session.get_one(Account, account_id, with_for_update={"key_share": True})


def seats(session: Session, game_id: str) -> Sequence[Seat]:
    """The seats by number."""
    return looks.once(session, ("seats", game_id), lambda: _seats(session, game_id))


def _seats(session: Session, game_id: str) -> Sequence[Seat]:
    of_game = select(Seat).where(Seat.game_id == game_id).order_by(Seat.number)
    if not looks.is_one(session):
        return session.scalars(of_game).all()
    both = of_game.add_columns(Account).outerjoin(Account, Account.id == Seat.account_id)
    return [row.Seat for row in session.execute(both)]  # the accounts are then at hand: who reads seats asks for them


def accounts(session: Session, ids: Collection[int]) -> dict[int, Account]:
    """Accounts by id: those that the session has at hand, and the others in one statement."""
    held = {number: session.identity_map.get(identity_key(Account, number)) for number in ids}
    missing = [number for number, row in held.items() if row is None]
    read = session.scalars(select(Account).where(Account.id.in_(missing))) if missing else ()
    return {number: row for number, row in held.items() if row is not None} | {row.id: row for row in read}


def players(session: Session, game_id: str) -> tuple[Sequence[Seat], Sequence[Account]]:
    """The seats by number, and the accounts of those who hold them, in one statement."""
    query = select(Seat, Account).outerjoin(Account, Account.id == Seat.account_id).where(Seat.game_id == game_id)
    found = session.execute(query.order_by(Seat.number)).all()
    return [row[0] for row in found], [row[1] for row in found if row[1] is not None]


def seat(session: Session, game_id: str, colour: str) -> Seat:
    """The seat of this colour. Raises :class:`NoSuch`."""
    row = session.scalar(select(Seat).where(Seat.game_id == game_id, Seat.colour == colour)) if colour else None
    if row is None:
        raise NoSuch(f"There is no seat {colour} in game {game_id}.")
    return row


def numbered(session: Session, game_id: str, number: int) -> Seat:
    """The seat with this number. Raises :class:`NoSuch`."""
    if looks.is_one(session):
        row = next((seat for seat in seats(session, game_id) if seat.number == number), None)
    else:
        row = session.scalar(select(Seat).where(Seat.game_id == game_id, Seat.number == number))
    if row is None:
        raise NoSuch(f"There is no seat {number} in game {game_id}.")
    return row


def sheet(row: Game) -> Sheet:
    """The rule sheet the game is played on."""
    return catalog.sheet(row.game, row.map)
