"""Four people, a game and a clock, for tests of the service."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Select, UpdateBase, select, update

from pbem.engine import Question, Sheet, State
from pbem.engine.chance import SeededChance
from pbem.service import open_office
from pbem.service.base import queries
from pbem.service.base.office import UNIQUE
from pbem.service.base.task_hints import Hint, Hints
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import opening, views
from pbem.service.letter_views import correspondence
from pbem.service.letters import outbox
from pbem.service.orders import robots, submissions
from pbem.service.own_maps import versions
from pbem.service.people import accounts
from pbem.service.turns import outages
from pbem.settings.settings import Settings
from pbem.store.database import Database
from pbem.store.statuses import GameStatus
from pbem.store.tables import Game, Letter, Submission
from pbem.views.games import GameView, SubmissionView
from pbem.views.letters import LetterView
from tests.databases import Content, content_of, fill, is_empty

Row = TypeVar("Row")
NAMES = ("Ana", "Ben", "Chloé", "Davi")
START = datetime(2026, 11, 20, 18, tzinfo=UTC)
KEPT = 64
"""Databases that are kept for copies, of half a megabyte or less."""


class Entropy:
    """Random bytes that are the same in every run. Those of Message-IDs are counted by themselves: what is drawn for a
    game does not depend on how many letters were written before."""

    def __init__(self) -> None:
        self.asked = self.letters = 0

    def __call__(self, size: int) -> bytes:
        if size == UNIQUE:
            self.letters += 1
            return self.letters.to_bytes(size, "big")
        self.asked += 1
        dice = SeededChance(b"tests", str(self.asked)).dice("entropy", size * 4)
        return bytes(sum(die << 2 * n for n, die in enumerate(dice[i : i + 4])) % 256 for i in range(0, size * 4, 4))


@dataclass(frozen=True)
class Asked:
    """What is asked now: all that somebody needs who answers it."""

    sheet: Sheet
    state: State
    version: int
    waiting_for: str
    over: bool

    def default(self) -> str:
        """The default order, as it would be typed."""
        return str(self.sheet.default(self.state))


@dataclass(frozen=True)
class Done:
    """What a table is once something has been done, and what is in its database."""

    content: Content
    view: GameView
    game: str
    host: int
    entropy: tuple[int, int]
    hints: tuple[Hint, ...]


class Memory:
    """What tables of this process have done, so that it is done once: that takes longer than most tests."""

    def __init__(self) -> None:
        self.in_use = True
        """Not while a test changes what would be done."""
        self._done: OrderedDict[object, Done] = OrderedDict()

    @contextmanager
    def before_changes(self) -> Iterator[None]:
        """For a fixture that changes something only afterwards: what is done within this is kept and copied."""
        before, self.in_use = self.in_use, True
        yield
        self.in_use = before

    def get(self, key: object) -> Done | None:
        """What was done, if it was."""
        if (done := self._done.get(key)) is not None:
            self._done.move_to_end(key)
        return done

    def keep(self, key: object, done: Done) -> None:
        """It has been done; what nobody has asked for the longest is forgotten."""
        self._done[key] = done
        if len(self._done) > KEPT:
            self._done.popitem(last=False)


memory = Memory()
TERMS = Path(__file__).parent / "terms.md"


class Table:
    """``now`` is moved by hand; ``hints`` are what would have gone to the broker."""

    def __init__(self, database_url: str, folder: Path, opened: Database | None = None) -> None:
        settings = Settings.read(
            {
                "PBEM_DATA_DIR": str(folder),
                "PBEM_DATABASE_URL": database_url,
                "PBEM_PUBLIC_URL": "https://play.example.org",
                "PBEM_SECRET_KEY": "a key that only tests know",
                "PBEM_OPERATOR_NAME": "The Tuesday Club",
                "PBEM_CONTACT": "club@example.org",
                "PBEM_POSTAL_ADDRESS": "1 Station Road, 12345 Railton",
                "PBEM_TERMS": str(TERMS),
                "PBEM_OWN_MAPS": "on",
                "PBEM_RATE_LIMITS": "off",  # the clock of a table stands still
            }
        )
        self.hints: list[Hint] = []
        office = open_office(settings, Hints(self.hints.append))
        versions.serve(opened or office.database)
        self._entropy = Entropy()
        self.office = self._own_office = replace(office, database=opened or office.database, entropy=self._entropy)
        self.now = START
        self.game = ""
        self.host = 0

    def close(self) -> None:
        self.office.database.close()

    def later(self, **by: float) -> datetime:
        """Move the clock on and say what it shows."""
        self.now += timedelta(**by)
        return self.now

    def awake(self, **by: float) -> datetime:
        """The same with the server's clock looking all the time: no outage."""
        self.later(**by)
        outages.beat_on(self.office, self.now)
        return self.now

    def account(self, name: str, address: str = "") -> int:
        """The account of somebody, new or not."""
        with self.office.write() as session:
            return accounts.account(session, address or _address(name), name, self.now).id

    def open(self, names: Sequence[str] = NAMES, **changes: object) -> str:
        """Ana opens a game and invites the others."""
        self.host = self.account(names[0])
        invited = tuple(opening.Invited(_address(name), name) for name in names[1:])
        new = opening.NewGame(
            **{  # type: ignore[arg-type]
                "title": "Coal by post",
                "game": "age-of-steam",
                "map": "rust_belt",
                "players": invited,
                "seed": b"seed of the tests",
                "grace": timedelta(0),
                **changes,
            }
        )
        self.game = opening.open_game(self.office, self.host, new, self.now)
        return self.game

    def answer(self, number: int, accept: bool = True) -> None:
        """Somebody follows the link of the invitation."""
        opening.answer(self.office, InvitationClaim(self.game, number), accept, self.now)

    def start(self, **changes: object) -> GameView:
        """Open a game, send the invitations, and let everybody accept.

        Where another test of this process has done the same, it is copied.
        """
        untouched = not self.hints and not any(self._drawn)
        if untouched and self._repeats() and is_empty(self.office.database):
            how = repr(sorted(changes.items()))
            return self._once(("start", self._dialect, how, self.now), lambda: self.start_anew(**changes))
        self.start_anew(**changes)
        return self.view()

    @property
    def _drawn(self) -> tuple[int, int]:
        """How often entropy was asked for."""
        return self._entropy.asked, self._entropy.letters

    @property
    def _dialect(self) -> str:
        return self.office.database.engine.dialect.name

    def _repeats(self) -> bool:
        """Whether what is done here comes out as it does at every other table."""
        return memory.in_use and self.office is self._own_office

    def _once(self, what: tuple[object, ...], act: Callable[[], object]) -> GameView:
        """Do it, or copy what it led to when it was done before; returns the game."""
        key = (type(self), *what)
        if (done := memory.get(key)) is None:
            before = len(self.hints)
            act()
            content, hints, view = content_of(self.office.database), tuple(self.hints[before:]), self.view()
            done = Done(content, view, self.game, self.host, self._drawn, hints)
            memory.keep(key, done)
        else:
            fill(self.office.database, done.content)
            self.game, self.host = done.game, done.host
            self._entropy.asked, self._entropy.letters = done.entropy
            self.hints.extend(done.hints)
        return done.view

    def start_anew(self, **changes: object) -> None:
        """The same, step by step."""
        self.open(**changes)  # type: ignore[arg-type]
        self.send_all()
        for number in range(1, len(self.view().seats)):
            self.answer(number)

    def view(self, at: int | None = None) -> GameView:
        return views.game(self.office, self.game, at)

    def asked(self) -> Asked:
        """What is asked now; a look at the whole game takes several times as long."""
        with self.office.read() as session:
            row = queries.game(session, self.game)
            sheet = queries.sheet(row)
            state: State = views.decoded(sheet, row.state) if row.started_at is not None else None
            seat = row.to_act if row.status == GameStatus.RUNNING else ""
            return Asked(sheet, state, row.version, seat, row.status == GameStatus.OVER)

    def legal(self) -> str:
        """Some legal order for the seat to act: the default, as it would be typed."""
        return self.asked().default()

    def send(
        self, text: str, *, seat: str = "", version: int | None = None, via: str = "page", source: str = ""
    ) -> int:
        """Somebody submits, by default the seat that is asked; not yet played."""
        if not seat or version is None:
            asked = self.asked()
            seat, version = seat or asked.waiting_for, asked.version if version is None else version
        return submissions.submit(
            self.office, self.game, submissions.NewSubmission(seat, text, version, via, source=source), self.now
        )

    def play(self, text: str | None = None, **how: object) -> SubmissionView:
        """Submit and let the worker play it."""
        if text is None:
            asked = self.asked()
            text = asked.default()
            how = {"seat": asked.waiting_for, "version": asked.version, **how}
        number = self.send(text, **how)  # type: ignore[arg-type]
        submissions.play_waiting(self.office, self.game, self.now)
        return views.submission(self.office, number)

    def play_on(self, orders: int) -> GameView:
        """Play this many default orders, or until the game is over.

        Where another test of this process has done it from the very same rows, it is copied; on SQLite only.
        """
        if self._dialect == "sqlite" and self._repeats():
            rows = content_of(self.office.database).digest()
            what = ("play on", orders, rows, self.now, self._drawn, self.game)
            return self._once(what, lambda: self._play_on(orders))
        self._play_on(orders)
        return self.view()

    def _play_on(self, orders: int) -> None:
        asked = self.asked()
        for _ in range(orders):
            if asked.over:
                break
            number = self.send(asked.default(), seat=asked.waiting_for, version=asked.version)
            submissions.play_waiting(self.office, self.game, self.now)
            before, asked = asked.version, self.asked()
            assert asked.version > before, views.submission(self.office, number)

    def robots_answer(self) -> None:
        """Let robots answer until a person is asked."""
        while self.view().robot_asked:
            assert robots.think(self.office, self.game, self.now)
            submissions.play_waiting(self.office, self.game, self.now)

    def phase(self) -> str:
        asked = self.asked()
        return asked.sheet.phase(asked.state)

    def number(self, colour: str) -> int:
        return next(seat.number for seat in self.view().seats if seat.seat == colour)

    def number_asked(self) -> int:
        return self.number(self.asked().waiting_for)

    def rest(self) -> list[str]:
        """The seats that are not asked, in the order in which they will be."""
        view = self.view()
        order = list(view.state.order)
        at = order.index(view.waiting_for)
        return order[at + 1 :] + order[:at]

    def rows(self, query: Select[Row]) -> list[Row]:
        with self.office.read() as session:
            return list(session.scalars(query))

    def only(self, query: Select[Row]) -> Row:
        """The one thing that a query finds."""
        (found,) = self.rows(query)
        return found

    def found(self, kind: type[Row], key: object) -> Row:
        """A row by its key."""
        with self.office.read() as session:
            return session.get_one(kind, key)

    def row(self) -> Game:
        with self.office.read() as session:
            return queries.game(session, self.game)

    def put(self, *changes: UpdateBase) -> None:
        """Change rows as nobody could who uses the server."""
        with self.office.write() as session:
            if self.game:
                queries.locked(session, self.game)
            for change in changes:
                session.execute(change)

    def change(self, **values: object) -> None:
        self.put(update(Game).where(Game.id == self.game).values(**values))

    def letter(self, number: int) -> Letter:
        return self.found(Letter, number)

    def change_letter(self, number: int, **values: object) -> None:
        self.put(update(Letter).where(Letter.id == number).values(**values))

    def letters(self, kind: str = "", status: str = "") -> list[Letter]:
        """The letters written so far, oldest first."""
        rows = self.rows(select(Letter).order_by(Letter.id))
        return [row for row in rows if kind in ("", row.kind) and status in ("", row.status)]

    def send_all(self) -> list[str]:
        """Send every letter that can be sent now, oldest first; says which kinds went out."""
        out = []
        for row in self.letters(status="waiting"):
            if outbox.claim(self.office, row.id, self.now):
                outbox.sent(self.office, row.id, self.now)
                out.append(row.kind)
        return out

    def read(self, row: Letter) -> LetterView:
        """What a letter says now."""
        return correspondence.letter(self.office, row.id, self.now).view

    def submissions(self) -> list[Submission]:
        return self.rows(select(Submission).order_by(Submission.id))


def asked_in(letter: LetterView) -> Question | None:
    return letter.asked.question if letter.asked else None


def _address(name: str) -> str:
    return f"{name.casefold().replace('é', 'e')}@example.org"
