"""The clock: ``python -m workers.clock`` looks every 15 seconds for what is due. Any number may run."""

import logging
import signal
import threading
import time
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from pbem.runtime.start import listen_in, up_to_date
from pbem.service import Office, open_office
from pbem.service.archive import copies
from pbem.service.base import rate_limits
from pbem.service.base.task_hints import explain_hint, make_hint, think_hint, try_hint
from pbem.service.games import ending, open_tables, pauses
from pbem.service.leagues import seasons
from pbem.service.letters import digests, push_messages, webhook_messages
from pbem.service.operator import due
from pbem.service.orders import deadlines
from pbem.service.own_maps import reports, versions
from pbem.service.statistics import counting
from pbem.service.turns import explanations, outages, progress
from pbem.store.database import AWAY
from workers import backups, jobs, reporting, reviewing, work
from workers.background import Background

log = logging.getLogger(__name__)

Id = TypeVar("Id", str, int, tuple[int, int])

EVERY = 15.0
EVEN = timedelta(seconds=EVERY)
"""How far the clock on the wall and the machine's own may be apart over one tick."""
HEAD_START = timedelta(seconds=5)
"""What is younger than this is probably in a worker's hands already."""


ROUND = 10.0
"""Seconds after which the letters to be sent are chosen anew, so that those written meanwhile get their turn."""


class DeliveryThread:
    """Sends what no worker has taken, in a thread of its own: no mail server keeps the clock from deadlines."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self._wanted, self._ended = threading.Event(), threading.Event()
        self._until = 0.0
        self._thread = threading.Thread(target=self._work, name="postman")

    def start(self) -> None:
        self._thread.start()

    def look(self, _office: Office, _now: datetime) -> None:
        """Send what is due, now or after the letter in hand; returns at once."""
        self._wanted.set()

    def end(self) -> None:
        """Come to an end; the letter in hand is brought to its end first, so that it is not sent twice."""
        self._ended.set()
        self._wanted.set()
        self._thread.join()

    def _work(self) -> None:
        while self._wanted.wait() and not self._ended.is_set():
            self._wanted.clear()
            self._until = time.monotonic() + ROUND
            try:
                if not send_due(self.office, work.now(), self._round_is_over):
                    self._wanted.set()
            except Exception:
                log.exception("the clock could not look for letters that are due")

    def _round_is_over(self) -> bool:
        return self._ended.is_set() or time.monotonic() > self._until


def send_due(office: Office, now: datetime, ended: Callable[[], bool] = lambda: False) -> bool:
    """Send the letters that could have been sent a while ago, each once, until there are no more or it is to end.

    Returns whether there are no more.
    """
    tried: set[int] = set()
    while new := [number for number in due.unsent(office, now - HEAD_START, now) if number not in tried]:
        for number in new:
            if ended():
                return False
            tried.add(number)
            _each([number], partial(work.send, office))
    return True


def tick(office: Office, now: datetime, send: Callable[[Office, datetime], object] = send_due) -> None:
    """Do everything that is due at ``now``; what goes wrong in one game or letter does not stop the others.

    When the server was away or its time was set, all clocks are moved before any of them is looked at.
    """
    if gap := outages.beat(office, now):
        log.warning("the clock did not look from %s to %s; all deadlines are moved by that", gap.since, gap.until)
    _each(due.waiting(office, now - HEAD_START), partial(work.play, office))
    _each(due.standing_orders(office, now), lambda game_id: progress.play_held(office, game_id, now))
    _each(due.pauses(office, now), lambda game_id: pauses.finish(office, game_id, now))
    office.hints.give([think_hint(game_id) for game_id in due.robots(office, now - HEAD_START)])
    _each(due.deadlines(office, now), lambda game_id: deadlines.deadline(office, game_id, now))
    _each(open_tables.due(office, now), lambda game_id: open_tables.come_to_date(office, game_id, now))
    _each(due.endings(office, now), lambda game_id: ending.finish(office, game_id, now))
    _each(counting.due(office, now - HEAD_START), partial(work.count, office))
    _leagues(office, now)
    _each(due.reminders(office, now), lambda game_id: deadlines.remind(office, game_id, now))
    _each(due.digests(office, now), lambda account_id: digests.make(office, account_id, now))
    office.hints.give([make_hint(number) for number in copies.look(office, now - HEAD_START, now)])
    office.hints.give([explain_hint(number) for number in explanations.look(office, now - HEAD_START, now)])
    office.hints.give([try_hint(number) for number in versions.untried(office, now - HEAD_START)])
    rate_limits.forget(office, now)
    webhook_messages.hint_due(office, now - HEAD_START, now)
    push_messages.hint_due(office, now - HEAD_START, now)
    send(office, now)


def _leagues(office: Office, now: datetime) -> None:
    """What leagues have come to, and what they go on with: each step leads to the next within one look."""
    _each(seasons.due_results(office), lambda number: seasons.note_result(office, number, now))
    _each(seasons.due_steps(office, now), lambda league_id: seasons.step(office, league_id, now))
    _each(seasons.due_games(office, now), lambda number: seasons.open_game(office, number, now))
    _each(seasons.due_seats(office), lambda seat: seasons.replace(office, *seat, now))


def _each(ids: Iterable[Id], act: Callable[[Id], object]) -> None:
    for number in ids:
        try:
            act(number)
        except AWAY as error:
            log.warning("no database for %s: %s", number, str(error).splitlines()[0])
            time.sleep(work.AGAIN_AFTER)
        except Exception:
            log.exception("the clock could not deal with %s", number)


def _tick_and_beat(office: Office, send: Callable[[Office, datetime], object] = send_due) -> None:
    """Tick; a tick with much to do is no outage, but a machine that slept during it was."""
    began, clock = work.now(), time.monotonic()
    tick(office, began, send)
    worked = timedelta(seconds=time.monotonic() - clock)
    if worked > EVEN and abs(work.now() - began - worked) < EVEN:
        outages.beat_on(office, work.now())


def main() -> None:
    settings = listen_in("clock")
    office = open_office(settings)
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    postman = DeliveryThread(office)
    postman.start()
    keeper, doer = backups.BackupScheduler(office), jobs.JobRunner(office)
    reviewer = reviewing.Reviewer(office)
    reporter = Background(office, reporting.COMMAND, reports.waits)
    try:
        ready = False
        while not ended.is_set():
            ready = ready or up_to_date(settings)
            try:
                if ready:
                    _tick_and_beat(office, postman.look)
                    keeper.look(work.now())
                    doer.look(work.now())
                    reviewer.look(work.now())
                    reporter.look(work.now())
            except Exception:
                log.exception("the clock could not look for what is due")
            ended.wait(EVERY)
    finally:
        reviewer.end()
        reporter.end()
        keeper.end()
        doer.end(work.now())
        postman.end()


if __name__ == "__main__":
    main()
