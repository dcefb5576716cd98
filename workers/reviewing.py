"""Reviews of finished games: a process of the lowest priority that the clock starts while there are any to work on.

``python -m workers.reviewing`` works until no review is left. A unit takes some seconds and is kept; whoever ends the
process loses no more than that.
"""

import logging
import time
from datetime import datetime

from typing_extensions import override

from pbem.runtime.start import begin
from pbem.service import Office, open_office
from pbem.service.statistics import reviews
from workers import background, work
from workers.background import Background

UNIT = 2.0
"""Seconds after which no further step of a unit is begun; a step takes up to three."""
COMMAND = (*background.RUN, "workers.reviewing")

log = logging.getLogger(__name__)


class Reviewer(Background):
    """Keeps the process of this machine running while there are reviews to work on."""

    def __init__(self, office: Office) -> None:
        super().__init__(office, COMMAND, reviews.waits)
        self._entered = False

    @override
    def look(self, now: datetime) -> None:
        """The first look enters old games that have no review."""
        if not self._entered:
            reviews.enter_old(self._office)
            self._entered = True
        super().look(now)


def review(office: Office, game_id: str) -> None:
    """Work on a review until it is done."""
    reviewing = reviews.opened(office, game_id)
    while not reviewing.done:
        background.give_way(office)
        began = time.monotonic()
        while not reviewing.done and time.monotonic() - began < UNIT:
            reviewing.step()
        reviews.keep(office, game_id, reviewing, time.monotonic() - began, work.now())
    log.info("reviewed", extra={"game": game_id})


def work_off(office: Office) -> None:
    while (game_id := reviews.claim(office, work.now())) is not None:
        try:
            review(office, game_id)
        except Exception:
            log.exception("a review went wrong", extra={"game": game_id})


def main() -> None:
    work_off(open_office(begin("reviews")))


if __name__ == "__main__":
    main()
