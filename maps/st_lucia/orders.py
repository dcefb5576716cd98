"""The orders that only St. Lucia has: pay to be first, or do not."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.age_of_steam.notation import always_single, single
from pbem.engine.moves import Move
from pbem.engine.standing_orders import PlanChoice, PlanPart
from pbem.engine.text import say


@dataclass(frozen=True, slots=True)
class Pay(Move):
    keyword = "pay"
    usage = "pay"


@dataclass(frozen=True, slots=True)
class Decline(Move):
    keyword = "decline"
    usage = "decline"


OFFER = {"pay": single(Pay, "pay"), "decline": single(Decline, "decline")}
ALWAYS = {"pay": always_single("pay"), "decline": always_single("decline")}


def pay_part() -> PlanPart:
    """Whether to pay, when a turn is planned."""
    choices = (PlanChoice("pay", say("pay")), PlanChoice("decline", say("decline")))
    return PlanPart(
        "turn_order",
        "pick",
        "",
        say("Pay to be first"),
        choices,
        note=say("Played when you are asked and can pay."),
        template="pay",
        example="decline",
    )
