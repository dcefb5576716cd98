"""A puzzle a day from real games: two orders, of which one was better."""

from datetime import date, timedelta

from flask import Blueprint, Response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine.values import replace
from pbem.robot.review.comparisons import CLEAR
from pbem.service import NoSuch
from pbem.service.games import views
from pbem.service.statistics import puzzles
from pbem.service.statistics.puzzles import Puzzle
from pbem.views.games import GameView
from pbem.web.base.context import now, office
from pbem.web.base.forms import argument
from pbem.web.boards.pictures import drawn_once, png
from pbem.web.games.reviews import before_order, drawn_around, tried, words_of

pages = Blueprint("puzzles", __name__)

EARLIER = 14
"""Days whose puzzles can still be solved."""
ANSWERS = ("1", "2")


@pages.get("/puzzles")
def today() -> AnyResponse:
    return redirect(url_for("puzzles.of_day", day=now().date().isoformat()))


@pages.get("/puzzles/<day>")
def of_day(day: str) -> str:
    """The puzzle of a day, and with an answer (``answer=1`` or ``2``) its solution."""
    when = _day(day)
    puzzle, answer = puzzles.of_day(office(), when), argument("answer")
    earlier = [when - timedelta(days=1), when + timedelta(days=1)]
    around = [each.isoformat() if _is_open(each) else "" for each in earlier]
    if puzzle is None:
        return render_template("puzzle.html", section="archive", puzzle=None, day=when, around=around)
    view = _position(puzzle)
    game = view.seen_by()
    return render_template(
        "puzzle.html",
        section="archive",
        puzzle=puzzle,
        day=when,
        around=around,
        game=game,
        voice=game.voice,
        words=[words_of(tried(view, order)) for order in puzzle.orders],
        answer=int(answer) - 1 if answer in ANSWERS else None,
        points=round(abs(puzzle.one.lead.value)),
        give=round(CLEAR * puzzle.one.lead.error),
    )


@pages.get("/puzzles/<day>/<any(first, second):place>.png")
def picture(day: str, place: str) -> Response:
    """The board around what both orders change, after one of them."""
    puzzle = puzzles.of_day(office(), _day(day))
    if puzzle is None:
        raise NoSuch(f"There is no puzzle of {day}.")

    def draw() -> bytes:
        view = _position(puzzle)
        return drawn_around(view, [tried(view, order) for order in puzzle.orders], place == "second")

    return png(drawn_once(("puzzle", day, puzzle.game, puzzle.one.number, place), draw))


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise NoSuch(f"{text} is no day.") from None
    if not _is_open(day):
        raise NoSuch(f"The puzzle of {text} is not open.")
    return day


def _is_open(day: date) -> bool:
    return now().date() - timedelta(days=EARLIER) <= day <= now().date()


def _position(puzzle: Puzzle) -> GameView:
    """The position, without the names of the people who were asked in it."""
    view = before_order(views.game(office(), puzzle.game), puzzle.one)
    return replace(view, title="", seats=tuple(replace(seat, name="", robot="") for seat in view.seats))
