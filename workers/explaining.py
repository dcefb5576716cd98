"""Answers to a question played on in thought, a second at a time: robots that are asked something come in between."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.engine.sheet import State
from pbem.robot import tutor
from pbem.robot.tutor import PlayOut
from pbem.service import Office
from pbem.service.games import views
from pbem.service.turns import explanations
from pbem.service.turns.explanations import ENOUGH, FIRST, LONGEST, Explained, Wish
from pbem.views.games import GameView
from workers import work

SLICE = 1.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A game that is being played on when a slice ends, after this answer to the question of a wish."""

    wish: int
    order: str
    game: PlayOut


_begun: list[Begun] = []
"""At most one; whoever goes on without it begins the same game anew."""


def explain(office: Office, number: int) -> None:
    wish = explanations.claim(office, number, work.now())
    if wish is None:
        return
    view = views.game(office, wish.game, wish.version)
    until, found = time.monotonic() + SLICE, wish.known
    if not found.endings:
        answers = tutor.candidates(view.sheet, view.state, view.options)
        found = Explained({order: () for order, _ in answers}, dict(answers), done=False)
    found = _played_on(wish, view, found, until)
    while not found.done and time.monotonic() < until:
        found = _played_on(wish, view, found, until)
    explanations.keep(office, wish, found, work.now())


def _played_on(wish: Wish, view: GameView, found: Explained, until: float) -> Explained:
    """The same with one game more, unless the time is over before its end."""
    order = min(found.endings, key=lambda order: len(found.endings[order]))
    playing = _game(wish, view, view.state, order, len(found.endings[order]))
    while (end := playing.go_on()) is None:
        if time.monotonic() >= until:
            _begun[:] = [Begun(wish.id, order, playing)]
            return found
    endings = {**found.endings, order: (*found.endings[order], end)}
    return replace(found, endings=endings, done=_is_enough(replace(found, endings=endings), wish, work.now()))


def _game(wish: Wish, view: GameView, state: State, order: str, number: int) -> PlayOut:
    begun = _begun.pop() if _begun else None
    if begun is not None and (begun.wish, begun.order) == (wish.id, order):
        return begun.game
    return PlayOut.begin(view.sheet, state, order, view.options, number)


def _is_enough(found: Explained, wish: Wish, now: datetime) -> bool:
    """Whether every answer was played on as often as the others, and often enough or for long enough."""
    even = len({len(ends) for ends in found.endings.values()}) == 1
    return even and (found.number >= ENOUGH or (found.number >= FIRST and now >= wish.asked_at + LONGEST))
