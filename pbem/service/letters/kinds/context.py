"""What a kind of letter is given to say what stands in a letter."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from sqlalchemy.orm import Session

from pbem.engine import Question, Say, State
from pbem.service.base import Office, queries
from pbem.service.base.urls import Addresses
from pbem.store.tables import Account, Game, Letter, Seat
from pbem.views import defaults
from pbem.views.games import Attempt, GameLine, GameView
from pbem.views.people import BackView, VoteView


class Context(ABC):
    """A letter that is being written. Everything is read when it is first asked for, and once.

    ``account``: whose letter it is. What is about a game raises :class:`NoSuch` in letters about none. What needs
    the rooms above this one is abstract; a kind finds everything else through ``session``.
    """

    def __init__(self, office: Office, session: Session, letter: Letter, account: Account, now: datetime) -> None:
        self.office = office
        self.session = session
        self.letter = letter
        self.account = account
        self.now = now

    @property
    def addresses(self) -> Addresses:
        return self.office.addresses

    @cached_property
    def game(self) -> Game:
        return queries.game(self.session, self.letter.game_id or "")

    @cached_property
    def seats(self) -> Sequence[Seat]:
        return queries.seats(self.session, self.game.id)

    @property
    def seat(self) -> Seat | None:
        """The seat the letter goes to, in games its reader plays in."""
        return next((seat for seat in self.seats if seat.number == self.letter.seat_number), None)

    @property
    def colour(self) -> str:
        """The colour of that seat, empty before the start."""
        return self.seat.colour if self.seat else ""

    @property
    def host(self) -> str:
        if self.game.host_id is None:
            return ""
        own = next((seat.name for seat in self.seats if seat.account_id == self.game.host_id), "")
        return own or self.session.get_one(Account, self.game.host_id).name

    def question(self) -> Question | None:
        return self._question if self.colour else None

    @cached_property
    def _question(self) -> Question:
        return defaults.question(self.view)

    @property
    @abstractmethod
    def view(self) -> GameView:
        """The game in the position the letter shows; of its log what the kind reads and the reader may see."""

    @property
    @abstractmethod
    def attempt(self) -> Attempt | None:
        """What became of the orders that the letter tries."""

    @abstractmethod
    def position(self, number: int) -> State:
        """The state of the game after the move with this number."""

    @abstractmethod
    def vote(self, number: int) -> VoteView:
        """A vote as it stands now."""

    @abstractmethod
    def kept(self, submission: int) -> tuple[Say, ...]:
        """What of these orders waits for its moment, a sentence each."""

    @abstractmethod
    def clashes(self, submission: int) -> tuple[Say, ...]:
        """What the reader's own orders leave nothing to do of those that wait, a sentence each."""

    @abstractmethod
    def ahead(self) -> tuple[Say, ...]:
        """What of the reader's orders waits for its moment, a sentence each."""

    @abstractmethod
    def back(self) -> BackView | None:
        """What the reader could take back now, alone or with consent; ``None`` when it is nothing."""

    @abstractmethod
    def words(self) -> tuple[str, ...]:
        """The words that an email of the reader about the game can hold now, and do something."""

    @abstractmethod
    def running_games(self) -> tuple[GameLine, ...]:
        """The running games of the reader, those with the next deadline first."""
