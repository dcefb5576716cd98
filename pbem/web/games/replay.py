"""The page of a finished game: every position, the log of its turn, charts, what decided it; two games side by side."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from flask import Blueprint, render_template, url_for

from pbem.engine import Value
from pbem.service import NoSuch
from pbem.service.archive import archive, course
from pbem.service.archive.course import Course, Moment, TurnEnd
from pbem.service.games import views
from pbem.views.games import GameView, MoveView, TableView
from pbem.web.base import summaries
from pbem.web.base.context import Shelf, office
from pbem.web.base.forms import argument, number
from pbem.web.boards.keys import may_look
from pbem.web.boards.pictures import Picture, board_picture
from pbem.web.games.charts import Chart, charts
from pbem.web.games.members import finished

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


pages = Blueprint("beside", __name__)


class Side(Value):
    """A game after a turn or an order, or as it ended where it had fewer."""

    game: TableView
    picture: Picture
    end: TurnEnd
    course: Course


@pages.get("/games/<game_id>/beside")
def beside(game_id: str) -> str:
    """The game beside the one of the address (``with``) after the same turn; without one, those to choose from."""
    first, other = finished(game_id), argument("with")
    older_than = argument("older")
    if not other:
        page = archive.page(office(), archive.Wanted(map=first.sheet.slug), older_than=older_than)
        return render_template(
            "beside_choice.html",
            section="archive",
            game=first.seen_by(),
            voice=first.voice,
            games=[line for line in page.games if line.id != game_id],
            older=url_for("beside.beside", game_id=game_id, older=page.older) if page.older else "",
            results=summaries.results,
        )
    if not may_look(other):
        raise NoSuch(f"Game {other} is not listed.")
    second = finished(other)
    if second.sheet != first.sheet:
        raise NoSuch(f"Games {game_id} and {other} are not on the same map.")
    courses, sides = (_course(first), _course(second)), (first, second)
    ordered = argument("order") != ""
    last = max(side.latest for side in sides) if ordered else max(went.turns[-1].turn for went in courses)
    at = min(number("order" if ordered else "turn", last), last)
    ends = [_after(view, at) if ordered else _after_turn(went, at) for view, went in zip(sides, courses, strict=True)]

    def address(each: int, by: str = "order" if ordered else "turn") -> str:
        return url_for("beside.beside", game_id=game_id, **{"with": other, by: each})  # type: ignore[arg-type] # a query

    return render_template(
        "beside.html",
        section="archive",
        sides=[_side(view, went, end) for view, went, end in zip(sides, courses, ends, strict=True)],
        map=first.sheet,
        other=other,
        ordered=ordered,
        at=at,
        last=last,
        address=address,
        otherwise=address(ends[0].turn, "turn") if ordered else address(ends[0].number, "order"),
    )


def _course(view: GameView) -> Course:
    return course_of(view, [seat.seat for seat in view.seats])[0]


def _after_turn(went: Course, turn: int) -> TurnEnd:
    return next(end for end in reversed(went.turns) if end.turn <= turn)


def _after(view: GameView, order: int) -> TurnEnd:
    """The table after an order, of a game whose whole log the view holds."""
    found = min(order, view.latest)
    turn = next((move.turn for move in reversed(view.log) if 0 < move.number <= found), 0)
    at = views.game(office(), view.id, found)
    return course.after(at, turn, found, at.state)


def _side(view: GameView, went: Course, end: TurnEnd) -> Side:
    at = views.game(office(), view.id, end.number)
    return Side(at.seen_by(), board_picture(at), end, went)
