"""Why a robot gave an order, and until when only the player of its seat may read it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pbem.engine import Say, say_from_json, say_to_json


class Until(StrEnum):
    """What must be over before others may read a reason: until then it tells what its robot plans, or holds."""

    NOTHING = "nothing"
    """It says nothing but what the order and the table say."""
    PHASE = "phase"
    TURN = "turn"
    GAME = "game"


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence of a robot about its order.

    ``second``: another about what it would have ordered else, a plan or a hand; ``later``: what must be over before
    others may read that.
    """

    say: Say
    until: Until
    second: Say | None = None
    later: Until = Until.TURN


def reason_to_json(reason: Reason) -> dict[str, Any]:
    """The form in which a reason is stored with orders."""
    second = {} if reason.second is None else {"second": {**say_to_json(reason.second), "until": reason.later}}
    return {**say_to_json(reason.say), "until": reason.until, **second}


def reason_from_json(stored: Mapping[str, Any]) -> Reason:
    """Read back what :func:`reason_to_json` wrote. Reasons of older versions do not say what they tell."""
    until, second = stored.get("until", ""), stored.get("second")
    return Reason(
        say_from_json(stored),
        Until(until) if until in list(Until) else Until.GAME,
        *(() if second is None else (say_from_json(second), Until(second["until"]))),
    )
