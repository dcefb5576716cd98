"""Balance reports of own maps: a process of the lowest priority that the clock starts while there are any to work on.

``python -m workers.reporting`` works until none is left. Every game is kept; whoever ends the process loses one.
"""

import logging
import time

from pbem.robot.balance import games
from pbem.runtime.start import begin
from pbem.service import Office, open_office
from pbem.service.operator import due
from pbem.service.own_maps import reports
from pbem.service.own_maps.reports import Task
from workers import background, work

COMMAND = (*background.RUN, "workers.reporting")
EVERY = 5.0
"""Seconds after which it is looked whether the game is still wanted, and whether orders or robots wait."""

log = logging.getLogger(__name__)


class Unwanted(Exception):
    """Nobody needs the game that is being played."""


class Watch:
    """Looks now and then while a game is played."""

    def __init__(self, office: Office, task: Task) -> None:
        self._office, self._task, self._next = office, task, 0.0

    def look(self) -> None:
        """Raises :class:`Unwanted`."""
        if time.monotonic() >= self._next:
            background.give_way(self._office)
            while due.robots(self._office, work.now() - background.POLITE):
                time.sleep(background.REST)
            if not reports.stays(self._office, self._task, work.now()):
                raise Unwanted
            self._next = time.monotonic() + EVERY


def report(office: Office, task: Task | None) -> None:
    """Play the games of a report from this one on."""
    while task is not None:
        began = time.process_time()
        try:
            game = games.play(task.sheet, task.players, task.seed, task.number, Watch(office, task).look)
        except Unwanted:
            return
        task = reports.keep(office, task, game, time.process_time() - began, work.now())


def work_off(office: Office) -> None:
    """Work on reports until none is left; one that goes wrong is tried again later."""
    while (task := reports.claim(office, work.now())) is not None:
        try:
            report(office, task)
        except Exception:
            log.exception("the report on version %s went wrong", task.version)
            return


def main() -> None:
    work_off(open_office(begin("reports")))


if __name__ == "__main__":
    main()
