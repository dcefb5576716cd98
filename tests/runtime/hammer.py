"""Real processes at work on one SQLite file: ``python -m tests.runtime.hammer URL FOLDER SECONDS ROLE…``.

One that has loaded everything forks a process for each role. It says "ready" when they begin, all at the same moment;
each works for so many seconds, and what all did is printed as a list of JSON. An exception ends them with a traceback,
for nothing of this may fail: a database that is locked is waited for.
"""

import json
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

from sqlalchemy import select

from pbem.service import NotNow, Office, open_office
from pbem.service.archive import records
from pbem.service.base.task_hints import Hints
from pbem.service.games import game_lists, views
from pbem.service.letters import talk
from pbem.service.operator import due
from pbem.service.orders import submissions
from pbem.settings.settings import Settings
from pbem.store.tables import Game
from tests.patience import PATIENCE
from workers import clock, work

LEAST = 8
"""What each does at least, however little the machine has time for."""
KEY = "a key that only tests know"


def office_of(url: str, folder: str) -> Office:
    """An office without a broker: workers here look for themselves."""
    settings = {"PBEM_DATA_DIR": folder, "PBEM_DATABASE_URL": url, "PBEM_SECRET_KEY": KEY, "PBEM_RATE_LIMITS": "off"}
    return open_office(Settings.read(settings), Hints(lambda _hint: None))


def now() -> datetime:
    """The clock on the wall."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Together:
    """How a process begins with the others, and says what it did."""

    begin: Barrier
    say: Connection


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
        game_lists.lobby(self.office, 1)
        self.did["looked"] += 1


def at_work(role: str, office: tuple[str, str], seconds: float, seed: int, told: Together) -> None:
    """One process; ``office`` is where its database and its folder are."""
    hammer = Hammer(office_of(*office), seed)
    act: Callable[[], None] = getattr(hammer, role)
    told.begin.wait(PATIENCE)
    until = time.monotonic() + seconds
    done = 0
    while time.monotonic() < until or done < LEAST:
        act()
        done += 1
    hammer.office.database.close()
    told.say.send({"sent": hammer.sent, "did": hammer.did})


def main() -> None:
    url, folder, seconds, *roles = sys.argv[1:]
    forking = multiprocessing.get_context("fork")  # nothing is open yet, and no thread runs
    begin = forking.Barrier(len(roles) + 1)
    heard: list[Connection] = []
    for seed, role in enumerate(roles):
        hear, say = forking.Pipe(duplex=False)
        told = Together(begin, say)
        forking.Process(target=at_work, args=(role, (url, folder), float(seconds), seed, told)).start()
        say.close()  # so that the end of a process that fails is heard
        heard.append(hear)
    begin.wait(PATIENCE)
    print("ready", flush=True)
    print(json.dumps([hear.recv() for hear in heard]))


if __name__ == "__main__":
    main()
