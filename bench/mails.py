"""Mails that ask something of a player in a whole game on Rust Belt with four players, beside the model.

Robots answer every letter at once through the service; letters whose question is answered by then are withdrawn as
a worker would do it. The model counts one mail for each stop at which the game waits, as people played: their forced
builds and deliveries are 4 in 100, those of robots hardly any.
"""

from __future__ import annotations

import random
import statistics
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import select

from bench.row import Row
from pbem.demo import planner
from pbem.service import Office, open_office
from pbem.service.base.task_hints import Hints
from pbem.service.base.tokens import InvitationClaim
from pbem.service.email_in import replies
from pbem.service.games import opening, views
from pbem.service.letters import outbox
from pbem.service.orders import submissions
from pbem.settings.settings import Settings
from pbem.store.statuses import GameStatus, Sending, SubmissionStatus
from pbem.store.tables import Letter, Submission
from pbem.store.upgrade import upgrade

PLAYERS = 4
GAMES = 3
LOOKS = 15
"""Builds that a robot plays on in thought."""
MODEL = {"step by step": 49, "with planning letters": 31, "with planning letters and queued moves": 23}
"""Mails to each player by the arithmetic of recorded games."""
PROMISED = {"with planning letters": 31, "with planning letters and queued moves": 20}
"""Mails to a player, at most."""
ASKING = ("your-turn", "planning")
THINKS = {"at once": timedelta(0), "after three hours": timedelta(hours=3)}
"""How long every player takes to answer."""
TO_REPLIES = 1.1
"""Emails to who answers by email, times those to who answers on the page, at most."""


def measure() -> list[Row]:
    """One row for each way to play; the median of the players of several games."""
    return [*_asking(), *_by_replies()]


def _by_replies() -> list[Row]:
    """All emails of a game with planning emails: everybody replies to them, beside everybody answers on pages."""
    rows = []
    for name, thinks in THINKS.items():
        with tempfile.TemporaryDirectory() as folder:
            counts = {via: _everything(folder, via, thinks) for via in ("mail", "page")}
        rows.append(
            Row(
                f"all mails to a player, by replies, answered {name}",
                counts["mail"] / PLAYERS,
                "mails",
                "the same game by pages",
                counts["page"] / PLAYERS,
                most=TO_REPLIES,
            )
        )
    return rows


def _everything(folder: str, via: str, thinks: timedelta) -> int:
    table = _table(folder, "with planning letters", 0, f"{via}-{thinks.seconds}")
    table.via, table.thinks = via, thinks
    table.play()
    table.office.database.close()
    return table.asked.total() + table.told.total()


def _asking() -> list[Row]:
    rows = []
    for name, model in MODEL.items():
        with tempfile.TemporaryDirectory() as folder:
            asked = [count for seed in range(GAMES) for count in _game(folder, name, seed)]
        note = f"{min(asked)} to {max(asked)}; besides them an invitation, the start and the end"
        rows.append(
            Row(
                f"mails to a player, {name}",
                statistics.median(asked),
                "mails",
                "the model",
                model,
                limit=PROMISED.get(name),
                note=note,
            )
        )
    return rows


def _game(folder: str, name: str, seed: int) -> list[int]:
    """How many letters that ask something each player gets in one game."""
    table = _table(folder, name, seed, str(seed))
    table.play()
    table.office.database.close()
    return [table.asked[number] for number in range(PLAYERS)]


def _table(folder: str, way: str, seed: int, name: str) -> Table:
    url = f"sqlite:///{folder}/{name}.sqlite"
    settings = Settings.read({"PBEM_DATA_DIR": str(Path(folder, "data")), "PBEM_DATABASE_URL": url})
    office = open_office(settings, Hints(lambda _: None))
    upgrade(office.database.engine)
    return Table(office, way, seed)


class Table:
    """Four robots and their letter boxes. ``via``: api, page, or mail for replies; ``thinks``: before every answer."""

    via = "api"
    thinks = timedelta(0)

    def __init__(self, office: Office, way: str, seed: int) -> None:
        self.office, self.way = office, way
        self.luck = random.Random(seed)
        self.asked: Counter[int] = Counter()
        self.told: Counter[str] = Counter()
        self.now = datetime(2026, 11, 20, 18, tzinfo=UTC)
        invited = tuple(opening.Invited(f"robot{n}@bench.invalid", f"Robot {n}") for n in range(PLAYERS))
        new = opening.NewGame(
            title="Mails", game="age-of-steam", map="rust_belt", players=invited, grace=timedelta(0),
            planning=way != "step by step", seed=f"bench {seed}".encode(),
        )  # fmt: skip
        self.game = opening.open_game(office, None, new, self.now)
        for number in range(PLAYERS):
            opening.answer(office, InvitationClaim(self.game, number), True, self.now)

    def play(self) -> None:
        """Send and answer letters until none is left."""
        while (letter := self._next()) is not None:
            if letter.kind in ASKING:
                self.asked[letter.seat_number or 0] += 1
                self.now += self.thinks
                self._answer(letter)
            else:
                self.told[letter.kind] += 1
        if views.game(self.office, self.game).status != GameStatus.OVER:
            raise RuntimeError("no letter is left, and the game is not over")

    def _next(self) -> Letter | None:
        """Send the oldest letter that is not withdrawn."""
        while True:
            with self.office.read() as session:
                waiting = select(Letter).where(Letter.status == Sending.WAITING).order_by(Letter.next_try_at, Letter.id)
                letter = session.scalar(waiting.limit(1))
            if letter is None:
                return None
            self.now = max(self.now, letter.next_try_at)
            if outbox.claim(self.office, letter.id, self.now):
                outbox.sent(self.office, letter.id, self.now)
                return letter

    def _answer(self, letter: Letter) -> None:
        view = views.game(self.office, self.game)
        seat = next(seat.seat for seat in view.seats if seat.number == letter.seat_number)
        write: Callable[[], str] = {
            "planning": lambda: planner.plan(view.sheet, view.state, seat, self.luck),
            "your-turn": lambda: self._order(seat),
        }[letter.kind]
        version = view.version if letter.kind == "your-turn" else None
        if self.via == "mail":
            number = replies.take(self.office, letter.id, write(), f"<{letter.id}@robots.invalid>", self.now)
        else:
            new = submissions.NewSubmission(seat, write(), version, self.via)
            number = submissions.submit(self.office, self.game, new, self.now)
        submissions.play_waiting(self.office, self.game, self.now)
        with self.office.read() as session:
            done = session.get_one(Submission, number)
        if done.status != SubmissionStatus.PLAYED:
            raise RuntimeError(f"“{done.text}” is {done.status}: {done.sentence}")

    def _order(self, seat: str) -> str:
        view = views.game(self.office, self.game)
        order = planner.choose(view.sheet, view.state, seat, self.luck, LOOKS)
        queued = self.way.endswith("queued moves")
        return "\n".join((order, *(planner.then(view.sheet, view.state, seat, order) if queued else ())))
