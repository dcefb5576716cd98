"""The API for programs that have a token of their account (``/api/v1/questions``): what they are asked, and answers."""

from http import HTTPStatus

from flask import Blueprint, Response, request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import BadRequest, Unauthorized, UnprocessableEntity

from pbem.engine import BadMove, Refusal, Refused, say
from pbem.language import orders as spoken_orders
from pbem.service import BadToken, NoSuch
from pbem.service.base.rate_limits import ORDERS, REQUESTS, WRONG_LINKS
from pbem.service.base.tokens import TurnClaim
from pbem.service.orders import submissions
from pbem.service.people import programs
from pbem.service.turns import orders
from pbem.web.base import clients
from pbem.web.base.context import now, office
from pbem.web.base.forms import NotAllowed, NotThere
from pbem.web.interfaces import api
from pbem.web.interfaces.answers import Illegal, OpenQuestion, Questions, Receipt, answered
from pbem.web.turns.opened import OpenedPage, of_seat, submission_of

pages = Blueprint("programs", __name__, url_prefix="/api/v1/questions")

MISSING = "Send the token of your program in the header “Authorization: Bearer pbem_…”."
WRONG = "There is no such token, or it was withdrawn. Make a new one on the page of the account."


@pages.get("")
def listed() -> Response:
    asked = programs.questions(office(), _account(), now())
    return answered(
        Questions(
            [
                OpenQuestion(
                    game=one.game,
                    title=one.title,
                    kind=one.kind,
                    map=one.map,
                    seat=one.seat,
                    version=one.version,
                    turn=one.turn,
                    phase=one.phase,
                    since=one.since.isoformat(),
                    deadline=one.deadline.isoformat() if one.deadline else None,
                    paused=one.paused,
                    question=_address(one.game, one.version),
                )
                for one in asked
            ]
        )
    )


@pages.route("/<game>/<int:version>", methods=["GET", "POST"])
def question(game: str, version: int) -> Response:
    asked = _asked(game, version)
    if request.method == "POST":
        return _take_in(asked, version)
    return answered(api.question(asked)) if asked.open else _over(asked)


def _take_in(asked: OpenedPage, version: int) -> Response:
    """Only orders that the rules allow: all others are refused at once, and nobody is told."""
    try:
        text = api.sent_orders()
    except BadRequest as bad:
        raise UnprocessableEntity(bad.description) from bad
    clients.use(office(), ORDERS, f"{asked.game.id}:{asked.claim.seat}", now())
    if not asked.open:
        return _over(asked)
    if (illegal := _illegal(asked, text)) is not None:
        return answered(illegal, HTTPStatus.UNPROCESSABLE_ENTITY)
    new = submissions.NewSubmission(asked.claim.seat, text, version, "api")
    number = submissions.submit(office(), asked.game.id, new, now())
    return answered(Receipt(number, f"{_address(asked.game.id, version)}/submissions/{number}"), HTTPStatus.ACCEPTED)


@pages.get("/<game>/<int:version>/submissions/<int:number>")
def status(game: str, version: int, number: int) -> Response:
    asked = _asked(game, version)
    return answered(api.told(asked, submission_of(asked.claim, number)))


def _account() -> int:
    given = request.authorization
    if given is None or given.type != "bearer" or not given.token:
        raise Unauthorized(MISSING, www_authenticate=WWWAuthenticate("bearer"))
    try:
        caller = programs.caller(office(), given.token, now())
    except BadToken as wrong:
        clients.use(office(), WRONG_LINKS, clients.client(), now())
        raise Unauthorized(WRONG, www_authenticate=WWWAuthenticate("bearer")) from wrong
    if caller.barred:
        raise NotAllowed(say("The operator of this server has blocked this account."))
    clients.use(office(), REQUESTS, f"program:{caller.token}", now())
    return caller.account


def _asked(game: str, version: int) -> OpenedPage:
    account = _account()
    try:
        return of_seat(TurnClaim(game, programs.colour(office(), account, game), version))
    except NoSuch as none:
        raise NotThere(say("This account has no seat in such a game.")) from none


def _over(asked: OpenedPage) -> Response:
    return answered(api.over(asked), HTTPStatus.CONFLICT)


def _illegal(asked: OpenedPage, text: str) -> Illegal | None:
    """Why the rules refuse these orders, played on the position without the dice of the game."""
    game = asked.game
    names = {seat.seat: seat.name for seat in game.seats}
    try:
        moves = spoken_orders.parse(game.sheet, game.state, text, names)
        orders.sort(game.sheet, game.state, asked.claim.seat, moves, strict=True)
    except BadMove as bad:
        return _told(asked, Refusal(bad.sentence()), bad.line)
    except Refused as refused:
        return _told(asked, refused.refusal, refused.line)
    return None


def _told(asked: OpenedPage, refusal: Refusal, line: int) -> Illegal:
    return Illegal(refusal.why.read(asked.game.voice), refusal.rule, line, refusal.step)


def _address(game: str, version: int) -> str:
    return f"{office().settings.public_url}/api/v1/questions/{game}/{version}"
