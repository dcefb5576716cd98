"""Runs a storm: start everything, play and break, let it calm down, judge."""

import contextlib
import math
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

from sqlalchemy import func, or_, select, text, update
from sqlalchemy.exc import DBAPIError

from pbem.service import Office
from pbem.store.tables import Letter, Submission
from tests.storm.faults import Faults, Weather
from tests.storm.hosts import Hosts
from tests.storm.looking import Window
from tests.storm.opening import Opening
from tests.storm.plan import Ledger, Plan
from tests.storm.players import Players
from tests.storm.site import WEBS, Site
from tests.storm.verdict import Verdict, held_locks, judge
from tests.storm.visitors import Visitors

TELLS_EVERY, LOOKS_EVERY = 15.0, 0.5
QUIET_WITHIN = 15 * 60.0
ASKING_WITHIN = 60.0
OPENED_WITHIN = 0.3
"""In which part of the time all games are opened."""


@dataclass(frozen=True, slots=True)
class Report:
    """All that a table can be made of."""

    plan: Plan
    ledger: Ledger
    verdict: Verdict
    faults: dict[str, int]
    kinds_to_come: list[str]
    """Kinds of faults that have not happened."""
    restarts: dict[str, int]
    looks: dict[int, int]
    """How often pages were answered with each status; 0: not at all."""
    seconds: float
    calm_seconds: float
    folder: Path
    """With logs and database; it stays when something is wrong."""


def run(plan: Plan, tell: Callable[[str], None]) -> Report:
    """One storm. Raises :class:`tests.servers.Missing` and :class:`NotAllowed` where it cannot be held."""
    ledger = Ledger()
    with contextlib.ExitStack() as stack:
        hosts = stack.enter_context(Hosts(plan.workers_named)) if plan.hosts else None
        crew: list[Players] = []

        def deliver(letter: EmailMessage) -> None:
            crew[0].deliver(letter)

        site = Site(plan.workers_named, deliver, hosts, plan.clock_every)
        # the players are there before the first letter can be
        office = site.office()
        stack.callback(office.database.close)
        crew.append(Players(Window(office), site.wires, ledger, plan.seed))
        stack.enter_context(site)
        tell(f"everything runs; logs and database are in {site.folder}")
        return Storm(plan, site, office, crew[0], tell).run()


class Storm:
    """One storm over a site that runs."""

    def __init__(self, plan: Plan, site: Site, office: Office, players: Players, tell: Callable[[str], None]) -> None:
        self._plan, self._site, self._players, self._tell = plan, site, players, tell
        self._ledger = players.ledger
        self._office = office
        luck = random.Random(f"{plan.seed} weather")
        pause = min(1.0 if plan.patient else 0.2, plan.seconds * OPENED_WITHIN / plan.games)
        self._opening = Opening(self._office, plan.games, plan.seed, pause)
        self._visitors = Visitors(Window(office), site.wires, self._opening.opened, plan.seed)
        self._faults = self._breaking(luck)
        self._weather = Weather(self._faults, self._due, luck, lambda line: tell(f"{self._clock()}  {line}"))
        self._began = time.monotonic()

    def run(self) -> Report:
        self._until_served()
        self._began = time.monotonic()
        self._opening.start()
        self._players.start()
        self._visitors.start()
        self._weather.start()
        self._play()
        seconds = time.monotonic() - self._began
        self._weather.stop()
        self._opening.stop()
        self._players.stop()
        self._visitors.stop()
        self._tell(f"{self._clock()}  all is whole again and nobody sends any more; waiting for quiet")
        calm = time.monotonic()
        self._until_quiet()
        calm_seconds = time.monotonic() - calm
        held = [*held_locks(self._office), *self._idle_workers()]
        self._site.supervisor.stop()
        self._site.outbox.look()
        self._tell(f"{self._clock()}  quiet; replaying {len(self._opening.opened)} games and counting letters")
        broken = [sentence for wire in self._site.wires for sentence in wire.broken]
        verdict = judge(self._office, self._ledger, self._site.postbox.taken, held, broken)
        self._site.keep = not verdict.clean
        return Report(
            self._plan, self._ledger, verdict, dict(self._faults.injected), self._faults.kinds_to_come(),
            dict(self._site.supervisor.restarts), dict(self._visitors.answers), seconds, calm_seconds,
            self._site.folder,
        )  # fmt: skip

    def _breaking(self, luck: random.Random) -> Faults:
        site = self._site
        faults = Faults(site.supervisor, site.database, site.broker, site.postbox, site.workers, WEBS, luck)
        faults.full_outbox = site.disk.full
        faults.short = not self._plan.patient
        if site.hosts is not None:
            faults.cut_off = site.hosts.cut_off
        return faults

    def _due(self) -> float:
        """How many faults there should have been by now."""
        spent = (time.monotonic() - self._began) / self._plan.seconds
        done = self._ledger.orders / self._plan.submissions if self._plan.submissions else 0.0
        if done >= 1 and self._kinds_to_come():
            return math.inf
        return self._plan.faults * min(1.0, max(spent, done) * 1.05)

    def _kinds_to_come(self) -> bool:
        return self._plan.every_kind and bool(self._faults.kinds_to_come())

    def _until_served(self) -> None:
        for wire in self._site.wires:
            end = time.monotonic() + 60
            while True:
                try:
                    wire.ask("GET", "/healthz")
                    break
                except OSError:
                    if time.monotonic() > end:
                        raise
                    time.sleep(0.1)

    def _play(self) -> None:
        told = time.monotonic()
        curious = random.Random(f"{self._plan.seed} curious")
        while not self._enough():
            time.sleep(LOOKS_EVERY)
            if self._opening.opened:
                self._players.notice(curious.choice(self._opening.opened))
            if time.monotonic() - told > TELLS_EVERY:
                told = time.monotonic()
                self._tell(self._line())

    def _enough(self) -> bool:
        if time.monotonic() - self._began > self._plan.seconds:
            return True  # whoever wants more gives it more time
        if self._ledger.orders < self._plan.submissions or self._kinds_to_come():
            return False
        return self._faults.injected.total() >= self._plan.faults

    def _line(self) -> str:
        ledger = self._ledger
        rate = ledger.orders / (time.monotonic() - self._began)
        return (
            f"{self._clock()}  {len(self._opening.opened)} games, {ledger.orders:,} submissions in {ledger.requests:,}"
            f" requests ({rate:.1f} a second), {len(self._site.postbox.taken):,} letters,"
            f" {self._faults.injected.total()} faults"
        )

    def _clock(self) -> str:
        seconds = int(time.monotonic() - self._began)
        return f"{seconds // 60:3}:{seconds % 60:02}"

    def _until_quiet(self) -> None:
        """Wait until nothing waits any more; whoever has no patience lets the waits be over at once."""
        end, told = time.monotonic() + QUIET_WITHIN, time.monotonic()
        while (left := self._waiting()) and time.monotonic() < end:
            if self._plan.patient:
                self._let_the_hour_pass()
            else:
                self._cut_short()
            if time.monotonic() - told > TELLS_EVERY:
                told = time.monotonic()
                self._tell(f"{self._clock()}  {left} rows still wait")
            time.sleep(LOOKS_EVERY)

    def _idle_workers(self) -> Iterator[str]:
        """Workers that live and take no tasks."""
        end, there = time.monotonic() + ASKING_WITHIN, 0
        while time.monotonic() < end and there < self._plan.workers:
            time.sleep(LOOKS_EVERY)
            there = max(there, self._site.broker.asking())
        if there < self._plan.workers:
            yield f"only {there} of {self._plan.workers} workers take tasks"

    def _waiting(self) -> int:
        try:
            with self._office.read() as session:
                orders = session.scalar(select(func.count()).where(Submission.status == "waiting"))
                letters = session.scalar(select(func.count()).where(Letter.status == "waiting"))
        except DBAPIError:
            return 1
        return (orders or 0) + (letters or 0)

    def _let_the_hour_pass(self) -> None:
        """As if the time were over for which letters wait that nobody has tried yet: a reader gets five an hour about
        refused orders, and robots that play for all seats are refused so often that theirs would take till tomorrow."""
        with self._office.write() as session:
            later = Letter.next_try_at > text("now() + interval '5 minutes'")
            untried = update(Letter).where(Letter.status == "waiting", Letter.attempts == 0, later)
            session.execute(untried.values(next_try_at=text("now()")))

    def _cut_short(self) -> None:
        """As if the two minutes of letters in dead hands and the waits for another try were over.

        Nobody is killed any more, and a letter that a living worker has in hand is left to it for six seconds.
        """
        with self._office.write() as session:
            due = or_(Letter.claimed_until.is_(None), Letter.claimed_until < text("now() + interval '114 seconds'"))
            waiting = update(Letter).where(Letter.status == "waiting", due)
            session.execute(waiting.values(next_try_at=text("created_at"), claimed_until=None))
