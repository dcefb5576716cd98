"""Real processes at work on one SQLite file: ``python -m tests.runtime.hammer ROLE URL FOLDER SECONDS SEED``.

Each says "ready", waits for a line, works for so many seconds and prints what it did, as JSON. An exception ends it
with a traceback, for nothing of this may fail: a database that is locked is waited for.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import select

from pbem.service import NotNow, Office
from pbem.service.base.task_hints import Hints
from pbem.service.outbox import talk
from pbem.service.reading import due, records, views
from pbem.service.table import submissions
from pbem.settings import Settings
from pbem.store.tables import Game
from workers import clock, work

LEAST = 8
"""What each does at least, however little the machine has time for."""
KEY = "a key that only tests know"


def office_of(url: str, folder: str) -> Office:
    """An office without a broker: workers here look for themselves."""
    settings = {"PBEM_DATA_DIR": folder, "PBEM_DATABASE_URL": url, "PBEM_SECRET_KEY": KEY, "PBEM_RATE_LIMITS": "off"}
    return Office.open(Settings.read(settings), Hints(lambda _hint: None))


def now() -> datetime:
    """The clock on the wall."""
    return datetime.now(UTC)


class Hammer:
    """One process; ``did`` counts what it did, ``sent`` holds the numbers of what was taken in for good."""

    def __init__(self, office: Office, seed: int) -> None:
        self.office, self.luck = office, random.Random(seed)
        self.did: Counter[str] = Counter()
        self.sent: list[int] = []
        with office.read() as session:
            self.games = session.scalars(select(Game.id).order_by(Game.id)).all()

    def submit(self) -> None:
        """Somebody answers, one to three times, sometimes a question that is past, or talks."""
        game_id = self.luck.choice(self.games)
        view = views.game(self.office, game_id)
        if view.status != "running":
            return
        legal = view.sheet.legal(view.state)
        order = self.luck.choice(legal) if legal else str(view.sheet.default(view.state))
        version = max(0, view.version - (self.luck.random() < 0.2))
        for _ in range(self.luck.choice((1, 1, 2, 3))):
            self.sent.append(
                submissions.submit(
                    self.office, game_id, submissions.NewSubmission(view.waiting_for, order, version, "api"), now()
                )
            )
            self.did["sent"] += 1
        if self.luck.random() < 0.1:
            try:
                talk.post(self.office, game_id, self.luck.randrange(len(view.seats)), "And now?", now())
            except NotNow:  # that player has talked enough
                self.did["silenced"] += 1
        time.sleep(self.luck.random() / 20)

    def work(self) -> None:
        """A worker whose hints come at random and twice."""
        for game_id in self.luck.sample(self.games, len(self.games)):
            self.did["played"] += submissions.play_waiting(self.office, game_id, now())
        for letter_id in due.unsent(self.office, now(), now())[:3]:
            work.send(self.office, letter_id)
            self.did["letters"] += 1

    def clock(self) -> None:
        """The clock looks far more often than it does."""
        clock.tick(self.office, now())
        self.did["ticks"] += 1
        time.sleep(0.1)

    def read(self) -> None:
        """Somebody looks: at a game, at its record, at the lobby."""
        game_id = self.luck.choice(self.games)
        view = views.game(self.office, game_id)
        assert view.log[-1].number == view.version, "a page shows two states at once"
        records.export(self.office, game_id)
        views.lobby(self.office, 1)
        self.did["looked"] += 1


def main() -> None:
    """Do it."""
    role, url, folder, seconds, seed = sys.argv[1:]
    hammer = Hammer(office_of(url, folder), int(seed))
    act: Callable[[], None] = getattr(hammer, role)
    print("ready", flush=True)
    sys.stdin.readline()
    until = time.monotonic() + float(seconds)
    done = 0
    while time.monotonic() < until or done < LEAST:
        act()
        done += 1
    hammer.office.database.close()
    print(json.dumps({"sent": hammer.sent, "did": hammer.did}))


if __name__ == "__main__":
    main()
