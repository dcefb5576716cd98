"""What the turn API answers and takes: its OpenAPI document is made of these, and so is every answer."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import msgspec
from flask import Response, jsonify
from msgspec import UNSET, Meta, Struct, UnsetType

from pbem.statuses import StandingOrderStatus, SubmissionStatus
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


class Ahead(Struct):
    id: int
    orders: str
    moment: Annotated[str, Meta(description="What it answers, in words.")]
    turn: Annotated[int | None, Meta(description="The turn it is for, null for every turn.")]
    status: Annotated[str, _one_of(StandingOrderStatus)]
    reason: Annotated[str, Meta(description="Why it is void or stuck.")] | UnsetType = UNSET
    rule: str | UnsetType = UNSET


class Turn(Struct):
    game: str
    seat: Annotated[str, Meta(description="The colour of the player.")]
    version: Annotated[int, Meta(description="Counts the moves of the game.")]
    phase: str
    prompt: Annotated[str, Meta(description="What is asked, in words.")]
    legal: Annotated[list[str] | None, Meta(description="Every legal order, null when they are too many.")]
    placements: Annotated[
        list[str], Meta(description="While track is built: every legal single placement as a whole build order.")
    ]
    plan: Annotated[
        list[str], Meta(description="Lines that can be ordered ahead as the turn opens, “_” to be filled in.")
    ]
    ahead: Annotated[list[Ahead], Meta(description="The orders of this seat that wait.")]
    deadline: Annotated[str, Meta(extra_json_schema={"format": "date-time"})] | None
    position: dict[str, Any]


class Withdrawn(Struct):
    withdrawn: bool


class Submission(Struct):
    submission: int
    status: Annotated[
        str,
        _one_of(SubmissionStatus, "stuck: something broke on our side, nothing has changed; they can be sent again."),
    ]
    orders: str
    events: (
        Annotated[
            list[str],
            Meta(description="What happened, once they are played; orders that wait are told here as well."),
        ]
        | UnsetType
    ) = UNSET
    ahead: Annotated[list[Ahead], Meta(description="The orders of it that wait, or have waited.")] | UnsetType = UNSET
    reason: Annotated[str, Meta(description="Why they were refused, or are stuck.")] | UnsetType = UNSET
    rule: Annotated[str, Meta(description="The ruling the refusal rests on; empty when there is none.")] | UnsetType = (
        UNSET
    )
    line: Annotated[int, Meta(description="The line that failed, from 1; 0 when it is the only one.")] | UnsetType = (
        UNSET
    )
    step: Annotated[int, Meta(description="The step of a build that failed, from 1; 0 for none.")] | UnsetType = UNSET


KINDS = (Error, Over, Orders, Receipt, Turn, Ahead, Withdrawn, Submission)


def schemas() -> dict[str, Any]:
    """The JSON schemas of all of them by name."""
    _, components = msgspec.json.schema_components(KINDS, ref_template="#/components/schemas/{name}")
    return components


def answered(answer: Struct, code: int = 200) -> Response:
    """The answer as a response."""
    response = jsonify(msgspec.to_builtins(answer))
    response.status_code = code
    return response
