"""Four people, a game and a clock, for tests of the service."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import select

from pbem.engine.chance import SeededChance
from pbem.engine.sheet import Question
from pbem.letter import LetterView
from pbem.service import Office
from pbem.service.accounts import accounts
from pbem.service.base.task_hints import Hint, Hints
from pbem.service.base.tokens import InvitationClaim
from pbem.service.letters import correspondence
from pbem.service.outbox import letters
from pbem.service.reading import views
from pbem.service.table import opening, submissions
from pbem.service.turns import outages
from pbem.settings import Settings
from pbem.store.database import Database
from pbem.store.tables import Letter, Submission
from pbem.views import GameView, SubmissionView
from tests.databases import Sqlite, content_of, fill, is_empty

NAMES = ("Ana", "Ben", "Chloé", "Davi")
START = datetime(2026, 11, 20, 18, tzinfo=UTC)


class Entropy:
    """Random bytes that are the same in every run."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, size: int) -> bytes:
        self.asked += 1
        dice = SeededChance(b"tests", str(self.asked)).dice("entropy", size * 4)
        return bytes(sum(die << 2 * n for n, die in enumerate(dice[i : i + 4])) % 256 for i in range(0, size * 4, 4))


@dataclass(frozen=True)
class Started:
    """What a table is once its game has begun, and what is in its database."""

    content: bytes
    game: str
    host: int
    asked: int
    hints: tuple[Hint, ...]


@cache
def started() -> Started:
    """A game that has just begun, made once in a process: that takes longer than most tests."""
    with TemporaryDirectory() as folder:
        table = Table(Sqlite(Path(folder)).fresh(), Path(folder))
        table.start_anew()
        content = content_of(table.office.database)
        table.close()
    return Started(content, table.game, table.host, table._entropy.asked, tuple(table.hints))


class Table:
    """``now`` is moved by hand; ``hints`` are what would have gone to the broker."""

    def __init__(self, database_url: str, folder: Path, opened: Database | None = None) -> None:
        settings = Settings.read(
            {
                "PBEM_DATA_DIR": str(folder),
                "PBEM_DATABASE_URL": database_url,
                "PBEM_PUBLIC_URL": "https://play.example.org",
                "PBEM_SECRET_KEY": "a key that only tests know",
                "PBEM_RATE_LIMITS": "off",  # the clock of a table stands still
            }
        )
        self.hints: list[Hint] = []
        office = Office.open(settings, Hints(self.hints.append))
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

    def open(self, names: Sequence[str] = NAMES, **changes: object) -> str:
        """Ana opens a game and invites the others."""
        with self.office.write() as session:
            self.host = accounts.account(session, _address(names[0]), names[0], self.now).id
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

        Where nothing is different from other tests, it has been done before and is copied.
        """
        if not changes and self._is_new():
            self._copy(started())
        else:
            self.start_anew(**changes)
        return self.view()

    def _is_new(self) -> bool:
        """Whether nothing has happened here, and nobody has changed anything; on SQLite only."""
        untouched = self.office is self._own_office and self.now == START and not self.hints and not self._entropy.asked
        return untouched and self.office.database.engine.dialect.name == "sqlite" and is_empty(self.office.database)

    def _copy(self, other: Started) -> None:
        fill(self.office.database, other.content)
        self.game, self.host, self._entropy.asked = other.game, other.host, other.asked
        self.hints.extend(other.hints)

    def start_anew(self, **changes: object) -> None:
        """The same, step by step."""
        self.open(**changes)  # type: ignore[arg-type]
        self.send_all()
        for number in range(1, len(self.view().seats)):
            self.answer(number)

    def view(self, at: int | None = None) -> GameView:
        return views.game(self.office, self.game, at)

    def legal(self) -> str:
        """Some legal order for the seat to act: the default, as it would be typed."""
        view = self.view()
        return str(view.sheet.default(view.state))

    def send(
        self, text: str, *, seat: str = "", version: int | None = None, via: str = "page", source: str = ""
    ) -> int:
        """Somebody submits, by default the seat that is asked; not yet played."""
        if not seat or version is None:
            view = self.view()
            seat, version = seat or view.waiting_for, view.version if version is None else version
        return submissions.submit(
            self.office, self.game, submissions.NewSubmission(seat, text, version, via, source=source), self.now
        )

    def play(self, text: str | None = None, **how: object) -> SubmissionView:
        """Submit and let the worker play it."""
        if text is None:
            view = self.view()
            text = str(view.sheet.default(view.state))
            how = {"seat": view.waiting_for, "version": view.version, **how}
        number = self.send(text, **how)  # type: ignore[arg-type]
        submissions.play_waiting(self.office, self.game, self.now)
        return views.submission(self.office, number)

    def play_on(self, orders: int) -> GameView:
        """Play this many default orders, or until the game is over."""
        view = self.view()
        for _ in range(orders):
            if view.status == "over":
                break
            order = str(view.sheet.default(view.state))
            number = submissions.submit(
                self.office,
                self.game,
                submissions.NewSubmission(view.waiting_for, order, view.version, "page"),
                self.now,
            )
            submissions.play_waiting(self.office, self.game, self.now)
            before, view = view.version, self.view()
            assert view.version > before, views.submission(self.office, number)
        return view

    def letters(self, kind: str = "", status: str = "") -> list[Letter]:
        """The letters written so far, oldest first."""
        with self.office.read() as session:
            rows = session.scalars(select(Letter).order_by(Letter.id)).all()
        return [row for row in rows if kind in ("", row.kind) and status in ("", row.status)]

    def send_all(self) -> list[str]:
        """Send every letter that can be sent now, oldest first; says which kinds went out."""
        out = []
        for row in self.letters(status="waiting"):
            if letters.claim(self.office, row.id, self.now):
                letters.sent(self.office, row.id, f"<{row.id}@example.org>", self.now)
                out.append(row.kind)
        return out

    def read(self, row: Letter) -> LetterView:
        """What a letter says now."""
        return correspondence.letter(self.office, row.id, self.now).view

    def submissions(self) -> list[Submission]:
        with self.office.read() as session:
            return list(session.scalars(select(Submission).order_by(Submission.id)))


def asked_in(letter: LetterView) -> Question | None:
    """The question that a letter asks."""
    return letter.asked.question if letter.asked else None


def _address(name: str) -> str:
    return f"{name.casefold().replace('é', 'e')}@example.org"
