"""Two finished games of one map side by side, turn by turn."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template, url_for

from pbem.service import NoSuch
from pbem.service.reading import archive, views
from pbem.service.reading.course import Course, TurnEnd
from pbem.statuses import GameStatus
from pbem.views import GameView, TableView
from pbem.web.base import summaries
from pbem.web.base.context import office
from pbem.web.base.forms import argument, number
from pbem.web.boards.pictures import Picture, board_picture
from pbem.web.games import replay
from pbem.web.games.members import may_look

pages = Blueprint("beside", __name__)


@dataclass(frozen=True, slots=True)
class Side:
    """A game after a turn, or as it ended where it had fewer."""

    game: TableView
    picture: Picture
    end: TurnEnd
    course: Course


@pages.get("/games/<game_id>/beside")
def beside(game_id: str) -> str:
    """The game beside the one of the address (``with``) after the same turn; without one, those to choose from."""
    first, other = _over(game_id), argument("with")
    older_than = argument("older")
    if not other:
        page = archive.page(office(), older_than=older_than, map=first.sheet.slug)
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
    second = _over(other)
    if second.sheet != first.sheet:
        raise NoSuch(f"Games {game_id} and {other} are not on the same map.")
    courses = _course(first), _course(second)
    last = max(course.turns[-1].turn for course in courses)
    turn = min(number("turn", last), last)

    def address(each: int) -> str:
        return url_for("beside.beside", game_id=game_id, turn=each, **{"with": other})  # type: ignore[arg-type] # a query

    return render_template(
        "beside.html",
        section="archive",
        sides=[_side(view, course, turn) for view, course in zip((first, second), courses, strict=True)],
        map=first.sheet,
        turn=turn,
        turns=[(each, address(each)) for each in range(last + 1)],
    )


def _over(game_id: str) -> GameView:
    view = views.game(office(), game_id)
    if view.status != GameStatus.OVER:
        raise NoSuch(f"Game {game_id} is not over.")
    return view


def _course(view: GameView) -> Course:
    return replay.course_of(view, [seat.seat for seat in view.seats])[0]


def _side(view: GameView, course: Course, turn: int) -> Side:
    end = next(end for end in reversed(course.turns) if end.turn <= turn)
    at = views.game(office(), view.id, end.number)
    return Side(at.seen_by(), board_picture(at), end, course)
