"""The turn API for programs (``/api/v1``): what a turn page says and does, as JSON."""

import json

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from pbem.engine.standing_orders import TurnPlan
from pbem.service.base.rate_limits import ORDERS, REQUESTS
from pbem.service.base.tokens import PlanClaim
from pbem.service.games import views
from pbem.service.orders import submissions
from pbem.service.turns import standing_orders
from pbem.store.statuses import SubmissionStatus
from pbem.views.games import StandingOrderView, SubmissionView
from pbem.web.base import clients, forms
from pbem.web.base.context import now, office
from pbem.web.interfaces.answers import Over, Receipt, StandingOrder, Submission, Turn, Withdrawn, answered
from pbem.web.turns.opened import Answer, OpenedPage, answer, opened, submission_of

pages = Blueprint("api", __name__, url_prefix="/api/v1")


@pages.get("/turn/<token>")
def turn(token: str) -> Response:
    asked = _opened(token)
    if not asked.open:
        return answered(over(asked), 410)
    return answered(question(asked))


def question(asked: OpenedPage) -> Turn:
    game, sheet, seat = asked.game, asked.game.sheet, asked.claim.seat
    planning = isinstance(asked.claim, PlanClaim)
    plan = sheet.turn_plan(game.state, seat)
    legal = None if planning else sheet.legal(game.state)
    return Turn(
        game=game.id,
        seat=seat,
        version=game.version,
        phase=sheet.phase(game.state),
        prompt=_plan_prompt(asked, plan) if planning else _prompt(asked),
        legal=None if legal is None else list(legal),
        placements=[] if planning else list(sheet.placements(game.state)),
        plan=[part.template for part in plan.parts] if plan else [],
        ahead=[_order(asked, order) for order in standing_orders.of_seat(office(), game.id, seat)],
        deadline=game.deadline.isoformat() if game.deadline and game.waiting_for == seat else None,
        position=sheet.position(game.state, seat),
    )


def _opened(token: str) -> OpenedPage:
    """Read the token; a program that asks without end is told to wait."""
    asked = opened(token)
    clients.use(office(), REQUESTS, token, now())
    return asked


def _prompt(asked: OpenedPage) -> str:
    question, voice = asked.game.sheet.question(asked.game.state), asked.game.voice
    return f"{question.act.read(voice)}. {' '.join(sentence.read(voice) for sentence in question.lead)}"


def _plan_prompt(asked: OpenedPage, plan: TurnPlan | None) -> str:
    if plan is None:
        return "Give standing orders."
    voice = asked.game.voice
    return f"{plan.act.read(voice)}. {' '.join(sentence.read(voice) for sentence in plan.lead)}"


@pages.post("/turn/<token>")
def send(token: str) -> Response:
    asked, orders = answer(token), sent_orders()
    clients.use(office(), ORDERS, f"{asked.game.id}:{asked.claim.seat}", now())
    if asked.version is None and not asked.open:
        return answered(over(asked), 410)
    claim = asked.claim
    number = submissions.submit(
        office(), claim.game, submissions.NewSubmission(claim.seat, orders, asked.version, "api"), now()
    )
    status = f"{office().settings.public_url}/api/v1/turn/{token}/submissions/{number}"
    return answered(Receipt(submission=number, status=status), 202)


@pages.post("/turn/<token>/withdraw/<int:number>")
def withdraw(token: str, number: int) -> Response:
    asked = opened(token)
    if not asked.open:
        return answered(over(asked), 410)
    done = standing_orders.withdraw(office(), asked.claim.game, asked.claim.seat, number, now())
    return answered(Withdrawn(withdrawn=done))


@pages.get("/turn/<token>/submissions/<int:number>")
def status(token: str, number: int) -> Response:
    asked = _opened(token)
    found = submission_of(asked.claim, number)
    return answered(told(asked, found))


def sent_orders() -> str:
    if not request.is_json:
        raise UnsupportedMediaType("Send a JSON object, with the header Content-Type: application/json.")
    try:
        body = json.loads(request.get_data())
    except (ValueError, RecursionError):
        body = None
    match body:
        case {"orders": str(orders), **rest} if not rest:
            pass
        case _:
            raise BadRequest('The body must be a JSON object with one key: {"orders": "issue 2"}.')
    if not 1 <= len(orders) <= forms.ORDERS:
        raise BadRequest(f"The orders have {len(orders):,} characters; 1 to {forms.ORDERS:,} are allowed.")
    return orders


def over(asked: OpenedPage | Answer) -> Over:
    return Over(
        error="This question has been answered.",
        game=asked.game.id,
        version=asked.game.version,
        page=office().addresses.game(asked.game.id),
    )


def _order(asked: OpenedPage, order: StandingOrderView) -> StandingOrder:
    voice = asked.game.voice
    told = StandingOrder(
        id=order.id,
        orders=order.orders,
        moment=order.words.read(voice),
        turn=order.turn or None,
        status=order.status,
    )
    if order.reason is not None:
        told.reason, told.rule = order.reason.read(voice), order.rule
    return told


def told(asked: OpenedPage, found: SubmissionView) -> Submission:
    voice = asked.game.voice
    answer = Submission(submission=found.id, status=found.status, orders=found.text)
    if found.status == SubmissionStatus.PLAYED:
        answer.events = _events(asked, found)
    if found.standing_orders:
        answer.ahead = [_order(asked, order) for order in found.standing_orders]
    if found.status in (SubmissionStatus.REFUSED, SubmissionStatus.STUCK) and found.sentence is not None:
        answer.reason, answer.rule = found.sentence.read(voice), found.rule
        answer.line, answer.step = found.line, found.step
    return answer


def _events(asked: OpenedPage, found: SubmissionView) -> list[str]:
    """What happened, read as the places were called then, and what waits."""
    last = None if found.move is None else found.move + found.moves - 1
    after = views.game(office(), found.game, last).voice
    events = [told.say.read(after) for told in found.events if told.open_to(found.seat)]
    waits = (*standing_orders.taken_words(asked.game.sheet.unit, found.standing_orders), *found.clashes)
    return events + [sentence.read(asked.game.voice) for sentence in waits]
