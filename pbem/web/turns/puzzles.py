"""A puzzle a day from real games: what would you order? Answered on the page on which the game asked it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from flask import Blueprint, Response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine.text import Say
from pbem.engine.values import Value, replace
from pbem.render import board_png, map_png
from pbem.robot.review.comparisons import CLEAR
from pbem.service import NoSuch
from pbem.service.games import trials, views
from pbem.service.statistics import puzzles
from pbem.service.statistics.puzzles import Option, Puzzle
from pbem.views.games import GameView
from pbem.web.base.cache import Shelf
from pbem.web.base.context import now, office, own_form, reader
from pbem.web.base.forms import ORDERS, argument
from pbem.web.boards.pictures import as_seen, drawn_once, live_map, png
from pbem.web.games.reviews import before_order, drawn_around, tried, words_of
from pbem.web.turns import questions
from pbem.web.turns.addresses import Addresses
from pbem.web.turns.questions import Check, Typed, check

pages = Blueprint("puzzles", __name__)

EARLIER = 14
"""Days whose puzzles can still be solved."""
WEEK = 7

_positions: Shelf[GameView] = Shelf(32)
_options: Shelf[tuple[Option, ...]] = Shelf(32)
"""Orders of finished games never change."""


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
    """The puzzle of a day as a question that is asked."""

    day: date
    puzzle: Puzzle
    game: GameView

    @property
    def addresses(self) -> Addresses:
        day = self.day.isoformat()

        def page(**query: Any) -> str:
            return url_for("puzzles.of_day", day=day, **query)

        def picture(kind: str, **query: Any) -> str:
            return url_for(f"puzzles.{kind}", day=day, **query)

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
                "day": self.day,
                "board": self.addresses.picture("board"),
                "answer": self.addresses.picture("shown"),
            },
            **days(self.day),
            **values,
        )


@pages.get("/puzzles")
def today() -> AnyResponse:
    return redirect(url_for("puzzles.of_day", day=now().date().isoformat()))


@pages.get("/puzzles/<day>")
def of_day(day: str) -> str:
    """The puzzle of a day, and with an ``answer`` its solution."""
    when = _day(day)
    puzzle = puzzles.of_day(office(), when)
    if puzzle is None:
        return render_template("puzzle.html", section="archive", puzzle=None, day=when, **days(when))
    solving = _solving(when, puzzle)
    question = solving.game.sheet.question(solving.game.state)
    answer = argument("answer", longest=ORDERS)
    if answer and not check(solving.game, question.seat, answer).bad:
        return _solution(solving, answer)
    order = argument("order", longest=ORDERS).strip()
    return questions.confirm(solving, question, order) if order else questions.ask(solving, question)


@pages.get("/puzzles/<day>/answer")
def shown(day: str) -> str:
    """The solution of the puzzle of a day, for who does not want to answer. Nothing is kept."""
    return _solution(_solving(*_asked(day)), "")


@pages.post("/puzzles/<day>")
def solve(day: str) -> str | AnyResponse:
    """Answer the puzzle; the first answer of somebody who is logged in counts, on its day."""
    own = reader()
    if own is not None:
        own_form()
    when, puzzle = _asked(day)
    solving, given = _solving(when, puzzle), questions.wished()
    judged = check(solving.game, puzzle.one.player, given)
    if judged.bad:
        question = solving.game.sheet.question(solving.game.state)
        return questions.ask(solving, question, Typed(given, Check(True, judged.words)))
    if own is not None and when == now().date():
        option = _option(solving, judged.words)
        puzzles.answer(office(), own.id, when, option, puzzles.solves(puzzle, option), now())
    return redirect(url_for("puzzles.of_day", day=day, answer=judged.words), code=303)


@pages.get("/puzzles/<day>/<any(better, played):which>.png")
def picture(day: str, which: str) -> Response:
    """The board around what both orders change, after one of them."""
    when, puzzle = _asked(day)

    def draw() -> bytes:
        game = _game(puzzle)
        both = [tried(game, order) for order in (puzzle.one.better, puzzle.one.played)]
        return drawn_around(game, both, which == "played")

    return png(drawn_once(("puzzle", when.isoformat(), puzzle.game, puzzle.one.number, which), draw))


@pages.get("/puzzles/<day>/map.png")
def map_alone(day: str) -> Response:
    game = _solving(*_asked(day)).game
    return png(drawn_once(("puzzle map", day, *_key(game)), lambda: map_png(as_seen(views.scene_after(game, None)))))


@pages.get("/puzzles/<day>/map.svg")
def live(day: str) -> Response:
    game = _solving(*_asked(day)).game
    return live_map(("puzzle map", day, *_key(game)), lambda: views.scene_after(game, None))


@pages.get("/puzzles/<day>/board.png")
def board(day: str) -> Response:
    game = _solving(*_asked(day)).game
    return png(
        drawn_once(("puzzle board", day, *_key(game)), lambda: board_png(as_seen(views.scene_after(game, None))))
    )


def _solution(solving: Solving, answer: str) -> str:
    """With no ``answer`` only what the best order was."""
    puzzle, mine = solving.puzzle, _option(solving, answer) if answer else None
    counts, voice = puzzles.answers(office(), solving.day), solving.game.seen_by().voice
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
    key = puzzle.game, puzzle.one.number
    return _options.get(key, lambda: puzzles.options(game.sheet, game.state, puzzle.one))


def _option(solving: Solving, order: str) -> Option:
    game = solving.game
    return puzzles.chosen(game.sheet, game.state, solving.puzzle.one.player, _weighed_options(solving), order)


def days(day: date) -> dict[str, Any]:
    """The days around one, and how the reader has fared in the last seven."""
    today, own = now().date(), reader()
    solved = puzzles.of_account(office(), own.id, today) if own else {}
    around = [each.isoformat() if _is_open(each) else "" for each in (day - timedelta(1), day + timedelta(1))]
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


def _asked(day: str) -> tuple[date, Puzzle]:
    when = _day(day)
    puzzle = puzzles.of_day(office(), when)
    if puzzle is None:
        raise NoSuch(f"There is no puzzle of {day}.")
    return when, puzzle


def _solving(day: date, puzzle: Puzzle) -> Solving:
    return Solving(day, puzzle, trials.begin(_game(puzzle), "", ""))


def _game(puzzle: Puzzle) -> GameView:
    """The position, without the names of the people who were asked in it."""

    def found() -> GameView:
        view = before_order(views.game(office(), puzzle.game), puzzle.one)
        return replace(view, title="", seats=tuple(replace(seat, name="", robot="") for seat in view.seats))

    return _positions.get((puzzle.game, puzzle.one.number), found)


def _key(game: GameView) -> tuple[object, ...]:
    return game.id, game.version
