"""Answers to a question played on in thought, a second at a time: robots that are asked something come in between."""

import time
from collections import OrderedDict

from pbem.engine import replace
from pbem.robot import tutor
from pbem.robot.tutor import PlayOut
from pbem.service import Office
from pbem.service.games import views
from pbem.service.turns import explanations
from pbem.service.turns.explanations import ENOUGH, FIRST, LONGEST, MOST_WAITING, Explained, ExplanationJob
from pbem.views.games import GameView
from workers import work

SLICE = 1.0
"""Seconds."""


_begun: OrderedDict[int, tuple[str, int, PlayOut]] = OrderedDict()
"""By job the game that is being played on when a slice ends, after which answer, and which one it is."""


def explain(office: Office, explanation_id: int) -> None:
    """Think about an explanation for a slice of time."""
    job = explanations.claim(office, explanation_id, work.now())
    if job is None:
        return
    view = views.game(office, job.game, job.version)
    began, found = time.monotonic(), job.known
    until = began + SLICE
    if not found.endings:
        answers = tutor.candidates(view.sheet, view.state, view.options)
        found = Explained({order: () for order, _ in answers}, dict(answers))
    found = _played_on(job, view, found, until)
    while not _is_enough(found) and time.monotonic() < until:
        found = _played_on(job, view, found, until)
    found = replace(found, spent=found.spent + time.monotonic() - began)
    explanations.keep(office, job, replace(found, done=_is_enough(found)), work.now())


def _played_on(job: ExplanationJob, view: GameView, found: Explained, until: float) -> Explained:
    order = min(found.endings, key=lambda order: len(found.endings[order]))
    number = len(found.endings[order])
    playing = _game(job, view, order, number)
    while (end := playing.go_on()) is None:
        if time.monotonic() >= until:
            _begun[job.id] = order, number, playing
            if len(_begun) > MOST_WAITING:
                _begun.popitem(last=False)
            return found
    return replace(found, endings={**found.endings, order: (*found.endings[order], end)})


def _game(job: ExplanationJob, view: GameView, order: str, number: int) -> PlayOut:
    """That game after an answer, as far as it was played here."""
    begun = _begun.pop(job.id, None)
    if begun is not None and begun[:2] == (order, number):
        return begun[2]
    return PlayOut.begin(view.sheet, view.state, order, view.options, number)


def _is_enough(found: Explained) -> bool:
    """Whether every answer was played on as often as the others, and often enough or for long enough."""
    even = len({len(ends) for ends in found.endings.values()}) == 1
    return even and (found.number >= ENOUGH or (found.number >= FIRST and found.spent >= LONGEST))
