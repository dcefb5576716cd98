"""The page of a finished game: every position on the spot, the log of its turn, charts, what decided it."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from pbem.service.archive import course
from pbem.service.archive.course import Course, Moment
from pbem.views.games import GameView, MoveView
from pbem.web.base.cache import Shelf
from pbem.web.base.context import office
from pbem.web.base.forms import argument
from pbem.web.games.charts import Chart, charts

_courses: Shelf[tuple[Course, tuple[Moment, ...], tuple[Chart, ...]]] = Shelf(32)
"""Finished games never change; those looked at last are kept."""
FEWEST_PHASES = 3
StepTo = Callable[..., str]
"""From the number of an order, and whom one follows, to the address of the page there."""


def values(whole: GameView, at: int, step_to: StepTo) -> dict[str, Any]:
    """What the template is given beside the position. ``whole``: the game at its end; ``at``: the order looked at."""
    seats = [seat.seat for seat in whole.seats]
    follow = argument("follow") if argument("follow") in seats else ""
    steps = _steps(whole, follow)
    how_it_went, decided, drawn = course_of(whole, seats)
    turn = next((move.turn for move in reversed(whole.log) if move.number <= at), 0)
    shown = [move for move in whole.log if move.number > 0 and move.turn == max(turn, 1)]
    own = [move for move in shown if not follow or move.seat == follow]
    return {
        "follow": follow,
        "step_to": lambda number: step_to(number, follow),
        "followed": [("", step_to(at)), *((seat, step_to(at, seat)) for seat in seats)],
        "first": step_to(steps[0], follow),
        "before": _address(steps, bisect_left(steps, at) - 1, step_to, follow),
        "after": _address(steps, bisect_right(steps, at), step_to, follow),
        "end": step_to(steps[-1], follow),
        "steps": steps,
        "turns": [(number, end, step_to(end, follow)) for number, end in _turns(whole)],
        "turn_shown": max(turn, 1),
        "phases": _phases(own, at, lambda number: step_to(number, follow)),
        "shown": own,
        "move": next((move for move in whole.log if move.number == at), None),
        "course": how_it_went,
        "charts": drawn,
        "moments": decided,
    }


def _phases(moves: Sequence[MoveView], at: int, address: Callable[[int], str]) -> list[tuple[str, int, str, bool]]:
    """The phases of a turn with their first orders, where those lead, and whether ``at`` lies in them.

    None where a turn has so few that nobody looks for one.
    """
    first: dict[str, int] = {}
    for move in moves:
        first.setdefault(move.phase, move.number)
    here = next((phase for phase, number in reversed(first.items()) if number <= at), "")
    if len(first) < FEWEST_PHASES:
        return []
    return [(phase, number, address(number), phase == here) for phase, number in first.items()]


def _steps(whole: GameView, follow: str) -> list[int]:
    own = [move.number for move in whole.log if move.number > 0 and (not follow or move.seat == follow)]
    return sorted({0, *own, whole.version})


def _address(steps: Sequence[int], place: int, step_to: StepTo, follow: str) -> str:
    return step_to(steps[place], follow) if 0 <= place < len(steps) else ""


def _turns(whole: GameView) -> list[tuple[int, int]]:
    return sorted({move.turn: move.number for move in whole.log if move.number > 0}.items(), key=lambda found: found[1])


def course_of(whole: GameView, seats: Sequence[str]) -> tuple[Course, tuple[Moment, ...], tuple[Chart, ...]]:
    """How a finished game went, what decided it, and the charts; kept, because a game that is over never changes."""

    def made() -> tuple[Course, tuple[Moment, ...], tuple[Chart, ...]]:
        found = course.of_game(office(), whole)
        fought = course.fought_for(office(), whole)
        return found, course.moments(whole, found, fought), charts(found, seats)

    return _courses.get((whole.id, whole.version, whole.commitment, whole.ended_at), made)
