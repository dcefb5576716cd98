"""Turn pages: what is asked, and every way to answer it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from pbem.engine.sheet import Choice, Question
from pbem.engine.standing_orders import phase_of
from pbem.service.base.rate_limits import ORDERS as ORDERS_OF_A_SEAT
from pbem.service.base.tokens import PlanClaim
from pbem.service.reading import views
from pbem.service.table import submissions
from pbem.service.turns import planning, standing_orders
from pbem.statuses import SubmissionStatus
from pbem.views import GameView
from pbem.web.base import clients
from pbem.web.base.context import context, now, office
from pbem.web.base.forms import ADDRESS, ORDERS, argument, field
from pbem.web.boards import keys
from pbem.web.boards.drafts import split
from pbem.web.boards.pictures import map_picture
from pbem.web.turns import boxes, build, deliver, onward, plans
from pbem.web.turns.build import BuildPage
from pbem.web.turns.deliver import DeliverPage
from pbem.web.turns.dry_run import Check, check
from pbem.web.turns.opened import Asked, answer, next_question, opened

pages = Blueprint("turns", __name__)

LOOKS_EVERY = 0.05
"""Seconds between two looks at orders that a worker is about to play."""


@dataclass(frozen=True, slots=True)
class Then:
    """The field for orders that follow the answer: rounds of moving goods to come, and what waits for them."""

    title: str
    rounds: int
    text: str

    @classmethod
    def of(cls, game: GameView, seat: str) -> Then:
        """For the seat that is asked."""
        later = [moment for moment in game.sheet.moments(game.state, seat)[1:] if phase_of(moment) == "move_goods"]
        waiting = [
            order for order in standing_orders.of_seat(office(), game.id, seat) if order.moment in later and order.turn
        ]
        title = "And then move (optional)" if len(later) > 1 else "Order the next round as well (optional)"
        return cls(title, len(later), "\n".join(order.orders for order in waiting))


@pages.get("/t/<token>")
def turn(token: str) -> str | Response:
    """What is asked, or that it has been answered; changes nothing."""
    asked = opened(token)
    order = argument("order", longest=ORDERS).strip()
    if not asked.open:
        return _stale(asked, order)
    if isinstance(asked.claim, PlanClaim):
        return _plan(asked)
    if "plan" in request.args and asked.own:
        game, player = asked.game, asked.player
        plan = office().tokens.plan(game.id, player.seat, game.sheet.turn(game.state), player.holder)
        return redirect(url_for("turns.turn", token=plan) + "?plan")
    question = asked.game.sheet.question(asked.game.state)
    if order:
        return _simple(asked, question, order)
    if question.builder and argument("build") == "1":
        return _build(asked, question)
    match question.form:
        case "build":
            return _build(asked, question)
        case "deliver":
            page = DeliverPage(asked.game, question, token, deliver.Wish.read())
            return _asking(asked, question, "turn_deliver.html", page.values())
        case "boxes" if len(question.choices) > boxes.FEW and (cubes := boxes.cubes(question, asked.game.voice)):
            values = {"picture": map_picture(asked.game), "cubes": cubes, "verb": boxes.verb(question)}
            return _asking(asked, question, "turn_boxes.html", values)
    return _asking(asked, question, "turn_choices.html", {"picture": map_picture(asked.game)})


@pages.post("/t/<token>")
def send(token: str) -> Response:
    """Take in the orders of the form, wait a moment for the worker, and show what became of them."""
    asked = answer(token)
    via, claim = office(), asked.claim
    clients.use(via, ORDERS_OF_A_SEAT, f"{claim.game}:{claim.seat}", now())
    planned = isinstance(claim, PlanClaim)
    if planned and not asked.open:
        return redirect(url_for("turns.turn", token=token), code=303)
    text = plans.wished() if planned else _wished()
    by_text = planned and plans.both_changed()
    number = submissions.submit(
        via, claim.game, submissions.NewSubmission(claim.seat, text, asked.version, "page"), now()
    )
    if _await(number) in (SubmissionStatus.PLAYED, SubmissionStatus.REFUSED, SubmissionStatus.STUCK):
        submissions.seen(via, number, context().clock())
    on = onward.mark(claim.game, asked.player, number) if asked.open else None
    return redirect(url_for("sent.sent", token=token, number=number, text=1 if by_text else None, on=on), code=303)


@pages.post("/t/<token>/steps")
def step_by_step(token: str) -> Response:
    """The player does not want to plan this turn."""
    claim = office().tokens.read_plan(token)
    if opened(token).open:
        planning.step_by_step(office(), claim.game, claim.seat, now())
    return redirect(url_for("games.game", game_id=claim.game), code=303)


@pages.post("/t/<token>/withdraw/<int:number>")
def withdraw(token: str, number: int) -> Response:
    """Withdraw a standing order of the player."""
    asked = opened(token)
    if asked.open:
        standing_orders.withdraw(office(), asked.claim.game, asked.claim.seat, number, now())
    return redirect(url_for("turns.turn", token=token), code=303)


def _plan(asked: Asked) -> str:
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
        question=game.sheet.question(game.state) if game.waiting_for == seat else None,
        turn_url=url_for("turns.turn", token=office().tokens.turn(game.id, seat, game.version)) if mine else "",
        picture=map_picture(game),
    )


def _await(number: int) -> SubmissionStatus:
    """Look at a submission until it is dealt with or patience ends."""
    until = time.monotonic() + context().patience
    while (found := submissions.status(office(), number)) == SubmissionStatus.WAITING and time.monotonic() < until:
        time.sleep(LOOKS_EVERY)
    return found


def _wished() -> str:
    """The orders a form of a turn page sends: typed ones, a choice beside the list, or its main ones."""
    if field("send", default="") == "typed":
        return field("typed", longest=ORDERS)
    if verb := field("verb", default=""):
        return " ".join((verb, *(field(name) for name in boxes.FIELDS)))
    then = field("then", longest=ORDERS, default="").strip()
    answer = field("instead", longest=ORDERS, default="") or field("orders", longest=ORDERS)
    return f"{answer}\n{then}" if then else answer


def _asking(asked: Asked, question: Question, template: str, values: dict[str, Any]) -> str:
    text, checked = _typed(asked)
    then = Then.of(asked.game, asked.claim.seat)
    return asked.page(template, question=question, text=text, check=checked, then=then, **values)


def _typed(asked: Asked) -> tuple[str, Check | None]:
    """Typed orders that are to be checked and not to be sent."""
    text = argument("typed", longest=ORDERS).strip()
    if argument("check") != "1":
        return "", None
    return text, check(asked.game, asked.claim.seat, text)


def _build(asked: Asked, question: Question) -> str:
    text, checked = _typed(asked)
    note = ""
    steps = request.args.get("steps", "") if not checked else text
    if len(steps) > ADDRESS:
        steps, note = "", f"The draft in this address is longer than {ADDRESS:,} characters and was ignored."
    wish = build.Wish(split(steps) if _is_build(steps) else (), argument("hex"), argument("new"))
    page = BuildPage(asked.game, asked.token, wish, beside=question.form != "build")
    shown = text or page.draft.order
    then = Then.of(asked.game, asked.claim.seat)
    values = page.values()
    return asked.page("turn_build.html", question=question, text=shown, check=checked, note=note, then=then, **values)


def _is_build(text: str) -> bool:
    """Whether typed orders are one build with steps, which the page can show as a draft."""
    return text.strip().lower() not in ("build nothing", "done", "build done")


def _simple(asked: Asked, question: Question, order: str) -> str:
    """The page that asks to confirm the order of a link."""
    choice = _choice(question, order)
    voice = asked.game.voice
    title = choice.title.read(voice) if choice else ""
    title = title[:1].upper() + title[1:]
    return asked.page(
        "turn_simple.html",
        question=question,
        order=order,
        choice=choice,
        heading=f"{title}?" if title else "Send this order?",
        button=title or "Send this order",
        check=check(asked.game, asked.claim.seat, order),
        others=[other for other in question.choices[:6] if other is not choice],
    )


def _choice(question: Question, order: str) -> Choice | None:
    return next((choice for choice in question.choices if choice.order == order), None)


def _stale(asked: Asked, order: str) -> str:
    """The page of a question that has been answered: what was answered, and more only for who may see it anyway."""
    game, version, own = asked.game, asked.version, asked.own
    answered = next((move for move in game.log if version is not None and move.number == version + 1), None)
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
        shown=shown.seen_by(asked.claim.seat) if shown else None,
        picture=map_picture(shown) if shown else None,
    )
