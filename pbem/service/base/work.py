"""A unit of work: one transaction, what it knows of its game, and what it causes.

How functions of the service use it::

    with office.game(game_id, now) as work:     # the game is locked
        work.game, work.seats, work.state       # read and decoded once
        work.write(NewLetter(Played(submission.id), key, account_id, game=work.game))

The letters become rows of the same transaction at its end, all in one statement; the task hints leave after its commit,
and not if it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, ClassVar, Protocol

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session
from typing_extensions import override

from pbem.engine import Sheet, State, Value, say
from pbem.service.base import queries
from pbem.service.base.errors import NoSuch, NotNow
from pbem.service.base.task_hints import Hint
from pbem.store.statuses import StandingOrderStatus
from pbem.store.tables import Account, Game, Seat, StandingOrderRow

_STANDING_ORDERS = (
    select(StandingOrderRow)
    .where(StandingOrderRow.game_id == bindparam("game"), StandingOrderRow.status == StandingOrderStatus.WAITING)
    .order_by(StandingOrderRow.turn.desc(), StandingOrderRow.id)
)


class Payload(Protocol):
    """What a letter says beside its game and its reader: an instance of a kind (``pbem.service.letters.kinds``)."""

    kind: ClassVar[str]
    to_deleted: ClassVar[bool]

    def stored(self) -> dict[str, Any]:
        """What stands in the row of the letter."""


class NewLetter(Value):
    """A letter to be written: it leaves ``wait`` from now at the earliest, and when its reader wants it.

    ``key``: there is never a second letter with the same one.
    """

    payload: Payload
    key: str
    account_id: int
    game: Game | None = None
    seat: Seat | None = None
    version: int | None = None
    wait: timedelta = timedelta(0)


class Work:
    """One transaction at one moment. ``message_id``: makes a new Message-ID out of what a letter is about;
    ``operator``: the address of who runs the server, empty when it is not known."""

    def __init__(self, session: Session, now: datetime, message_id: Callable[[str], str], operator: str = "") -> None:
        self.session = session
        self.now = now
        self.message_id = message_id
        self.operator = operator
        self.hints: list[Hint] = []
        self.accounts: dict[int, Account] = {}
        """Those that have been read, by id: the session itself forgets what nobody holds."""
        self.letters: list[NewLetter] = []
        """Those that have been written and are no rows yet."""

    def write(self, *new: NewLetter) -> None:
        """Put letters into the outbox, unless there is one with the same key already.

        They become rows at the end of the transaction, or when ``outbox.finish`` is called before.
        """
        self.letters.extend(new)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """A part of the transaction that is undone alone when it fails, with the letters and hints of it."""
        letters, hints = self.letters[:], self.hints[:]
        try:
            with self.session.begin_nested():
                yield
        except Exception:
            self.letters[:], self.hints[:] = letters, hints
            raise

    def lock(self, game_id: str) -> GameWork:
        """The same transaction with a game, locked as by :func:`queries.locked`. Raises ``NoSuch``."""
        return self.at(queries.locked(self.session, game_id))

    def at(self, game: Game) -> GameWork:
        return GameWork(self, game)


class GameReader:
    """A game at one moment, in a transaction that may only read: its row, its seats, read once, its sheet and state."""

    def __init__(self, session: Session, game: Game, now: datetime) -> None:
        self.session, self.game, self.now = session, game, now
        self._encoded: bytes | None = None

    @cached_property
    def sheet(self) -> Sheet:
        return queries.sheet(self.game)

    @cached_property
    def seats(self) -> Sequence[Seat]:
        return queries.seats(self.session, self.game.id)

    def seat(self, colour: str) -> Seat:
        """The seat of this colour. Raises :class:`NoSuch`."""
        for seat in self.seats:
            if colour and seat.colour == colour:
                return seat
        raise NoSuch(f"There is no seat {colour} in game {self.game.id}.")

    def numbered(self, number: int) -> Seat:
        """The seat with this number. Raises :class:`NoSuch`."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise NoSuch(f"There is no seat {number} in game {self.game.id}.")

    def seat_of(self, account_id: int | None) -> Seat | None:
        return next((seat for seat in self.seats if account_id is not None and seat.account_id == account_id), None)

    @property
    def state(self) -> State:
        if self._encoded is None or self._encoded is not self.game.state:  # a savepoint that fails sets the row back
            self._state, self._encoded = self.sheet.decode(self.game.state), self.game.state
        return self._state


class GameWork(Work, GameReader):
    """The same in a unit of work: the row of the game is locked."""

    def __init__(self, work: Work, game: Game) -> None:
        GameReader.__init__(self, work.session, game, work.now)
        self.message_id, self.operator, self.hints = work.message_id, work.operator, work.hints
        self.letters = work.letters
        self.accounts = work.accounts

    def read_players(self) -> None:
        """Read the seats with the accounts of their players, and when these are away, in one statement."""
        self.seats = self.players.seats
        self.accounts.update(self.players.accounts)

    @cached_property
    def players(self) -> queries.Players:
        """Who played and when they are away, as it was when it was first asked for."""
        return queries.players(self.session, self.game.id)

    def player(self, seat: Seat) -> Account | None:
        if seat.account_id is None:
            return None
        if seat.account_id not in self.accounts:
            self.accounts[seat.account_id] = self.session.get_one(Account, seat.account_id)
        return self.accounts[seat.account_id]

    @cached_property
    def standing_orders(self) -> list[StandingOrderRow]:
        """The orders that waited when they were first asked for, those of a turn first; who gives one adds it here."""
        return list(self.session.scalars(_STANDING_ORDERS, {"game": self.game.id}))

    def host(self, account_id: int) -> Account:
        """The account of the host. Raises :class:`NotNow` for anybody else."""
        if self.game.host_id != account_id:
            raise NotNow(say("Only the host can do this."))
        return self.session.get_one(Account, account_id)

    def write_to(self, seat: Seat, payload: Payload, key: str, *, wait: timedelta = timedelta(0)) -> None:
        """Write to the player of a seat, about the position the game is in; to nobody where nobody has the seat."""
        if seat.account_id is not None:
            version = self.game.version
            self.write(NewLetter(payload, key, seat.account_id, self.game, seat, version, wait))

    @property  # type: ignore[explicit-override]  # mypy does not see it where there is a setter
    @override
    def state(self) -> State:
        """The position the game is in, decoded once; setting it puts the game into another."""
        return super().state

    @state.setter
    def state(self, state: State) -> None:
        self.game.state = self.sheet.encode(state)
        self._state, self._encoded = state, self.game.state
