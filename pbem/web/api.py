"""The turn API for programs (``/api/v1``): what a turn page says and does, as JSON."""

from __future__ import annotations

import json

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from pbem.service import play, views
from pbem.views import SubmissionView
from pbem.web import forms
from pbem.web.desk import now, office
from pbem.web.turns import Asked, opened, submission_of

pages = Blueprint("api", __name__, url_prefix="/api/v1")


@pages.get("/turn/<token>")
def turn(token: str) -> Response | tuple[Response, int]:
    """What is asked; 410 when it has been answered."""
    asked = opened(token)
    if not asked.open:
        return jsonify(_over(asked)), 410
    game, sheet = asked.game, asked.game.sheet
    question = sheet.question(game.state)
    legal = sheet.legal(game.state)
    return jsonify(
        game=game.id,
        seat=asked.claim.seat,
        version=game.version,
        phase=sheet.phase(game.state),
        prompt=f"{question.act.read(game.voice)}. {' '.join(sentence.read(game.voice) for sentence in question.lead)}",
        legal=None if legal is None else list(legal),
        placements=list(sheet.placements(game.state)),
        deadline=game.deadline.isoformat() if game.deadline else None,
        position=sheet.position(game.state, asked.claim.seat),
    )


@pages.post("/turn/<token>")
def send(token: str) -> tuple[Response, int]:
    """Take in orders."""
    claim = opened(token).claim
    number = play.submit(office(), claim.game, claim.seat, _orders(), claim.version, "api", now())
    status = f"{office().settings.public_url}/api/v1/turn/{token}/submissions/{number}"
    return jsonify(submission=number, status=status), 202


@pages.get("/turn/<token>/submissions/<int:number>")
def status(token: str, number: int) -> Response:
    """What became of them."""
    asked = opened(token)
    found = submission_of(asked.claim, number)
    return jsonify(_told(asked, found))


def _orders() -> str:
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
            raise BadRequest('The body is to be a JSON object with one key: {"orders": "issue 2"}.')
    if not 1 <= len(orders) <= forms.ORDERS:
        raise BadRequest(f"The orders have {len(orders):,} characters; 1 to {forms.ORDERS:,} are allowed.")
    return orders


def _over(asked: Asked) -> dict[str, object]:
    return {
        "error": "This question has been answered.",
        "game": asked.game.id,
        "version": asked.game.version,
        "page": office().addresses.game(asked.game.id),
    }


def _told(asked: Asked, found: SubmissionView) -> dict[str, object]:
    voice = asked.game.voice
    answer: dict[str, object] = {"submission": found.id, "status": found.status, "orders": found.text}
    if found.status == "played" and found.move is not None:
        after = views.game(office(), found.game, found.move).voice
        answer["events"] = [told.say.read(after) for told in found.events if told.open_to(found.seat)]
    if found.status == "refused" and found.sentence is not None:
        answer |= {"reason": found.sentence.read(voice), "rule": found.rule, "line": found.line, "step": found.step}
    return answer
