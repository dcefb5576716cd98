"""What the turn API answers and takes: its OpenAPI document is made of these, and so is every answer."""

from enum import StrEnum
from typing import Annotated, Any

import msgspec
from flask import Response, jsonify
from msgspec import UNSET, Meta, Struct, UnsetType

from pbem.store.statuses import StandingOrderStatus, SubmissionStatus
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
