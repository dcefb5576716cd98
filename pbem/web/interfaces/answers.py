"""What the turn API answers and takes: its OpenAPI document is made of these, and so is every answer."""

from enum import StrEnum
from typing import Annotated, Any

import msgspec
from flask import Blueprint, Response, jsonify
from msgspec import UNSET, Meta, Struct, UnsetType

from pbem.store.statuses import StandingOrderStatus, SubmissionStatus
from pbem.web.base.context import office
from pbem.web.base.errors import Error
from pbem.web.base.forms import ORDERS


def _one_of(words: type[StrEnum], description: str | None = None) -> Meta:
    return Meta(description=description, extra_json_schema={"enum": list(words)})


class Over(Struct):
    error: str
    game: str
    version: int
    page: str


class Orders(Struct, forbid_unknown_fields=True):
    orders: Annotated[str, Meta(min_length=1, max_length=ORDERS, examples=["issue 2"])]


class Receipt(Struct):
    submission: int
    status: Annotated[str, Meta(extra_json_schema={"format": "uri"})]


class StandingOrder(Struct):
    id: int
    orders: str
    moment: Annotated[str, Meta(description="The question it answers, in words.")]
    turn: Annotated[int | None, Meta(description="The turn it is for; null for every turn.")]
    status: Annotated[str, _one_of(StandingOrderStatus)]
    reason: Annotated[str, Meta(description="Why it is void or stuck.")] | UnsetType = UNSET
    rule: str | UnsetType = UNSET


class Turn(Struct):
    game: str
    seat: Annotated[str, Meta(description="The colour of the player.")]
    version: Annotated[int, Meta(description="The number of the position; every move adds one.")]
    phase: str
    prompt: Annotated[str, Meta(description="The question, in words.")]
    legal: Annotated[list[str] | None, Meta(description="Every legal order; null if there are too many.")]
    placements: Annotated[
        list[str], Meta(description="While you build track: every legal single placement, as a complete build order.")
    ]
    plan: Annotated[
        list[str], Meta(description="Orders that you can give ahead at the start of a turn; fill in every “_”.")
    ]
    ahead: Annotated[list[StandingOrder], Meta(description="The waiting orders of this seat.")]
    deadline: Annotated[str, Meta(extra_json_schema={"format": "date-time"})] | None
    position: dict[str, Any]


class Withdrawn(Struct):
    withdrawn: bool


class Submission(Struct):
    submission: int
    status: Annotated[
        str,
        _one_of(
            SubmissionStatus, "stuck: there was an error on our side and nothing has changed; you can send them again."
        ),
    ]
    orders: str
    events: (
        Annotated[
            list[str],
            Meta(description="What happened, once they are played; waiting orders are listed here, too."),
        ]
        | UnsetType
    ) = UNSET
    ahead: Annotated[list[StandingOrder], Meta(description="Those that wait, or have waited.")] | UnsetType = UNSET
    reason: Annotated[str, Meta(description="Why they were refused, or are stuck.")] | UnsetType = UNSET
    rule: Annotated[str, Meta(description="The ruling behind the refusal; empty if there is none.")] | UnsetType = UNSET
    line: (
        Annotated[int, Meta(description="The line that failed, counted from 1; 0 if it is the only one.")] | UnsetType
    ) = UNSET
    step: (
        Annotated[int, Meta(description="The step of a build that failed, counted from 1; 0 if none did.")] | UnsetType
    ) = UNSET


class OpenQuestion(Struct):
    game: str
    title: str
    kind: Annotated[str, Meta(description="age-of-steam or steam-power.")]
    map: str
    seat: Annotated[str, Meta(description="The colour that is asked.")]
    version: Annotated[int, Meta(description="The number of the position.")]
    turn: int
    phase: str
    since: Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
    deadline: Annotated[str, Meta(extra_json_schema={"format": "date-time"})] | None
    paused: Annotated[bool, Meta(description="The game is paused, and no clock runs.")]
    question: Annotated[str, Meta(description="Where it is read and answered.", extra_json_schema={"format": "uri"})]


class Questions(Struct):
    questions: list[OpenQuestion]


class Illegal(Struct):
    error: Annotated[str, Meta(description="Why the orders were refused, or why the body cannot be read.")]
    rule: Annotated[str, Meta(description="The ruling behind the refusal; empty if there is none.")] = ""
    line: Annotated[int, Meta(description="The line that failed, counted from 1; 0 if it is the only one.")] = 0
    step: Annotated[int, Meta(description="The step of a build that failed, counted from 1; 0 if none did.")] = 0


KINDS = (
    Error, Over, Orders, Receipt, Turn, StandingOrder, Withdrawn, Submission, OpenQuestion, Questions, Illegal,
)  # fmt: skip


def schemas() -> dict[str, Any]:
    _, components = msgspec.json.schema_components(KINDS, ref_template="#/components/schemas/{name}")
    return components


def answered(answer: Struct, code: int = 200) -> Response:
    response = jsonify(msgspec.to_builtins(answer))
    response.status_code = code
    return response


pages = Blueprint("openapi", __name__)

Json = dict[str, Any]


@pages.get("/api/v1/openapi.json")
def openapi() -> Response:
    return jsonify(document(office().settings.public_url))


def document(server: str) -> Json:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "pbem turn API",
            "version": "1",
            "description": (
                "Answer turns from a program. A token is the last part of a turn link, without what "
                "follows a question mark. The token of a question works until it is answered; that of a planning "
                "email (see “Give standing orders” on the page of the game) works for a whole turn: orders sent "
                "with it are played at once if they answer the current question; all others wait for their moment. "
                "The addresses below /api/v1/questions are for programs that play for an account of their own; they "
                "send the token of the account with each request."
            ),
        },
        "servers": [{"url": server}],
        "paths": {
            "/api/v1/turn/{token}": {"parameters": [_TOKEN], "get": _GET, "post": _POST},
            "/api/v1/turn/{token}/submissions/{submission}": {"parameters": [_TOKEN, _SUBMISSION], "get": _STATUS},
            "/api/v1/turn/{token}/withdraw/{order}": {"parameters": [_TOKEN, _ORDER], "post": _WITHDRAW},
            "/api/v1/questions": {"get": _QUESTIONS},
            "/api/v1/questions/{game}/{version}": {"parameters": [_GAME, _VERSION], "get": _QUESTION, "post": _ANSWER},
            "/api/v1/questions/{game}/{version}/submissions/{submission}": {
                "parameters": [_GAME, _VERSION, _SUBMISSION],
                "get": _OUTCOME,
            },
        },
        "components": {
            "schemas": schemas(),
            "securitySchemes": {"program": {"type": "http", "scheme": "bearer"}},
        },
    }


def _answer(description: str, schema: str) -> Json:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {"description": description, "content": content}


_TOKEN: Json = {"name": "token", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
_SUBMISSION: Json = {
    "name": "submission", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0},
}  # fmt: skip
_ORDER: Json = {"name": "order", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
_NO_LONGER = _answer("The seat has changed hands since the link was sent.", "Error")
_FOREIGN = _answer("The token is not valid, or nothing has this number.", "Error")
_AGAIN: Json = {
    "Retry-After": {"description": "Seconds to wait before the next attempt.", "schema": {"type": "integer"}}
}
_LATER: Json = {
    "429": _answer("Too many requests or orders with this link; nothing was accepted.", "Error") | {"headers": _AGAIN},
    "503": _answer("The database does not answer; you can send the same again.", "Error") | {"headers": _AGAIN},
}

_GET: Json = {
    "operationId": "readTurn",
    "summary": "Read the question. This changes nothing, however often you call it.",
    "responses": {
        "200": _answer("The question is still open.", "Turn"),
        "403": _NO_LONGER,
        "404": _FOREIGN,
        "410": _answer("The question has been answered, or its time is over.", "Over"),
        **_LATER,
    },
}
_POST: Json = {
    "operationId": "sendOrders",
    "summary": "Send orders. Sending the same orders twice has the same effect as sending them once.",
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Orders"}}},
    },
    "responses": {
        "202": _answer("Accepted; read the status to see what becomes of them.", "Receipt"),
        "400": _answer("The body is not a JSON object with orders of 1 to 10,000 characters.", "Error"),
        "403": _NO_LONGER,
        "404": _FOREIGN,
        "410": _answer("The turn for which these standing orders were meant is over.", "Over"),
        "413": _answer("The body is longer than 64 KB.", "Error"),
        "415": _answer("The body is not application/json.", "Error"),
        **_LATER,
    },
}
_WITHDRAW: Json = {
    "operationId": "withdrawOrder",
    "summary": "Withdraw a waiting order of your own.",
    "responses": {
        "200": _answer("Whether it was withdrawn: false if it was no longer waiting.", "Withdrawn"),
        "403": _NO_LONGER,
        "404": _FOREIGN,
        "410": _answer("The token no longer works.", "Over"),
        **_LATER,
    },
}
_STATUS: Json = {
    "operationId": "readSubmission",
    "summary": "Read what became of your orders.",
    "responses": {"200": _answer("Their status.", "Submission"), "403": _NO_LONGER, "404": _FOREIGN, **_LATER},
}
_GAME: Json = {"name": "game", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
_VERSION: Json = {"name": "version", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
_REFUSED: Json = {
    "401": _answer("The header Authorization: Bearer has no token, or a wrong one.", "Error"),
    "403": _answer("The operator of the server has blocked the account.", "Error"),
    **_LATER,
}
_NO_SEAT = _answer("The account has no seat in such a game, or nothing has this number.", "Error")
_ANSWERED = _answer("The question has been answered, or is not asked yet.", "Over")
_FOR_PROGRAMS: Json = {"security": [{"program": []}]}

_QUESTIONS: Json = {
    "operationId": "listQuestions",
    "summary": "All open questions of the account, the least time left first. One that waits to be played is left out.",
    "responses": {"200": _answer("They may be none.", "Questions"), **_REFUSED},
    **_FOR_PROGRAMS,
}
_QUESTION: Json = {
    "operationId": "readQuestion",
    "summary": "Read a question. This changes nothing, however often you call it.",
    "responses": {
        "200": _answer("The question is still open.", "Turn"), "404": _NO_SEAT, "409": _ANSWERED, **_REFUSED,
    },
    **_FOR_PROGRAMS,
}  # fmt: skip
_ANSWER: Json = {
    "operationId": "answerQuestion",
    "summary": "Answer a question. What the rules refuse is told at once and not kept.",
    "requestBody": _POST["requestBody"],
    "responses": {
        "202": _answer("Accepted; the status tells when they are played.", "Receipt"),
        "404": _NO_SEAT,
        "409": _ANSWERED,
        "413": _answer("The body is longer than 64 KB.", "Error"),
        "415": _answer("The body is not application/json.", "Error"),
        "422": _answer("The rules refuse these orders, or the body cannot be read.", "Illegal"),
        **_REFUSED,
    },
    **_FOR_PROGRAMS,
}
_OUTCOME: Json = {
    "operationId": "readOutcome",
    "summary": "Read what became of your orders.",
    "responses": {"200": _answer("Their status.", "Submission"), "404": _NO_SEAT, **_REFUSED},
    **_FOR_PROGRAMS,
}
