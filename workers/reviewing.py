"""Reviews of finished games: a process of the lowest priority that the clock starts while there are any to work on.

``python -m workers.reviewing`` works until no review is left. A unit takes some seconds and is kept; whoever ends the
process loses no more than that.
"""

import logging
import os
import subprocess
import sys
import time
from datetime import datetime, timedelta

from pbem.robot.review import NotReviewed
from pbem.runtime import leash
from pbem.runtime.start import begin
from pbem.service import Office, open_office
from pbem.service.statistics import reviews
from workers import work

UNIT = 2.0
"""Seconds after which no further step of a unit is begun; a step takes up to three."""
POLITE = timedelta(seconds=1)
"""An order that has waited longer for a worker comes before reviews."""
REST = 1.0
"""Seconds after which it is looked again whether orders wait."""
COMMAND = ("nice", "-n", "19", sys.executable, "-m", "workers.reviewing")

log = logging.getLogger(__name__)


class Reviewer:
    """Keeps the process of this machine running while there are reviews to work on: one at a time."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._process: subprocess.Popen[bytes] | None = None
        self._entered = False

    def look(self, now: datetime) -> None:
        """Returns at once. The first look enters old games that have no review."""
        if not self._entered:
            reviews.enter_old(self._office)
            self._entered = True
        if self._process is not None and self._process.poll() is None:
            return
        self._process = None
        if reviews.waits(self._office, now):
            leashed = (sys.executable, "-I", leash.__file__, str(os.getpid()))
            self._process = subprocess.Popen([*leashed, *COMMAND])  # nosec B603 # noqa: S603 - our own words

    def end(self) -> None:
        """End the process; what its unit has found is found again later."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None


def review(office: Office, game_id: str) -> None:
    """Work on a review until it is done."""
    reviewing = reviews.opened(office, game_id)
    while not reviewing.done:
        while reviews.orders_wait(office, work.now() - POLITE):
            time.sleep(REST)
        began = time.monotonic()
        while not reviewing.done and time.monotonic() - began < UNIT:
            reviewing.step()
        reviews.keep(office, game_id, reviewing, time.monotonic() - began, work.now())
    log.info("reviewed", extra={"game": game_id})


def work_off(office: Office) -> None:
    """Work on reviews until none is left; one that goes wrong is tried again later."""
    while (game_id := reviews.claim(office, work.now())) is not None:
        try:
            review(office, game_id)
        except NotReviewed as never:
            reviews.give_up(office, game_id)
            log.info("not reviewed: %s", never, extra={"game": game_id})
        except Exception:
            log.exception("a review went wrong", extra={"game": game_id})


def main() -> None:
    work_off(open_office(begin("reviews")))


if __name__ == "__main__":
    main()
