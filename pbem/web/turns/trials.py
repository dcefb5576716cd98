"""Trials: from a position one plays on for all seats, and nothing of it is stored; all of it stands in the address.

Who opens an address of a trial sees with the eyes of the own seat, whoever made it: the right to look comes from where
it lies, below a game, a seat's link or a turn page.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as field_of
from functools import partial
from typing import Any, TypeVar

from flask import Blueprint, Response, abort, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from pbem.engine import BadMove, Refused, say
from pbem.language import current
from pbem.rails.scene import Scene
from pbem.render import board_png, map_png
from pbem.service import NotNow
from pbem.service.base.rate_limits import TRIALS
from pbem.service.base.tokens import TurnClaim
from pbem.service.games import trials, views
from pbem.store.statuses import GameStatus
from pbem.views.games import GameView, SeatView, Trial
from pbem.web.base import clients, summaries
from pbem.web.base.context import context, now, office
from pbem.web.base.forms import ORDERS, NotAllowed, argument, field, number
from pbem.web.boards.drafts import Steps, built, read_steps
from pbem.web.boards.pictures import Key, as_seen, drawn_once, live_map, map_picture, png, tile_picture
from pbem.web.games.members import seat_of_token
from pbem.web.turns import onward, questions
from pbem.web.turns.addresses import Addresses, TooLong, TrialAddresses, seed, unpacked
from pbem.web.turns.done import changes
from pbem.web.turns.opened import opened
from pbem.web.turns.questions import Check, Typed, why

pages = Blueprint("trials", __name__)

PLACES = {"game": "/games/<game_id>/try", "seat": "/s/<token>/try", "turn": "/t/<token>/try"}
"""Where trials lie, and with that whose eyes they are for."""
TOO_LONG = say("This trial has become too long for an address. Undo the last order, or begin another trial.")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Base:
    """What a trial begins with: the game at a position as its reader may read it.

    ``where`` and ``place``: below which address it lies. ``answers``: the token with which the reader may answer what
    the position asks, empty where it asks nothing of the reader. ``leave``: where the reader came from.
    """

    game: GameView
    player: SeatView | None
    where: str
    place: Mapping[str, str]
    answers: str
    leave: str


@dataclass(frozen=True, slots=True)
class Trying:
    """A trial that is shown. ``key``: everything that decides how it began. ``problem``: why orders were not tried;
    ``expected``: points in the end, where they were asked for."""

    base: Base
    key: Key
    started: GameView
    game: GameView
    problem: str = ""
    expected: Mapping[str, int] = field_of(default_factory=dict)

    @property
    def trial(self) -> Trial:
        assert self.game.trial is not None, "it was begun"
        return self.game.trial

    @property
    def pages(self) -> TrialAddresses:
        base, trial = self.base, self.trial
        return TrialAddresses(base.game.id, base.where, base.place, trial.start, trial.seed, trial.orders)

    @property
    def addresses(self) -> Addresses:
        return Addresses(self.pages.page, self.pages.picture)

    def besides(self) -> dict[str, Any]:
        """Orders that follow the answer are tried when their question comes."""
        return {"then": None, "explain": None}

    def page(self, template: str, **values: Any) -> str:
        """The page of a trial as whoever is asked in it would see it, with what all of them need."""
        asked, addresses = self.game.waiting_for or self.trial.viewer, self.pages
        game = self.game.seen_by(asked)
        return render_template(
            template,
            private=self.base.where != "game",
            game=game,
            voice=game.voice,
            player=self.base.player,
            answer_at=addresses.page,
            step_to=addresses.step_to,
            trial=self.trial,
            band=self._band(),
            section="games",
            **values,
        )

    def _band(self) -> dict[str, Any]:
        base, trial = self.base, self.trial
        archived = base.game.status == GameStatus.OVER
        return {
            "archived": archived,
            "hides": not archived and bool(self.game.sheet.secret_draws),
            "changed": changes(trial.viewer, self.started, self.game) if trial.viewer and trial.orders else (),
            "on_at": self.pages.page() if self.game.waiting_for else "",
            "undo": self.pages.after(trial.orders[:-1]) if trial.orders else "",
            "again": self.pages.again(),
            "leave": base.leave,
            "board": self.pages.picture("board"),
            "send": trials.to_send(self.game, self.started) if base.answers else (),
            "send_at": url_for("turns.send", token=base.answers) if base.answers else "",
            "problem": self.problem,
            "expected": self.expected,
            "may_expect": len(self.game.seats) > 1 and bool(self.game.waiting_for),
        }


def _routes(rest: str, **options: Any) -> Callable[[F], F]:
    """A page that is the same wherever the trial lies."""

    def add(page: F) -> F:
        for where, address in PLACES.items():
            pages.add_url_rule(f"{address}{rest}", f"{where}_{page.__name__}", partial(page, where), **options)
        return page

    return add


@_routes("", methods=["GET", "POST"])
def begin(where: str, **place: str) -> str | AnyResponse:
    """A new trial: of the position after order ``at``, or of the present one; with ``orders`` it tries them at once,
    and by a POST robots play on at once."""
    base = _base(where, place, number("at", -1))
    started = trials.begin(base.game, base.player.seat if base.player else "", office().entropy(4).hex())
    if request.method == "POST":
        return _robots_play_on(Trying(base, (), started, started))
    given = argument("typed" if argument("send") == "typed" else "orders", longest=ORDERS).strip()
    trying = Trying(base, (), started, started)
    return _tried(trying, given) if given else redirect(trying.addresses.page())


@_routes("/<int:at>/<seed>/<tried>")
def show(where: str, **place: Any) -> str:
    return _shown(_trying(where, place))


def _shown(trying: Trying) -> str:
    if not trying.game.waiting_for:
        return _over(trying)
    question = trying.game.sheet.question(trying.game.state)
    order = argument("order", longest=ORDERS).strip()
    return questions.confirm(trying, question, order) if order else questions.ask(trying, question)


@_routes("/<int:at>/<seed>/<tried>", methods=["POST"])
def go_on(where: str, **place: Any) -> str | AnyResponse:
    """Try the orders of the form for whoever is asked, or say what robots expect. Nothing changes but the address."""
    trying = _trying(where, place)
    if field("robots", default=""):
        return _robots_play_on(trying)
    if field("expected", default=""):
        clients.use(office(), TRIALS, clients.client(), now())
        return _shown(replace(trying, expected=trials.expected(trying.game)))
    return _tried(trying, questions.wished())


@_routes("/<int:at>/<seed>/<tried>/map.png")
def map_alone(where: str, **place: Any) -> Response:
    trying, steps = _trying(where, place), read_steps()
    g.private_picture = True
    return png(drawn_once(("map", *_key(trying), steps), lambda: map_png(as_seen(_scene(trying, steps)))))


@_routes("/<int:at>/<seed>/<tried>/map.svg")
def live(where: str, **place: Any) -> Response:
    trying, steps = _trying(where, place), read_steps()
    g.private_picture = True
    return live_map((*_key(trying), steps), lambda: _scene(trying, steps))


@_routes("/<int:at>/<seed>/<tried>/tile.png")
def tile(where: str, **place: Any) -> Response:
    trying, steps = _trying(where, place), read_steps()
    g.private_picture = True
    return tile_picture(trying.game, _key(trying), steps, lambda: _scene(trying, steps))


@_routes("/<int:at>/<seed>/<tried>/board.png")
def board(where: str, **place: Any) -> Response:
    trying = _trying(where, place)
    g.private_picture = True
    return png(drawn_once((current().code, "board", *_key(trying)), lambda: board_png(as_seen(_scene(trying, ())))))


def _robots_play_on(trying: Trying) -> str | AnyResponse:
    clients.use(office(), TRIALS, clients.client(), now())
    return _gone_on(trying, lambda: trials.play_on(trying.game))


def _tried(trying: Trying, text: str) -> str | AnyResponse:
    return _gone_on(trying, lambda: trials.play(trying.game, text), text)


def _gone_on(trying: Trying, play: Callable[[], GameView], text: str = "") -> str | AnyResponse:
    """The page of a trial that goes on; its page of now with a sentence where it cannot, and with typed orders."""
    try:
        after = replace(trying, game=play())
        return redirect(after.addresses.page(), code=303)
    except TooLong:
        problem = TOO_LONG.read(trying.game.voice)
    except (BadMove, Refused, NotNow) as error:
        problem = _why(trying.game, error)
    shown = replace(trying, problem=problem)
    if not trying.game.waiting_for:
        return _over(shown)
    return questions.ask(shown, trying.game.sheet.question(trying.game.state), Typed(text, Check(True, problem)))


def _why(game: GameView, error: BadMove | Refused | NotNow) -> str:
    return error.sentence.read(game.voice) if isinstance(error, NotNow) else why(game, error)


def _over(trying: Trying) -> str:
    game = trying.game
    standings = game.standings
    return trying.page(
        "trial_over.html",
        part_names=summaries.part_names(standings),
        picture=map_picture(game, (), trying.addresses.picture),
        winners=[line for line in standings if line.seat in game.sheet.winners(game.state, standings)],
    )


def _trying(where: str, place: Mapping[str, Any]) -> Trying:
    """The trial of an address. Orders of it that cannot be played, for whatever reason, are left out and said."""
    lies = {key: value for key, value in place.items() if key not in ("at", "seed", "tried")}
    orders, own = unpacked(place["tried"]), seed(place["seed"])
    base = _base(where, lies, place["at"])
    viewer = base.player.seat if base.player else ""
    key = (base.game.id, base.game.version, base.game.status, base.game.seats, viewer, own)
    started = context().trials.get(key, lambda: trials.begin(base.game, viewer, own))
    game, problem = _after(started, key, orders)
    return Trying(base, key, started, game, problem)


def _after(started: GameView, key: Key, orders: tuple[str, ...]) -> tuple[GameView, str]:
    """The trial after these orders, or after those before the first that cannot be played, and why."""

    def after(count: int) -> GameView:
        if not count:
            return started
        return context().trials.get((*key, orders[:count]), lambda: trials.play(after(count - 1), orders[count - 1]))

    good = min(len(orders), trials.MOST)
    problem = trials.FULL.read(started.voice) if good < len(orders) else ""
    for count in range(good, 0, -1):
        try:
            return after(count), problem
        except (BadMove, Refused, NotNow) as error:
            problem = _why(started, error)
    return started, problem


def _base(where: str, place: Mapping[str, str], at: int) -> Base:
    """The position of an address, for whoever opens it; ``at`` below 0: the present one.

    Raises a 403 for those who have no seat in a game that is not over.
    """
    if where == "turn":
        return _of_turn(place["token"], at)
    player: SeatView | None
    if where == "seat":
        game_id, player = seat_of_token(place["token"])
        leave = url_for("games.seat", token=place["token"])
    else:
        game_id, leave = place["game_id"], url_for("games.game", game_id=place["game_id"])
        player = next((seat for seat in views.game(office(), game_id).seats if onward.is_own(game_id, seat)), None)
    view = views.game(office(), game_id, at if at >= 0 else None, player.seat if player else "")
    if view.status != GameStatus.OVER and (player is None or not player.seat):
        raise NotAllowed(say("While a game runs, only its players can try something in it."))
    now_asked = view.version == view.latest
    leave = leave if now_asked else f"{leave}?at={view.version}"
    return Base(view, player, where, place, _answers(view, player) if now_asked else "", leave)


def _answers(view: GameView, player: SeatView | None) -> str:
    asked = player is not None and view.waiting_for == player.seat
    return office().tokens.make(TurnClaim(view.id, view.waiting_for, view.version)) if asked else ""


def _of_turn(token: str, at: int) -> Base:
    asked, leave = opened(token), url_for("turns.turn", token=token)
    if not asked.open or at not in (-1, asked.game.version):
        abort(redirect(leave))
    return Base(asked.game, asked.player, "turn", {"token": token}, _answers(asked.game, asked.player), leave)


def _key(trying: Trying) -> Key:
    """Everything that decides what a picture of the trial shows."""
    return ("trial", *trying.key, trying.trial.orders)


def _scene(trying: Trying, steps: Steps) -> Scene:
    """The position with what the last order of the trial, or the steps of a draft, have changed."""

    def drawn() -> Scene:
        game, orders = trying.game, trying.trial.orders
        if steps:
            return built(game, steps)
        before = _after(trying.started, trying.key, orders[:-1])[0].state if orders else None
        return views.scene_after(game, before)

    return context().scenes.get((current().code, *_key(trying), steps), drawn)
