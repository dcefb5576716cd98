"""The clock: ``python -m workers.clock`` looks every 15 seconds for what is due. Any number may run."""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from pbem.runtime.start import listen_in, up_to_date
from pbem.service import Office, digests, due, ending, guard, hookpost, limits, pauses, progress, times
from pbem.store.database import AWAY
from workers import work

log = logging.getLogger(__name__)

Id = TypeVar("Id", str, int)

EVERY = 15.0
EVEN = timedelta(seconds=EVERY)
"""How far the clock on the wall and the machine's own may be apart over one tick."""
HEAD_START = timedelta(seconds=5)
"""What is younger than this is probably in a worker's hands already."""


def tick(office: Office, now: datetime) -> None:
    """Do everything that is due at ``now``; what goes wrong in one game or letter does not stop the others.

    When the server was away or its time was set, all clocks are moved before any of them is looked at.
    """
    if gap := guard.beat(office, now):
        log.warning("the clock did not look from %s to %s; all clocks are moved by that", gap.since, gap.until)
    _each(due.waiting(office, now - HEAD_START), partial(work.play, office))
    _each(due.ahead(office, now), lambda game_id: progress.play_held(office, game_id, now))
    _each(pauses.due(office, now), lambda game_id: pauses.finish(office, game_id, now))
    _each(due.deadlines(office, now), lambda game_id: times.deadline(office, game_id, now))
    _each(ending.due(office, now), lambda game_id: ending.finish(office, game_id, now))
    _remind(office, due.reminders(office, now), now)
    _each(due.digests(office, now), lambda account_id: digests.make(office, account_id, now))
    limits.forget(office, now)
    hookpost.hint_due(office, now - HEAD_START, now)
    _each(due.unsent(office, now - HEAD_START, now), partial(work.send, office))


def _remind(office: Office, game_ids: Sequence[str], now: datetime) -> None:
    """All reminders in one transaction; when that fails each in its own, so that one does not stop the others."""
    try:
        times.remind_all(office, game_ids, now)
    except Exception:
        log.exception("the reminders could not be written together")
        _each(game_ids, lambda game_id: times.remind(office, game_id, now))


def _each(ids: Iterable[Id], act: Callable[[Id], object]) -> None:
    for number in ids:
        try:
            act(number)
        except AWAY as error:
            log.warning("no database for %s: %s", number, str(error).splitlines()[0])
            time.sleep(work.AGAIN_AFTER)
        except Exception:
            log.exception("the clock could not deal with %s", number)


def _tick_and_beat(office: Office) -> None:
    """Tick; a tick with much to do is no outage, but a machine that slept during it was."""
    began, clock = work.now(), time.monotonic()
    tick(office, began)
    worked = timedelta(seconds=time.monotonic() - clock)
    if worked > EVEN and abs(work.now() - began - worked) < EVEN:
        guard.beat_on(office, work.now())


def main() -> None:
    """Tick until SIGTERM or SIGINT."""
    settings = listen_in("clock")
    office = Office.open(settings)
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    ready = False
    while not ended.is_set():
        ready = ready or up_to_date(settings)
        try:
            if ready:
                _tick_and_beat(office)
        except Exception:
            log.exception("the clock could not look for what is due")
        ended.wait(EVERY)


if __name__ == "__main__":
    main()
