"""Where a finished game turned: the orders that cost points, and each of them beside the better one."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine import Say, Seat, Value, replace, say
from pbem.render import around_png
from pbem.robot.review.comparisons import CLEAR, Comparison, Means, reasons
from pbem.robot.review.comparisons import FIGURES as MEASURED
from pbem.robot.review.course import Event, Parts, by_turn, events, parts
from pbem.robot.review.habits import habit
from pbem.service import NoSuch
from pbem.service.base.tokens import TurnClaim
from pbem.service.games import playing_on, trials, views
from pbem.service.statistics import reviews
from pbem.service.statistics.puzzles import is_asked
from pbem.service.statistics.reviews import Mistakes, ReviewedGame, ReviewView
from pbem.store.statuses import ReviewStatus
from pbem.views.games import GameView
from pbem.web.base import summaries
from pbem.web.base.context import Shelf, form_sender, now, office, reader, reader_or_login
from pbem.web.boards.pictures import as_seen, drawn_once, png
from pbem.web.games.charts import chart, marked
from pbem.web.games.members import finished

pages = Blueprint("reviews", __name__)

NAMED = 3
"""Mistakes of each player that the page tells."""
EARLY = 2
"""Up to this turn nobody can tell much from a position."""
SHOWN = 10
"""Games that the page of mistakes lists one by one."""
AGAIN = 30
"""Seconds after which a page of a review that is worked on is loaded again."""
PLAYED, BETTER = "played", "better"


class Decision(Value):
    """An order and the other one in words.

    ``points``: what the order brought more than the other, below 0 where it cost some; ``give``: how far chance may
    have moved that. ``pictured``: whether one of both changes something on the board.
    """

    one: Comparison
    played: tuple[Say, ...]
    better: tuple[Say, ...]
    points: int
    give: int
    pictured: bool

    @property
    def early(self) -> bool:
        return self.one.turn <= EARLY


class OfSeat(Value):
    """What the page says of a player.

    ``more``: clear mistakes beside those named; ``open``: orders that looked doubtful and of which playing on showed
    nothing clear.
    """

    seat: Seat
    mistakes: tuple[Decision, ...]
    more: int
    open: int
    kept_out: bool


class _Words(Value):
    """Both orders in words; ``pictured`` as in :class:`Decision`."""

    played: tuple[Say, ...]
    better: tuple[Say, ...]
    pictured: bool


_words: Shelf[_Words] = Shelf(256)
"""Orders of finished games never change; what playing on has shown of them does while a review is worked on."""


class KindLine(Value):
    """A kind of decision: the reader's mistakes, points they cost a game, and what they cost each other person a game,
    ``None`` where there was nobody else. ``phase`` is empty for all kinds together."""

    phase: str
    mistakes: int
    lost: float
    others: float | None


class Habit(Value):
    """Mistakes of one kind: how often, ``of`` how many of their phases, points lost, and where the dearest one was."""

    said: Say
    times: int
    of: int
    lost: float
    game: str
    number: int


@pages.get("/archive/<game_id>/review")
def overview(game_id: str) -> Response:
    """What is known of a game's review, also while it is worked on."""
    view, found = finished(game_id), reviews.of_game(office(), game_id)
    working = found is not None and found.status in (ReviewStatus.WAITING, ReviewStatus.WORKING)
    game = view.seen_by()
    page = render_template(
        "review.html",
        section="archive",
        game=game,
        voice=game.voice,
        review=found,
        working=working,
        to_end=view.sheet.turns(len(view.seats)) is None,
        minutes=None if found is None or found.left is None else max(1, round(found.left / 60)),
        **_course(view, found),
        seats=[] if found is None else [_of_seat(view, found, seat) for seat in _own_first(view)],
        best=[_decision(view, one) for one in found.decisions if one.best] if found is not None else [],
    )
    response = make_response(page)
    if working:
        response.headers["Refresh"] = str(AGAIN)
    return response


@pages.post("/archive/<game_id>/review")
def ask(game_id: str) -> AnyResponse:
    """Have the game reviewed before older ones."""
    own = form_sender()
    reviews.ask(office(), game_id, own.id, now())
    return redirect(url_for("reviews.overview", game_id=game_id), code=303)


@pages.get("/archive/<game_id>/review/<int:number>")
def decision(game_id: str, number: int) -> str:
    """One order beside the better one: both boards, what came of both, why."""
    view, found = finished(game_id), reviews.of_game(office(), game_id)
    told = [one for one in (() if found is None else found.decisions) if one.clear]
    told.sort(key=lambda one: one.number)
    at = next((place for place, one in enumerate(told) if one.number == number), None)
    if at is None:
        raise NoSuch(f"Order {number} of game {game_id} is not in its review.")
    game, one = view.seen_by(), told[at]
    return render_template(
        "review_order.html",
        section="archive",
        game=game,
        voice=game.voice,
        decision=_decision(view, one),
        at=before_order(view, one).version,
        figures={name: Means.of(one, figure) for name, figure in MEASURED.items()},
        lead=Means.of(one, lambda continuation: continuation.lead),
        reasons=reasons(one),
        is_asked=is_asked(view.sheet.game, one),
        to_end=view.sheet.turns(len(view.seats)) is None,
        before=told[at - 1] if at else None,
        after=told[at + 1] if at + 1 < len(told) else None,
    )


@pages.post("/archive/<game_id>/review/<int:number>")
def play_on(game_id: str, number: int) -> AnyResponse:
    """Open a copy of the game for the reader, played on from the position before this order."""
    own, view = form_sender(), finished(game_id)
    copy = playing_on.begin(office(), view.id, listed(game_id, number).number, own.id, now())
    view = views.game(office(), copy)
    address = office().tokens.make(TurnClaim(copy, view.waiting_for, view.version))
    return redirect(url_for("turns.turn", token=address), code=303)


@pages.get("/archive/<game_id>/review/<int:number>/<any(played, better):which>.png")
def picture(game_id: str, number: int, which: str) -> Response:
    """The board around what both orders change, after one of them."""
    view, one = finished(game_id), listed(game_id, number)

    def draw() -> bytes:
        both = [_after(view, one, each) for each in (PLAYED, BETTER)]
        return drawn_around(before_order(view, one), both, which == BETTER)

    return png(drawn_once(("review", game_id, number, one.better, which), draw))


@pages.get("/account/mistakes")
def mistakes() -> str:
    """The reader's mistakes over the latest reviewed games, by kind and game by game."""
    found = reviews.of_account(office(), reader_or_login().id)
    kinds, habits = _kinds(found), _habits(found.games)
    return render_template("mistakes.html", found=found, shown=found.games[:SHOWN], kinds=kinds, habits=habits)


def _kinds(found: Mistakes) -> list[KindLine]:
    """What each kind of decision has cost, the dearest first; last all of them together."""
    games, theirs = found.games, found.theirs
    mine = [one for game in games for one in game.mistakes]

    def line(phase: str, own: Sequence[Comparison], others: Sequence[Comparison]) -> KindLine:
        lost, elsewhere = _points(own) / len(games), _points(others) / found.others if found.others else None
        return KindLine(phase and games[0].sheet.word(phase), len(own), lost, elsewhere)

    kinds = [
        line(phase, [one for one in mine if one.phase == phase], [one for one in theirs if one.phase == phase])
        for phase in dict.fromkeys(one.phase for one in mine)
    ]
    kinds.sort(key=lambda kind: -kind.lost)
    return [*kinds, line("", mine, theirs)] if games else []


def _habits(games: Sequence[ReviewedGame]) -> list[Habit]:
    """What comes up most, by the points that it has cost; once is no habit."""
    found: dict[str, list[tuple[str, Comparison]]] = {}
    phases = Counter(one.phase for game in games for one in game.mistakes)
    for game in games:
        for one in game.mistakes:
            found.setdefault(str(habit(one)), []).append((game.id, one))
    habits = []
    for mine in found.values():
        game_id, dearest = max(mine, key=lambda each: each[1].lead.value)
        of = sum(phases[phase] for phase in {one.phase for _, one in mine})
        lost = _points(one for _, one in mine)
        habits.append(Habit(habit(dearest), len(mine), of, lost, game_id, dearest.number))
    habits.sort(key=lambda habit: -habit.lost)
    return [habit for habit in habits if habit.times > 1][:NAMED]


def _points(mistakes: Iterable[Comparison]) -> float:
    return sum(one.lead.value for one in mistakes)


def listed(game_id: str, number: int) -> Comparison:
    """An order of a review that everybody may read. Raises :class:`NoSuch`."""
    found = reviews.of_game(office(), game_id)
    for one in () if found is None else found.decisions:
        if one.number == number:
            return one
    raise NoSuch(f"Order {number} of game {game_id} is not in its review.")


def named(view: GameView) -> tuple[list[OfSeat], list[Decision]]:
    """What a review says of every player, and the best moves; nothing before it is done."""
    found = reviews.of_game(office(), view.id)
    if found is None or found.status != ReviewStatus.DONE:
        return [], []
    best = [_decision(view, one) for one in found.decisions if one.best]
    return [_of_seat(view, found, line.seat) for line in view.standings], best


def stand(game_id: str) -> tuple[object, ...]:
    """What :func:`named` is made of; the same as long as that is."""
    found = reviews.of_game(office(), game_id)
    if found is None or found.status != ReviewStatus.DONE:
        return ()
    return tuple(one.number for one in found.decisions), tuple(sorted(found.kept_out))


def _course(view: GameView, found: ReviewView | None) -> dict[str, Any]:
    """The chances after every turn in hundredths, as a chart and as a table, and the parts of everybody's points."""
    if found is None or not found.course:
        return {"chart": None}
    seats, turned = [line.seat for line in view.standings], events(found.course, found.decisions)
    rows = [(turn, [round(100 * worths[seat].chance) for seat in seats]) for turn, worths in by_turn(found.course)]
    series: dict[Seat, list[int | None]] = {seat: [row[at] for _, row in rows] for at, seat in enumerate(seats)}
    drawn = chart(say("Chances to win, in per cent"), series, [turn for turn, _ in rows])
    summed = parts(found.course)
    return {
        "chart": marked(drawn, [_place(found, event) for event in turned], EARLY),
        "chances": rows,
        "turned": [(event, event.decision and _decision(view, event.decision)) for event in turned],
        "parts_of": [(seat, _rounded(summed[seat])) for seat in seats],
    }


def _place(found: ReviewView, event: Event) -> float:
    """Where in the game an event was, in turns."""
    numbers = [one.number for one in found.course if one.turn == event.turn]
    return event.turn - 1 + (numbers.index(event.number) + 1) / len(numbers)


def _rounded(part: Parts) -> list[int]:
    """Start, deal, luck, own decisions, those of others, and end in whole points that add up."""
    sums = [round(sum_) for sum_ in accumulate((part.start, part.deal, part.luck, part.own, part.others))]
    return [sums[0], *(after - before for before, after in pairwise(sums)), sums[-1]]


def _own_first(view: GameView) -> Sequence[Seat]:
    own = reader()
    player = views.seat_of(office(), view.id, own.id) if own is not None else None
    seats = [line.seat for line in view.standings]
    return sorted(seats, key=lambda seat: player is None or seat != player.seat)


def _of_seat(view: GameView, found: ReviewView, seat: Seat) -> OfSeat:
    mine = [one for one in found.decisions if one.player == seat]
    mistakes = [one for one in mine if one.mistake]
    open_ = sum(one.doubtful and not one.clear for one in mine)
    named = tuple(_decision(view, one) for one in mistakes[:NAMED])
    return OfSeat(seat, named, len(mistakes) - len(named), open_, seat in found.kept_out)


def _decision(view: GameView, one: Comparison) -> Decision:
    lead = one.lead
    words = _words.get((view.id, view.version, one.number, one.better), lambda: _in_words(view, one))
    return Decision(one, words.played, words.better, round(-lead.value), round(CLEAR * lead.error), words.pictured)


def _in_words(view: GameView, one: Comparison) -> _Words:
    before = before_order(view, one)
    both = [_after(view, one, which) for which in (PLAYED, BETTER)]
    changed = [view.sheet.marks(before.state, after.state, after.log[-1].events) for after in both]
    played, better = map(words_of, both)
    return _Words(played, better, any(marks.hexes for marks in changed))


def words_of(view: GameView) -> tuple[Say, ...]:
    """What the last order of a view was, in words, without what came of it."""
    move = view.log[-1]
    lines = summaries.log_of(view, move.parted(move.seat)[:1], "")
    return tuple(sentence for line in lines for sentence in line.sentences)


def before_order(view: GameView, one: Comparison) -> GameView:
    """The position in which an order was given; ``view``: the whole game."""
    return _at(view, max(move.number for move in view.log if move.counts and move.number < one.number))


def _after(view: GameView, one: Comparison, which: str) -> GameView:
    """The position after an order, whose entry is the last of the log."""
    if which == PLAYED:
        return _at(view, one.number)
    return tried(before_order(view, one), one.better)


def tried(view: GameView, order: str) -> GameView:
    """The position after an order that was not played there, whose entry is the last of the log."""
    return replace(trials.play(trials.begin(view, "", ""), order), trial=None)


def drawn_around(before: GameView, both: Sequence[GameView], place: int) -> bytes:
    """The board after one of two orders, around what both of them change."""
    shown = [views.scene_after(after, before.state) for after in both]
    return around_png(as_seen(shown[place]), [label for scene in shown for label in scene.marks.hexes])


def _at(view: GameView, number: int) -> GameView:
    """The position after an entry; ``view``: the whole game."""
    with office().read() as session:
        state = views.state_at(session, view, number)
    return replace(view, version=number, state=state, log=tuple(move for move in view.log if move.number <= number))
