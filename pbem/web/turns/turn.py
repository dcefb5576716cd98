"""Turn pages: what is asked, every way to answer it, and what became of the answer."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.exceptions import Forbidden, NotFound
from werkzeug.wrappers import Response

from pbem.engine.moves import Refusal, placed
from pbem.engine.sheet import Choice, Question
from pbem.engine.standing_orders import phase_of
from pbem.log import LogLine
from pbem.service import BadToken, NoSuch
from pbem.service.base.rate_limits import ORDERS as ORDERS_OF_A_SEAT
from pbem.service.base.tokens import PlanClaim, TurnClaim
from pbem.service.reading import views
from pbem.service.table import seat_changes, submissions, takeback, votes
from pbem.service.table.proposals.taking_back import TakingBack
from pbem.service.turns import planning, standing_orders
from pbem.statuses import GameStatus, SubmissionStatus
from pbem.views import GameView, SeatView, SubmissionView
from pbem.web.base import clients, summaries
from pbem.web.base.context import context, now, office, show_times_of
from pbem.web.base.forms import ADDRESS, ORDERS, argument, field
from pbem.web.boards import keys
from pbem.web.boards.drafts import split
from pbem.web.boards.pictures import map_picture
from pbem.web.games import company
from pbem.web.turns import boxes, build, deliver, onward, plans
from pbem.web.turns.build import BuildPage
from pbem.web.turns.deliver import DeliverPage
from pbem.web.turns.dry_run import Check, check

pages = Blueprint("turns", __name__)

LOOKS_EVERY = 0.05
"""Seconds between two looks at orders that a worker is about to play."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn page that was opened: whose it is, and whether its question still stands."""

    token: str
    claim: TurnClaim | PlanClaim
    game: GameView
    player: SeatView

    @property
    def open(self) -> bool:
        """Whether the game still stands where the link was made; a link for planning is open for its turn."""
        if isinstance(self.claim, PlanClaim):
            same = self.player.holder == self.claim.holder and self.game.sheet.turn(self.game.state) == self.claim.turn
            return self.game.status == GameStatus.RUNNING and same
        return self.game.version == self.claim.version and self.game.waiting_for == self.claim.seat

    @property
    def version(self) -> int | None:
        """The position the link was made for, ``None`` for a link for planning."""
        return None if isinstance(self.claim, PlanClaim) else self.claim.version

    @property
    def own(self) -> bool:
        """Whether the player whose link it is is logged in: then it may lead on to other questions."""
        return onward.is_own(self.game.id, self.player)

    def sent_with_it(self, found: SubmissionView) -> bool:
        """Whether orders came with this link, or with another one to the same question."""
        if (found.game, found.seat, found.version) != (self.game.id, self.claim.seat, self.version):
            return False
        return found.turn == self.claim.turn if isinstance(self.claim, PlanClaim) else True

    def page(self, template: str, **values: Any) -> str:
        """The page with what all turn pages need."""
        game = self.game.seen_by(self.claim.seat)
        return render_template(
            template,
            private=True,
            game=game,
            voice=game.voice,
            player=self.player,
            token=self.token,
            since=summaries.since(game, self.claim.seat)[-12:],
            **values,
        )


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


@dataclass(frozen=True, slots=True)
class Next:
    """The question that is open now for the same player, and its page."""

    question: Question
    url: str


def opened(token: str) -> Asked:
    """Read the token of a turn page. Raises ``BadToken`` and ``NoSuch``, both a 404, and a 403 for who had the seat
    before."""
    claim = _claim(token)
    game = views.game(office(), claim.game)
    for player in game.seats:
        if player.seat == claim.seat and game.state is not None:
            if player.holder and _handed_on(claim, player):
                raise Forbidden(
                    "The seat has changed hands, so this link no longer works. You can still open the page of the game."
                )
            show_times_of(game.id, player.number)
            asked = Asked(token, claim, game, player)
            if asked.open:
                keys.show_position(game, player)
            return asked
    raise NoSuch(f"Game {game.id} has no player {claim.seat}.")


def _handed_on(claim: TurnClaim | PlanClaim, player: SeatView) -> bool:
    if isinstance(claim, PlanClaim):
        return claim.holder != player.holder
    return seat_changes.handed_on(office(), claim.game, player.number, claim.version)


def _claim(token: str) -> TurnClaim | PlanClaim:
    try:
        return office().tokens.read_turn(token)
    except BadToken:
        return office().tokens.read_plan(token)


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
    asked = opened(token)
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
    if _await(number).status in (SubmissionStatus.PLAYED, SubmissionStatus.REFUSED, SubmissionStatus.STUCK):
        submissions.seen(via, number, context().clock())
    on = onward.mark(claim.game, asked.player, number) if asked.open else None
    return redirect(url_for("turns.sent", token=token, number=number, text=1 if by_text else None, on=on), code=303)


@pages.get("/t/<token>/sent/<int:number>")
def sent(token: str, number: int) -> str:
    """What became of orders that were sent from this turn page; who has just sent them goes on from here."""
    asked = opened(token)
    found = submission_of(asked, number)
    goes_on = _goes_on(asked, found)
    question = asked.game.sheet.question(asked.game.state) if asked.open else None
    refusal = Refusal(found.sentence, found.rule).sentence(asked.game.voice) if found.sentence else ""
    return asked.page(
        "turn_sent.html",
        sent=found,
        asked=asked.open,
        question=question,
        refusal=str(placed(refusal, found.line, found.step)),
        next=_next(asked) if goes_on else None,
        goes_on=goes_on,
        told=_told(asked, found),
        by_text=argument("text") == "1",
        back=company.back_of(asked.game, found.move, asked.player)
        if goes_on and found.status == SubmissionStatus.PLAYED
        else None,
        number=number,
        on=argument("on", longest=onward.LONGEST) or None,
    )


@pages.post("/t/<token>/sent/<int:number>/back")
def take_back(token: str, number: int) -> Response:
    """Take back the orders this page has sent, or ask the others for leave; then show what is asked."""
    asked = opened(token)
    claim, via, found = asked.claim, office(), submission_of(asked, number)
    if not _goes_on(asked, found):
        raise Forbidden("These orders were sent a while ago. To take them back, open the game from your own link.")
    if field("do", default="back") == "ask":
        votes.ask(via, claim.game, asked.player.number, TakingBack(found.move or 0), now())
    else:
        takeback.take_back(via, claim.game, asked.player.number, now(), only=found.move or 0)
    after = views.game(via, claim.game)
    if after.waiting_for == claim.seat:
        address = via.tokens.turn(after.id, claim.seat, after.version)
        return redirect(url_for("turns.turn", token=address), code=303)
    on = argument("on", longest=onward.LONGEST) or None
    return redirect(url_for("turns.sent", token=token, number=number, on=on), code=303)


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


def _told(asked: Asked, found: SubmissionView) -> tuple[LogLine, ...]:
    """What the orders did, once they are played."""
    first = found.move or 0
    played = [move for move in asked.game.log if first and first <= move.number < first + found.moves]
    return summaries.log_of(asked.game, played, found.seat)


def submission_of(asked: Asked, number: int) -> SubmissionView:
    """A submission that answers what the link asks; a 404 for every other, of the same seat as well."""
    found = views.submission(office(), number)
    if not asked.sent_with_it(found):
        raise NotFound
    return found


def _goes_on(asked: Asked, found: SubmissionView) -> bool:
    """Whether the page of a result leads on: after an answer that counted, for who has just given it."""
    answered = found.status in (SubmissionStatus.PLAYED, SubmissionStatus.TAKEN_BACK)
    return asked.own or (answered and onward.has_just_sent(asked.game.id, asked.player, found.id))


def _await(number: int) -> SubmissionView:
    """Look at a submission until it is dealt with or patience ends."""
    until = time.monotonic() + context().patience
    found = views.submission(office(), number)
    while found.status == SubmissionStatus.WAITING and time.monotonic() < until:
        time.sleep(LOOKS_EVERY)
        found = views.submission(office(), number)
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
    answer = next((move for move in game.log if version is not None and move.number == version + 1), None)
    shown: GameView | None = game
    if game.unlisted and not own:
        shown = views.game(office(), game.id, answer.number) if answer else None
    if shown is not None:
        keys.show_position(shown, asked.player)
    return asked.page(
        "stale.html",
        order=order,
        answer=answer,
        next=_next(asked) if own else None,
        own=own,
        shown=shown.seen_by(asked.claim.seat) if shown else None,
        picture=map_picture(shown) if shown else None,
    )


def _next(asked: Asked) -> Next | None:
    """The question the same player is asked now, when it is another one than that of the link."""
    game = asked.game
    answered_by_other = isinstance(asked.claim, PlanClaim) and not asked.open
    same_question = asked.open and asked.version is not None
    if same_question or answered_by_other or game.waiting_for != asked.claim.seat:
        return None
    address = url_for("turns.turn", token=office().tokens.turn(game.id, asked.claim.seat, game.version))
    return Next(game.sheet.question(game.state), address)
