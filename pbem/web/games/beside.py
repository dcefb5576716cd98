"""Two finished games of one map side by side, turn by turn or order by order."""

from flask import Blueprint, render_template, url_for

from pbem.engine.values import Value
from pbem.service import NoSuch
from pbem.service.archive import archive, course
from pbem.service.archive.course import Course, TurnEnd
from pbem.service.games import views
from pbem.views.games import GameView, TableView
from pbem.web.base import summaries
from pbem.web.base.context import office
from pbem.web.base.forms import argument, number
from pbem.web.boards.keys import may_look
from pbem.web.boards.pictures import Picture, board_picture
from pbem.web.games import replay
from pbem.web.games.members import finished

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
    return replay.course_of(view, [seat.seat for seat in view.seats])[0]


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
