"""A puzzle a day from real games: what would you order? Answered on the page on which the game asked it, as are
mistakes of a review that are asked on their own.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from flask import Blueprint, Response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine import Say, Value, replace
from pbem.render import board_png, map_png
from pbem.robot.review.comparisons import CLEAR
from pbem.service import NoSuch
from pbem.service.games import trials, views
from pbem.service.statistics import puzzles
from pbem.service.statistics.puzzles import Option, Puzzle
from pbem.views.games import GameView
from pbem.web.base.context import Shelf, now, office, own_form, reader
from pbem.web.base.forms import ORDERS, argument
from pbem.web.boards.pictures import as_seen, drawn_once, live_map, png
from pbem.web.games.members import finished
from pbem.web.games.reviews import before_order, drawn_around, listed, tried, words_of
from pbem.web.turns import questions
from pbem.web.turns.addresses import Addresses
from pbem.web.turns.questions import Check, Typed, check

pages = Blueprint("puzzles", __name__)

OF_REVIEW = "/archive/<game_id>/review/<int:number>/puzzle"

EARLIER = 14
"""Days whose puzzles can still be solved."""
WEEK = 7

_positions: Shelf[GameView] = Shelf(32)
_options: Shelf[tuple[Option, ...]] = Shelf(32)


class Weighed(Value):
    """An option in words; ``less``: points that robots expect of it less than of the best, ``chosen``: by how many;
    ``behind``: points that it was worse by when robots played on, ``give``: how far chance may have moved that."""

    option: Option
    words: tuple[Say, ...]
    less: int | None
    behind: int | None
    give: int
    chosen: int
    solves: bool


@dataclass(frozen=True, slots=True)
class Solving:
    """A puzzle as a question that is asked; ``where``: the values of its address, ``day``: the day whose puzzle it is,
    ``None`` of a mistake of a review."""

    where: dict[str, Any]
    day: date | None
    puzzle: Puzzle
    game: GameView

    @property
    def addresses(self) -> Addresses:
        def page(**query: Any) -> str:
            return url_for("puzzles.asked", **self.where, **query)

        def picture(kind: str, **query: Any) -> str:
            return url_for(f"puzzles.{kind}", **self.where, **query)

        return Addresses(page, picture)

    def besides(self) -> dict[str, Any]:
        return {"then": None, "explain": None}

    def page(self, template: str, **values: Any) -> str:
        game = self.game.seen_by(self.puzzle.one.player)
        return render_template(
            template,
            section="archive",
            private=False,
            game=game,
            voice=game.voice,
            player=None,
            answer_at=self.addresses.page,
            step_to=lambda number: self.addresses.page(),
            trial=self.game.trial,
            puzzle={
                "of": self.puzzle,
                "day": self.day,
                "board": self.addresses.picture("board"),
                "answer": self.addresses.picture("shown"),
            },
            **days(self.day),
            **values,
        )


@pages.get("/puzzles")
def today() -> AnyResponse:
    return redirect(url_for("puzzles.asked", day=now().date().isoformat()))


@pages.get("/puzzles/<day>")
@pages.get(OF_REVIEW)
def asked(**where: Any) -> str:
    """A puzzle, and with an ``answer`` its solution."""
    solving = _found(where)
    if solving is None:
        day = _day(where["day"])
        return render_template("puzzle.html", section="archive", puzzle=None, day=day, **days(day))
    question = solving.game.sheet.question(solving.game.state)
    answer = argument("answer", longest=ORDERS)
    if answer and not check(solving.game, question.seat, answer).bad:
        return _solution(solving, answer)
    order = argument("order", longest=ORDERS).strip()
    return questions.confirm(solving, question, order) if order else questions.ask(solving, question)


@pages.get("/puzzles/<day>/answer")
@pages.get(f"{OF_REVIEW}/answer")
def shown(**where: Any) -> str:
    """The solution, for who does not want to answer. Nothing is kept."""
    return _solution(_solving(where), "")


@pages.post("/puzzles/<day>")
@pages.post(OF_REVIEW)
def solve(**where: Any) -> str | AnyResponse:
    """Answer a puzzle; the first answer of somebody who is logged in counts, on its day."""
    own = reader()
    if own is not None:
        own_form()
    solving, given = _solving(where), questions.wished()
    puzzle = solving.puzzle
    judged = check(solving.game, puzzle.one.player, given)
    if judged.bad:
        question = solving.game.sheet.question(solving.game.state)
        return questions.ask(solving, question, Typed(given, Check(True, judged.words)))
    if own is not None and solving.day == now().date():
        option = _option(solving, judged.words)
        puzzles.answer(office(), own.id, solving.day, option, puzzles.solves(puzzle, option), now())
    return redirect(solving.addresses.page(answer=judged.words), code=303)


@pages.get("/puzzles/<day>/<any(better, played):which>.png")
@pages.get(f"{OF_REVIEW}/<any(better, played):which>.png")
def picture(which: str, **where: Any) -> Response:
    """The board around what both orders change, after one of them."""
    puzzle = _solving(where).puzzle

    def draw() -> bytes:
        game = _game(puzzle)
        both = [tried(game, order) for order in (puzzle.one.better, puzzle.one.played)]
        return drawn_around(game, both, which == "played")

    return png(drawn_once(("puzzle", puzzle.game, puzzle.one.number, which), draw))


@pages.get("/puzzles/<day>/map.png")
@pages.get(f"{OF_REVIEW}/map.png")
def map_alone(**where: Any) -> Response:
    game = _solving(where).game
    return png(drawn_once(("puzzle map", *_key(game)), lambda: map_png(as_seen(views.scene_after(game, None)))))


@pages.get("/puzzles/<day>/map.svg")
@pages.get(f"{OF_REVIEW}/map.svg")
def live(**where: Any) -> Response:
    game = _solving(where).game
    return live_map(("puzzle map", *_key(game)), lambda: views.scene_after(game, None))


@pages.get("/puzzles/<day>/board.png")
@pages.get(f"{OF_REVIEW}/board.png")
def board(**where: Any) -> Response:
    game = _solving(where).game
    return png(drawn_once(("puzzle board", *_key(game)), lambda: board_png(as_seen(views.scene_after(game, None)))))


def _solution(solving: Solving, answer: str) -> str:
    """With no ``answer`` only what the best order was."""
    puzzle, mine = solving.puzzle, _option(solving, answer) if answer else None
    counts = puzzles.answers(office(), solving.day) if solving.day else Counter[str]()
    voice = solving.game.seen_by().voice
    weighed = [_weighed(solving, option, counts[option.order]) for option in _all(solving, mine)]
    lead = puzzle.one.lead
    return render_template(
        "puzzle.html",
        section="archive",
        puzzle=puzzle,
        day=solving.day,
        **days(solving.day),
        game=solving.game.seen_by(),
        voice=voice,
        mine=mine and _weighed(solving, mine, 0),
        weighed=weighed,
        answered=counts.total(),
        points=round(lead.value),
        give=round(CLEAR * lead.error),
        position=solving.addresses.page(),
        boards={which: solving.addresses.picture("picture", which=which) for which in ("better", "played")},
    )


def _all(solving: Solving, mine: Option | None) -> Sequence[Option]:
    known = _weighed_options(solving)
    return known if mine is None or any(option.order == mine.order for option in known) else (*known, mine)


def _weighed(solving: Solving, option: Option, chosen: int) -> Weighed:
    words = words_of(tried(solving.game, option.order))
    less, mean = None if option.less is None else round(option.less), option.behind
    behind, give = (None, 0) if mean is None else (round(mean.value), round(CLEAR * mean.error))
    return Weighed(option, words, less, behind, give, chosen, puzzles.solves(solving.puzzle, option))


def _weighed_options(solving: Solving) -> tuple[Option, ...]:
    puzzle, game = solving.puzzle, solving.game
    one = puzzle.one
    played_on = len(one.pairs), *map(len, (one.others or {}).values())  # more of it while a review is worked on
    return _options.get((puzzle.game, one.number, played_on), lambda: puzzles.options(game.sheet, game.state, one))


def _option(solving: Solving, order: str) -> Option:
    game = solving.game
    return puzzles.chosen(game.sheet, game.state, solving.puzzle.one.player, _weighed_options(solving), order)


def days(day: date | None) -> dict[str, Any]:
    """The days around one, and how the reader has fared in the last seven."""
    today, own = now().date(), reader() if day else None
    near = (day - timedelta(1), day + timedelta(1)) if day else ()
    solved = puzzles.of_account(office(), own.id, today) if own else {}
    around = [each.isoformat() if _is_open(each) else "" for each in near]
    week = [(each, solved.get(each)) for each in (today - timedelta(WEEK - 1 - at) for at in range(WEEK))]
    return {"around": around, "week": week, "today": today, "streak": puzzles.streak(solved, today) if own else None}


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


def _found(where: dict[str, Any]) -> Solving | None:
    """``None`` where a day has no puzzle. Raises ``NoSuch``."""
    day = _day(where["day"]) if "day" in where else None
    puzzle = puzzles.of_day(office(), day) if day else _of_review(**where)
    return None if puzzle is None else Solving(where, day, puzzle, trials.begin(_game(puzzle), "", ""))


def _of_review(game_id: str, number: int) -> Puzzle:
    view, one = finished(game_id), listed(game_id, number)
    if not puzzles.is_asked(view.sheet.game, one):
        raise NoSuch(f"Order {number} of game {game_id} is no puzzle.")
    return Puzzle(view.id, one)


def _solving(where: dict[str, Any]) -> Solving:
    solving = _found(where)
    if solving is None:
        raise NoSuch(f"There is no puzzle of {where['day']}.")
    return solving


def _game(puzzle: Puzzle) -> GameView:
    """The position, without the names of the people who were asked in it."""

    def found() -> GameView:
        view = before_order(views.game(office(), puzzle.game), puzzle.one)
        return replace(view, title="", seats=tuple(replace(seat, name="", robot="") for seat in view.seats))

    return _positions.get((puzzle.game, puzzle.one.number), found)


def _key(game: GameView) -> tuple[object, ...]:
    return game.id, game.version
