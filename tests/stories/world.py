"""A small world for stories: people with mailboxes who know only what they were told, and a server in real hours.

The server is the real one: the clock of ``workers.clock`` looks every hour, letters go through ``workers.work`` to a
mail server that keeps them. Nobody reads the database; a person answers what a letter asks.
"""

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

import pytest

from pbem import robot
from pbem.mail.compose import compose
from pbem.robot import opponents
from pbem.service.base import queries
from pbem.service.orders import submissions
from pbem.settings.settings import Settings
from pbem.store.tables import Game, Letter, Seat
from pbem.transport import smtp
from pbem.views.games import GameView
from pbem.views.letters import Email, LetterView
from tests.table import Table
from workers import clock, work

AWAKE = range(8, 22)
"""Hours of the day (UTC) in which people look at their mails."""
TELLS = frozenset({"away", "back", "paused", "resumed", "clocks-moved", "seat-offered", "caretaker", "your-turn"})
"""Letters that tell of another deadline for a question that was asked before; who is back is asked by the last."""


@dataclass(frozen=True, slots=True)
class Change:
    """A deadline that is not what it was, of a question that is still the same."""

    at: datetime
    number: int
    before: datetime | None
    after: datetime | None


@dataclass
class Person:
    """``reads``: whether the person looks at mails; ``mail``: whether they arrive. ``told``: deadlines by version."""

    name: str
    number: int
    address: str
    reads: bool = True
    mail: bool = True
    letters: list[LetterView] = field(default_factory=list)
    told: dict[int, datetime] = field(default_factory=dict)

    def kinds(self) -> list[str]:
        """The kinds of letters that arrived, in order."""
        return [letter.envelope.kind for letter in self.letters]


class World:
    """People around one game. ``hour`` lets an hour pass; ``changes`` are deadlines that moved."""

    def __init__(self, table: Table, patch: pytest.MonkeyPatch, *names: str) -> None:
        self.table = table
        self.people = [Person(name, n, f"{name.casefold()}@example.org") for n, name in enumerate(names)]
        self.changes: list[Change] = []
        self.unreached: set[int] = set()
        """Questions asked of somebody whose mails do not arrive, by version."""
        self._dice, self._composed = random.Random(5), dict[str, LetterView]()
        self._last: tuple[int, datetime | None] = (-1, None)
        patch.setattr(work, "now", lambda: table.now)
        patch.setattr(work, "picture", lambda _draft: None)
        patch.setattr(work, "compose", self._compose)
        patch.setattr(smtp, "post", self._post)
        patch.setattr(opponents, "caretaker", lambda sheet, state, seed, _: opponents.plain(sheet, state, seed))

    # the mail -------------------------------------------------------------------------------------------------

    def _compose(self, view: LetterView, board: bytes | None, sender: str) -> Email:
        email = compose(view, board, sender)
        self._composed[email.message_id] = view
        return email

    def _post(self, _settings: Settings, email: Email, to: str, _token: str = "") -> float:
        """Give the letter to its reader; says how many seconds it took, as the real one does."""
        person = next(person for person in self.people if person.address == to)
        if not person.mail:
            raise smtp.NotTaken("550 5.1.1 no such mailbox", for_good=True)
        view = self._composed[email.message_id]
        person.letters.append(view)
        for version, deadline in _told(view):
            person.told[version] = deadline
        return 0.0

    # the game -------------------------------------------------------------------------------------------------

    def view(self) -> GameView:
        return self.table.view()

    def game(self) -> Game:
        """The game without its log, which is long."""
        with self.table.office.read() as session:
            return queries.game(session, self.table.game)

    def person_asked(self) -> Person | None:
        with self.table.office.read() as session:
            asked = queries.game(session, self.table.game).to_act
            seats = {seat.colour: seat.number for seat in queries.seats(session, self.table.game)} if asked else {}
        return next((person for person in self.people if person.number == seats.get(asked)), None)

    def seat(self, person: Person) -> Seat:
        with self.table.office.read() as session:
            return queries.numbered(session, self.table.game, person.number)

    def answer(self, person: Person) -> None:
        """The person opens the link of the letter and plays something sensible."""
        asked = self.table.asked()
        order = robot.choose(asked.sheet, asked.state, self._dice)
        number = self.table.send(order, seat=self.seat(person).colour, version=asked.version)
        submissions.play_waiting(self.table.office, self.table.game, self.table.now)
        submissions.seen(self.table.office, number, self.table.now)

    def look_at_mails(self) -> None:
        """Everybody who is awake and has a letter with the open question answers it."""
        if self.table.now.hour not in AWAKE:
            return
        person = self.person_asked()
        if person is not None and person.reads and self.game().version in person.told:
            self.answer(person)

    # time -----------------------------------------------------------------------------------------------------

    def hour(self) -> None:
        """An hour passes: the clock is never still for long, people read their mails.

        By day the clock looks twice; at night, when nobody plays, once.
        """
        looks = 2 if self.table.now.hour in AWAKE else 1
        for _ in range(looks):
            self.table.later(minutes=10)
            clock.tick(self.table.office, self.table.now)
            self.note()
            for _ in range(6 // looks - 1):
                self.table.awake(minutes=10)
        self.look_at_mails()
        self.note()

    def soon(self) -> None:
        """Ten minutes of the day pass, in which whoever has got a letter answers it."""
        while self.table.awake(minutes=10).hour not in AWAKE:
            pass
        clock.tick(self.table.office, self.table.now)
        self.note()
        self.look_at_mails()
        self.note()

    def until(self, done: Callable[[], bool], passes: Callable[[], None] | None = None, *, days: int = 60) -> None:
        """Let time pass, by the hour unless told otherwise, until something is so."""
        for _ in range(24 * days):
            if done():
                return
            (passes or self.hour)()
        raise AssertionError(f"not within {days} days")

    def note(self) -> None:
        """Remember a deadline that moved under a question that is the same."""
        game, person = self.game(), self.person_asked()
        if person is not None and not person.mail:
            self.unreached.add(game.version)
        version, before = self._last
        if game.status == "running" and version == game.version and before != game.deadline_at:
            assert person is not None
            self.changes.append(Change(self.table.now, person.number, before, game.deadline_at))
        self._last = (game.version if game.status == "running" else -1, game.deadline_at)

    def letters_by_person(self) -> dict[int, list[Letter]]:
        """All letters ever written, by the number of their reader."""
        with self.table.office.read() as session:
            seats = {row.account_id: row.number for row in queries.seats(session, self.table.game)}
        found: dict[int, list[Letter]] = defaultdict(list)
        for letter in self.table.letters():
            if letter.account_id in seats:
                found[seats[letter.account_id]].append(letter)
        return found


def _told(view: LetterView) -> list[tuple[int, datetime]]:
    """The deadlines of the reader's own questions that a letter tells, by version."""
    if view.game is not None and view.game.deadline is not None and view.game.waiting_for == view.seat:
        return [(view.game.version, view.game.deadline)]
    games = getattr(view.own, "games", ())
    return [(line.version, line.deadline) for line in games if line.turn_page and line.deadline is not None]
