"""The page of a planning order: its fields, what they write, and the orders that wait already."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.engine import say
from pbem.engine.standing_orders import PlanPart, TurnPlan, phase_of
from pbem.views.games import StandingOrderView
from pbem.web.base.forms import BadForm, field

RANKS = 4
"""Choices of an order of preference that have a field; more can be typed."""
LONGEST_LIMIT = 4


@dataclass(frozen=True, slots=True)
class Fields:
    """A part of the plan as the form shows it. ``value``: what is chosen or typed; ``ranked``: choices by place."""

    part: PlanPart
    value: str = ""
    until: str = ""
    then: str = ""
    ranked: tuple[str, ...] = ("",) * RANKS

    @property
    def name(self) -> str:
        return phase_of(self.part.moment)


def fields(plan: TurnPlan, waiting: Sequence[StandingOrderView]) -> tuple[Fields, ...]:
    orders = [order.orders for order in waiting if order.turn]
    return tuple(_filled(part, orders) for part in plan.parts)


def _filled(part: PlanPart, orders: Sequence[str]) -> Fields:
    given = next((order.removeprefix(part.word).strip() for order in orders if _for_part(part, order)), "")
    match part.form:
        case "limit":
            return _limit(part, given.split())
        case "rank":
            named = tuple(name.strip() for name in given.split(">"))
            return Fields(part, ranked=(*named, *("",) * RANKS)[:RANKS])
    return Fields(part, value=given)


def _for_part(part: PlanPart, order: str) -> bool:
    return order.startswith(f"{part.word} ") if part.word else order in {choice.value for choice in part.choices}


def _limit(part: PlanPart, words: Sequence[str]) -> Fields:
    after = dict(zip(words[1::2], words[2::2], strict=False))
    value = words[0] if words else ""
    return Fields(part, value=value, until=after.get("until", ""), then=after.get("then", ""))


def text_of(shown: Sequence[Fields]) -> str:
    lines = (_line(f.part.form, f.part.word, f.value, f.until, f.then, f.ranked) for f in shown)
    return "\n".join(filter(None, lines))


def _line(form: str, word: str, value: str, until: str = "", then: str = "", ranked: Sequence[str] = ()) -> str:
    if form == "rank":
        named = " > ".join(dict.fromkeys(name for name in ranked if name))
        return f"{word} {named}" if named else ""
    if form == "limit" and value:
        return f"{word} {value}{then and f' then {then}'}{until and f' until {until}'}"
    return f"{word} {value}".strip() if value else ""


def wished() -> str:
    written = "\n".join(line for name in field("parts", default="").split() if (line := _sent(name)))
    if not written:
        raise BadForm(say("Nothing is planned: choose something, or type orders into the text field."))
    return written


def _sent(name: str) -> str:
    form, word = field(f"{name}.form", default=""), field(f"{name}.word", default="")
    if form not in ("pick", "limit", "rank"):
        raise BadForm(say("The field “{name}” has a value that this page does not offer.", name=f"{name}.form"))
    if form == "rank":
        return _line(form, word, "", ranked=[field(f"{name}.{place}", default="") for place in range(1, RANKS + 1)])
    value = field(f"{name}.value", default="").strip()
    if form == "pick" or not value:
        return _line(form, word, value)
    if not (value.isascii() and value.isdigit() and len(value) <= LONGEST_LIMIT):
        raise BadForm(say("The limit of the bid must be a number of dollars, not “{value}”.", value=value[:40]), value)
    return _line(form, word, value, field(f"{name}.until", default=""), field(f"{name}.then", default=""))
