"""Turn pages: what is asked, and every way to answer it."""

import time

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from pbem.service.base.rate_limits import ORDERS as ORDERS_OF_A_SEAT
from pbem.service.base.tokens import PlanClaim, TurnClaim
from pbem.service.games import answering, views
from pbem.service.orders import submissions
from pbem.service.turns import explanations, planning, standing_orders
from pbem.store.statuses import SubmissionStatus
from pbem.views import defaults
from pbem.views.games import GameView
from pbem.web.base import clients
from pbem.web.base.context import context, now, office
from pbem.web.base.forms import ORDERS, argument, field
from pbem.web.boards import keys
from pbem.web.boards.pictures import map_picture
from pbem.web.games import words
from pbem.web.turns import ahead, onward, plans, questions, several
from pbem.web.turns import explain as explaining
from pbem.web.turns.done import straight_on
from pbem.web.turns.opened import OpenedPage, answer, next_question, opened

pages = Blueprint("turns", __name__)

LOOKS_EVERY = 0.05
"""Seconds between two looks at orders that a worker is about to play."""
ROBOTS_ANSWER = 1.5
"""Seconds for which an answer waits for those of robots."""


@pages.get("/t/<token>")
def turn(token: str) -> str | Response:
    asked = opened(token)
    order = argument("order", longest=ORDERS).strip()
    if not asked.open:
        return _stale(asked, order)
    if isinstance(asked.claim, PlanClaim):
        return ahead.page(asked) or _plan(asked)
    if "plan" in request.args and asked.own:
        game, player = asked.game, asked.player
        plan = office().tokens.make(PlanClaim(game.id, player.seat, game.sheet.turn(game.state), player.holder))
        return redirect(url_for("turns.turn", token=plan) + "?plan")
    question = defaults.question(asked.game)
    if order:
        return questions.confirm(asked, question, order)
    return several.page(asked, question) or questions.ask(asked, question)


@pages.get("/t/<token>/words")
def in_words(token: str) -> str | Response:
    """The question and the position in words; of a link that has served no more than its page."""
    asked, here = opened(token), url_for("turns.turn", token=token)
    if not asked.open:
        return redirect(here)
    return words.page(asked.game, asked.player, here, here if asked.version is not None else "", private=True)


@pages.post("/t/<token>")
def send(token: str) -> Response:
    """Take in the orders of the form, wait a moment for the worker, and show what became of them and what is next."""
    asked = answer(token)
    via, claim = office(), asked.claim
    clients.use(via, ORDERS_OF_A_SEAT, f"{claim.game}:{claim.seat}", now())
    planned = isinstance(claim, PlanClaim)
    if planned and not asked.open:
        return redirect(url_for("turns.turn", token=token), code=303)
    number = submissions.submit(
        via, claim.game, submissions.NewSubmission(claim.seat, _wished(planned), asked.version, "page"), now()
    )
    became = _await(number)
    if became in (SubmissionStatus.PLAYED, SubmissionStatus.REFUSED, SubmissionStatus.STUCK):
        submissions.seen(via, number, context().clock())
    on = onward.mark(claim.game, asked.player, number) if asked.open else None
    straight = became == SubmissionStatus.PLAYED and not planned
    if straight and on:
        _await_robots(claim)
    address = straight_on(claim.game, claim.seat, number, on) if straight and on else ""
    address = address or url_for("sent.sent", token=token, number=number, on=on)
    return redirect(address, code=303)


def _wished(planned: bool) -> str:
    if planned and field("ahead", default=""):
        return ahead.wished()
    return plans.wished() if planned and field("send", default="") != "typed" else questions.wished()


@pages.post("/t/<token>/steps")
def step_by_step(token: str) -> Response:
    """The player does not want to plan this turn."""
    claim = office().tokens.read(PlanClaim, token)
    if opened(token).open:
        planning.step_by_step(office(), claim.game, claim.seat, now())
    return redirect(url_for("games.game", game_id=claim.game), code=303)


@pages.post("/t/<token>/explain")
def explain(token: str) -> Response:
    asked, via = opened(token), office()
    clients.use(via, ORDERS_OF_A_SEAT, f"{asked.claim.game}:{asked.claim.seat}", now())
    if asked.open and asked.version is not None:
        explanations.ask(via, asked.claim.game, asked.version, now())
    return redirect(url_for("turns.turn", token=token, explain=1), code=303)


@pages.get("/t/<token>/explain")
def explained(token: str) -> Response:
    """How far that is, in a word that is another one when there is more to show."""
    found = answer(token)
    known = explanations.of_position(office(), found.claim.game, found.version) if found.version is not None else None
    return Response(explaining.stand(known), mimetype="text/plain", headers={"Cache-Control": "no-store"})


@pages.post("/t/<token>/withdraw/<int:number>")
def withdraw(token: str, number: int) -> Response:
    asked = opened(token)
    if asked.open:
        standing_orders.withdraw(office(), asked.claim.game, asked.claim.seat, number, now())
    return redirect(url_for("turns.turn", token=token), code=303)


def _plan(asked: OpenedPage) -> str:
    game, seat = asked.game, asked.claim.seat
    plan = game.sheet.turn_plan(game.state, seat)
    waiting = standing_orders.of_seat(office(), game.id, seat)
    shown = plans.fields(plan, waiting) if plan else ()
    mine = game.waiting_for == seat and (plan is not None or asked.own)
    return asked.page(
        "turn_plan.html",
        plan=plan,
        after=game.voice.listed([game.voice.who(other) for other in plan.after]) if plan else "",
        fields=shown,
        text=plans.text_of(shown),
        waiting=waiting,
        question=defaults.question(game) if game.waiting_for == seat else None,
        turn_url=url_for("turns.turn", token=office().tokens.make(TurnClaim(game.id, seat, game.version)))
        if mine
        else "",
        picture=map_picture(game, seat=seat),
        scene=game.sheet.scene(game.state),
        moments=ahead.moments(asked),
    )


def _await(number: int) -> SubmissionStatus:
    """Look at a submission until it is dealt with or patience ends."""
    until = time.monotonic() + context().patience
    while (found := submissions.status(office(), number)) == SubmissionStatus.WAITING and time.monotonic() < until:
        time.sleep(LOOKS_EVERY)
    return found


def _await_robots(claim: TurnClaim | PlanClaim) -> None:
    """Let robots that answer at once do so, for a moment: mostly the next page is then the next question."""
    until = time.monotonic() + min(ROBOTS_ANSWER, context().patience)
    while answering.player(office(), claim.game, claim.seat).game.robot_thinks and time.monotonic() < until:
        time.sleep(LOOKS_EVERY)


def _stale(asked: OpenedPage, order: str) -> str:
    """The page of a question that has been answered: what was answered, and more only for who may see it anyway."""
    game, version, own = asked.game, asked.version, asked.own
    viewer = asked.claim.seat if own else ""
    found = next((move for move in game.log if version is not None and move.number == version + 1), None)
    answered = found.seen_by(viewer) if found else None
    shown: GameView | None = game
    if game.unlisted and not own:
        shown = views.game(office(), game.id, answered.number) if answered else None
    if shown is not None:
        keys.show_position(shown, asked.player)
    return asked.page(
        "stale.html",
        order=order,
        answer=answered,
        next=next_question(asked) if own else None,
        own=own,
        shown=shown.seen_by(viewer) if shown else None,
        picture=map_picture(shown) if shown else None,
    )
